import type { CallId, PlanId, SessionId, TurnId } from '../domain/ids.ts'
import type { PlanStatus, PlanStep } from '../domain/plan.ts'

export interface PlanRow {
  id: PlanId
  session_id: SessionId
  turn_id: TurnId
  call_id: CallId
  title: string
  confidence: number
  one_by_one: number
  /** JSON of what people added. */
  words: string
  status: PlanStatus
  /** Why people are asked before it runs; null once it may run. */
  asked_why: string | null
  question_call: CallId | null
  why: string | null
  created_at: number
  ended_at: number | null
}

/** `after_steps`, `tools`, `files`, `skills` and `words` are JSON. */
export interface PlanStepRow {
  plan_id: PlanId
  number: number
  what: string
  gives: string
  needs: string | null
  after_steps: string
  tools: string
  files: string
  agent: string | null
  skills: string
  if_it_fails: PlanStep['ifItFails']
  other_way: string | null
  words: string
  status: PlanStatus
  final: number
  call_id: CallId | null
  attempt: number
  other: number
  question_call: CallId | null
}

export interface PlanTables {
  plans: PlanRow
  plan_steps: PlanStepRow
}
