import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Several processes on one database: who each is, and which of them posts an entry. */
export async function up(db: Kysely<unknown>, { text, int }: Columns): Promise<void> {
  for (const statement of [
    `alter table locks add column started_at ${int} not null default 0`,
    `alter table locks add column version ${text}`,
    `alter table outbox add column holder ${text}`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
