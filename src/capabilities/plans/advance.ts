import type { CallId } from '../../domain/ids.ts'
import { givenUp, isGood, type Plan, type PlanStatus, type PlanStep } from '../../domain/plan.ts'
import type { EndState } from '../../store/calls.ts'

/**
 * Where a step stands: `later` waits for others that are on their way; `blocked` needs one that failed, about which
 * something is decided first.
 */
type Standing = 'final' | 'running' | 'failed' | 'blocked' | 'later' | 'ready'

type Course = Pick<Plan, 'steps' | 'oneByOne'>

/**
 * Where each step stands, by its number. A step only needs steps before it. `isOpen`: whether the call of a step that
 * is done still has to be written down.
 */
export function standingsOf(
  { steps, oneByOne }: Course,
  isOpen: (call: CallId) => boolean = () => false,
): ReadonlyMap<number, Standing> {
  const standings = new Map<number, Standing>()
  const standingOf = (step: PlanStep): Standing => {
    if (step.isFinal) return 'final'
    if (step.status === 'in_progress') return 'running'
    if (step.status !== 'planning') return 'failed'
    const earlier = steps.filter(({ number }) => number < step.number && (oneByOne || step.after.includes(number)))
    const of = (one: PlanStep) => standings.get(one.number)
    const blocks = (one: PlanStep) =>
      of(one) === 'failed' || of(one) === 'blocked' || (one.isFinal && !isGood(one) && step.after.includes(one.number))
    if (earlier.some(blocks)) return 'blocked'
    const isThere = (one: PlanStep) => one.isFinal && (one.call === undefined || !isOpen(one.call))
    return earlier.every(isThere) ? 'ready' : 'later'
  }
  for (const step of steps) standings.set(step.number, standingOf(step))
  return standings
}

/** How people decided about a step that failed. */
export type Advice = 'again' | 'without' | 'stop'

export type Next = { do: 'ask' | 'run'; steps: PlanStep[] } | { do: 'end'; status: PlanStatus }

interface Known {
  /** How calls ended. Of one without an outcome nothing is left: no call is open when this is asked. */
  outcomes: ReadonlyMap<CallId, EndState>
  /** What people said about a failure, by the call that asked them. */
  advice: ReadonlyMap<CallId, Advice>
  attempts: number
}

/** What comes next once no call of a plan is open, with its steps as they are then. */
export function advance(plan: Course, known: Known): { steps: PlanStep[]; next: Next } {
  let steps = noted(plan, known.outcomes).map((step) => settled(step, known))
  if (steps.some((step) => step.question !== undefined && known.advice.get(step.question) === 'stop'))
    steps = steps.map(givenUp)
  steps = withoutHopeless(steps)
  const standings = standingsOf({ ...plan, steps })
  const thatAre = (...wanted: Standing[]) =>
    steps.filter(({ number }) => wanted.some((one) => one === standings.get(number)))
  const asked = thatAre('failed')
  if (asked.length > 0) return { steps, next: { do: 'ask', steps: asked } }
  const due = thatAre('ready', 'later')
  if (due.length > 0) return { steps, next: { do: 'run', steps: due } }
  return { steps, next: { do: 'end', status: statusOf(steps) } }
}

/** A call that was refused or interrupted could not say how its step went. */
export const withOutcomes = (steps: readonly PlanStep[], outcomes: Known['outcomes']): PlanStep[] =>
  steps.map((step) => {
    const outcome = step.call === undefined ? undefined : outcomes.get(step.call)
    if (step.status !== 'in_progress' || outcome === undefined) return step
    return outcome === 'done' ? done(step) : { ...step, status: 'failed' }
  })

/** A step that hasn't begun although its call has ended was either blocked, or couldn't be called. */
function noted({ oneByOne, steps: before }: Course, outcomes: Known['outcomes']): PlanStep[] {
  const steps = withOutcomes(before, outcomes)
  const standings = standingsOf({ oneByOne, steps })
  return steps.map((step) => {
    if (step.status !== 'planning' || step.isFinal || step.call === undefined || !outcomes.has(step.call)) return step
    if (standings.get(step.number) !== 'blocked') return { ...step, status: 'failed' }
    const { call: _, ...rest } = step
    return { ...rest, attempt: step.attempt - 1 }
  })
}

export const done = (step: PlanStep): PlanStep => ({
  ...step,
  isFinal: true,
  status: step.isOther ? 'fallback' : 'completed',
})

/** What the plan says about a step that failed, unless people have to be asked. */
export function settled(step: PlanStep, { advice, attempts }: Omit<Known, 'outcomes'>): PlanStep {
  if (step.isFinal || (step.status !== 'failed' && step.status !== 'timeout')) return step
  const { question: _, call: __, ...rest } = step
  const again: PlanStep = { ...rest, status: 'planning' }
  const without: PlanStep = { ...step, isFinal: true, status: 'fallback' }
  if (step.ifItFails === 'try_again') return step.attempt < attempts ? again : givenUp(step)
  if (step.ifItFails === 'go_round') {
    if (step.otherWay === undefined) return without
    return step.isOther ? givenUp(step) : { ...again, isOther: true }
  }
  const said = step.question === undefined ? undefined : advice.get(step.question)
  if (said === undefined) return step
  return said === 'again' ? again : said === 'without' ? without : givenUp(step)
}

/** A step that needs one that failed for good will never run. */
function withoutHopeless(steps: readonly PlanStep[]): PlanStep[] {
  const failed = new Set(steps.filter((step) => step.isFinal && !isGood(step)).map(({ number }) => number))
  for (const { number, after } of steps) if (after.some((one) => failed.has(one))) failed.add(number)
  return steps.map((step) => (failed.has(step.number) ? givenUp(step) : step))
}

function statusOf(steps: readonly PlanStep[]): PlanStatus {
  if (steps.some(({ status }) => status === 'failed')) return 'failed'
  if (steps.some(({ status }) => status === 'timeout')) return 'timeout'
  return steps.some(({ status }) => status === 'fallback') ? 'fallback' : 'completed'
}
