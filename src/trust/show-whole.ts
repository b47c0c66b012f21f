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
  const scripts = (payload.scripts ?? []).map(({ path, text }) => `**${path}**\n${fence(text)}`)
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

function partsOf(input: Json, name = ''): string[] {
  if (typeof input !== 'object' || input === null) {
    const label = name === '' ? '' : `**${name}**\n`
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    return [`${label}${fence(text)}`]
  }
  return Object.entries(input).flatMap(([key, value]) => partsOf(value, name === '' ? key : `${name}.${key}`))
}

/** A fence longer than any in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((row) => row.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}\n${text}\n${mark}`
}
