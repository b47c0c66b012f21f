import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

const statements = ({ text, int, strict, ofOldRows }: Columns) => [
  `create table jobs (
    id ${text} primary key,
    kind ${text} not null,
    key ${text} not null,
    owner ${text} not null,
    input ${text} not null,
    checkpoint ${text},
    state ${text} not null check (state in ('open', 'failed')),
    due_at ${int} not null,
    depth ${int} not null,
    attempts ${int} not null,
    epoch ${int} not null,
    holder ${text},
    reason ${text},
    created_at ${int} not null, updated_at ${int} not null,
    unique (kind, key)
  )${strict}`,
  `create index due_jobs on jobs (due_at) where state = 'open' and holder is null`,
  'create index held_jobs on jobs (holder) where holder is not null',
  'create index jobs_by_owner on jobs (owner)',
  // Deleted threads that still had to be erased used to be notes.
  ...ofOldRows(
    `insert into jobs (id, kind, key, owner, input, state, due_at, depth, attempts, epoch, created_at, updated_at)
   select 'job_' || substr(value, 5), 'erase', value, 'bot', json_object('session', value), 'open', updated_at, 0, 0, 0,
     updated_at, updated_at
   from notes where name like 'erase:%'`,
    `delete from notes where name like 'erase:%'`,
  ),
]

/** Work that outlives a step. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  for (const statement of statements(columns)) await sql.raw(statement).execute(db)
}
