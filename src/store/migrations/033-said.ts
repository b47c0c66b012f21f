import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** The number of the message whose text an event or an entry of the outbox repeats. */
export async function up(db: Kysely<unknown>, { int }: Columns): Promise<void> {
  for (const table of ['events', 'outbox']) await sql.raw(`alter table ${table} add column said ${int}`).execute(db)
}
