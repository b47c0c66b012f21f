import { type Kysely, sql } from 'kysely'

/** The tools that each session's model was offered, in their order. Null for those that are older. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table prompts add column tools text').execute(db)
}
