import type { SessionId } from '../domain/ids.ts'
import { prepared } from './prepared.ts'
import type { Db, Tx } from './store.ts'

const find = prepared((db, { session }: { session: SessionId }) =>
  db.selectFrom('prompts').select('text').where('session_id', '=', session),
)

const insert = prepared((db, { session, text }: { session: SessionId; text: string }) =>
  db.insertInto('prompts').values({ session_id: session, text }),
)

/** The session's own copy of the system prompt; undefined until its first turn. */
export async function readSystemPrompt(db: Db, session: SessionId): Promise<string | undefined> {
  const [row] = await find(db, { session })
  return row?.text
}

/** Once for a session. */
export async function writeSystemPrompt(tx: Tx, session: SessionId, text: string): Promise<void> {
  await insert(tx.db, { session, text })
}

export async function dropPrompt(tx: Tx, session: SessionId): Promise<void> {
  await tx.db.deleteFrom('prompts').where('session_id', '=', session).execute()
}
