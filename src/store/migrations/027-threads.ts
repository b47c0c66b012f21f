import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Threads are found by their words, pinned, and archived until something new comes in. */
export async function up(db: Kysely<unknown>, { int, wordsOfMessages }: Columns): Promise<void> {
  for (const statement of [
    `alter table sessions add column pinned_at ${int}`,
    // The number of the next inbox event when it was archived.
    `alter table sessions add column archived_inbox ${int}`,
    'create index pinned_sessions on sessions (updated_at) where pinned_at is not null',
    ...wordsOfMessages,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
