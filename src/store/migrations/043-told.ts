import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Who was told that something waits in a thread is found without reading all that was ever posted. */
export async function up(db: Kysely<unknown>, _: Columns): Promise<void> {
  await sql.raw('create index told on outbox (session_id) where told_at is not null').execute(db)
}
