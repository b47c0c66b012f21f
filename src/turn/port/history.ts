import type { Message } from '../../domain/messages.ts'

/** Whether a message asks for something. Messages of people and alarms do, the program's don't. */
export const asks = (message: Message): boolean =>
  message.role === 'user' && ['person', 'alarm', 'task'].includes(message.origin)

/** Whether a message is the summary of what isn't sent. It has no number, because it isn't stored as a message. */
export const isSummary = ({ seq }: Message): boolean => seq === 0

/**
 * Leaves out messages that were meant for a number of model calls, once these were made. A call goes with its result.
 * Only messages near the end are left out this way, so a provider's prefix cache loses at most the last few rounds.
 */
export function stillSent(messages: Message[]): Message[] {
  let calls = 0
  const kept = messages.toReversed().filter((message) => {
    if (message.role === 'assistant') calls++
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

/** What came since the model's latest reply. */
export const unansweredIn = (history: Message[]): Message[] =>
  history.slice(history.findLastIndex(({ role }) => role === 'assistant') + 1)
