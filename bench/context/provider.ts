import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { RequestBody } from '../../tests/support/model-server.ts'

/** Providers cache prefixes in steps, from a least length on (OpenAI's figures), tokens. */
const cacheStep = 128
const leastCached = 1_024

/** How many earlier requests are still in the cache. */
const remembered = 8

export interface Counted {
  input: number
  cached: number
}

/** Counts a request's tokens with a real tokenizer, and how many of them are a prefix of a recent request. */
export function cachingProvider() {
  const recent: string[][] = []
  return (body: RequestBody): Counted => {
    const parts = partsOf(body)
    const cached = Math.max(0, ...recent.map((earlier) => sharedTokens(earlier, parts)))
    recent.unshift(parts)
    recent.length = Math.min(recent.length, remembered)
    const input = parts.reduce((sum, part) => sum + tokensOf(part), 0)
    return { input, cached: cached < leastCached ? 0 : Math.floor(cached / cacheStep) * cacheStep }
  }
}

/** Tools come before the messages. */
export const partsOf = ({ tools = [], messages }: Pick<RequestBody, 'messages' | 'tools'>): string[] => [
  ...tools.map((tool) => JSON.stringify(tool)),
  ...messages.map((message) => {
    const called = 'tool_calls' in message ? (message.tool_calls ?? []) : []
    const calls = called.map(({ function: { name, arguments: input } }) => `${name} ${input}`)
    const content = typeof message.content === 'string' ? message.content : JSON.stringify(message.content ?? '')
    return [message.role, content, ...calls].join('\n')
  }),
]

function sharedTokens(earlier: readonly string[], parts: readonly string[]): number {
  let place = 0
  let tokens = 0
  while (place < parts.length && parts[place] === earlier[place]) tokens += tokensOf(parts[place++] ?? '')
  const [one = '', other = ''] = [earlier[place], parts[place]]
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return tokens + (other === '' ? 0 : Math.floor((tokensOf(other) * length) / other.length))
}

const perPart = 4
const known = new Map<string, number>()

export function tokensOf(part: string): number {
  const tokens = known.get(part) ?? countTokens(part) + perPart
  known.set(part, tokens)
  return tokens
}
