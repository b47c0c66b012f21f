import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { appendAudit } from '../../../src/store/audit.ts'
import { verifyAudit } from '../../../src/store/audit-chain.ts'
import { newSession, openStore } from '../../support/store.ts'

const row = (seq: number, hash: string) =>
  sql.raw(`(seq, at, kind, data, previous, hash) values (${seq}, 1, 'decided', '{"said":"approve"}', '', '${hash}')`)

/** A log of three entries. */
async function logged() {
  const store = await openStore()
  const { id: session } = await newSession(store)
  for (const by of ['ana', 'ben', 'cleo'])
    await store.transaction((tx) => appendAudit(tx, { kind: 'decided', session, data: { by } }))
  const all = async () => (await sql<object>`select * from audit order by seq`.execute(store.db)).rows
  return { store, all }
}

test.each(['insert or replace', 'replace', 'insert or ignore', 'insert', 'insert or rollback', 'insert or fail'])(
  '%s of an entry that is there is refused, and the log stays whole',
  async (verb) => {
    const { store, all } = await logged()
    const before = await all()
    expect(before).toHaveLength(3)
    for (const seq of [1, 2, 3, 0, -5]) {
      await expect(sql`${sql.raw(verb)} into audit ${row(seq, 'x')}`.execute(store.db)).rejects.toThrow(
        'the audit log only grows',
      )
    }
    expect(await all()).toEqual(before)
    expect(await verifyAudit(store.db)).toMatchObject({ ok: true })
  },
)

test('one with the hash of an entry that is there takes nothing away either', async () => {
  const { store, all } = await logged()
  const before = await all()
  const hash = String((before[0] as { hash: string }).hash)
  await expect(sql`insert or replace into audit ${row(4, hash)}`.execute(store.db)).rejects.toThrow()
  expect(await all()).toEqual(before)
})

test('an upsert, an update, and a delete are refused', async () => {
  const { store, all } = await logged()
  const before = await all()
  const statements = [
    `insert into audit (seq, at, kind, data, previous, hash) values (1, 1, 'x', '{}', '', 'x')
       on conflict (seq) do update set kind = 'x'`,
    `update audit set data = '{}' where seq = 1`,
    `update or replace audit set seq = 1 where seq = 2`,
    'delete from audit where seq = 3',
    'delete from audit',
  ]
  for (const statement of statements)
    await expect(sql.raw(statement).execute(store.db)).rejects.toThrow('the audit log only grows')
  expect(await all()).toEqual(before)
})
