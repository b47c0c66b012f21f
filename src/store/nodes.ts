import type { SessionId } from '../domain/ids.ts'
import { nodesOf } from './lock.ts'
import { nodeName } from './lock-names.ts'
import type { Db, Store } from './store.ts'

/** What a process is doing. */
export interface NodeWork {
  turns: { session: SessionId; title: string; startedAt: number }[]
  /** `title`: of the session that it belongs to. */
  jobs: { kind: string; title: string | undefined }[]
  /** Entries of the outbox that only it posts. */
  unposted: number
}

/** By holder. */
export async function workOfNodes(db: Db, holders: string[]): Promise<Map<string, NodeWork>> {
  const work = new Map(holders.map((holder): [string, NodeWork] => [holder, { turns: [], jobs: [], unposted: 0 }]))
  if (holders.length === 0) return work
  const turns = await db
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    .select(['sessions.holder', 'sessions.id as session', 'sessions.title', 'turns.started_at as startedAt'])
    .where('turns.state', '=', 'running')
    .where('sessions.holder', 'in', holders)
    .orderBy('turns.started_at')
    .execute()
  const jobs = await db
    .selectFrom('jobs')
    .leftJoin('sessions', (join) => join.onRef('sessions.id', '=', (eb) => eb.ref('jobs.owner').$castTo<SessionId>()))
    .select(['jobs.holder', 'jobs.kind', 'sessions.title'])
    .where('jobs.holder', 'in', holders)
    .orderBy('jobs.created_at')
    .execute()
  const unposted = await db
    .selectFrom('outbox')
    .select(['holder', ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', '=', 'pending')
    .where('holder', 'in', holders)
    .groupBy('holder')
    .execute()
  for (const { holder, ...turn } of turns) work.get(holder ?? '')?.turns.push(turn)
  for (const { holder, kind, title } of jobs) work.get(holder ?? '')?.jobs.push({ kind, title: title ?? undefined })
  for (const { holder, count } of unposted) {
    const of = work.get(holder ?? '')
    if (of !== undefined) of.unposted = count
  }
  return work
}

/**
 * Tells a process to take nothing new. `last`: none of the others that beat would take its work. A start with the same
 * name undoes it.
 */
export function drainNode(
  store: Store,
  node: string,
  beating: ReadonlySet<string>,
): Promise<'asked' | 'already' | 'last' | 'unknown'> {
  return store.transaction(async (tx) => {
    await tx.alone('drain')
    const nodes = await nodesOf(tx.db)
    const asked = nodes.find(({ name }) => name === nodeName(node))
    if (asked === undefined) return 'unknown'
    if (asked.state !== 'working') return 'already'
    const others = nodes.filter(({ holder, state }) => holder !== asked.holder && state === 'working')
    if (!others.some(({ holder }) => beating.has(holder))) return 'last'
    await tx.db.updateTable('locks').set({ state: 'draining' }).where('holder', '=', asked.holder).execute()
    return 'asked'
  })
}

/** It has let go of everything. From here on it may not work, so the others treat what it left as theirs. */
export function setDrained(store: Store, holder: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.alone(holder)
    await tx.db.updateTable('locks').set({ state: 'drained' }).where('holder', '=', holder).execute()
  })
}
