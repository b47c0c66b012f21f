import type { Config } from '../config/config.ts'
import type { Engine } from '../domain/engine.ts'
import { type Looking, lookOften } from '../engine/look-often.ts'
import { cleanKind } from '../inbound/clean.ts'
import { eraseKind } from '../inbound/erase.ts'
import type { HearDeps } from '../inbound/hear.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { Clock } from '../kit/clock.ts'
import type { Deliverer } from '../outbound/deliver.ts'
import { startJob } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import { endExpiredGrants } from '../trust/give-grant.ts'
import { endOverdue, moveRequests } from '../trust/remind.ts'
import type { Rules } from '../trust/rules.ts'
import type { Report } from './reports.ts'

export interface LookDeps {
  config: Config
  store: Store
  engine: Engine
  clock: Clock
  rules: Rules
  deliverer: Deliverer
  report: Report
}

/** What is checked regularly because it may be due. */
export function looksOf({ config, store, engine, clock, rules, deliverer, report }: LookDeps) {
  const often = (what: string, look: () => Promise<void>): Looking =>
    lookOften(config.engine.clockMs, look, report(`${what} failed`))
  return [
    often('deadlines', () => endOverdue(store, engine, clock.now())),
    often('reminders', () => moveRequests(store, rules, clock.now())),
    often('ending grants', () => endExpiredGrants(store, clock.now())),
    often('delivering', () => deliverer.deliverDue()),
  ]
}

/** The jobs that belong to no capability. */
export const jobKinds = ({ hearDeps }: { hearDeps: HearDeps }): JobKind[] => [eraseKind(hearDeps), cleanKind(hearDeps)]

/** Cleans at each start, and then every hour. */
export const startCleaning = (store: Store): Promise<unknown> =>
  store.transaction((tx) => startJob(tx, { kind: 'clean', key: 'clean', owner: 'bot', input: null }))
