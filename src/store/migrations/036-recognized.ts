import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** The texts that were recognized in pictures. Without a text, the page could not be read. */
export async function up(db: Kysely<unknown>, { text, int, strict }: Columns): Promise<void> {
  const table = `create table recognized_pages (
    session_id ${text} not null references sessions(id),
    content ${text} not null,
    page ${int} not null,
    way ${text} not null,
    text ${text},
    made_at ${int} not null,
    primary key (session_id, content, page)
  )${strict}`
  const index = 'create index recognized_by_content on recognized_pages (content, page)'
  for (const statement of [table, index]) await sql.raw(statement).execute(db)
}
