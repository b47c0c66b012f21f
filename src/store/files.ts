import type { RemoteFile, WorkspaceFile } from '../domain/chat.ts'
import type { SessionId, TurnId } from '../domain/ids.ts'
import type { FileRow } from './file-rows.ts'
import type { Db, Tx } from './store.ts'

export interface StoredFile extends WorkspaceFile {
  direction: 'in' | 'out'
  state: FileRow['state']
  hash: string | undefined
  remote: RemoteFile | undefined
  recordedAt: number
}

const toFile = (row: FileRow): StoredFile => ({
  name: row.name,
  path: row.path,
  type: row.type,
  size: row.size,
  direction: row.direction,
  state: row.state,
  hash: row.hash ?? undefined,
  remote: row.remote ? JSON.parse(row.remote) : undefined,
  recordedAt: row.created_at,
})

export async function listFiles(db: Db, session: SessionId): Promise<StoredFile[]> {
  const rows = await db.selectFrom('files').selectAll().where('session_id', '=', session).orderBy('path').execute()
  return rows.map(toFile)
}

export async function findFile(db: Db, session: SessionId, path: string): Promise<StoredFile | undefined> {
  const row = await db
    .selectFrom('files')
    .selectAll()
    .where('session_id', '=', session)
    .where('path', '=', path)
    .executeTakeFirst()
  return row && toFile(row)
}

/** Reserves a path for an upload that is still on the platform. */
export async function expectFile(
  tx: Tx,
  session: SessionId,
  inboxSeq: number,
  file: WorkspaceFile,
  remote: RemoteFile,
): Promise<void> {
  await tx.db
    .insertInto('files')
    .values({
      session_id: session,
      ...file,
      direction: 'in',
      remote: JSON.stringify(remote),
      state: 'expected',
      inbox_seq: inboxSeq,
      created_at: tx.now,
    })
    .execute()
}

/** Uploads that no turn has fetched yet: all of them, a session's, a message's, or the one at `path`. */
export async function expectedFiles(
  db: Db,
  { session, inboxSeq, path }: { session?: SessionId; inboxSeq?: number; path?: string | undefined } = {},
): Promise<RemoteFile[]> {
  let query = db.selectFrom('files').selectAll().where('state', '=', 'expected')
  if (session !== undefined) query = query.where('session_id', '=', session)
  if (inboxSeq !== undefined) query = query.where('inbox_seq', '=', inboxSeq)
  if (path !== undefined) query = query.where('path', '=', path)
  return (await query.execute()).flatMap((row) => toFile(row).remote ?? [])
}

export async function settleUpload(
  tx: Tx,
  session: SessionId,
  path: string,
  outcome: { state: 'stored' | 'failed'; type?: string; size?: number; hash?: string },
): Promise<void> {
  await tx.db
    .updateTable('files')
    .set({ ...outcome, remote: null })
    .where('session_id', '=', session)
    .where('path', '=', path)
    .execute()
}

/** Nobody will read the message, so its files, or the one at `path`, are no longer downloaded. Returns them. */
export async function dropExpected(tx: Tx, session: SessionId, inboxSeq: number, path?: string): Promise<RemoteFile[]> {
  const dropped = await expectedFiles(tx.db, { session, inboxSeq, path })
  const update = tx.db
    .updateTable('files')
    .set({ state: 'failed', remote: null })
    .where('session_id', '=', session)
    .where('inbox_seq', '=', inboxSeq)
    .where('state', '=', 'expected')
  await (path === undefined ? update : update.where('path', '=', path)).execute()
  return dropped
}

/** Rows in one statement: databases take only a limited number of values. */
const rowsAtOnce = 500

/** Remembers what there was in outputs/ with an answer, so that it isn't posted again. */
export async function recordOutputs(
  tx: Tx,
  session: SessionId,
  turn: TurnId,
  files: (WorkspaceFile & { hash: string })[],
): Promise<void> {
  const made = { session_id: session, direction: 'out' as const, state: 'stored' as const, turn_id: turn }
  const rows = files.map(({ name, path, type, size, hash }) => {
    return { ...made, name, path, type, size, hash, created_at: tx.now }
  })
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await tx.db
      .insertInto('files')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['session_id', 'path']).doUpdateSet(({ ref }) => ({
          direction: ref('excluded.direction'),
          state: ref('excluded.state'),
          turn_id: ref('excluded.turn_id'),
          name: ref('excluded.name'),
          type: ref('excluded.type'),
          size: ref('excluded.size'),
          hash: ref('excluded.hash'),
          created_at: ref('excluded.created_at'),
        })),
      )
      .execute()
  }
}
