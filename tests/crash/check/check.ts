import type { Effect } from '../effects.ts'
import type { Ledger } from '../ledger.ts'
import { checkAlarms } from './alarms.ts'
import { checkAnswers } from './answers.ts'
import { checkCalls } from './calls.ts'
import { checkDecisions } from './decisions.ts'
import { checkFiles } from './files.ts'
import { checkMessages } from './messages.ts'
import { checkOrder } from './order.ts'
import type { Rows } from './rows.ts'
import { checkShown } from './shown.ts'
import { checkTurns } from './turns.ts'

export const rules = [
  'lost',
  'missing',
  'doubled',
  'effect twice',
  'effect',
  'decision twice',
  'decision',
  'out of order',
  'turn',
  'call',
  'alarm',
  'upload',
  'gap',
  'outbox',
  'fenced',
  'damage',
  'shown',
] as const
export type Rule = (typeof rules)[number]

export interface Fault {
  rule: string
  fact: string
}

/** What is held against what. */
export interface Evidence {
  rows: Rows
  ledger: Ledger
  effects: Effect[]
  workspaceDir: string
  fault(rule: Rule, fact: string): void
}

const checks = [
  checkMessages,
  checkTurns,
  checkAnswers,
  checkCalls,
  checkDecisions,
  checkAlarms,
  checkFiles,
  checkOrder,
  checkShown,
]

/** Every fact that must hold after a campaign and does not. */
export function check(evidence: Omit<Evidence, 'fault'>): Fault[] {
  const faults: Fault[] = []
  for (const one of checks) one({ ...evidence, fault: (rule, fact) => faults.push({ rule, fact }) })
  return faults
}
