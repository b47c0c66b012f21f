import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { appendAudit, auditHash, auditRoot, readAudit } from '../../src/store/audit.ts'
import { verifyAudit } from '../../src/store/audit-chain.ts'
import type { Store } from '../../src/store/store.ts'
import type { AuditRow } from '../../src/store/trust-rows.ts'
import { auditUnlocked } from '../support/database.ts'
import { newSession, openStore } from '../support/store.ts'
import { turnsDuring } from '../support/turns-during.ts'

async function logOf(entries: number): Promise<Store> {
  const store = await openStore({ now: () => 1_000 })
  const { id: session } = await newSession(store)
  for (let place = 1; place <= entries; place++) {
    const kind = place % 2 === 0 ? 'ended' : 'started'
    await store.transaction((tx) => appendAudit(tx, { kind, session, data: { call: `call_${place}` } }))
  }
  return store
}

const rowsOf = ({ db }: Store): Promise<AuditRow[]> => db.selectFrom('audit').selectAll().orderBy('seq').execute()

/** As somebody does who has the database file. */
async function behindTheBack({ db }: Store, ...statements: string[]): Promise<void> {
  for (const statement of [...auditUnlocked, ...statements]) await sql.raw(statement).execute(db)
}

test('an empty log is intact, and each entry contains the hash of the one before', async () => {
  const store = await logOf(0)
  expect(await verifyAudit(store.db)).toEqual({ ok: true, entries: 0, head: auditRoot })
  await store.transaction((tx) => appendAudit(tx, { kind: 'asked', session: undefined, data: { tool: 'now' } }))
  await store.transaction((tx) => appendAudit(tx, { kind: 'decided', session: undefined, data: {} }))
  const [first, second] = await rowsOf(store)
  expect([first?.previous, second?.previous]).toEqual([auditRoot, first?.hash])
  expect(await verifyAudit(store.db)).toEqual({ ok: true, entries: 2, head: second?.hash })
})

test('the database itself refuses to change or delete an entry', async () => {
  const store = await logOf(2)
  const refusal = 'the audit log only grows'
  await expect(store.db.updateTable('audit').set({ kind: 'asked' }).execute()).rejects.toThrow(refusal)
  await expect(store.db.deleteFrom('audit').where('seq', '=', 1).execute()).rejects.toThrow(refusal)
  expect(await verifyAudit(store.db)).toMatchObject({ ok: true, entries: 2 })
})

test('what a failed transaction appended is not in the log, and leaves no gap', async () => {
  const store = await logOf(1)
  const failing = store.transaction(async (tx) => {
    await appendAudit(tx, { kind: 'asked', session: undefined, data: {} })
    throw new Error('it failed')
  })
  await expect(failing).rejects.toThrow('it failed')
  await store.transaction((tx) => appendAudit(tx, { kind: 'asked', session: undefined, data: {} }))
  expect(await verifyAudit(store.db)).toMatchObject({ ok: true, entries: 2 })
})

test.each([
  ['a text that was changed', `update audit set data = '{"call":"call_9"}' where seq = 3`, 3, 'Entry 3 was changed.'],
  ['another time', 'update audit set at = at + 1 where seq = 5', 5, 'Entry 5 was changed.'],
  ['another kind', `update audit set kind = 'decided' where seq = 1`, 1, 'Entry 1 was changed.'],
  ['nobody’s session', 'update audit set session_id = null where seq = 2', 2, 'Entry 2 was changed.'],
  ['one in the middle gone', 'delete from audit where seq = 4', 4, 'Entry 4 is missing; after 3 comes 5.'],
  ['the first gone', 'delete from audit where seq = 1', 1, 'Entry 1 is missing; after 0 comes 2.'],
  ['another hash', `update audit set hash = '${'a'.repeat(64)}' where seq = 2`, 2, 'Entry 2 was changed.'],
  ['another root', `update audit set previous = '1' where seq = 1`, 1, 'Entry 1 isn’t the first of a log.'],
])('%s is found', async (_, statement, seq, why) => {
  const store = await logOf(6)
  await behindTheBack(store, statement)
  expect(await verifyAudit(store.db)).toEqual({ ok: false, seq, why })
})

test('an entry that was changed with its hash breaks the next one', async () => {
  const store = await logOf(3)
  const second = (await rowsOf(store))[1] as AuditRow
  const forged = { ...second, data: '{"call":"another"}' }
  await behindTheBack(store)
  await store.db
    .updateTable('audit')
    .set({ data: forged.data, hash: auditHash(forged) })
    .where('seq', '=', 2)
    .execute()
  expect(await verifyAudit(store.db)).toEqual({
    ok: false,
    seq: 3,
    why: 'Entry 3 doesn’t match entry 2.',
  })
})

