import type { CallId, PlanId, SessionId, TurnId } from './ids.ts'

/** `fallback`: it was done in another way than planned, or left out as the plan allows. */
export type PlanStatus = 'planning' | 'in_progress' | 'completed' | 'failed' | 'timeout' | 'fallback'

/** What becomes of a step that fails: it is tried again, gone round, or people are asked. */
export const failureWays = ['try_again', 'go_round', 'ask'] as const

/** What a step is, before anything has been done for it. */
export interface StepTask {
  /** What is to be done. */
  what: string
  /** What it is expected to give. */
  gives: string
  /** What it needs to know. */
  needs?: string
  /** The numbers of the steps whose results it reads. */
  after: number[]
  tools: string[]
  files: string[]
  agent?: string
  skills: string[]
  ifItFails: (typeof failureWays)[number]
  /** For `go_round`: what is done instead. Without it, the plan goes on without this step. */
  otherWay?: string
  /** What people added. */
  words: string[]
}

export interface PlanStep extends StepTask {
  /** From 1, in the order in which people see them. */
  number: number
  status: PlanStatus
  /** Whatever its status is, it stays. */
  isFinal: boolean
  /** The call that works for it, or did so last. */
  call?: CallId
  attempt: number
  /** It is done in its other way now. */
  isOther: boolean
  /** The call that asks people what to do about its failure. */
  question?: CallId
}

export interface Plan {
  id: PlanId
  session: SessionId
  turn: TurnId
  /** The call that made it. */
  call: CallId
  title: string
  /** In percent. */
  confidence: number
  /** Steps never run at the same time. */
  oneByOne: boolean
  /** What people added about all of it. */
  words: string[]
  status: PlanStatus
  /** Why people are asked before it runs, and that they haven't agreed yet; undefined once it may run. */
  askedWhy?: string
  /** The call that asks them. */
  question?: CallId
  /** Why it ended as it did, if that isn't plain from its steps. */
  why?: string
  steps: PlanStep[]
}

/** Ends a step for good that isn't done. An attempt that was prepared and never begun is none, and leaves no call. */
export function givenUp(step: PlanStep): PlanStep {
  if (step.isFinal) return step
  const { call, ...rest } = step
  const { status, attempt } = step
  if (status === 'planning' && call !== undefined)
    return { ...rest, isFinal: true, status: 'failed', attempt: attempt - 1 }
  return { ...step, isFinal: true, status: status === 'timeout' ? 'timeout' : 'failed' }
}

export const isGood = ({ status }: Pick<PlanStep, 'status'>): boolean => status === 'completed' || status === 'fallback'

export const withStep = (plan: Plan, step: PlanStep): Plan => ({
  ...plan,
  steps: plan.steps.map((one) => (one.number === step.number ? step : one)),
})
