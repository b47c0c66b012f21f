import { type Kysely, sql } from 'kysely'

/** What of each session's prompt the model was told last. Null for those that are older: what they know is not known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table prompts add column sections text').execute(db)
}
