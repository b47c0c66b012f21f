import type { Person } from '../domain/chat.ts'
import type { SessionId, TurnId } from '../domain/ids.ts'
import type { ChangeRow } from './file-rows.ts'
import { prepared } from './prepared.ts'
import type { TurnState } from './schema.ts'
import type { Db, Tx } from './store.ts'
import type { StoredTurn } from './turns.ts'

/** A file as a turn left it. `size` in bytes, times in ms. */
export interface FileChange {
  path: string
  change: ChangeRow['change']
  size: number
  modifiedAt: number
}

export interface RecordedChange extends FileChange {
  turn: TurnId
  at: number
}

/** Who woke a turn, and when. */
export interface ChangingTurn {
  turn: TurnId
  person: Person
  startedAt: number
}

const toChange = (row: ChangeRow): RecordedChange => ({
  path: row.path,
  change: row.change,
  size: row.size,
  modifiedAt: row.modified_at,
  turn: row.turn_id,
  at: row.at,
})

const latest = prepared((db, { session }: { session: SessionId }) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('session_id', '=', session)
    .where('number', '=', ({ selectFrom }) =>
      selectFrom('changes as newest')
        .select(({ fn }) => fn.max('newest.number').as('number'))
        .whereRef('newest.session_id', '=', 'changes.session_id')
        .whereRef('newest.path', '=', 'changes.path'),
    ),
)

/** The last recorded change of every path. */
export async function latestChanges(db: Db, session: SessionId): Promise<Map<string, RecordedChange>> {
  const rows = await latest(db, { session })
  return new Map(rows.map((row) => [row.path, toChange(row)]))
}

export async function hasChanges(db: Db, session: SessionId): Promise<boolean> {
  const row = await db
    .selectFrom('changes')
    .select('path')
    .where('session_id', '=', session)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The session's previous turn, and how it ended. */
export async function turnBefore(db: Db, turn: StoredTurn): Promise<{ id: TurnId; state: TurnState } | undefined> {
  return db
    .selectFrom('turns')
    .select(['id', 'state'])
    .where('session_id', '=', turn.session)
    .where('inbox_seq', '<', turn.inboxSeq)
    .orderBy('inbox_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Limits one statement, because SQLite takes at most 32,766 values. */
const rowsAtOnce = 500

/** Stores a turn's changes, replacing earlier ones of the same turn and path. `undone` are removed. */
export async function writeChanges(
  tx: Tx,
  session: SessionId,
  turn: TurnId,
  { changes, undone }: { changes: FileChange[]; undone: string[] },
): Promise<void> {
  for (let begin = 0; begin < undone.length; begin += rowsAtOnce) {
    await tx.db
      .deleteFrom('changes')
      .where('session_id', '=', session)
      .where('turn_id', '=', turn)
      .where('path', 'in', undone.slice(begin, begin + rowsAtOnce))
      .execute()
  }
  const { last } = await tx.db
    .selectFrom('changes')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .where('session_id', '=', session)
    .executeTakeFirstOrThrow()
  const rows = changes.map(({ path, change, size, modifiedAt }, index) => ({
    session_id: session,
    turn_id: turn,
    path,
    number: (last ?? 0) + 1 + index,
    change,
    size,
    modified_at: modifiedAt,
    at: tx.now,
  }))
  for (let begin = 0; begin < rows.length; begin += rowsAtOnce) {
    await tx.db
      .insertInto('changes')
      .values(rows.slice(begin, begin + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['session_id', 'turn_id', 'path']).doUpdateSet(({ ref }) => ({
          number: ref('excluded.number'),
          change: ref('excluded.change'),
          size: ref('excluded.size'),
          modified_at: ref('excluded.modified_at'),
          at: ref('excluded.at'),
        })),
      )
      .execute()
  }
}

const toChangingTurn = (row: { id: TurnId; person: string; started_at: number }): ChangingTurn => ({
  turn: row.id,
  person: JSON.parse(row.person),
  startedAt: row.started_at,
})

/** The turns that changed something, newest first. `changes` counts their changes. */
export async function changingTurns(db: Db, session: SessionId): Promise<(ChangingTurn & { changes: number })[]> {
  const rows = await db
    .selectFrom('changes')
    .innerJoin('turns', 'turns.id', 'changes.turn_id')
    .select(({ fn }) => ['turns.id', 'turns.person', 'turns.started_at', fn.countAll<number>().as('count')])
    .where('changes.session_id', '=', session)
    .groupBy('turns.id')
    .orderBy(({ fn }) => fn.max('changes.number'), 'desc')
    .execute()
  return rows.map((row) => ({ ...toChangingTurn(row), changes: row.count }))
}

/** What one turn changed, by path. */
export async function changesOf(db: Db, session: SessionId, turn: TurnId, most: number): Promise<RecordedChange[]> {
  const rows = await db
    .selectFrom('changes')
    .selectAll()
    .where('session_id', '=', session)
    .where('turn_id', '=', turn)
    .orderBy('path')
    .limit(most)
    .execute()
  return rows.map(toChange)
}
