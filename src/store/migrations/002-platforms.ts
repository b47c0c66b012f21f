import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const inboxColumns = 'session_id, seq, dedup_key, kind, payload, state, turn_id, event_id, created_at'

const statements = ({ text, int, strict }: Columns) => [
  `alter table sessions add column earlier ${text} not null default 'none' check (earlier in ('none', 'wanted', 'read'))`,
  `alter table sessions add column history_from ${int} not null default 1`,
  `alter table turns add column segment ${int} not null default 0`,
  `alter table turns add column tokens_in ${int} not null default 0`,
  `alter table turns add column tokens_cached ${int} not null default 0`,
  `alter table turns add column tokens_out ${int} not null default 0`,

  `create table inbox_2 (
    session_id ${text} not null references sessions(id),
    seq ${int} not null,
    dedup_key ${text} not null unique,
    kind ${text} not null check (kind in ('message', 'alarm', 'answer', 'resume', 'command')),
    payload ${text} not null,
    state ${text} not null check (state in ('pending', 'held', 'taken')),
    turn_id ${text} references turns(id),
    event_id ${int} not null,
    created_at ${int} not null,
    primary key (session_id, seq)
  )${strict}`,
  `insert into inbox_2 (${inboxColumns}) select ${inboxColumns} from inbox`,
  'drop table inbox',
  'alter table inbox_2 rename to inbox',
  `create index inbox_unread on inbox (session_id, seq) where state in ('pending', 'held')`,

  `create table outbox_2 (
    key ${text} primary key,
    session_id ${text} not null references sessions(id),
    seq ${int} not null,
    turn_id ${text} references turns(id),
    kind ${text} not null check (kind in ('answer', 'card', 'outcome', 'record')),
    payload ${text} not null,
    state ${text} not null check (state in ('pending', 'delivered', 'failed')),
    attempts ${int} not null default 0,
    next_at ${int} not null,
    reason ${text},
    created_at ${int} not null, delivered_at ${int}
  )${strict}`,
  `insert into outbox_2 (key, session_id, seq, turn_id, kind, payload, state, attempts, next_at, created_at, delivered_at)
    select key, session_id, seq, turn_id, 'answer', payload, state, attempts, next_at, created_at, delivered_at from outbox`,

  `create table postings (
    key ${text} primary key,
    session_id ${text} not null references sessions(id),
    platform_id ${text}, note ${text},
    begun_at ${int} not null
  )${strict}`,
  `create index postings_by_message on postings (session_id, platform_id)`,
  `insert into postings (key, session_id, platform_id, begun_at)
    select key || '.0', session_id, platform_id, created_at from outbox where attempts > 0 or platform_id is not null`,
  'drop table outbox',
  'alter table outbox_2 rename to outbox',
  `create index undelivered on outbox (session_id, seq) where state = 'pending'`,

  `create table ignored (
    dedup_key ${text} primary key,
    platform ${text} not null, tenant ${text} not null, project ${text} not null, thread ${text} not null, message ${text} not null,
    person ${text} not null, reason ${text} not null,
    ignored_at ${int} not null
  )${strict}`,
  'create index ignored_by_message on ignored (platform, tenant, project, message)',
  'create index ignored_by_time on ignored (ignored_at)',
  'create index ignored_by_place on ignored (platform, tenant, project, ignored_at)',

  `create table notes (name ${text} primary key, value ${text} not null, updated_at ${int} not null)${strict}`,
]

/** Slack and Discord: messages of several pages, cards, messages that weren't answered, and notes of platforms. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
