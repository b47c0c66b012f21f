import { sql } from 'kysely'
import type { SessionId, TurnId } from '../domain/ids.ts'
import { replyKeys } from '../domain/keys.ts'
import { listOf } from './json.ts'
import { isGone, mayWork } from './lock.ts'
import type { NextAt } from './next-at.ts'
import type { Claimed, OutboxEntry, OutboxKind, OutboxPayload } from './outbox-entry.ts'
import { beginPosting } from './postings.ts'
import { prepared } from './prepared.ts'
import { payloadWithoutSaid, wholePayload } from './said.ts'
import type { OutboxRow } from './schema.ts'
import type { Db, Store, Tx } from './store.ts'

const toEntry = ({ saidText, ...row }: OutboxRow & { saidText: string | null }): OutboxEntry =>
  ({
    key: row.key,
    session: row.session_id,
    turn: row.turn_id ?? undefined,
    kind: row.kind,
    payload: wholePayload(row.payload, row.said, saidText),
    attempts: row.attempts,
    createdAt: row.created_at,
    refusedAt: row.refused_at ?? undefined,
    // The column holds what insertOutbox was given for this kind.
  }) as OutboxEntry

interface NewEntry<Kind extends OutboxKind> {
  key: string
  session: SessionId
  turn: TurnId | undefined
  kind: Kind
  payload: OutboxPayload[Kind]
}

interface Values {
  key: string
  session: SessionId
  seq: number
  turn: TurnId | null
  kind: OutboxKind
  payload: string
  said: number | null
  now: number
  /** When it is due, or due again if it is claimed. */
  due_at: number
}

/** The process that holds the session. Only it posts the entry, as long as it is there: it may be showing the turn. */
const holderOf = (session: SessionId) => sql<string | null>`(select holder from sessions where id = ${session})`

/** Nothing comes before it, and the process that holds its session may work. */
const isFree = ({ session }: Pick<Values, 'session'>) => sql`(
  not exists (select 1 from outbox where session_id = ${session} and state = 'pending' and kind <> 'files')
  and ${mayWork(holderOf(session))})`

