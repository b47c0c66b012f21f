import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict }: Columns) => [
  // A call may be asked about again, because what it runs has changed, or because it may be a loop.
  `create table requests_now (
    id ${text} primary key,
    session_id ${text} not null references sessions(id),
    turn_id ${text} not null references turns(id),
    call_id ${text} not null references calls(id),
    kind ${text} not null check (kind in ('approval', 'question', 'decision', 'loop')),
    payload ${text} not null, arguments_hash ${text} not null,
    decided ${text},
    state ${text} not null check (state in ('pending', 'answered', 'cancelled')),
    answer ${text}, answered_by ${text},
    asked_at ${int} not null, answered_at ${int}, deadline_at ${int},
    remind_at ${int}, reminded ${int} not null default 0
  )${strict}`,
  `insert into requests_now (id, session_id, turn_id, call_id, kind, payload, arguments_hash, decided, state, answer,
     answered_by, asked_at, answered_at, deadline_at)
   select id, session_id, turn_id, call_id, kind, payload, arguments_hash,
     case kind when 'approval' then '{"decider":"team","who":"anyone in this thread","needed":1}' end,
     state, answer, answered_by, asked_at, answered_at, deadline_at from requests`,
  'drop table requests',
  'alter table requests_now rename to requests',
  `create index pending_requests on requests (session_id, asked_at) where state = 'pending'`,
  'create index requests_of_call on requests (call_id, asked_at)',
  `create unique index one_pending_request on requests (call_id) where state = 'pending'`,

  `create table votes (
    request_id ${text} not null references requests(id),
    person_id ${text} not null,
    person ${text} not null,
    at ${int} not null,
    primary key (request_id, person_id)
  )${strict}`,

  `create table grants (
    id ${text} primary key,
    tool ${text} not null, patterns ${text} not null, binding ${text} not null,
    scope ${text} not null check (scope in ('thread', 'channel', 'tenant')),
    session_id ${text} not null references sessions(id),
    platform ${text} not null, tenant ${text} not null, project ${text} not null,
    untrusted ${int} not null check (untrusted in (0, 1)),
    until_at ${int},
    request_id ${text} not null unique references requests(id),
    person ${text} not null, created_at ${int} not null,
    ended_at ${int}, ended_by ${text},
    uses ${int} not null default 0
  )${strict}`,
  'create index grants_in_force on grants (platform, tenant, tool) where ended_at is null',

  `create table session_tools (
    session_id ${text} not null references sessions(id),
    tool ${text} not null,
    place ${int} not null,
    primary key (session_id, tool)
  )${strict}`,

  `create table audit (
    seq ${int} primary key,
    at ${int} not null,
    kind ${text} not null,
    session_id ${text},
    data ${text} not null,
    previous ${text} not null,
    hash ${text} not null unique
  )${strict}`,
  'create index audit_by_session on audit (session_id, seq)',
  'create index audit_by_kind on audit (kind, seq)',
]

/** Earlier approvals lack what wasn't known then. */
const olderApprovals = `update requests set payload = json_set(payload, '$.unclear', json('[]'), '$.hosts', json('[]'),
  '$.runs', json('[]'), '$.binding', '', '$.call', '') where kind = 'approval'`

/** Deciders, grants, tools of a session, the audit log. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const all = [...statements(columns), ...columns.ofOldRows(olderApprovals), ...columns.onlyGrows]
  for (const statement of all) await sql.raw(statement).execute(db)
}
