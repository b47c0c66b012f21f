import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Sessions that a call of another session opened: of which turn and call, and how many steps they have. */
export async function up(db: Kysely<unknown>, { text, int }: Columns): Promise<void> {
  for (const statement of [
    `alter table sessions add column parent_turn ${text}`,
    `alter table sessions add column parent_call ${text}`,
    `alter table sessions add column max_steps ${int}`,
    'create unique index one_child_per_call on sessions (parent_call) where parent_call is not null',
    'create index sessions_by_parent on sessions (parent) where parent is not null',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
