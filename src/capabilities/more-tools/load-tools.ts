import { z } from 'zod'
import { defineTool, type ToolContext } from '../../domain/tool.ts'
import { moreToolsWords } from './words.ts'

export interface LoadContext {
  more: { load(names: readonly string[]): Promise<string[]> }
}

const input = z.strictObject({
  names: z.array(z.string().min(1).max(64)).min(1).max(20).describe('Of “More tools”'),
})

export const loadTools = defineTool<z.infer<typeof input>, LoadContext & ToolContext>({
  kind: 'run',
  name: 'load_tools',
  description: 'Loads tools into this thread. You have them from the next step on.',
  input,
  doing: ({ names }) => moreToolsWords.getting({ names: names.join(', ') }),
  effect: 'read',
  repeatable: true,
  stays: true,
  async run({ names }, { more }) {
    const loaded = await more.load(names)
    const missing = names.filter((name) => !loaded.includes(name))
    return [
      loaded.length === 0 ? 'Nothing was loaded.' : `Loaded: ${loaded.join(', ')}.`,
      ...(missing.length === 0 ? [] : [`These can’t be loaded: ${missing.join(', ')}.`]),
    ].join(' ')
  },
})
