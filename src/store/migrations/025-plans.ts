import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const status = "'planning', 'in_progress', 'completed', 'failed', 'timeout', 'fallback'"

const statements = ({ text, int, strict }: Columns) => [
  `create table plans (
    id ${text} primary key,
    session_id ${text} not null references sessions(id),
    turn_id ${text} not null,
    call_id ${text} not null unique,
    title ${text} not null,
    confidence ${int} not null,
    one_by_one ${int} not null,
    words ${text} not null,
    status ${text} not null check (status in (${status})),
    asked_why ${text},
    question_call ${text},
    why ${text},
    created_at ${int} not null,
    ended_at ${int}
  )${strict}`,
  // A turn works on one plan at a time.
  `create unique index one_open_plan_per_turn on plans (turn_id) where status in ('planning', 'in_progress')`,
  'create index plans_by_session on plans (session_id)',
  `create table plan_steps (
    plan_id ${text} not null references plans(id),
    number ${int} not null,
    what ${text} not null,
    gives ${text} not null,
    needs ${text},
    after_steps ${text} not null,
    tools ${text} not null,
    files ${text} not null,
    agent ${text},
    skills ${text} not null,
    if_it_fails ${text} not null check (if_it_fails in ('try_again', 'go_round', 'ask')),
    other_way ${text},
    words ${text} not null,
    status ${text} not null check (status in (${status})),
    final ${int} not null default 0,
    call_id ${text},
    attempt ${int} not null default 0,
    other ${int} not null default 0,
    question_call ${text},
    primary key (plan_id, number)
  )${strict}`,
]

/** What a turn plans to do, and how far it has got. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
