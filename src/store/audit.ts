import { createHash } from 'node:crypto'
import type { SessionId } from '../domain/ids.ts'
import type { Json } from '../kit/json.ts'
import { prepared, preparedRows } from './prepared.ts'
import type { Db, Tx } from './store.ts'
import type { AuditRow } from './trust-rows.ts'

/** Who asked, decided, granted and was refused, and what ran. */
export type AuditKind =
  | 'asked'
  | 'voted'
  | 'decided'
  | 'moved'
  | 'withdrawn'
  | 'granted'
  | 'revoked'
  | 'refused'
  | 'started'
  | 'ended'
  | 'deleted'

export interface NewAuditEntry {
  kind: AuditKind
  session: SessionId | undefined
  data: Record<string, Json | undefined>
}

export interface AuditEntry {
  seq: number
  at: number
  kind: string
  session: SessionId | undefined
  data: Record<string, Json>
  /** SHA-256 of the previous entry, and of this one including it; hex. */
  previous: string
  hash: string
}

/** What the first entry has as its previous hash. */
export const auditRoot = '0'.repeat(64)

/** SHA-256 over the fields as a JSON list, so that no text can pass from one field into another. */
export const auditHash = (row: Omit<AuditRow, 'hash'>): string =>
  createHash('sha256')
    .update(JSON.stringify([row.seq, row.at, row.kind, row.session_id, row.data, row.previous]))
    .digest('hex')

/** Appends to the chain at the end of the transaction that does what the entry records. */
export async function appendAudit(tx: Tx, { kind, session, data }: NewAuditEntry): Promise<void> {
  const entry = { at: tx.now, kind, session_id: session ?? null, data: JSON.stringify(tx.mask(data)) }
  tx.ledger.atEnd(() => chain(tx, entry))
}

const newest = prepared((db) => db.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1))

const insert = preparedRows('audit', ['seq', 'at', 'kind', 'session_id', 'data', 'previous', 'hash'])

async function chain(tx: Tx, entry: Omit<AuditRow, 'seq' | 'previous' | 'hash'>): Promise<void> {
  await tx.alone('audit')
  const [last] = await newest(tx.db, {})
  const row = { ...entry, seq: (last?.seq ?? 0) + 1, previous: last?.hash ?? auditRoot }
  await insert(tx.db, [{ ...row, hash: auditHash(row) }])
}

/** A page of the log in order, from a number on or before one. */
export async function readAudit(
  db: Db,
  { after = 0, before, session, kind, limit }: AuditQuery,
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit').selectAll().where('seq', '>', after).limit(limit)
  if (session !== undefined) query = query.where('session_id', '=', session)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (before === undefined) return (await query.orderBy('seq').execute()).map(toEntry)
  return (await query.where('seq', '<', before).orderBy('seq', 'desc').execute()).reverse().map(toEntry)
}

export interface AuditQuery {
  after?: number
  before?: number
  session?: SessionId
  kind?: string
  limit: number
}

/** The rows as stored, to check the chain. */
export const auditRows = (db: Db, after: number, limit: number): Promise<AuditRow[]> =>
  db.selectFrom('audit').selectAll().where('seq', '>', after).orderBy('seq').limit(limit).execute()

const toEntry = (row: AuditRow): AuditEntry => ({
  seq: row.seq,
  at: row.at,
  kind: row.kind,
  session: row.session_id ?? undefined,
  data: JSON.parse(row.data),
  previous: row.previous,
  hash: row.hash,
})
