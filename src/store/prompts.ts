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
  /** Names of the tools that the model has been offered, in their order; empty where an older version began the thread. */
  offered: string[]
}

const find = prepared((db, { session }: { session: SessionId }) =>
  db.selectFrom('prompts').select(['text', 'sections', 'tools']).where('session_id', '=', session),
)

const insert = prepared((db, row: { session: SessionId; text: string; sections: string; tools: string }) =>
  db
    .insertInto('prompts')
    .values({ session_id: row.session, text: row.text, sections: row.sections, tools: row.tools })
    .onConflict((on) => on.column('session_id').doUpdateSet({ sections: row.sections, tools: row.tools })),
)

/** Undefined until the session's first turn. */
export async function readPrompt(db: Db, session: SessionId): Promise<StoredPrompt | undefined> {
  const [row] = await find(db, { session })
  if (row === undefined) return undefined
  const { text, sections, tools } = row
  const told = sections === null ? undefined : JSON.parse(sections)
  return { text, told, offered: tools === null ? [] : JSON.parse(tools) }
}

/** The text stays as it was written first. */
export async function writePrompt(
  tx: Tx,
  session: SessionId,
  { text, told, offered }: StoredPrompt & { told: ToldSection[] },
): Promise<void> {
  await insert(tx.db, { session, text, sections: JSON.stringify(told), tools: JSON.stringify(offered) })
}

export async function dropPrompt(tx: Tx, session: SessionId): Promise<void> {
  await tx.db.deleteFrom('prompts').where('session_id', '=', session).execute()
}
