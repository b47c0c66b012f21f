import type { Message } from '../../domain/messages.ts'
import type { Turn } from '../state/turn.ts'
import { endAnswer, endResult } from './settle.ts'

/** The answer of the call that ended the turn, if it is in the latest reply and nobody has written since. */
export function finishedBy(history: Message[], turn: Turn): string | undefined {
  const latest = history.findLast((one) => one.role !== 'tool' && !isDescription(one))
  if (latest?.role !== 'assistant') return undefined
  const ended = new Set(history.flatMap((one) => (one.role === 'tool' && one.text === endResult ? [one.call] : [])))
  for (const call of latest.calls) {
    const tool = turn.findTool(call.name)
    if (tool?.kind === 'end' && ended.has(call.id)) return endAnswer(tool, call.arguments)
  }
  return undefined
}

/** Of the images that the reply was made from. It comes after the reply. */
const isDescription = (one: Message): boolean => one.role === 'user' && one.origin === 'seen'

export const isAnswer = (latest: Message | undefined): boolean =>
  latest?.role === 'assistant' && latest.calls.length === 0
