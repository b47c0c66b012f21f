import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Who may use the console where it listens beyond loopback. The tokens themselves aren't stored. */
export async function up(db: Kysely<unknown>, { text, int, strict }: Columns): Promise<void> {
  await sql
    .raw(
      `create table tokens (
    id ${text} primary key,
    name ${text} not null,
    hash ${text} not null unique,
    created_at ${int} not null,
    used_at ${int},
    ended_at ${int}
  )${strict}`,
    )
    .execute(db)
}
