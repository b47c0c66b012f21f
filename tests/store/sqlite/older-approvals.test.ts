import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { pendingRequests } from '../../../src/store/list-requests.ts'
import * as sessions from '../../../src/store/migrations/001-sessions.ts'
import * as platforms from '../../../src/store/migrations/002-platforms.ts'
import * as changes from '../../../src/store/migrations/003-changes.ts'
import { findRequest } from '../../../src/store/requests.ts'
import { sqliteColumns } from '../../../src/store/sqlite/columns.ts'
import { sqliteDialect } from '../../../src/store/sqlite/dialect.ts'
import { Store } from '../../../src/store/store.ts'
import { scratch } from '../../support/store.ts'

const before = Object.fromEntries(
  Object.entries({ '001-sessions': sessions, '002-platforms': platforms, '003-changes': changes }).map(
    ([name, { up }]) => [name, { up: (on: Kysely<unknown>) => up(on, sqliteColumns) }],
  ),
)

const approval = '{"tool":"write_file","input":{"path":"a.txt"},"reason":"It writes.","risk":"medium"}'
const question = '{"question":"Which?","options":[],"multiple":false,"required":true}'
const ana = '{"id":"ana","name":"Ana"}'

/** A database as the version before wrote it, opened by this one. */
async function opened(): Promise<Store> {
  const file = join(await scratch(), 'a.db')
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => before } }).migrateToLatest()
  expect(error).toBeUndefined()
  const call = (place: number) =>
    `('call_${place}', 'ses_1', 'turn_1', ${place}, 'write_file', '{}', 'hash', 'waiting', 1, 4)`
  const request = (place: number, kind: string, payload: string, state: string, answer = 'null, null') =>
    `('req_${place}', 'ses_1', 'turn_1', 'call_${place}', '${kind}', '${payload}', 'hash', '${state}', ${answer}, ${place})`
  for (const statement of [
    `insert into sessions (id, platform, tenant, project, thread, title, person, time_zone, created_at, updated_at)
      values ('ses_1', 'console', 'local', 'general', 'msg_1', 'Hello', '${ana}', 'UTC', 1, 2)`,
    `insert into turns (id, session_id, inbox_seq, state, person, time_zone, started_at)
      values ('turn_1', 'ses_1', 1, 'waiting', '${ana}', 'UTC', 3)`,
    `insert into calls (id, session_id, turn_id, place, tool, arguments, arguments_hash, state, epoch, proposed_at)
      values ${[1, 2, 3, 4].map(call).join(', ')}`,
    `insert into requests (id, session_id, turn_id, call_id, kind, payload, arguments_hash, state, answer, answered_by,
       asked_at) values ${[
         request(1, 'approval', approval, 'pending'),
         request(2, 'question', question, 'pending'),
         request(3, 'approval', approval, 'answered', `'{"decision":"deny","reason":"no"}', '${ana}'`),
         request(4, 'decision', question, 'cancelled'),
       ].join(', ')}`,
  ])
    await sql.raw(statement).execute(db)
  await db.destroy()
  const store = await Store.open(file, systemClock)
  onTestFinished(() => store.close())
  return store
}

const known = { tool: 'write_file', input: { path: 'a.txt' }, reason: 'It writes.', risk: 'medium' }

test('a waiting approval gets today’s fields, and waits for the team', async () => {
  const { db } = await opened()
  expect(await findRequest(db, 'req_1')).toMatchObject({
    kind: 'approval',
    state: 'pending',
    payload: { ...known, unclear: [], hosts: [], runs: [], binding: '', call: '' },
    decided: { decider: 'team', who: 'anyone in this thread', needed: 1 },
    votes: [],
    reminded: 0,
    askedAt: 1,
  })
})

test('one that was answered keeps its answer', async () => {
  const { db } = await opened()
  expect(await findRequest(db, 'req_3')).toMatchObject({
    state: 'answered',
    answer: { decision: 'deny', reason: 'no' },
    answeredBy: { id: 'ana' },
    payload: { ...known, unclear: [] },
  })
})

test('questions are unchanged, and what waits still waits', async () => {
  const { db } = await opened()
  const asked = { question: 'Which?', options: [], multiple: false, required: true }
  expect((await findRequest(db, 'req_2'))?.payload).toEqual(asked)
  expect(await findRequest(db, 'req_4')).toMatchObject({ kind: 'decision', state: 'cancelled', payload: asked })
  expect((await pendingRequests(db, 'ses_1')).map(({ id }) => id)).toEqual(['req_1', 'req_2'])
  const { rows } = await sql`select * from audit`.execute(db)
  expect(rows).toEqual([])
})