const insert = (claims: boolean) =>
  prepared((db, values: Pick<Values, keyof Values>) =>
    db
      .insertInto('outbox')
      .values({
        key: values.key,
        session_id: values.session,
        seq: values.seq,
        turn_id: values.turn,
        kind: values.kind,
        payload: values.payload,
        said: values.said,
        state: 'pending',
        attempts: claims ? sql<number>`case when ${isFree(values)} then 1 else 0 end` : 0,
        next_at: claims
          ? sql<number>`case when ${isFree(values)} then cast(${values.due_at} as bigint) else ${values.now} end`
          : values.due_at,
        created_at: values.now,
        holder: holderOf(values.session),
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returningAll(),
  )

const insertDue = insert(false)
const insertClaimed = insert(true)

async function valuesOf<Kind extends OutboxKind>(tx: Tx, entry: NewEntry<Kind>, dueMs: number) {
  const { key, session, turn = null, kind } = entry
  const seq = await tx.ledger.take(session, 'next_outbox')
  const whole: { text?: string; files?: unknown[] } = tx.mask(entry.payload as object)
  const { text } = whole
  const said = text === undefined ? null : tx.ledger.saidAs(session, text)
  const payload = said === null ? JSON.stringify(whole) : payloadWithoutSaid(whole)
  return { values: { key, session, seq, turn, kind, payload, said, now: tx.now, due_at: tx.now + dueMs }, text }
}

/** The same key again changes nothing. It is due after `waitMs`. */
export async function insertOutbox<Kind extends OutboxKind>(tx: Tx, entry: NewEntry<Kind>, waitMs = 0): Promise<void> {
  const { values } = await valuesOf(tx, entry, waitMs)
  await insertDue(tx.db, values)
  tx.posts({ session: entry.session })
}

/**
 * For a turn of this process, which holds the session. If nothing comes before the entry, it is claimed as well, and
 * the posting of `page` begins unless the platform posts nothing. It is due again after `retryMs` unless it has been
 * posted.
 */
export async function insertClaiming<Kind extends OutboxKind>(
  tx: Tx,
  entry: NewEntry<Kind>,
  { page, retryMs, ...known }: { page: string | undefined; retryMs: number } & Pick<Claimed, 'home' | 'begun'>,
): Promise<void> {
  const { session } = entry
  const { values, text = null } = await valuesOf(tx, entry, retryMs)
  const [row] = await insertClaimed(tx.db, values)
  if (row === undefined || row.attempts === 0) return tx.posts({ session })
  const isNew = page !== undefined && (await beginPosting(tx, session, page))
  // Like any claimed entry, it is passed on as it was before the claim.
  tx.posts({ session, claimed: { entry: { ...toEntry({ ...row, saidText: text }), attempts: 0 }, isNew, ...known } })
}

/** Nothing before it in its thread still waits. Files hold nobody up. */
const isFirst = sql<boolean>`not exists (
  select 1 from outbox as earlier where earlier.session_id = outbox.session_id and earlier.seq < outbox.seq
    and earlier.kind <> 'files' and earlier.state = 'pending')`

/** Nobody posts it, or we do, or whoever did is gone. */
const isOurs = (holder: string) =>
  sql<boolean>`(outbox.holder is null or outbox.holder = ${holder} or ${isGone('outbox.holder')})`

/** What is posted in order: a session's files that come later, or everything else in it, which has the session's id. */
export const laneOf = ({ session, kind }: Pick<OutboxEntry, 'session' | 'kind'>): string =>
  kind === 'files' ? `${session} files` : session

const lane = sql<string>`case when outbox.kind = 'files' then outbox.session_id || ' files' else outbox.session_id end`

const isIn = (lanes: string[]) => sql<boolean>`${lane} in ${listOf(lanes)}`

/** Only the first of each thread, like `dueOutbox`: one that waits behind it isn't due, however early it was stored. */
export const nextPosting = (holder: string, inHand: string[] = []): NextAt =>
  sql`select min(next_at) from outbox where state = 'pending' and ${isOurs(holder)} and ${isFirst}
    and not ${isIn(inHand)}`

const due = (db: Db, now: number, holder: string) =>
  db
    .selectFrom('outbox')
    .leftJoin('messages', (join) =>
      join.onRef('messages.session_id', '=', 'outbox.session_id').onRef('messages.seq', '=', 'outbox.said'),
    )
    .selectAll('outbox')
    .select('messages.text as saidText')
    .where('state', '=', sql.lit('pending'))
    .where('next_at', '<=', now)
    .where(isOurs(holder))
    .where(isFirst)

/**
 * The oldest unposted entries that are due in this process, at most `limit`. Only the first of each thread, so that
 * messages stay in order, and the files that nothing before them holds up. Without the lanes in hand.
 */
export async function dueOutbox(
  db: Db,
  now: number,
  limit: number,
  holder = '',
  inHand: string[] = [],
): Promise<OutboxEntry[]> {
  const rows = await due(db, now, holder)
    .where(sql<boolean>`not ${isIn(inHand)}`)
    .orderBy('outbox.created_at')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

const nextOf = prepared((db, next: { session: SessionId; lane: string; now: number; holder: string }) =>
  due(db, next.now, next.holder)
    .where('outbox.session_id', '=', next.session)
    .where(lane, '=', next.lane)
    .orderBy('outbox.seq')
    .limit(1),
)

/** The next entry of the session's lane, if one is due in this process. */
export async function nextOutbox(db: Db, next: Parameters<typeof nextOf>[1]): Promise<OutboxEntry | undefined> {
  const [row] = await nextOf(db, next)
  return row && toEntry(row)
}

/**
 * Stored before the posting. False when another process took this attempt. It is due again at `retryAt` unless it has
 * been posted.
 */
export async function claimAttempt(tx: Tx, entry: OutboxEntry, retryAt: number, holder = ''): Promise<boolean> {
  const claimed = await tx.db
    .updateTable('outbox')
    .set({ attempts: entry.attempts + 1, next_at: retryAt, holder })
    .where('key', '=', entry.key)
    .where('state', '=', sql.lit('pending'))
    .where('attempts', '=', entry.attempts)
    .where(isOurs(holder))
    .returning('key')
    .executeTakeFirst()
  return claimed !== undefined
}

const deliver = prepared((db, values: { key: string; attempts: number; holder: string; now: number }) =>
  db
    .updateTable('outbox')
    .set({ state: 'delivered', delivered_at: values.now, next_at: 0, holder: null })
    .where('key', '=', values.key)
    .where('attempts', '=', values.attempts)
    .where('state', '=', sql.lit('pending'))
    .where(mayWork(sql.val(values.holder)))
    .returning('key'),
)

/**
 * By the attempt that was claimed for this entry. False when it was already delivered, or has to be tried again: also
 * when the process, `holder`, was replaced, because then `setPosted` stores nothing either.
 */
export async function markDelivered(tx: Tx, { key, attempts }: OutboxEntry, holder: string): Promise<boolean> {
  return (await deliver(tx.db, { key, attempts: attempts + 1, holder, now: tx.now })).length > 0
}

/** An old process, `holder`, may have overwritten the message. */
export async function deliverAgain(tx: Tx, key: string, holder: string): Promise<void> {
  // Somebody else's attempt may be under way, with this page done: it counts as failed, so that another one follows.
  await tx.db
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('key', '=', key)
    .where('state', '=', sql.lit('pending'))
    .where('attempts', '>', 0)
    .where('holder', '!=', holder)
    .execute()
  await tx.db
    .updateTable('outbox')
    .set({ state: 'pending', next_at: tx.now, delivered_at: null })
    .where('key', '=', key)
    .where('state', '=', sql.lit('delivered'))
    .execute()
}

/** At the start: what an earlier process had claimed is due at once. */
export function releaseAttempts(store: Store): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db
      .updateTable('outbox')
      .set({ next_at: tx.now })
      .where('state', '=', sql.lit('pending'))
      .where(isGone('outbox.holder'))
      .execute()
  })
}

