import type { Grant } from '../domain/grant.ts'
import type { Inspection } from '../domain/inspection.ts'
import type { Risk } from '../domain/question.ts'
import type { Effect } from '../domain/tool.ts'
import type { RuleRef } from '../domain/verdict.ts'
import type { Action } from './rules.ts'

/** What the policy looks at, with everything it needs to know looked up. */
export interface Subject {
  tool: string
  effect: Effect
  sends: boolean
  /** For tools that run programs: whether there is a sandbox. */
  programs?: 'contained' | 'uncontained'
  /** Every text in the arguments. */
  texts: string[]
  /** Contents of the workspace files it runs. */
  scripts?: string[]
  inspection: Inspection
  /** The call touches a file that a person uploaded. */
  uploaded: boolean
  /** Why these people may not use it, or not here. */
  barred: string | undefined
  /**
   * Where the thread's untrusted content came from; undefined when there is none, or it doesn't matter for this call.
   */
  untrusted: string | undefined
  /** The grants in force in this thread. */
  grants: Grant[]
  /** What a wider grant has to be bound to: see `Grant.binding`. */
  binding: string
  /** Covers the whole call with these contents. */
  hash: string
}

/** What one layer of the rules says. */
export interface Ruling {
  rule: RuleRef
  action: Action
  risk: Risk
  reason: string
  /** From the rule itself; takes precedence over the decider for the risk. */
  decider?: string
  hosts?: string[]
}

const order: Risk[] = ['low', 'medium', 'high', 'critical']
export const isAtLeast = (risk: Risk, least: Risk): boolean => order.indexOf(risk) >= order.indexOf(least)

/** Deny before ask before allow, then the higher risk, then the first. */
export function strictest(all: Ruling[]): Ruling | undefined {
  const rank = ({ action, risk }: Ruling) =>
    ['allow', 'require_approval', 'deny'].indexOf(action) * order.length + order.indexOf(risk)
  return all.reduce<Ruling | undefined>(
    (worst, one) => (worst === undefined || rank(one) > rank(worst) ? one : worst),
    undefined,
  )
}
