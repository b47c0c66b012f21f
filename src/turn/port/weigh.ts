import type { Message } from '../../domain/messages.ts'
import { tokensAlong, tokensIn, tokensPerMessage } from '../../kit/model/tokens.ts'

/** What a file's line in a message costs. */
const tokensPerFile = 30

/** About how many tokens a message of the history has. */
export function tokensOf(message: Message): number {
  const calls = message.role === 'assistant' ? message.calls : []
  const along = message.role === 'assistant' ? tokensAlong(message) : 0
  const files = message.role === 'user' ? message.files.length : 0
  const asked = calls.reduce((sum, call) => sum + tokensIn(call.name) + tokensIn(call.arguments), 0)
  return tokensPerMessage + tokensIn(message.text) + along + asked + files * tokensPerFile
}

/** A step asks for the same long history several times, and histories don't change once they are made. */
const counted = new WeakMap<readonly Message[], number>()

export function tokensOfAll(messages: readonly Message[]): number {
  const known = counted.get(messages)
  if (known !== undefined) return known
  const tokens = messages.reduce((sum, message) => sum + tokensOf(message), 0)
  counted.set(messages, tokens)
  return tokens
}

/** How far our estimates may be off. A provider that reports more is counting something else as well. */
const leastRatio = 0.5
const mostRatio = 2.5

/** What estimates have to be multiplied by, according to the provider's latest count of a request. */
export function ratioOf(messages: readonly Message[]): number {
  for (const message of messages.toReversed()) {
    if (message.role !== 'assistant' || message.request?.tokens === undefined) continue
    const { tokens, estimate } = message.request
    return Math.min(mostRatio, Math.max(leastRatio, tokens / Math.max(1, estimate)))
  }
  return 1
}
