import type { ThreadRef } from '../domain/chat.ts'
import type { Engine } from '../domain/engine.ts'
import { LooksWhenDue } from '../engine/look-when-due.ts'
import { changeKind } from '../inbound/change.ts'
import { cleanKind } from '../inbound/clean.ts'
import { eraseKind } from '../inbound/erase.ts'
import type { HearDeps } from '../inbound/hear.ts'
import { rewriteKind } from '../inbound/rewrite-whole.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { Clock } from '../kit/clock.ts'
import type { Deliverer } from '../outbound/deliver.ts'
import type { ChatPlatform } from '../platforms/platform.ts'
import { clockWentBack } from '../store/clock-back.ts'
import { leavingTime, nextDeadline } from '../store/deadlines.ts'
import { nextGrantEnd } from '../store/grants.ts'
import { nextJob, startJob } from '../store/jobs.ts'
import type { NextAt } from '../store/next-at.ts'
import { nextReminder } from '../store/requests.ts'
import type { Store } from '../store/store.ts'
import { endOverdue } from '../trust/end-overdue.ts'
import { endExpiredGrants } from '../trust/give-grant.ts'
import { moveRequests } from '../trust/remind.ts'
import type { Rules } from '../trust/rules.ts'
import type { Services } from '../turn/port/scope.ts'
import { unfinishedOutputs } from '../turn/state/unfinished-outputs.ts'
import type { Foundation } from './foundation.ts'

export interface LookDeps
  extends Pick<Foundation, 'config' | 'store' | 'clock' | 'followTime' | 'log' | 'lock' | 'report'> {
  engine: Engine
  rules: Rules
  platforms: Map<string, ChatPlatform>
  deliverer: Deliverer
  /** The machine's own time of day. */
  machine?: Clock | undefined
}

/** What is looked for because it may be due. */
export function looksOf(deps: LookDeps): LooksWhenDue {
  const { config, store, clock, followTime, log, lock, report, engine, rules, platforms, deliverer, machine } = deps
  const catchUp = (thread: ThreadRef) => platforms.get(thread.platform)?.catchUp(thread)
  const leaveTime = leavingTime(store, lock.holder, config.engine.silentMs)
  const hooks = {
    report: report('looking for what is due failed'),
    async wentBack(byMs: number) {
      await store.transaction((tx) => clockWentBack(tx, byMs, lock.holder))
      const seconds = Math.round(byMs / 1_000)
      log.warn({ seconds }, 'the clock was set back; what waits for another attempt is tried as if it had not been')
    },
    async paused(forMs: number) {
      await followTime()
      await leaveTime(forMs)
      const seconds = Math.round(forMs / 1_000)
      log.info({ seconds }, 'this process couldn’t work for a while, or the clock was set forward')
    },
  }
  const looks = new LooksWhenDue(store, clock, config.engine.clockMs, hooks, machine)
  const add = (what: string, nextAt: () => NextAt, look: () => Promise<void>) =>
    looks.add({ nextAt, look, report: report(`${what} failed`) })
  add(
    'deadlines',
    () => nextDeadline,
    async () => {
      // Nobody can answer in an outage. The first to store something when it is over gives people time.
      if (store.availability.fault === undefined) await endOverdue({ store, engine, rules, catchUp }, clock.now())
    },
  )
  add(
    'reminders',
    () => nextReminder,
    () => moveRequests(store, rules, clock.now()),
  )
  add(
    'ending grants',
    () => nextGrantEnd,
    () => endExpiredGrants(store, clock.now()),
  )
  add(
    'delivering',
    () => deliverer.nextAt(),
    () => deliverer.deliverDue(),
  )
  return looks
}

/** Looks for jobs that are due. */
export const jobLook = (jobs: Jobs, report: Foundation['report']) => ({
  nextAt: () => nextJob,
  look: () => jobs.look(),
  isBusy: () => jobs.isBusy,
  report: report('jobs could not be looked for'),
})

/** The jobs that belong to no capability. */
export const jobKinds = ({ hearDeps, bot }: { hearDeps: HearDeps; bot: Services }): JobKind[] => [
  eraseKind(hearDeps),
  cleanKind({ ...hearDeps, report: bot.report('workspaces that are idle or deleted could not be removed') }),
  rewriteKind(hearDeps),
  changeKind(hearDeps),
  unfinishedOutputs(bot),
]

/** Cleans at each start, and then every hour. */
export const startCleaning = (store: Store): Promise<unknown> =>
  store.transaction((tx) => startJob(tx, { kind: 'clean', key: 'clean', owner: 'bot', input: null }))
