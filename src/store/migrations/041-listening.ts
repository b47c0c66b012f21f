import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Where a process listens, which its settings don't say if they have changed since, or another shell has others. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await sql.raw(`alter table locks add column url ${text}`).execute(db)
}
