import type { Person } from '../domain/chat.ts'
import type { Risk } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'
import type { Todo } from '../domain/session.ts'
import { oneLine } from '../domain/text.ts'
import type { TurnPart, TurnView } from '../domain/turn-view.ts'

// What all platforms say alike. Plain text: whoever shows it escapes it, since tools' names and inputs come from models.

export type CallPart = Extract<TurnPart, { kind: 'call' }>

export const callMarks: Record<CallPart['status'], string> = {
  running: '…',
  done: '✓',
  failed: '✗',
  denied: '⊘',
  unknown: '?',
}

export const todoMarks: Record<Todo['status'], string> = { pending: '○', in_progress: '◐', completed: '✓' }

export const callsOf = ({ parts }: TurnView): CallPart[] => parts.filter((part) => part.kind === 'call')

export const callWords = ({ tool, about }: CallPart): string => oneLine(`${tool} ${about}`, 90)

/** So many calls are named; of more, the last ones. */
const namedCalls = 3

/** What a turn did, in one line; undefined when it did nothing worth a line. */
export function recordLine(view: TurnView): string | undefined {
  const calls = callsOf(view)
  if (calls.length === 0) return undefined
  const failed = calls.filter(({ status }) => status !== 'done' && status !== 'running')
  const steps = calls.length === 1 ? '1 step' : `${calls.length} steps`
  const names = calls.slice(-namedCalls).map((call) => callWords({ ...call, about: oneLine(call.about, 40) }))
  const named = `${calls.length > namedCalls ? '… ' : ''}${names.join(', ')}`
  const wrong = failed.length === 0 ? '' : `, ${failed.length} without success`
  return `${failed.length === calls.length ? '✗' : '✓'} ${steps}${wrong} · ${named}`
}

/** How a turn ended that did not end with an answer; undefined for one that goes on, waits or is done. */
export function endWords({ state, stoppedBy }: TurnView): string | undefined {
  if (state === 'stopped') return stoppedBy === undefined ? 'Stopped.' : `Stopped by ${oneLine(stoppedBy.name, 80)}.`
  return state === 'failed' ? 'It ended with an error.' : undefined
}

export interface Outcome {
  mark: '✓' | '✗' | '○'
  /** One or two words, such as "Approved". */
  what: string
  /** The answer, or the reason. */
  detail: string | undefined
  by: Person | undefined
  /** ms since 1970. */
  at: number | undefined
}

/** What became of a request; undefined while it waits. */
export function outcomeOf(request: Request): Outcome | undefined {
  if (request.state === 'pending') return undefined
  const { answeredBy: by, answeredAt: at } = request
  if (request.state === 'cancelled') return { mark: '○', what: 'Not needed any more', detail: undefined, by, at }
  if (request.kind === 'approval') {
    const approved = request.answer?.decision === 'approve'
    const detail = request.answer?.reason || undefined
    return { mark: approved ? '✓' : '✗', what: approved ? 'Approved' : 'Denied', detail, by, at }
  }
  const { answer } = request
  if (answer?.declined === true) return { mark: '○', what: 'Skipped', detail: undefined, by, at }
  if (answer?.by === 'deadline') {
    return { mark: '○', what: 'Nobody answered in time', detail: answer.text || undefined, by, at }
  }
  return { mark: '✓', what: 'Answered', detail: answer?.text, by, at }
}

export const riskWords: Record<Risk, string> = {
  low: 'low risk',
  medium: 'medium risk',
  high: 'high risk',
  critical: 'critical risk',
}
