import type { Message } from '../../domain/messages.ts'
import { asks, isSummary, lastGroup } from '../port/history.ts'
import { tokensOf, tokensOfAll } from '../port/weigh.ts'

/** How often shortening is tried before whole messages are left out. */
const tries = 4

/**
 * Makes tidy messages fit into this many tokens: first by shortening old texts, what the latest turn was asked last;
 * then by leaving out the oldest groups of a call and its results. The latest message that asks for something and the
 * last group always stay, and a summary stays whole unless there is no room for it beside these. `keepsRequest`: that
 * message stays whole even if it doesn't fit, because a shortened one may no longer say what is wanted.
 */
export function fitTo(messages: Message[], tokens: number, keepsRequest = false): Message[] {
  const asked = messages.findLast(asks)
  const askedLately = messages.filter((message) => asks(message) && message.turn === asked?.turn)
  let fitted = messages
  for (let round = 0; round < tries; round++) {
    const has = tokensOfAll(fitted)
    if (has <= tokens) return fitted
    const characters = fitted.reduce((sum, message) => sum + lengthOf(message), 0)
    const spared = round < tries - 1 ? askedLately : askedLately.filter((one) => keepsRequest && one === asked)
    fitted = shorten(fitted, Math.max(0, Math.floor((characters * Math.max(0, tokens)) / has)), spared)
  }
  return withoutOldest(fitted, tokens)
}

function withoutOldest(messages: Message[], tokens: number): Message[] {
  const asked = messages.findLast(asks)
  const last = lastGroup(messages)
  let over = tokensOfAll(messages) - tokens
  const dropped = new Set<Message>()
  // A summary stands in for more than any other message, so it goes last.
  const order = [...messages.filter((message) => !isSummary(message)), ...messages.filter(isSummary)]
  for (const [place, message] of order.entries()) {
    // A group goes as a whole.
    const goes = over > 0 || (message.role === 'tool' && dropped.has(order[place - 1] as Message))
    if (!goes || message === asked || last.includes(message)) continue
    dropped.add(message)
    over -= tokensOf(message)
  }
  return messages.filter((message) => !dropped.has(message))
}

/**
 * Shortens old texts and arguments, oldest first, until everything fits into `maxCharacters`, because a model returns
 * an error for more. The newest messages stay whole as long as possible; what the model itself said, except what it
 * reasoned, a summary, and what is `spared`, are never shortened.
 */
export function shorten(messages: Message[], maxCharacters: number, spared: Message[] = []): Message[] {
  const over = messages.reduce((sum, message) => sum + lengthOf(message), 0) - maxCharacters
  // Shortens in steps, so that the prefix stays the same until the next step and the provider's cache stays valid.
  const step = Math.max(1, Math.ceil(maxCharacters / 4))
  let excess = over > 0 ? Math.ceil(over / step) * step : 0
  return messages.map((message) => {
    if (excess <= 0 || isSummary(message) || spared.includes(message)) return message
    const shorter = message.role === 'assistant' ? withoutArguments(message) : withLessText(message, excess)
    excess -= lengthOf(message) - lengthOf(shorter)
    return shorter
  })
}

/** Characters from which a text, or a call's arguments, is worth leaving out. */
const worthMoreThan = 500

function lengthOf(message: Message): number {
  if (message.role !== 'assistant') return message.text.length
  const { text, thought = '', calls } = message
  return calls.reduce((sum, call) => sum + call.arguments.length, text.length + thought.length)
}

/** Something is left of what it reasoned, since some endpoints insist on that. */
function withoutArguments(message: Extract<Message, { role: 'assistant' }>): Message {
  const calls = message.calls.map((call) => {
    if (call.arguments.length <= worthMoreThan) return call
    return { ...call, arguments: JSON.stringify({ left_out: `${call.arguments.length} characters, to fit the model` }) }
  })
  if (message.thought === undefined || message.thought.length <= worthMoreThan) return { ...message, calls }
  return { ...message, calls, thought: `[${message.thought.length} characters were left out to fit the model]` }
}

function withLessText<Kind extends Message>(message: Kind, excess: number): Kind {
  const keep = Math.max(worthMoreThan, message.text.length - excess)
  if (message.text.length <= keep) return message
  const left = message.text.length - keep
  return {
    ...message,
    text: `${message.text.slice(0, keep)}\n[${left} characters of this were left out to fit the model]`,
  }
}
