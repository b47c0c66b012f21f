import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { findEventByKey } from '../../../src/store/events.ts'
import { findByDedupKey } from '../../../src/store/inbox.ts'
import { up } from '../../../src/store/migrations/001-sessions.ts'
import { migrate, schemas } from '../../../src/store/migrations/index.ts'
import { dueOutbox } from '../../../src/store/outbox.ts'
import { findPosting } from '../../../src/store/postings.ts'
import { readPrompt } from '../../../src/store/prompts.ts'
import type { Tables } from '../../../src/store/schema.ts'
import { findSession } from '../../../src/store/sessions.ts'
import { sqliteColumns } from '../../../src/store/sqlite/columns.ts'
import { sqliteDialect } from '../../../src/store/sqlite/dialect.ts'
import { type Db, Store } from '../../../src/store/store.ts'
import { readTodos } from '../../../src/store/todos.ts'
import { openTurn } from '../../../src/store/turns.ts'
import { participantsOf } from '../../../src/store/who-wrote.ts'
import { scratch } from '../../support/store.ts'

/** As src/store/sqlite/schema.sql has it. */
function schemaOf(file: string): string {
  const database = new Sqlite(file, { readonly: true })
  onTestFinished(() => void database.close())
  const made = database
    .prepare(
      `select m.sql from sqlite_master m where m.sql is not null and m.tbl_name not in
        (select name from pragma_table_list where type = 'shadow') order by m.rowid`,
    )
    .all()
  return (made as { sql: string }[]).map((row) => `${row.sql};\n`).join('\n')
}

test('the migrations produce the pinned schema, which a new database has: a released one is never edited', async () => {
  const folder = await scratch()
  const [migrated, fresh] = [join(folder, 'migrated.db'), join(folder, 'fresh.db')]
  const db = new Kysely<Tables>({ dialect: sqliteDialect(migrated) })
  const names = await migrate(db, sqliteColumns)
  await db.destroy()
  const store = await Store.open(fresh, systemClock)
  onTestFinished(() => store.close())
  const pinned = await readFile(join(import.meta.dirname, '../../../src/store/sqlite/schema.sql'), 'utf8')

  expect(schemaOf(migrated)).toBe(pinned)
  expect(schemaOf(fresh)).toBe(pinned)
  expect(store.migrated).toEqual(names)
  const again = await Store.open(fresh, systemClock)
  onTestFinished(() => again.close())
  expect(again.migrated).toEqual([])
  const history = new Kysely<Tables>({ dialect: sqliteDialect(fresh) })
  onTestFinished(() => history.destroy())
  // A later version continues from there.
  expect(await migrate(history, sqliteColumns)).toEqual([])
})

test('what a first start left that was killed is finished', async () => {
  const file = join(await scratch(), 'a.db')
  const database = new Sqlite(file)
  database.exec('create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)')
  database.close()
  const beforeMigrating = async (db: Db) => void (await db.selectFrom('locks').selectAll().execute())
  const store = await Store.open(file, systemClock, undefined, { beforeMigrating })
  onTestFinished(() => store.close())
  expect(store.migrated).toHaveLength(schemas.length)
})

test('a database of a newer version is refused and left unchanged', async () => {
  const file = join(await scratch(), 'a.db')
  await (await Store.open(file, systemClock)).close()
  const database = new Sqlite(file)
  database.exec(`insert into kysely_migration (name, timestamp) values ('999-from-tomorrow', '2030-01-01')`)
  await expect(Store.open(file, systemClock)).rejects.toMatchObject({ code: 'migration_failed' })
  expect(database.prepare('select count(*) as count from kysely_migration').get()).toEqual({ count: 39 })
  database.close()
})

