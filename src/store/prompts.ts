import { hash as hashOf } from 'node:crypto'
import type { SessionId } from '../domain/ids.ts'
import { prepared } from './prepared.ts'
import type { SharedPromptRow } from './session-rows.ts'
import type { Db, Tx } from './store.ts'

/** A section of the instructions as the model was last told it. */
export interface ToldSection {
  name: string
  /** The hash of its text; '' once it was withdrawn. */
  hash: string
  /** The number of the message that told it; 0 for the system prompt. */
  at: number
  /** It was told shorter than it is. */
  isCut?: true
}

export interface StoredPrompt {
  /** The system prompt as it was when the thread began. */
  text: string
  /** Undefined when an older version began the thread. */
  told: ToldSection[] | undefined
  /** Names of the tools the model has been offered, in order; empty when an older version began the thread. */
  offered: string[]
}

const find = prepared((db, { session }: { session: SessionId }) =>
  db
    .selectFrom('prompts')
    .leftJoin('shared_prompts', 'shared_prompts.hash', 'prompts.shared')
    .select(({ fn, ref, val }) => [
      fn.coalesce('shared_prompts.text', val('')).as('beginning'),
      'prompts.text',
      fn.coalesce('prompts.sections', ref('shared_prompts.sections')).as('sections'),
      fn.coalesce('prompts.tools', ref('shared_prompts.tools')).as('tools'),
    ])
    .where('session_id', '=', session),
)

/** Undefined until the session's first turn. */
export async function readPrompt(db: Db, session: SessionId): Promise<StoredPrompt | undefined> {
  const [row] = await find(db, { session })
  if (row === undefined) return undefined
  const { beginning, text, sections, tools } = row
  const told = sections === null ? undefined : JSON.parse(sections)
  return { text: beginning + text, told, offered: tools === null ? [] : JSON.parse(tools) }
}

type Values = { session: SessionId; hash: string | null; text: string; sections: string | null; tools: string | null }

const insert = prepared((db, values: Values) =>
  db
    .insertInto('prompts')
    .values(({ selectFrom }) => ({
      session_id: values.session,
      shared: selectFrom('shared_prompts').select('hash').where('hash', '=', values.hash),
      text: values.text,
      sections: values.sections,
      tools: values.tools,
    }))
    .onConflict((on) => on.column('session_id').doUpdateSet({ sections: values.sections, tools: values.tools }))
    .returning(['shared']),
)

/**
 * Writes the text once. The beginning that a new prompt has in common with others (`shared`) is stored only once,
 * together with the sections and tools it contains.
 */
export async function writePrompt(
  tx: Tx,
  session: SessionId,
  { text, shared, told, offered }: StoredPrompt & { told: ToldSection[]; shared: string },
): Promise<void> {
  const [sections, tools] = [JSON.stringify(told), JSON.stringify(offered)]
  if (shared === '') {
    await insert(tx.db, { session, hash: null, text, sections, tools })
    return
  }
  const hash = hashOf('sha256', `${sections}\n${tools}\n${shared}`, 'base64url').slice(0, 22)
  const own = { session, text: text.slice(shared.length), sections: null, tools: null }
  const [row] = await insert(tx.db, { ...own, hash })
  if (row?.shared === null) await share(tx, session, { hash, text: shared, sections, tools })
}

/** Stores a shared beginning unless it is already there. */
async function share(tx: Tx, session: SessionId, row: SharedPromptRow): Promise<void> {
  await tx.db
    .insertInto('shared_prompts')
    .values(row)
    .onConflict((on) => on.column('hash').doNothing())
    .execute()
  await tx.db.updateTable('prompts').set({ shared: row.hash }).where('session_id', '=', session).execute()
}

/** Deletes the prompt, and its shared beginning if no other thread uses it. */
export async function dropPrompt(tx: Tx, session: SessionId): Promise<void> {
  const dropped = await tx.db
    .deleteFrom('prompts')
    .where('session_id', '=', session)
    .returning('shared')
    .executeTakeFirst()
  const hash = dropped?.shared ?? null
  if (hash === null) return
  await tx.db
    .deleteFrom('shared_prompts')
    .where('hash', '=', hash)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('prompts').select('session_id').where('shared', '=', hash))),
    )
    .execute()
}
