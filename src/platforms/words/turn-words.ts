import type { PlannedStep, PlanView, TurnPart, TurnView } from '../../domain/turn-view.ts'
import { oneLine } from '../../kit/text/text.ts'
import { chatWords } from './words.ts'

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

export const todoMarks: Record<PlannedStep['status'], string> = {
  pending: '○',
  in_progress: '◐',
  completed: '✓',
  failed: '✗',
}

export const callsOf = ({ parts }: TurnView): CallPart[] => parts.filter((part) => part.kind === 'call')

export const callWords = ({ tool, about, title }: CallPart): string => oneLine(title ?? `${tool} ${about}`, 90)

/** The most calls that are named; if there are more, the last ones. */
const namedCalls = 3

/** How far a plan has got, in one line. */
export const planLine = ({ title, steps }: PlanView): string =>
  chatWords.planDone({
    title: oneLine(title, 90),
    done: steps.filter(({ status }) => status === 'completed').length,
    count: steps.length,
  })

/** What a turn did, in one line; undefined if nothing worth a line. */
export function recordLine(view: TurnView): string | undefined {
  const { plan } = view
  const calls = callsOf(view)
  if (plan !== undefined) return `${plan.steps.some(({ status }) => status === 'failed') ? '✗' : '✓'} ${planLine(plan)}`
  if (calls.length === 0) return undefined
  const failed = calls.filter(({ status }) => status !== 'done' && status !== 'running')
  const names = calls.slice(-namedCalls).map((call) => oneLine(callWords(call), 60))
  const named = `${calls.length > namedCalls ? '… ' : ''}${names.join(', ')}`
  const count = calls.length
  const steps =
    failed.length === 0 ? chatWords.steps({ count }) : chatWords.stepsFailed({ count, failed: failed.length })
  return `${failed.length === count ? '✗' : '✓'} ${steps} · ${named}`
}

/** How a turn ended without an answer; undefined if it is running, waiting or done. */
export function endWords({ state, stoppedBy }: TurnView): string | undefined {
  if (state === 'failed') return chatWords.turnFailed()
  if (state !== 'stopped') return undefined
  return stoppedBy === undefined ? chatWords.stopped() : chatWords.stoppedBy({ name: oneLine(stoppedBy.name, 80) })
}
