import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const kept = `key, session_id, seq, turn_id, kind, payload, state, attempts, next_at, reason, created_at, delivered_at`

const statements = ({ text, int, strict }: Columns) => [
  `create table outbox_3 (
    key ${text} primary key,
    session_id ${text} not null references sessions(id),
    seq ${int} not null,
    turn_id ${text} references turns(id),
    kind ${text} not null check (kind in ('answer', 'card', 'outcome', 'record', 'files')),
    payload ${text} not null,
    state ${text} not null check (state in ('pending', 'delivered', 'failed')),
    attempts ${int} not null default 0,
    next_at ${int} not null,
    reason ${text},
    remedy ${text},
    refused_at ${int},
    told_at ${int},
    created_at ${int} not null, delivered_at ${int}
  )${strict}`,
  `insert into outbox_3 (${kept}) select ${kept} from outbox`,
  'drop table outbox',
  'alter table outbox_3 rename to outbox',
  `create index undelivered on outbox (session_id, seq) where state = 'pending'`,
]

/** Refused messages wait until somebody fixes something; files are posted separately. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
