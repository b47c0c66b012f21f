import type { Grant } from '../domain/grant.ts'
import type { Inspection } from '../domain/inspection.ts'
import type { Risk } from '../domain/question.ts'
import type { Effect } from '../domain/tool.ts'
import type { RuleRef } from '../domain/verdict.ts'
import type { Action } from './rules.ts'

/** What the policy looks at, with everything that it must know looked up. */
export interface Subject {
  tool: string
  effect: Effect
  sends: boolean
  /** Of a tool that runs programs: whether there is a sandbox for them. */
  programs?: 'contained' | 'uncontained'
  /** Every text in the arguments. */
  texts: string[]
  /** Contents of the files of the workspace that it runs. */
  scripts?: string[]
  inspection: Inspection
  /** The call touches a file that a person uploaded. */
  uploaded: boolean
  /** Why it may not be used by these people, or here. */
  barred: string | undefined
  /** Where untrusted content came from that is in the thread; undefined when there is none, or it does not matter here. */
  untrusted: string | undefined
  /** Those in force in this thread. */
  grants: Grant[]
  /** Of the contents that it runs; '' where it runs none. */
  binding: string
  /** Of the whole call, with these contents. */
  hash: string
}

/** What one layer says. */
export interface Ruling {
  rule: RuleRef
  action: Action
  risk: Risk
  reason: string
  /** Of the rule's own, before that for the risk. */
  decider?: string
  hosts?: string[]
}

const order: Risk[] = ['low', 'medium', 'high', 'critical']
export const isAtLeast = (risk: Risk, least: Risk): boolean => order.indexOf(risk) >= order.indexOf(least)

/** Deny before ask before allow; of the same, the higher risk; of those, the first. */
export function strictest(all: Ruling[]): Ruling | undefined {
  const rank = ({ action, risk }: Ruling) =>
    ['allow', 'require_approval', 'deny'].indexOf(action) * order.length + order.indexOf(risk)
  return all.reduce<Ruling | undefined>(
    (worst, one) => (worst === undefined || rank(one) > rank(worst) ? one : worst),
    undefined,
  )
}
