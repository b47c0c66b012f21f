import { ringAlarms } from '../capabilities/alarms/alarms.ts'
import type { Library } from '../capabilities/documents/library.ts'
import type { Config } from '../config/config.ts'
import type { Engine } from '../domain/engine.ts'
import { type Looking, lookOften } from '../engine/look-often.ts'
import { cleanUp } from '../inbound/clean.ts'
import { eraseDeleted } from '../inbound/erase.ts'
import type { HearDeps } from '../inbound/hear.ts'
import type { Clock } from '../kit/clock.ts'
import type { Deliverer } from '../outbound/deliver.ts'
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
  hearDeps: HearDeps
  library: Library
  report: Report
}

const cleanEveryMs = 3_600_000

/** What is due at a time, or now and then. */
export function looksOf({ config, store, engine, clock, rules, deliverer, hearDeps, library, report }: LookDeps) {
  const often = (what: string, look: () => Promise<void>): Looking =>
    lookOften(config.engine.clockMs, look, report(`${what} failed`))
  return [
    often('alarms', () => ringAlarms(store, engine, clock.now())),
    often('deadlines', () => endOverdue(store, engine, clock.now())),
    often('reminders', () => moveRequests(store, rules, clock.now())),
    often('ending grants', () => endExpiredGrants(store, clock.now())),
    often('delivering', () => deliverer.deliverDue()),
    often('erasing deleted threads', () => eraseDeleted(hearDeps)),
    lookOften(cleanEveryMs, () => cleanUp(hearDeps), report('cleaning up failed')),
    lookOften(cleanEveryMs, async () => library.clean(), report('cleaning the document index failed')),
  ]
}
