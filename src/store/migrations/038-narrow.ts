import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const ofEvents = 'session_id, id, type, data, key, created_at, said'
const ofOutbox = `key, session_id, seq, turn_id, kind, payload, state, attempts, next_at, reason, remedy, refused_at, told_at,
    created_at, delivered_at, holder, said`

/**
 * Events and entries of the outbox are small now that their long texts are in the history, so SQLite stores them in the
 * index of their key.
 */
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
      `insert into events_2 (${ofEvents}) select ${ofEvents} from events order by session_id, id`,
      'drop table events',
      'alter table events_2 rename to events',
      'create unique index events_by_key on events (key) where key is not null',
      `create table outbox_4 (
    key ${text} primary key,
    session_id ${text} not null references sessions(id),
    seq ${int} not null,
    turn_id ${text} references turns(id),
    kind ${text} not null check (kind in ('answer', 'card', 'outcome', 'record', 'files')),
    payload ${text} not null,
    state ${text} not null check (state in ('pending', 'delivered', 'failed')),
    attempts ${int} not null default 0,
    next_at ${int} not null,
    reason ${text}, remedy ${text}, refused_at ${int}, told_at ${int},
    created_at ${int} not null, delivered_at ${int}, holder ${text}, said ${int}
  )${byKey}`,
      `insert into outbox_4 (${ofOutbox}) select ${ofOutbox} from outbox order by key`,
      'drop table outbox',
      'alter table outbox_4 rename to outbox',
      "create index undelivered on outbox (session_id, seq) where state = 'pending'",
      'drop index postings_by_message',
      'create index postings_by_message on postings (platform_id) where platform_id is not null',
    ),
  ])
    await sql.raw(statement).execute(db)
}
