import { isDeepStrictEqual } from 'node:util'
import type { SessionId } from '../domain/ids.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { Clock } from '../kit/clock.ts'
import { doAll } from '../kit/do-all.ts'
import { throwOutage } from '../kit/unavailable.ts'
import { forgetFailedJobs } from '../store/jobs.ts'
import { idleSessions, type ProjectRef, type Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { tellOldRefusals } from '../trust/refusals.ts'
import type { WhileIdle } from '../workspace/remove.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { type KeepDays, type PrunedTo, pruneSome } from './retention.ts'

export interface CleanDeps {
  store: Store
  clock: Clock
  workspaces: Workspaces
  idleWorkspaceDays: number
}

const dayMs = 86_400_000

/** The name under which processes wait for each other's removals. */
export const removals = 'removals'

/**
 * Removes the files of sessions that have been idle for long and in which nothing waits: no open turn, request, alarm
 * or unposted message. In one channel, or in all, except `spared`. The history stays. The result counts the sessions
 * that had files. If one can't be removed, the others still are, and its error is thrown at the end.
 */
export async function cleanWorkspaces(
  deps: CleanDeps,
  project?: ProjectRef,
  spared?: SessionId,
): Promise<{ removed: number; bytes: number }> {
  const { store, clock, workspaces, idleWorkspaceDays } = deps
  const at = clock.now()
  const before = at - idleWorkspaceDays * dayMs
  const total = { removed: 0, bytes: 0 }
  const remove = async (session: Session) => {
    const removed = await workspaces.remove(session, whileIdle(session, before, store), { at, days: idleWorkspaceDays })
    if (removed === undefined || removed.files === 0) return
    total.removed++
    total.bytes += removed.bytes
  }
  const idle = (await idleSessions(store.db, before, project)).filter(({ id }) => id !== spared)
  await doAll([() => workspaces.sweep(), ...idle.map((session) => () => remove(session))])
  return total
}

/** Whatever would wake the session waits until the work is done, in any process. */
const whileIdle =
  (session: Session, before: number, store: Store): WhileIdle =>
  (work) =>
    store.transaction(async (tx) => {
      await tx.alone(removals)
      await tx.hold(session.id)
      const isIdle = (await idleSessions(tx.db, before, session.thread, session.id)).length > 0
      if (isIdle) await work()
      return isIdle
    })

const everyMs = 3_600_000

/** Runs once an hour: logs refusals that were only counted, and removes idle workspaces and what is old enough. */
export const cleanKind = (deps: CleanDeps & KeepDays & { report: (thrown: unknown) => void }): JobKind => ({
  name: 'clean',
  attempts: Number.POSITIVE_INFINITY,
  async run({ checkpoint, save }) {
    const before = deps.clock.now() - deps.ignoredDays * dayMs
    await deps.store.transaction((tx) => forgetFailedJobs(tx, before))
    await tellOldRefusals(deps.store)
    // The version before saved only where to continue among the sessions.
    const known = typeof checkpoint === 'string' ? { sessions: checkpoint } : ((checkpoint ?? {}) as PrunedTo)
    const to = await pruneSome({ ...deps, keep: deps }, known)
    if (!isDeepStrictEqual(to, known)) await save(to)
    // Where to continue was stored, so a failure would count as the first and be retried in a second.
    await cleanWorkspaces(deps).catch((thrown) => {
      throwOutage(thrown)
      deps.report(thrown)
    })
    return { again: deps.clock.now() + everyMs }
  },
})
