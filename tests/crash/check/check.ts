import type { InboxRow } from '../../../src/store/schema.ts'
import type { Effect } from '../effects.ts'
import type { Ledger } from '../ledger.ts'
import { checkAlarms } from './alarms.ts'
import { checkAnswers } from './answers.ts'
import { checkCalls } from './calls.ts'
import { checkDecisions } from './decisions.ts'
import { checkFiles } from './files.ts'
import { checkHands } from './hands.ts'
import { checkMessages } from './messages.ts'
import { checkOrder } from './order.ts'
import { checkPlans } from './plans.ts'
import { checkRoutes } from './routes.ts'
import type { Rows } from './rows.ts'
import { checkShown } from './shown.ts'
import { checkTurns } from './turns.ts'

const rules = [
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
  'child',
  'plan',
  'route',
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

export interface Faults<Named extends string> {
  fault(rule: Named, fact: string): void
}

/** The data that is compared. */
export interface Known {
  rows: Rows
  /** By token: what people said, as the inbox has it. */
  received: Map<string, InboxRow[]>
  ledger: Ledger
  effects: Effect[]
  workspaceDir: string
}

export type Evidence = Known & Faults<Rule>

const checks = [
  checkMessages,
  checkTurns,
  checkAnswers,
  checkCalls,
  checkDecisions,
  checkAlarms,
  checkFiles,
  checkHands,
  checkPlans,
  checkRoutes,
  checkOrder,
  checkShown,
]

/** Everything that should be true after a campaign and isn't. */
export const check = (known: Known): Fault[] => faultsOf<Known, Rule>(known, checks)

/** The faults that these checks find. */
export function faultsOf<Known, Named extends string>(
  known: Known,
  checks: ((evidence: Known & Faults<Named>) => void)[],
): Fault[] {
  const faults: Fault[] = []
  for (const one of checks) one({ ...known, fault: (rule, fact) => faults.push({ rule, fact }) })
  return faults
}
