import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** One of several processes can be told to take nothing new. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  const states = `check (state in ('working', 'draining', 'drained'))`
  await sql.raw(`alter table locks add column state ${text} not null default 'working' ${states}`).execute(db)
}