test('a noted head reveals a log that was cut off at its end, and one that was rewritten', async () => {
  const store = await logOf(4)
  const head = (await rowsOf(store)).at(-1) as AuditRow
  expect(await verifyAudit(store.db, head)).toMatchObject({ ok: true, entries: 4 })
  await store.transaction((tx) => appendAudit(tx, { kind: 'asked', session: undefined, data: {} }))
  expect(await verifyAudit(store.db, head)).toMatchObject({ ok: true, entries: 5 })

  await behindTheBack(store, 'delete from audit where seq >= 3')
  expect(await verifyAudit(store.db)).toMatchObject({ ok: true, entries: 2 })
  expect(await verifyAudit(store.db, head)).toMatchObject({ ok: false, seq: 3, why: /it once had 4: its end was cut/ })

  for (let more = 0; more < 3; more++)
    await store.transaction((tx) => appendAudit(tx, { kind: 'asked', session: undefined, data: { more } }))
  expect(await verifyAudit(store.db)).toMatchObject({ ok: true, entries: 5 })
  expect(await verifyAudit(store.db, head)).toMatchObject({ ok: false, seq: 4, why: /isn’t the one that was noted/ })
})

test('a log of several pages is read to its end', async () => {
  const store = await openStore({ now: () => 1 })
  await store.transaction(async (tx) => {
    for (let seq = 0; seq < 2_001; seq++) await appendAudit(tx, { kind: 'asked', session: undefined, data: { seq } })
  })
  expect(await verifyAudit(store.db)).toMatchObject({ ok: true, entries: 2_001 })
  await behindTheBack(store, `update audit set data = '{}' where seq = 2000`)
  expect(await verifyAudit(store.db)).toMatchObject({ ok: false, seq: 2000 })
})

test('the check of a long log lets everything else go on between its pages', async () => {
  const store = await openStore({ now: () => 1 })
  await store.transaction(async (tx) => {
    for (let seq = 0; seq < 2_001; seq++) await appendAudit(tx, { kind: 'asked', session: undefined, data: { seq } })
  })
  expect(await turnsDuring(() => verifyAudit(store.db))).toBeGreaterThanOrEqual(10)
})

test('any change in any entry is found there or in the next one', async () => {
  const entries = 12
  const store = await logOf(entries)
  const rows = await rowsOf(store)
  await behindTheBack(store)
  const columns = ['at', 'kind', 'session_id', 'data', 'previous', 'hash'] as const
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: entries }),
      fc.constantFrom(...columns),
      fc.string(),
      async (seq, column, text) => {
        const row = rows[seq - 1] as AuditRow
        const value = column === 'at' ? row.at + text.length + 1 : `${row[column]}${text}x`
        await store.db
          .updateTable('audit')
          .set({ [column]: value })
          .where('seq', '=', seq)
          .execute()
        const verdict = await verifyAudit(store.db)
        await store.db.updateTable('audit').set(row).where('seq', '=', seq).execute()
        expect(verdict).toMatchObject({ ok: false, seq })
      },
    ),
    { numRuns: 200 },
  )
  expect(await verifyAudit(store.db)).toMatchObject({ ok: true, entries })
})

test('no two entries with different fields have the same hash', () => {
  const row = fc.record({
    seq: fc.nat(),
    at: fc.nat(),
    kind: fc.string(),
    session_id: fc.constant(null),
    data: fc.string(),
    previous: fc.string(),
  })
  fc.assert(
    fc.property(row, row, (one, other) => {
      expect(auditHash(one) === auditHash(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
    }),
  )
})

test('a page is read from either side, of one kind or one session', async () => {
  const store = await logOf(6)
  const seqs = async (query: Parameters<typeof readAudit>[1]) =>
    (await readAudit(store.db, query)).map(({ seq }) => seq)
  expect(await seqs({ limit: 2 })).toEqual([1, 2])
  expect(await seqs({ limit: 2, after: 3 })).toEqual([4, 5])
  expect(await seqs({ limit: 2, before: 7 })).toEqual([5, 6])
  expect(await seqs({ limit: 9, kind: 'ended' })).toEqual([2, 4, 6])
  expect(await seqs({ limit: 9, session: 'ses_other' })).toEqual([])
})
