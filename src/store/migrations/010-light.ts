import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict }: Columns) => [
  // Long texts leave the row that every transaction of a session rewrites.
  `create table prompts (session_id ${text} primary key references sessions(id), text ${text} not null)${strict}`,
  `insert into prompts (session_id, text) select id, system_prompt from sessions where system_prompt is not null`,
  'alter table sessions drop column system_prompt',
  `create table todos (session_id ${text} primary key references sessions(id), todos ${text} not null)${strict}`,
  `insert into todos (session_id, todos) select id, todos from sessions where todos <> '[]'`,
  'alter table sessions drop column todos',

  // Only a few events have a key, so the others are left out of its index.
  `create table events_2 (
    session_id ${text} not null references sessions(id),
    id ${int} not null,
    type ${text} not null, data ${text} not null,
    key ${text},
    created_at ${int} not null,
    primary key (session_id, id)
  )${strict}`,
  `insert into events_2 (session_id, id, type, data, key, created_at)
    select session_id, id, type, data, key, created_at from events`,
  'drop table events',
  'alter table events_2 rename to events',
  'create unique index events_by_key on events (key) where key is not null',

  'drop index postings_by_message',
  'create index postings_by_message on postings (session_id, platform_id) where platform_id is not null',
]

/** A plain mention writes less. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
