import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Which process makes a model call that is under way, so that others know when it is gone. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  for (const statement of [
    `alter table usage add column holder ${text}`,
    "create index usage_reserved on usage (at) where state = 'reserved'",
  ])
    await sql.raw(statement).execute(db)
}
