import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** How many model calls a message is sent to; null means as long as it is in the window. */
export async function up(db: Kysely<unknown>, { int }: Columns): Promise<void> {
  await sql.raw(`alter table messages add column rounds ${int}`).execute(db)
}
