import type { Message } from '../../domain/messages.ts'
import { asksAgain } from './resume-text.ts'

/** Whether a message asks for something. Messages of people and alarms do, the program's don't. */
export const asks = (message: Message): boolean =>
  message.role === 'user' && ['person', 'alarm', 'task'].includes(message.origin)

/** Whether a message is the summary of what isn't sent. It has no number, because it isn't stored as a message. */
export const isSummary = ({ seq }: Message): boolean => seq === 0

/** Whether the model wrote it, after reading what was sent. The program makes calls and ends turns in its place. */
const isReply = (message: Message): boolean => message.role === 'assistant' && message.request !== undefined

/**
 * Leaves out messages that were meant for a number of model calls, once these were made. A call goes with its result.
 * Only messages near the end are left out this way, so a provider's prefix cache loses at most the last few rounds.
 */
export function stillSent(messages: Message[]): Message[] {
  let calls = 0
  const kept = messages.toReversed().filter((message) => {
    if (isReply(message)) calls++
    return message.rounds === undefined || calls < message.rounds
  })
  return kept.toReversed()
}

/** Puts results after their call, in its order, and drops calls without a result and results without a call. */
export function tidy(messages: Message[]): Message[] {
  const results = new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.call, message]] : [])))
  return messages.flatMap((message): Message[] => {
    if (message.role === 'user') return [message]
    if (message.role === 'tool') return []
    const calls = message.calls.filter(({ id }) => results.has(id))
    if (calls.length === 0 && message.text === '') return []
    return [{ ...message, calls }, ...calls.flatMap(({ id }) => results.get(id) ?? [])]
  })
}

/** What came since the model's latest reply. Whatever that asks to have answered again stands before it. */
export function unansweredIn(history: Message[]): Message[] {
  const start = history.findLastIndex(isReply) + 1
  const since = history.slice(start)
  return since.some(asksAgain) ? [...lastAsked(history.slice(0, start)), ...since] : since
}

/** All that a turn was asked, because people say one thing in several messages. */
function lastAsked(history: Message[]): Message[] {
  const last = history.findLast(asks)
  return history.filter((message) => asks(message) && message.turn === last?.turn)
}

/**
 * The part of a history the model is sent: its latest messages, at most `size`. The beginning moves in jumps of half
 * the size, so that the prefix stays the same from step to step and the provider's cache stays valid. A call is never
 * separated from its result; a group larger than the window is sent whole. The latest message that asks for something
 * is always included, at the front if necessary. `messages` are a session's latest, in order.
 */
export function windowOf(messages: Message[], size: number): Message[] {
  const last = messages.at(-1)
  if (last === undefined) return []
  const half = Math.floor(size / 2)
  const first = last.seq <= size ? 1 : Math.ceil((last.seq - size) / half) * half + 1
  const kept = fromGroup(messages, first)
  if (kept.some(asks)) return tidy(kept)

  const asked = messages.findLast(asks)
  if (asked === undefined) return tidy(kept)
  return tidy([asked, ...(kept.length < size ? kept : fromGroup(messages, (kept[0]?.seq ?? 0) + 1))])
}

/** The messages from the first whole group that begins at `first` or later; at least the last group. */
function fromGroup(messages: Message[], first: number): Message[] {
  const start = messages.findIndex(({ seq, role }) => seq >= first && role !== 'tool')
  return start === -1 ? lastGroup(messages) : messages.slice(start)
}

export const lastGroup = (messages: Message[]): Message[] =>
  messages.slice(
    Math.max(
      0,
      messages.findLastIndex(({ role }) => role !== 'tool'),
    ),
  )
