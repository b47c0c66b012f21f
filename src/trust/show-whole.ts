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
  const scripts = (payload.scripts ?? []).map(({ path, text }) => `${labelOf(path)}${fence(text)}`)
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

/** One part for each text or other value in it, under its name. */
function partsOf(input: Json, name?: string): string[] {
  const inside = typeof input === 'object' && input !== null ? Object.entries(input) : []
  if (inside.length === 0) {
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    return [`${name === undefined ? '' : labelOf(name)}${fence(text)}`]
  }
  return inside.flatMap(([key, value]) => partsOf(value, name === undefined ? key : `${name}.${key}`))
}

/** A name with anything else in it could pass for another part. */
const plain = /^[\p{L}\p{N}_.,/ -]+$/u

const labelOf = (name: string): string =>
  plain.test(name) ? `**${name}**\n` : `**${trustWords.oddName()}**\n${fence(visible(JSON.stringify(name)))}\n`

/** A fence longer than any in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((row) => row.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}\n${text}\n${mark}`
}
