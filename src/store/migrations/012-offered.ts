import { type Kysely, sql } from 'kysely'

/** The tools each session's model was offered, in order. Null for older sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table prompts add column tools text').execute(db)
}
