import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** How often a page was tried: one that could not be read is tried again, but not for ever. */
export async function up(db: Kysely<unknown>, { int }: Columns): Promise<void> {
  await sql.raw(`alter table recognized_pages add column tries ${int} not null default 1`).execute(db)
}
