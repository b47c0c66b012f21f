import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import type { SearchWords } from '../kit/text/search-words.ts'
import { listOf } from './json.ts'
import type { Store } from './store.ts'
import { isSaid, type WordIndex } from './word-index.ts'

/** Each is loaded when somebody searches. */
async function indexOf(store: Store): Promise<WordIndex> {
  if (store.server !== undefined) return (await import('./postgres/word-index.ts')).postgresWords
  return (await import('./sqlite/word-index.ts')).sqliteWords
}

/** A search for threads: the condition on `sessions`, and where the words stand in one of those found. */
export interface ThreadSearch {
  condition: RawBuilder<boolean>
  textIn(session: SessionId): Promise<string | undefined>
}

export async function searchThreads(store: Store, { words, kind }: SearchWords): Promise<ThreadSearch> {
  const index = await indexOf(store)
  if (kind === 'parts') return searchParts(store, index, words)
  await index.catchUp(store)
  return { condition: index.has(words), textIn: (session) => index.latest(store.db, session, words) }
}

/** Reads every text, because no index knows where words begin in it. */
async function searchParts(store: Store, index: WordIndex, parts: string[]): Promise<ThreadSearch> {
  const find = sql.raw(store.server === undefined ? 'instr' : 'strpos')
  const holds = (column: string) =>
    sql<boolean>`(${sql.join(
      parts.map((part) => sql`${find}(lower(${sql.ref(column)}), ${part}) > 0`),
      sql` and `,
    )})`
  const said = sql<boolean>`${sql.raw(isSaid)} and ${holds('text')}`
  const sessions = await index.sessionsWith(store.db, said)
  return {
    condition: sql`(${holds('title')} or sessions.id in ${listOf(sessions)})`,
    async textIn(session) {
      // SQLite answers within the same turn of the event loop.
      await setImmediate()
      const { rows } = await sql<{ text: string }>`
        select text from messages where session_id = ${session} and ${said} order by seq desc limit 1`.execute(store.db)
      return rows[0]?.text
    },
  }
}
