import { type RawBuilder, sql } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import type { Db, Store, Tx } from './store.ts'

/** What is deleted once it is old, by kind. */
export const keptKinds = ['events', 'postings', 'outbox', 'changes', 'ignored'] as const
export type KeptKind = (typeof keptKinds)[number]

/** How much of a kind there is. */
export interface Amount {
  rows: number
  bytes: number
}

/** Deleted in one transaction, so that nobody waits long for it. */
const rowsAtOnce = 500

interface Kind {
  key: string[]
  /** When a row was made. */
  at: string
  /** About how many bytes a row takes. */
  bytes: string
  /** Whether it isn't needed any more, however old it is. */
  isOver: string
}

/** How a turn did its work. What was said, asked and decided stays. */
const details = ['thought', 'text_start', 'text_end', 'act', 'observe', 'output', 'cost_update'].map(
  (one) => `'${one}'`,
)

/** Nothing in the row's session runs, waits for somebody, or has yet to be posted. */
const isAtRest = (table: string): string =>
  `not exists (select 1 from turns where turns.session_id = ${table}.session_id and turns.state in ('running', 'waiting'))
  and not exists (select 1 from outbox as waiting where waiting.session_id = ${table}.session_id and waiting.state = 'pending')`

const kinds: Record<KeptKind, Kind> = {
  events: {
    key: ['session_id', 'id'],
    at: 'created_at',
    bytes: 'length(data) + 90',
    isOver: `type in (${details}) and ${isAtRest('events')}`,
  },
  postings: { key: ['key'], at: 'begun_at', bytes: '170', isOver: isAtRest('postings') },
  outbox: {
    key: ['key'],
    at: 'created_at',
    bytes: 'length(payload) + 220',
    isOver: `state <> 'pending' and ${isAtRest('outbox')}`,
  },
  changes: {
    key: ['session_id', 'turn_id', 'path'],
    at: 'at',
    bytes: 'length(path) + 180',
    // The latest change of a path says what the file was like.
    isOver: `number < (select max(newest.number) from changes as newest
      where newest.session_id = changes.session_id and newest.path = changes.path) and ${isAtRest('changes')}`,
  },
  ignored: { key: ['dedup_key'], at: 'ignored_at', bytes: 'length(person) + length(reason) + 300', isOver: 'true' },
}

/** A part of a table: the rows of some sessions, or those after a key up to another one, or to the end. */
export type Part = { sessions: SessionId[] } | { after: string; to: string | undefined }

function isIn(kind: KeptKind, part: Part | undefined): RawBuilder<unknown> {
  if (part === undefined) return sql``
  if ('sessions' in part) return sql`and ${sql.ref(`${kind}.session_id`)} in (${sql.join(part.sessions)})`
  const key = sql.ref(`${kind}.key`)
  return sql`and ${key} > ${part.after} ${part.to === undefined ? sql`` : sql`and ${key} <= ${part.to}`}`
}

function oldOf(kind: KeptKind, before: number, part?: Part): RawBuilder<unknown> {
  const { at, isOver } = kinds[kind]
  return sql`${sql.table(kind)} where ${sql.ref(`${kind}.${at}`)} < ${before} ${isIn(kind, part)} and ${sql.raw(isOver)}`
}

/** How much is older than this time (ms), and would be deleted. */
export async function measureOld(db: Db, kind: KeptKind, before: number): Promise<Amount> {
  const { rows } = await sql<{ rows: number | string; bytes: number | string }>`
    select count(*) as rows, coalesce(sum(${sql.raw(kinds[kind].bytes)}), 0) as bytes from ${oldOf(kind, before)}`.execute(
    db,
  )
  return { rows: Number(rows[0]?.rows ?? 0), bytes: Number(rows[0]?.bytes ?? 0) }
}

async function deleteSome(tx: Tx, kind: KeptKind, before: number, part?: Part): Promise<number> {
  const key = sql.raw(`(${kinds[kind].key.map((column) => `${kind}.${column}`).join(', ')})`)
  const columns = sql.raw(kinds[kind].key.map((column) => `${kind}.${column}`).join(', '))
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(kind)} where ${key} in (select ${columns} from ${oldOf(kind, before, part)}
      limit ${rowsAtOnce})`.execute(tx.db)
  return Number(numAffectedRows)
}

/** Deletes what is older than this time (ms), in small transactions, and returns how many rows that were. */
export async function deleteOld(store: Store, kind: KeptKind, before: number, part?: Part): Promise<number> {
  if (part !== undefined && 'sessions' in part && part.sessions.length === 0) return 0
  let deleted = 0
  for (;;) {
    const some = await store.transaction((tx) => deleteSome(tx, kind, before, part), { isUrgent: false })
    deleted += some
    if (some < rowsAtOnce) return deleted
  }
}

/** What was said in sessions deleted before this time (ms) and couldn't be posted: earlier versions left it there. */
export async function dropUnposted(store: Store, before: number): Promise<void> {
  const old = sql`delete from outbox where state = 'pending' and exists (select 1 from sessions
    where sessions.id = outbox.session_id and deleted_at < ${before} and outbox.created_at < deleted_at)`
  await store.transaction((tx) => old.execute(tx.db), { isUrgent: false })
}

/** The last of so many keys after a key; undefined if there aren't so many. */
export async function keyAfter(
  db: Db,
  kind: 'postings' | 'outbox',
  after: string,
  count: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    select key from ${sql.table(kind)} where key > ${after} order by key limit 1 offset ${count - 1}`.execute(db)
  return rows[0]?.key
}

/** Sessions that are older than this time (ms), by their ids, from one on. */
export async function sessionsBefore(db: Db, before: number, after: string, limit: number): Promise<SessionId[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '>', after as SessionId)
    .where('created_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
