import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict }: Columns) => [
  `create table sessions (
    id ${text} primary key,
    platform ${text} not null, tenant ${text} not null, project ${text} not null, thread ${text} not null,
    parent ${text} references sessions(id),
    title ${text} not null, person ${text} not null, time_zone ${text} not null,
    system_prompt ${text},
    todos ${text} not null default '[]',
    epoch ${int} not null default 0, holder ${text},
    next_event ${int} not null default 1, next_message ${int} not null default 1, next_inbox ${int} not null default 1,
    next_outbox ${int} not null default 1,
    created_at ${int} not null, updated_at ${int} not null,
    unique (platform, tenant, project, thread)
  )${strict}`,
  `create index sessions_by_update on sessions (updated_at)`,

  `create table turns (
    id ${text} primary key,
    session_id ${text} not null references sessions(id),
    inbox_seq ${int} not null,
    state ${text} not null check (state in ('running', 'waiting', 'done', 'failed', 'stopped')),
    steps ${int} not null default 0,
    person ${text} not null, time_zone ${text} not null,
    started_at ${int} not null, ended_at ${int},
    unique (session_id, inbox_seq)
  )${strict}`,
  `create unique index one_open_turn on turns (session_id) where state in ('running', 'waiting')`,

  `create table inbox (
    session_id ${text} not null references sessions(id),
    seq ${int} not null,
    dedup_key ${text} not null unique,
    kind ${text} not null check (kind in ('message', 'alarm', 'answer', 'resume')),
    payload ${text} not null,
    state ${text} not null check (state in ('pending', 'held', 'taken')),
    turn_id ${text} references turns(id),
    event_id ${int} not null,
    created_at ${int} not null,
    primary key (session_id, seq)
  )${strict}`,
  `create index inbox_unread on inbox (session_id, seq) where state in ('pending', 'held')`,

  `create table messages (
    session_id ${text} not null references sessions(id),
    seq ${int} not null,
    turn_id ${text} not null references turns(id),
    role ${text} not null check (role in ('user', 'assistant', 'tool')),
    text ${text} not null,
    calls ${text}, call_id ${text}, person ${text}, origin ${text}, files ${text},
    created_at ${int} not null,
    primary key (session_id, seq)
  )${strict}`,
  `create unique index one_result_per_call on messages (call_id) where call_id is not null`,

  `create table calls (
    id ${text} primary key,
    session_id ${text} not null references sessions(id),
    turn_id ${text} not null references turns(id),
    place ${int} not null,
    tool ${text} not null, arguments ${text} not null, arguments_hash ${text} not null,
    state ${text} not null check (state in ('proposed', 'waiting', 'started', 'done', 'failed', 'denied', 'unknown')),
    attempt ${int} not null default 0, epoch ${int} not null,
    result ${text},
    proposed_at ${int} not null, started_at ${int}, ended_at ${int}
  )${strict}`,
  `create index open_calls on calls (turn_id) where state in ('proposed', 'waiting', 'started')`,
  `create index calls_by_session on calls (session_id, proposed_at)`,

  `create table requests (
    id ${text} primary key,
    session_id ${text} not null references sessions(id),
    turn_id ${text} not null references turns(id),
    call_id ${text} not null unique references calls(id),
    kind ${text} not null check (kind in ('approval', 'question', 'decision')),
    payload ${text} not null, arguments_hash ${text} not null,
    state ${text} not null check (state in ('pending', 'answered', 'cancelled')),
    answer ${text}, answered_by ${text},
    asked_at ${int} not null, answered_at ${int}, deadline_at ${int}
  )${strict}`,
  `create index pending_requests on requests (session_id, asked_at) where state = 'pending'`,

  `create table alarms (
    id ${text} primary key,
    session_id ${text} not null references sessions(id),
    message ${text} not null,
    due_at ${int} not null,
    cron ${text}, time_zone ${text} not null, person ${text} not null,
    state ${text} not null check (state in ('pending', 'fired', 'cancelled')),
    created_at ${int} not null, fired_at ${int}
  )${strict}`,
  `create index due_alarms on alarms (due_at) where state = 'pending'`,

  `create table outbox (
    key ${text} primary key,
    session_id ${text} not null references sessions(id),
    seq ${int} not null,
    turn_id ${text} not null references turns(id),
    payload ${text} not null,
    state ${text} not null check (state in ('pending', 'delivered')),
    attempts ${int} not null default 0,
    next_at ${int} not null,
    platform_id ${text},
    created_at ${int} not null, delivered_at ${int}
  )${strict}`,
  `create index undelivered on outbox (session_id, seq) where state = 'pending'`,

  `create table events (
    session_id ${text} not null references sessions(id),
    id ${int} not null,
    type ${text} not null, data ${text} not null,
    key ${text} unique,
    created_at ${int} not null,
    primary key (session_id, id)
  )${strict}`,

  `create table files (
    session_id ${text} not null references sessions(id),
    path ${text} not null,
    direction ${text} not null check (direction in ('in', 'out')),
    name ${text} not null, type ${text} not null, size ${int} not null, hash ${text}, remote ${text},
    state ${text} not null check (state in ('expected', 'stored', 'failed')),
    inbox_seq ${int}, turn_id ${text} references turns(id),
    created_at ${int} not null,
    primary key (session_id, path)
  )${strict}`,

  `create table locks (
    name ${text} primary key,
    holder ${text} not null, host ${text} not null, pid ${int} not null, beat_at ${int} not null
  )${strict}`,
]

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
