import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** How large the request was that a reply answers, and what of a long history the model is still sent. */
export async function up(db: Kysely<unknown>, { text, int, strict }: Columns): Promise<void> {
  for (const statement of [
    `alter table messages add column request_tokens ${int}`,
    `alter table messages add column request_estimate ${int}`,
    `create table contexts (
      session_id ${text} primary key references sessions(id),
      from_seq ${int} not null,
      pinned_seq ${int},
      pruned_to ${int} not null,
      summary ${text},
      turn_id ${text},
      started ${text},
      ready ${text},
      reports ${text} not null,
      updated_at ${int} not null
    )${strict}`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
