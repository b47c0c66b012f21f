import { type ApprovalRequest, isLongInput, isMuchUnclear } from '../domain/request.ts'
import type { Json } from '../kit/json.ts'
import { visible } from '../kit/text/text.ts'
import { insertOutbox } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'
import { trustWords } from './words.ts'

/** What doesn't fit on a card is posted in full above it, so that people see everything they approve. */
export async function showWhole(tx: Tx, { id, session, turn, payload }: ApprovalRequest): Promise<void> {
  const { tool, input, unclear } = payload
  const isLong = isLongInput(payload)
  const scripts = (payload.scripts ?? []).map(({ path, text }) => `${pathOf(path)}${fence(text)}`)
  const parts = [
    ...(isLong ? [trustWords.wholeCall({ tool }), ...partsOf(input)] : []),
    ...(!isLong && scripts.length > 0 ? [trustWords.whatRuns()] : []),
    ...scripts,
    ...(isMuchUnclear(payload) ? [trustWords.allUnclear({ tool }), fence(unclear.map(entry).join('\n'))] : []),
  ]
  if (parts.length === 0) return
  const text = parts.join('\n\n')
  await insertOutbox(tx, { key: `whole_${id}`, session, turn, kind: 'answer', payload: { text, files: [] } })
}

const entry = (unclear: string): string => `- ${visible(unclear).replace(/\s+/g, ' ')}`

/** One part for each text or other value in it, under its name: the keys that lead to it. */
function partsOf(input: Json, keys: string[] = []): string[] {
  const inside = typeof input === 'object' && input !== null ? Object.entries(input) : []
  if (inside.length === 0) {
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    return [`${keys.length === 0 ? '' : labelOf(keys)}${fence(text)}`]
  }
  return inside.flatMap(([key, value]) => partsOf(value, [...keys, key]))
}

/** With anything else in it, such as letters of another alphabet, a key could pass for another part's name. */
const plain = /^[A-Za-z0-9]+(?:[_,/ -][A-Za-z0-9]+)*$/

function labelOf(keys: string[]): string {
  if (keys.every((key) => plain.test(key))) return `**${keys.join('.')}**\n`
  const name = keys.map((key) => JSON.stringify(key)).join('.')
  return `**${trustWords.oddName()}**\n${fence(visible(name))}\n`
}

/** In code, a path can't pass for anything else. */
function pathOf(path: string): string {
  const line = visible(path).replace(/\s/g, ' ')
  const mark = '`'.repeat(longestRow(line) + 1)
  return line.includes('`') ? `${mark} ${line} ${mark}\n` : `${mark}${line}${mark}\n`
}

const longestRow = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((row) => row.length))

/** A fence longer than any in the text. */
function fence(text: string): string {
  const mark = '`'.repeat(Math.max(2, longestRow(text)) + 1)
  return `${mark}\n${text}\n${mark}`
}