/** The turn that an entry was put in for, if one was. */
export async function turnOfEntry(db: Db, key: string): Promise<TurnId | undefined> {
  const row = await db.selectFrom('outbox').select('turn_id').where('key', '=', key).executeTakeFirst()
  return row?.turn_id ?? undefined
}

export async function isInOutbox(db: Db, key: string): Promise<boolean> {
  return (await db.selectFrom('outbox').select('key').where('key', '=', key).executeTakeFirst()) !== undefined
}

const stateOf = prepared((db, { key }: { key: string }) =>
  db.selectFrom('outbox').select(['state', 'holder']).where('key', '=', key),
)

/** Undefined if it was never put there. */
export async function outboxState(db: Db, key: string): Promise<OutboxRow['state'] | undefined> {
  return (await stateOf(db, { key }))[0]?.state
}

/** Who posts it. `we`: it waits, and no other process has to. `over`: it was posted, or another process has to. */
export async function whoPosts(db: Db, key: string, holder: string): Promise<'nobody' | 'we' | 'over'> {
  const [row] = await stateOf(db, { key })
  if (row === undefined) return 'nobody'
  return row.state === 'pending' && (row.holder ?? holder) === holder ? 'we' : 'over'
}

/** Whether the turn has already said something. */
export async function hasAnswered(db: Db, turn: TurnId): Promise<boolean> {
  const [from, to] = replyKeys(turn)
  const row = await db
    .selectFrom('outbox')
    .select('key')
    .where('key', '>=', from)
    .where('key', '<', to)
    .where('kind', '=', sql.lit('answer'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
