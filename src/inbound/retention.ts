import type { Clock } from '../kit/clock.ts'
import {
  type Amount,
  deleteOld,
  dropUnposted,
  type KeptKind,
  keptKinds,
  keyAfter,
  measureOld,
  sessionsBefore,
} from '../store/retention.ts'
import type { Store } from '../store/store.ts'
import { longestPostingMs } from './erase.ts'

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

/** How many sessions' events and changes one run looks at: all of them would be too many for every hour. */
const sessionsAtOnce = 200

/** How many rows of a table that is read by its keys one run looks at. */
const rowsAtOnce = 5_000

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

/** Deletes what is old in the next part after a key. Returns where to continue, and '' after the last part. */
type DeletePart = (deps: Deps, after: string) => Promise<string>

async function ofSessions(deps: Deps, after: string): Promise<string> {
  const before = beforeOf(deps)
  const latest = Math.max(before.events, before.changes)
  const sessions = await sessionsBefore(deps.store.db, latest, after, sessionsAtOnce)
  for (const kind of ['events', 'changes'] as const) await deleteOld(deps.store, kind, before[kind], { sessions })
  return sessions.length < sessionsAtOnce ? '' : (sessions.at(-1) ?? '')
}

const byKey =
  (kind: 'postings' | 'outbox'): DeletePart =>
  async (deps, after) => {
    const to = await keyAfter(deps.store.db, kind, after, rowsAtOnce)
    await deleteOld(deps.store, kind, beforeOf(deps)[kind], { after, to })
    return to ?? ''
  }

const parts = { sessions: ofSessions, postings: byKey('postings'), outbox: byKey('outbox') } as const

/** After which key to continue in each. */
export type PrunedTo = { [Name in keyof typeof parts]?: string }

const names = Object.keys(parts) as (keyof typeof parts)[]

/** An index finds these, so they are deleted at once rather than part by part. */
async function dropByIndex(deps: Deps): Promise<void> {
  await deleteOld(deps.store, 'ignored', beforeOf(deps).ignored)
  await dropUnposted(deps.store, deps.clock.now() - longestPostingMs)
}

/** Deletes whatever has been kept long enough in the next parts. Returns where to continue. */
export async function pruneSome(deps: Deps, { ...to }: PrunedTo): Promise<PrunedTo> {
  await dropByIndex(deps)
  for (const name of names) to[name] = await parts[name](deps, to[name] ?? '')
  return to
}

/** The same for everything at once. */
export async function pruneAll(deps: Deps): Promise<void> {
  await dropByIndex(deps)
  for (const name of names) {
    let after = ''
    do after = await parts[name](deps, after)
    while (after !== '')
  }
}
