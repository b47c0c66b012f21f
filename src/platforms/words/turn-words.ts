import type { PlannedPoint, TurnPart, TurnView } from '../../domain/turn-view.ts'
import { oneLine } from '../../kit/text/text.ts'

// What all platforms say about a turn. Plain text: whoever shows it escapes it, since tools' names and inputs come from
// models.

export type CallPart = Extract<TurnPart, { kind: 'call' }>

export const callMarks: Record<CallPart['status'], string> = {
  running: '…',
  done: '✓',
  failed: '✗',
  denied: '⊘',
  unknown: '?',
}

export const todoMarks: Record<PlannedPoint['status'], string> = {
  pending: '○',
  in_progress: '◐',
  completed: '✓',
  failed: '✗',
}

export const callsOf = ({ parts }: TurnView): CallPart[] => parts.filter((part) => part.kind === 'call')

export const callWords = ({ tool, about, title }: CallPart): string => oneLine(title ?? `${tool} ${about}`, 90)

/** The most calls that are named; if there are more, the last ones. */
const namedCalls = 3

/** What a turn did, in one line; undefined if nothing worth a line. */
export function recordLine(view: TurnView): string | undefined {
  const calls = callsOf(view)
  if (calls.length === 0) return undefined
  const failed = calls.filter(({ status }) => status !== 'done' && status !== 'running')
  const steps = calls.length === 1 ? '1 step' : `${calls.length} steps`
  const names = calls.slice(-namedCalls).map((call) => oneLine(callWords(call), 60))
  const named = `${calls.length > namedCalls ? '… ' : ''}${names.join(', ')}`
  const wrong = failed.length === 0 ? '' : `, ${failed.length} failed`
  return `${failed.length === calls.length ? '✗' : '✓'} ${steps}${wrong} · ${named}`
}

/** How a turn ended without an answer; undefined if it is running, waiting or done. */
export function endWords({ state, stoppedBy }: TurnView): string | undefined {
  if (state === 'stopped') return stoppedBy === undefined ? 'Stopped.' : `Stopped by ${oneLine(stoppedBy.name, 80)}.`
  return state === 'failed' ? 'It ended with an error.' : undefined
}
