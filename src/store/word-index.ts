import type { RawBuilder } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import type { Db, Store } from './store.ts'

/**
 * How a database finds threads by words. Messages may be added or changed at any time; nobody else has to know of it.
 */
export interface WordIndex {
  /** Takes in what is new. */
  catchUp(store: Store): Promise<void>
  /** Whether the row of `sessions` at hand has the words in its title, or in one of its messages. */
  has(words: string[]): RawBuilder<boolean>
  /** The text of a session's latest message with the words. */
  latest(db: Db, session: SessionId, words: string[]): Promise<string | undefined>
  /** The sessions with a message like this. Reads all messages. */
  sessionsWith(db: Db, message: RawBuilder<boolean>): Promise<SessionId[]>
}

/**
 * What people and the bot said, and not what tools returned: SQLite would have to read past their long texts to find
 * `origin`. The rest has to be word for word as in PostgreSQL's index.
 */
export const isSaid = `role <> 'tool' and (role = 'assistant' or origin in ('person', 'alarm', 'earlier'))`