test('what the version before wrote is kept', async () => {
  const file = join(await scratch(), 'a.db')
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  const provider = { getMigrations: async () => ({ '001-sessions': { up: (on: typeof db) => up(on, sqliteColumns) } }) }
  expect((await new Migrator({ db, provider }).migrateToLatest()).error).toBeUndefined()
  for (const statement of [
    `insert into sessions (id, platform, tenant, project, thread, title, person, time_zone, system_prompt, todos,
        created_at, updated_at)
      values ('ses_1', 'console', 'local', 'general', 'msg_1', 'Hello', '{"id":"ana","name":"Ana"}', 'UTC', 'You are …',
        '[{"content":"Look","status":"pending"}]', 1, 2)`,
    `insert into events (session_id, id, type, data, key, created_at)
      values ('ses_1', 1, 'message', '{}', 'key', 1), ('ses_1', 2, 'start', '{}', null, 1)`,
    `insert into turns (id, session_id, inbox_seq, state, person, time_zone, started_at)
      values ('turn_1', 'ses_1', 1, 'running', '{"id":"ana","name":"Ana"}', 'UTC', 3)`,
    `insert into inbox (session_id, seq, dedup_key, kind, payload, state, event_id, created_at)
      values ('ses_1', 1, 'key', 'message', '{"person":{"id":"ana","name":"Ana"},"text":"hi","files":[]}', 'pending', 1, 3)`,
    `insert into outbox (key, session_id, seq, turn_id, payload, state, attempts, next_at, platform_id, created_at)
      values ('msg_a', 'ses_1', 1, 'turn_1', '{"text":"Yes.","files":[]}', 'pending', 1, 4, null, 4),
        ('msg_b', 'ses_1', 2, 'turn_1', '{"text":"No.","files":[]}', 'delivered', 1, 4, 'msg_b', 4)`,
  ])
    await sql.raw(statement).execute(db)
  await db.destroy()

  const store = await Store.open(file, systemClock)
  onTestFinished(() => store.close())
  expect(await findSession(store.db, 'ses_1')).toMatchObject({ title: 'Hello', earlier: 'none', historyFrom: 1 })
  expect(await readPrompt(store.db, 'ses_1')).toEqual({ text: 'You are …', told: undefined, offered: [] })
  expect(await readTodos(store.db, 'ses_1')).toEqual([{ content: 'Look', status: 'pending' }])
  expect(await findEventByKey(store.db, 'key')).toMatchObject({ type: 'message', event_id: 1 })
  expect(await openTurn(store.db, 'ses_1')).toMatchObject({ id: 'turn_1', segment: 0 })
  expect(await findByDedupKey(store.db, 'key')).toMatchObject({ session: 'ses_1', kind: 'message', state: 'pending' })
  expect(await dueOutbox(store.db, 10, 5)).toMatchObject([{ key: 'msg_a', kind: 'answer', payload: { text: 'Yes.' } }])
  expect(await findPosting(store.db, 'msg_a.0')).toMatchObject({ id: undefined })
  expect(await findPosting(store.db, 'msg_b.0')).toMatchObject({ id: 'msg_b' })
})

test('who was not answered by an older version still takes part in the thread', async () => {
  const file = join(await scratch(), 'a.db')
  await (await Store.open(file, systemClock)).close()
  const database = new Sqlite(file)
  database.exec(`alter table ignored drop column overheard;
    alter table locks drop column started_at;
    alter table locks drop column version;
    alter table locks drop column state;
    alter table locks drop column url;
    alter table outbox drop column holder;
    drop index sessions_by_former_thread;
    drop table wakes;
    drop table usage;
    alter table messages drop column request_tokens;
    alter table messages drop column request_estimate;
    drop table contexts;
    drop table session_skills;
    drop table skills;
    alter table sessions drop column mode;
    drop table agent_runs;
    alter table sessions drop column agents;
    drop table plan_steps;
    drop table plans;
    drop index one_child_per_call;
    drop index sessions_by_parent;
    alter table sessions drop column parent_turn;
    alter table sessions drop column parent_call;
    alter table sessions drop column max_steps;
    drop table tokens;
    drop index pinned_sessions;
    drop trigger words_of_deleted_message;
    drop trigger words_of_changed_message;
    drop trigger words_of_changed_title;
    drop trigger words_of_deleted_session;
    drop table searched;
    drop table message_words;
    alter table sessions drop column pinned_at;
    alter table sessions drop column archived_inbox;
    alter table events drop column said;
    alter table outbox drop column said;
    alter table postings drop column holder;
    drop table recognized_pages;
    delete from kysely_migration where name in ('014-overheard', '015-nodes', '016-drain', '017-size', '018-context', '019-usage', '020-wakes', '021-skills', '022-mode', '023-agents', '024-children', '025-plans', '027-threads', '028-tokens', '033-said', '034-posting', '036-recognized', '037-tries', '038-narrow', '039-accents', '040-by-session', '041-listening', '042-reserved', '043-told', '044-latest');
    drop index requests_latest;
    drop index requests_by_turn;
    drop index alarms_by_session;
    insert into ignored values
      ('a', 'slack', 'T', 'C', '1.0', '1.1', '{"id":"ana","name":"Ana"}', 'It is said to somebody else.', 1),
      ('b', 'slack', 'T', 'C', '1.0', '1.2', '{"id":"bot","name":"Bot"}', 'This person is not in the list.', 1)`)
  database.close()
  const store = await Store.open(file, systemClock)
  onTestFinished(() => store.close())
  const thread = { platform: 'slack', tenant: 'T', project: 'C', thread: '1.0' }
  expect(await participantsOf(store.db, { id: 'ses_1', thread })).toEqual([{ id: 'ana', name: 'Ana' }])
})

test('a migration that fails halfway leaves nothing behind', async () => {
  const db = new Kysely<unknown>({ dialect: sqliteDialect(join(await scratch(), 'a.db')) })
  const half = {
    async up(on: Kysely<unknown>) {
      await sql`create table half (id text)`.execute(on)
      await sql`nonsense`.execute(on)
    },
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ half }) } })
  expect((await migrator.migrateToLatest()).error).toBeDefined()
  const { rows } = await sql`select name from sqlite_master where name = 'half'`.execute(db)
  expect(rows).toEqual([])
  await db.destroy()
})
