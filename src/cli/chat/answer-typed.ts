import type { GrantOffer } from '../../domain/grant.ts'
import { isApproval } from './asked.ts'
import type { Asked } from './requests.ts'

const hourMs = 3_600_000

const reaches = ['similar', 'closed']
const scopes = new Map([
  ['channel', 'channel'],
  ['everywhere', 'tenant'],
])
const durations = new Map([
  ['hour', hourMs],
  ['day', 24 * hourMs],
  ['month', 30 * 24 * hourMs],
  ['forever', undefined],
])

/** The body of a request's answer, from what was typed; undefined if that isn't offered. */
export function answerOf(asked: Asked, line: string): object | undefined {
  const text = line.trim()
  if (isApproval(asked)) return verdictOf(asked.grants, text)
  if (text === '-') return { declined: true }
  if (!asked.also?.length) return { answer: text }
  const [answer, ...also] = text.split(';').map((piece) => piece.trim())
  return { answer, also }
}

function verdictOf(grants: GrantOffer | undefined, text: string): object | undefined {
  if (/^(y|yes|ok|approve)$/i.test(text)) return { decision: 'approve' }
  if (/^(n|no|deny)$/i.test(text)) return { decision: 'deny' }
  const reason = /^n\s+(.+)$/is.exec(text)?.[1]
  if (reason !== undefined) return { decision: 'deny', reason }
  const words = /^a$/i.test(text) ? [] : alwaysWords(text)
  if (words === undefined) return { decision: 'deny', instead: text }
  const always = grants && alwaysOf(grants, words)
  return always && { decision: 'approve', always }
}

/** What follows `always`: what, where and how long. Undefined if it says anything else. */
function alwaysWords(text: string): string[] | undefined {
  const [first, ...words] = text.toLowerCase().split(/\s+/)
  const isKnown = (word: string) => reaches.includes(word) || scopes.has(word) || durations.has(word)
  return first === 'always' && words.every(isKnown) ? words : undefined
}

function alwaysOf({ exact, wide = [], closed }: GrantOffer, words: string[]): object | undefined {
  if (words.includes('closed')) return closed && words.length === 1 ? { pattern: 'wide', scope: 'thread' } : undefined
  const isWide = words.includes('similar')
  if ((isWide ? wide : exact).length === 0 || (isWide && closed)) return undefined
  const scope = words.map((word) => scopes.get(word)).find(Boolean) ?? 'thread'
  const for_ms = durations.get(words.find((word) => durations.has(word)) ?? 'day')
  return { pattern: isWide ? 'wide' : 'exact', scope, ...(for_ms !== undefined && { for_ms }) }
}
