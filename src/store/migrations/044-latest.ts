import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** What people answered last is found without reading all that they were ever asked. */
export async function up(db: Kysely<unknown>, _: Columns): Promise<void> {
  await sql.raw('create index requests_latest on requests (coalesce(answered_at, asked_at), id, state)').execute(db)
}
