import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict, byKey }: Columns) => [
  `create table shared_prompts (
    hash ${text} primary key,
    text ${text} not null,
    sections ${text} not null,
    tools ${text} not null
  )${strict}`,
  `create table prompts_2 (
    session_id ${text} primary key references sessions(id),
    shared ${text} references shared_prompts(hash),
    text ${text} not null,
    sections ${text},
    tools ${text}
  )${byKey}`,
  'insert into prompts_2 (session_id, text, sections, tools) select session_id, text, sections, tools from prompts',
  'drop table prompts',
  'alter table prompts_2 rename to prompts',

  `create table postings_2 (
    key ${text} primary key,
    session_id ${text} not null references sessions(id),
    platform_id ${text}, note ${text},
    begun_at ${int} not null
  )${byKey}`,
  `insert into postings_2 (key, session_id, platform_id, note, begun_at)
    select key, session_id, platform_id, note, begun_at from postings`,
  'drop table postings',
  'alter table postings_2 rename to postings',
  'create index postings_by_message on postings (session_id, platform_id) where platform_id is not null',
]

/** The beginning that most prompts share is stored once, and a posting in one place. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
