import type { Json } from './json.ts'
import type { World } from './world.ts'

/** Rows of cells, each its text or rich text elements. */
export type PastedTable = (string | Json[])[][]

/** What Slack makes of cells that somebody pastes: a table of its own, in an attachment without any text. */
export const pasted = (world: World, table: PastedTable | undefined): Json[] => {
  if (table === undefined) return []
  const rows = table.map((row) => row.map(cell))
  const blocks = world.withIds([{ type: 'table', rows }])
  return [{ id: 1, fallback: '[no preview available]', blocks }]
}

const cell = (content: string | Json[]): Json => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    },
  ],
})
