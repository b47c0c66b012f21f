import type { Message } from '../domain/messages.ts'
import type { Tool } from '../domain/tool.ts'
import { endAnswer, endResult } from './settle.ts'

/** The answer of the call that ended the turn, if the latest reply made one and nobody has spoken since. */
export function finishedBy(history: Message[], findTool: (name: string) => Tool | undefined): string | undefined {
  const latest = history.findLast(({ role }) => role !== 'tool')
  if (latest?.role !== 'assistant') return undefined
  const ended = new Set(history.flatMap((one) => (one.role === 'tool' && one.text === endResult ? [one.call] : [])))
  for (const call of latest.calls) {
    const tool = findTool(call.name)
    if (tool?.kind === 'end' && ended.has(call.id)) return endAnswer(tool, call.arguments)
  }
  return undefined
}
