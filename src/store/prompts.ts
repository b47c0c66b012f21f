import type { SessionId } from '../domain/ids.ts'
import { prepared } from './prepared.ts'
import type { Db, Tx } from './store.ts'

/** A section of the instructions, as the model was told of it last. */
export interface ToldSection {
  name: string
  /** Of its text; '' once it was taken back. */
  hash: string
  /** The number of the message that told it; 0 for the system prompt. */
  at: number
}

export interface StoredPrompt {
  /** The system prompt, as it was when the thread began. */
  text: string
  /** Undefined where an older version began the thread. */
  told: ToldSection[] | undefined
}

const find = prepared((db, { session }: { session: SessionId }) =>
  db.selectFrom('prompts').select(['text', 'sections']).where('session_id', '=', session),
)

const insert = prepared((db, { session, text, sections }: { session: SessionId; text: string; sections: string }) =>
  db
    .insertInto('prompts')
    .values({ session_id: session, text, sections })
    .onConflict((on) => on.column('session_id').doUpdateSet({ sections })),
)

/** Undefined until the session's first turn. */
export async function readPrompt(db: Db, session: SessionId): Promise<StoredPrompt | undefined> {
  const [row] = await find(db, { session })
  return row && { text: row.text, told: row.sections === null ? undefined : JSON.parse(row.sections) }
}

/** The text stays as it was written first. */
export async function writePrompt(
  tx: Tx,
  session: SessionId,
  { text, told }: { text: string; told: ToldSection[] },
): Promise<void> {
  await insert(tx.db, { session, text, sections: JSON.stringify(told) })
}

export async function dropPrompt(tx: Tx, session: SessionId): Promise<void> {
  await tx.db.deleteFrom('prompts').where('session_id', '=', session).execute()
}
