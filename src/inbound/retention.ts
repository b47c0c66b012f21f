import type { Clock } from '../kit/clock.ts'
import { type Amount, deleteOld, type KeptKind, keptKinds, measureOld, sessionsBefore } from '../store/retention.ts'
import type { Store } from '../store/store.ts'

/** How long things are kept: `keep` in config/bobbin.yaml. */
export interface KeepDays {
  eventDays: number
  postingDays: number
  changeDays: number
  ignoredDays: number
}

interface Deps {
  store: Store
  clock: Clock
  keep: KeepDays
}

const dayMs = 86_400_000

/** How many sessions' events one run looks at: all of them would be too many for every hour. */
const sessionsAtOnce = 200

function beforeOf({ clock, keep }: Deps): Record<KeptKind, number> {
  const before = (days: number) => clock.now() - days * dayMs
  const [events, postings] = [before(keep.eventDays), before(keep.postingDays)]
  return { events, postings, outbox: postings, changes: before(keep.changeDays), ignored: before(keep.ignoredDays) }
}

/** What `prune` would delete. */
export async function measurePrune(deps: Deps): Promise<[KeptKind, Amount][]> {
  const before = beforeOf(deps)
  const measured: [KeptKind, Amount][] = []
  for (const kind of keptKinds) measured.push([kind, await measureOld(deps.store.db, kind, before[kind])])
  return measured
}

/**
 * Deletes whatever has been kept long enough; events only of the next few sessions after `after`. Returns where to
 * continue.
 */
export async function pruneSome(deps: Deps, after: string): Promise<string> {
  const before = beforeOf(deps)
  for (const kind of keptKinds) if (kind !== 'events') await deleteOld(deps.store, kind, before[kind])
  const sessions = await sessionsBefore(deps.store.db, before.events, after, sessionsAtOnce)
  await deleteOld(deps.store, 'events', before.events, sessions)
  return sessions.length < sessionsAtOnce ? '' : (sessions.at(-1) ?? '')
}

/** The same for all sessions at once. */
export async function pruneAll(deps: Deps): Promise<void> {
  let after = ''
  do after = await pruneSome(deps, after)
  while (after !== '')
}
