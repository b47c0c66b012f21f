import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const columns = 'session_id, id, type, data, key, created_at, said'

/** Events are small now that their long texts are in the history, so SQLite stores them in the index of their key. */
export async function up(db: Kysely<unknown>, { text, int, byKey, inSqlite }: Columns): Promise<void> {
  for (const statement of [
    // The keys of a turn's answers begin alike.
    'drop index answers_by_turn',
    ...inSqlite(
      `create table events_2 (
    session_id ${text} not null references sessions(id),
    id ${int} not null,
    type ${text} not null, data ${text} not null,
    key ${text},
    created_at ${int} not null, said ${int},
    primary key (session_id, id)
  )${byKey}`,
      `insert into events_2 (${columns}) select ${columns} from events order by session_id, id`,
      'drop table events',
      'alter table events_2 rename to events',
      'create unique index events_by_key on events (key) where key is not null',
      'drop index postings_by_message',
      'create index postings_by_message on postings (platform_id) where platform_id is not null',
    ),
  ])
    await sql.raw(statement).execute(db)
}
