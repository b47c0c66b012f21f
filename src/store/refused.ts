import { sql } from 'kysely'
import type { AlarmId, SessionId, TurnId } from '../domain/ids.ts'
import { field } from './json.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import type { Db, Store, Tx } from './store.ts'

/** Whoever marks what is refused finds out here what was fixed before, or is seen by whoever releases it. */
const aloneWithRefusals = (tx: Tx): Promise<void> => tx.alone('refusals')

/** The attempt that was claimed for this entry, unless another one has been made since: then it is over. */
const attemptOf = (db: Db, { key, attempts }: OutboxEntry) =>
  db
    .updateTable('outbox')
    .where('key', '=', key)
    .where('state', '=', sql.lit('pending'))
    .where('attempts', '=', attempts + 1)

/** Whether the attempt that was claimed for this entry still waits for its end. */
export async function isUnderWay(db: Db, { key, attempts }: OutboxEntry): Promise<boolean> {
  const row = await db.selectFrom('outbox').select(['state', 'attempts']).where('key', '=', key).executeTakeFirst()
  return row?.state === 'pending' && row.attempts === attempts + 1
}

/** It can never be posted; the entries after it can. False when another process has made an attempt since. */
export async function markFailed(tx: Tx, entry: OutboxEntry, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await attemptOf(tx.db, entry).set({ state: 'failed', reason }).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The platform said when to try again. */
export function postpone(store: Store, entry: OutboxEntry, nextAt: number): Promise<void> {
  return store.transaction(async (tx) => {
    await attemptOf(tx.db, entry).set({ next_at: nextAt }).execute()
  })
}

/**
 * The platform refused it, and somebody has to fix something. It is tried again at `nextAt`, which is called last.
 * False when another process has made an attempt since.
 */
export async function markRefused(
  tx: Tx,
  entry: OutboxEntry,
  { reason, remedy, at, nextAt }: { reason: string; remedy: string; at: number; nextAt(): number },
): Promise<boolean> {
  await aloneWithRefusals(tx)
  const next_at = nextAt()
  const { numUpdatedRows } = await attemptOf(tx.db, entry)
    .set((eb) => ({ reason, remedy, next_at, refused_at: eb.fn.coalesce('refused_at', eb.val(at)) }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * The entries behind one that was given up, if stored by `until`, are each tried once, and given up as well if that is
 * refused.
 */
export async function waitedAsLong(
  tx: Tx,
  session: SessionId,
  { since, until }: { since: number; until: number },
): Promise<void> {
  await tx.db
    .updateTable('outbox')
    .set({ refused_at: since })
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    // These hold up nothing, and wait on their own.
    .where('kind', '<>', 'files')
    .where('created_at', '<=', until)
    .execute()
}

/** What waits in a thread, in order, files apart: these hold up nothing. */
const unpostedIn = (db: Db, session: SessionId) =>
  db
    .selectFrom('outbox')
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .where('kind', '<>', 'files')
    .orderBy('seq')

/** What somebody waits for. `who`: undefined is whoever began the thread. */
export interface Awaited {
  key: string
  kind: 'answer' | 'card'
  turn: TurnId | undefined
  createdAt: number
  who: string | undefined
  isTold: boolean
}

const personOfTurn = sql<string | null>`(select person from turns where turns.id = outbox.turn_id)`.as('person')

const whoIn = (person: string | null): string | undefined => (person === null ? undefined : JSON.parse(person).id)

/** What people wait for in a thread, in order. */
export async function awaitedIn(db: Db, session: SessionId): Promise<Awaited[]> {
  const rows = await unpostedIn(db, session)
    .where('kind', 'in', ['answer', 'card'])
    .select(['key', 'kind', 'turn_id', 'created_at', 'told_at'])
    .select(personOfTurn)
    .execute()
  return rows.map(({ key, kind, turn_id, created_at, told_at, person }) => ({
    key,
    kind: kind as 'answer' | 'card',
    turn: turn_id ?? undefined,
    createdAt: created_at,
    who: whoIn(person),
    isTold: told_at !== null,
  }))
}

/** Who was told that something waits in a thread, since anything was last posted there. */
export async function toldIn(db: Db, session: SessionId): Promise<Awaited['who'][]> {
  const said = db.selectFrom('outbox').where('session_id', '=', session).where('kind', 'in', ['answer', 'card'])
  const told = await said.where('told_at', 'is not', null).select(['told_at', personOfTurn]).execute()
  if (told.length === 0) return []
  // This reads all that was ever posted in the thread.
  const posted = await said.select(({ fn }) => fn.max<number | null>('delivered_at').as('at')).executeTakeFirst()
  const postedAt = Number(posted?.at ?? 0)
  return told.filter(({ told_at }) => (told_at ?? 0) >= postedAt).map(({ person }) => whoIn(person))
}

/** Whether something in a thread, files apart, has been refused as well since then, and wasn't posted. */
export async function refusesSince(db: Db, session: SessionId, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('key')
    .where('session_id', '=', session)
    .where('kind', '<>', 'files')
    .where('state', '<>', 'delivered')
    .where('refused_at', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether what this alarm has led to waits in a thread where something is refused. */
export async function refusesAlarm(db: Db, session: SessionId, alarm: AlarmId): Promise<boolean> {
  const unposted = unpostedIn(db, session)
  const ring = await db
    .selectFrom('inbox')
    .select('seq')
    .where('session_id', '=', session)
    .where('turn_id', 'in', unposted.select('turn_id'))
    .where('kind', '=', 'alarm')
    .where(field('payload', '$.alarm'), '=', alarm)
    .where(({ exists }) => exists(unposted.select('key').where('refused_at', 'is not', null)))
    .limit(1)
    .executeTakeFirst()
  return ring !== undefined
}

export async function markTold(tx: Tx, key: string): Promise<void> {
  await tx.db.updateTable('outbox').set({ told_at: tx.now }).where('key', '=', key).execute()
}

/** Where something has changed, so refused entries may be posted now. What is missing means everywhere. */
export interface Changed {
  tenant?: string
  project?: string
}

/** What was refused there is due at once. */
export async function releaseRefused(tx: Tx, platform: string, { tenant, project }: Changed): Promise<void> {
  await aloneWithRefusals(tx)
  let sessions = tx.db.selectFrom('sessions').select('id').where('platform', '=', platform)
  if (tenant !== undefined) sessions = sessions.where('tenant', '=', tenant)
  if (project !== undefined) sessions = sessions.where('project', '=', project)
  const { numUpdatedRows } = await tx.db
    .updateTable('outbox')
    .set({ next_at: tx.now })
    .where('state', '=', sql.lit('pending'))
    .where('refused_at', 'is not', null)
    .where('session_id', 'in', sessions)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) tx.posts({ session: undefined })
}

/** How many messages a platform currently refuses for the same reason. */
interface RefusedMessages {
  platform: string
  reason: string
  remedy: string
  count: number
}

export async function refusedOutbox(db: Db): Promise<RefusedMessages[]> {
  const rows = await db
    .selectFrom('outbox')
    .innerJoin('sessions', 'sessions.id', 'outbox.session_id')
    .select(({ fn }) => ['platform', 'reason', 'remedy', fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('pending'))
    .where('refused_at', 'is not', null)
    .groupBy(['platform', 'reason', 'remedy'])
    .execute()
  return rows.map(({ reason, remedy, ...row }) => ({ ...row, reason: reason ?? '', remedy: remedy ?? '' }))
}

/** Files that no longer wait on their own, because they go with others. Once they were tried, they stay. */
export async function dropOutbox(tx: Tx, key: string): Promise<void> {
  await tx.db
    .deleteFrom('outbox')
    .where('key', '=', key)
    .where('state', '=', sql.lit('pending'))
    .where('attempts', '=', 0)
    .execute()
}
