import { sql } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import { LeaseLost } from './lease-lost.ts'
import { type Counters, counterNames, counts, type Expected, plus } from './ledger.ts'
import { mayWork } from './lock.ts'
import { prepared } from './prepared.ts'
import type { SessionRow } from './session-rows.ts'
import { type Session, toSession } from './sessions.ts'
import type { Db, Lease, Tx } from './store.ts'

/** The session as it was before the expected numbers were taken. */
export function heldSession(tx: Tx, row: SessionRow, expected: Expected | undefined): Session {
  tx.ledger.know(row.id, row, expected)
  const before = { ...row }
  for (const name of counterNames) before[name] -= expected?.[name] ?? 0
  return toSession(before)
}

const hold = prepared((db, values: { id: SessionId; now: number } & Counters) =>
  db
    .updateTable('sessions')
    .set((eb) => ({ updated_at: values.now, ...plus(eb, values) }))
    .where('id', '=', values.id)
    .returningAll(),
)

/** Reads a session that the transaction is going to write to. */
export async function holdSession(tx: Tx, id: SessionId, expected?: Expected): Promise<Session | undefined> {
  const [row] = await hold(tx.db, { id, now: tx.now, ...counts(expected) })
  return row && heldSession(tx, row, expected)
}

const take = prepared((db, values: { id: SessionId; holder: string } & Counters) =>
  db
    .updateTable('sessions')
    .set((eb) => ({ epoch: eb('epoch', '+', 1), holder: values.holder, ...plus(eb, values) }))
    .where('id', '=', values.id)
    .where(mayWork(sql.val(values.holder)))
    .returningAll(),
)

/**
 * Takes the session over, so that nobody who held it before can write. Throws LeaseLost when this process was
 * replaced: one that was frozen doesn't know it yet.
 */
export async function acquire(
  tx: Tx,
  id: SessionId,
  holder: string,
  expected?: Expected,
): Promise<{ lease: Lease; session: Session }> {
  const [row] = await take(tx.db, { id, holder, ...counts(expected) })
  if (row === undefined) throw new LeaseLost(id)
  return { lease: { session: id, epoch: row.epoch }, session: heldSession(tx, row, expected) }
}

/** Whether nobody else has acquired the session, as far as the store knows. For showing things, not for writing. */
export async function stillHolds(db: Db, { session, epoch }: Lease): Promise<boolean> {
  const [row] = await epochOf(db, { id: session })
  return row?.epoch === epoch
}

/** Those of these leases that no longer hold. */
export async function lostLeases<Held extends Lease>(db: Db, leases: Held[]): Promise<Held[]> {
  const ids = leases.map(({ session }) => session)
  const rows = await db.selectFrom('sessions').select(['id', 'epoch']).where('id', 'in', ids).execute()
  const epochs = new Map(rows.map(({ id, epoch }) => [id, epoch]))
  return leases.filter(({ session, epoch }) => epochs.get(session) !== epoch)
}

/** The lease of whoever holds the session now, if it is this process. For showing things, not for writing. */
export async function leaseHere(db: Db, session: SessionId, holder: string): Promise<Lease | undefined> {
  const row = await db.selectFrom('sessions').select(['epoch', 'holder']).where('id', '=', session).executeTakeFirst()
  return row?.holder === holder ? { session, epoch: row.epoch } : undefined
}

const epochOf = prepared((db, values: { id: SessionId }) =>
  db.selectFrom('sessions').select('epoch').where('id', '=', values.id),
)

/** Nobody who holds the session can write any more. */
export async function bumpEpoch(tx: Tx, session: SessionId): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .where('id', '=', session)
    .execute()
}
