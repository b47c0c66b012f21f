import type { SessionId, TurnId } from '../domain/ids.ts'
import type { Json } from '../kit/json.ts'
import { prepared } from './prepared.ts'
import type { Db, Tx } from './store.ts'

/** What of a session's history the model is sent. */
export interface StoredContext {
  /** Earlier messages are not sent any more. */
  from: number
  /** An earlier one that is sent nevertheless: the latest request when they were left out. */
  pinned: number | undefined
  /** Long results of tools before this number are left out. */
  prunedTo: number
  /** What is sent for what was left out. */
  summary: string | undefined
  /** The turn that last waited for a summary. */
  turn: TurnId | undefined
  /** For which beginning and level a summary was asked for. */
  started: string | undefined
  /** What was made in the background and takes effect at the next step. */
  ready: Json | undefined
  /** What the latest ones achieved, oldest first. */
  reports: unknown[]
}

const find = prepared((db, { session }: { session: SessionId }) =>
  db.selectFrom('contexts').selectAll().where('session_id', '=', session),
)

/** Undefined as long as the whole history is sent. */
export async function readContext(db: Db, session: SessionId): Promise<StoredContext | undefined> {
  const [row] = await find(db, { session })
  return (
    row && {
      from: row.from_seq,
      pinned: row.pinned_seq ?? undefined,
      prunedTo: row.pruned_to,
      summary: row.summary ?? undefined,
      turn: row.turn_id ?? undefined,
      started: row.started ?? undefined,
      ready: row.ready === null ? undefined : JSON.parse(row.ready),
      reports: JSON.parse(row.reports),
    }
  )
}

/** What was made in the background meanwhile stays, unless it is `placed` now. */
export async function writeContext(
  tx: Tx,
  session: SessionId,
  context: Omit<StoredContext, 'ready'>,
  placed = false,
): Promise<void> {
  const values = {
    from_seq: context.from,
    pinned_seq: context.pinned ?? null,
    pruned_to: context.prunedTo,
    summary: context.summary === undefined ? null : tx.mask(context.summary),
    turn_id: context.turn ?? null,
    started: context.started ?? null,
    reports: JSON.stringify(tx.mask(context.reports)),
    updated_at: tx.now,
    ...(placed && { ready: null }),
  }
  await tx.db
    .insertInto('contexts')
    .values({ session_id: session, ...values })
    .onConflict((on) => on.column('session_id').doUpdateSet(values))
    .execute()
}

/** Something was made in the background: it takes effect at the next step. Null takes it back. */
export async function writeReady(tx: Tx, session: SessionId, ready: Json): Promise<void> {
  const text = ready === null ? null : JSON.stringify(tx.mask(ready))
  await tx.db
    .insertInto('contexts')
    .values({ session_id: session, from_seq: 0, pruned_to: 0, ready: text, reports: '[]', updated_at: tx.now })
    .onConflict((on) => on.column('session_id').doUpdateSet({ ready: text, updated_at: tx.now }))
    .execute()
}

/** Takes that back, unless something else was made meanwhile. */
export async function dropReady(tx: Tx, session: SessionId, ready: Json): Promise<void> {
  await tx.db
    .updateTable('contexts')
    .set({ ready: null, updated_at: tx.now })
    .where('session_id', '=', session)
    .where('ready', '=', JSON.stringify(ready))
    .execute()
}

export async function dropContext(tx: Tx, session: SessionId): Promise<void> {
  await tx.db.deleteFrom('contexts').where('session_id', '=', session).execute()
}
