import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '../../src/domain/ids.ts'
import { findSession } from '../../src/store/sessions.ts'
import type { Tx } from '../../src/store/store.ts'
import { Capabilities } from '../../src/turn/hooks/capabilities.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { onPostgres } from '../support/database.ts'
import { newSession, openStore } from '../support/store.ts'

const rename = (tx: Tx, id: SessionId, title: string) =>
  tx.db.updateTable('sessions').set({ title }).where('id', '=', id).execute()

/** A transaction that writes, calls the hook and writes once more; what the hook was reported for. */
async function calling(rewritten: Capability['rewritten'], before = async (_: Tx): Promise<unknown> => undefined) {
  const store = await openStore()
  const { id } = await newSession(store)
  const reported: unknown[] = []
  const list = [{ name: 'plugin', rewritten }]
  const capabilities = new Capabilities(list, { sections: {} }, (_, __, thrown) => reported.push(thrown))
  const outcome = await Promise.allSettled([
    store.transaction(async (tx) => {
      await rename(tx, id, 'before')
      await before(tx)
      await capabilities.rewritten(tx, id, 1, 'changed')
      await rename(tx, id, 'after')
    }),
  ])
  return { reported, outcome: outcome[0], title: (await findSession(store.db, id))?.title }
}

/** As if another process had stored the same row meanwhile. */
async function insertAgain({ db }: Tx, id: SessionId) {
  const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await db.insertInto('sessions').values(row).execute()
}

test('what a hook throws by itself is reported, and the transaction is stored', async () => {
  const { reported, outcome, title } = await calling(async () => {
    throw new Error('a mistake')
  })
  expect(outcome.status).toBe('fulfilled')
  expect(reported).toEqual([new Error('a mistake')])
  expect(title).toBe('after')
})

const waysToThrow: [string, (thrown: unknown) => unknown][] = [
  ['itself', (thrown) => thrown],
  ['as a cause', (cause) => new Error('it can’t be noted', { cause })],
]

if (onPostgres) {
  test.each(waysToThrow)(
    'what PostgreSQL says to a hook, thrown %s, fails the transaction, which may be tried again',
    async (_, thrownFor) => {
      let asked = 0
      const { reported, outcome, title } = await calling(async (tx, id) => {
        asked++
        await insertAgain(tx, id).catch((thrown) => {
          throw thrownFor(thrown)
        })
      })
      expect(reported).toEqual([])
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '23505' } })
      expect(asked).toBe(3)
      expect(title).toBe('test')
    },
  )
} else {
  test.each([
    ['a row that is there already', insertAgain],
    ['a column that there isn’t', ({ db }: Tx) => sql`select no_such_column from sessions`.execute(db)],
  ])('a statement of a hook that SQLite refuses is reported, and the rest is stored: %s', async (_, refused) => {
    const { reported, outcome, title } = await calling(refused)
    expect(outcome.status).toBe('fulfilled')
    expect(reported).toMatchObject([{ code: expect.stringMatching(/^SQLITE_(CONSTRAINT|ERROR)/) }])
    expect(title).toBe('after')
  })

  test.each(waysToThrow)(
    'a hook for which there is no room, thrown %s, undoes the whole transaction',
    async (_, thrownFor) => {
      const noRoom = async ({ db }: Tx) => {
        const pages = await sql<{ page_count: number }>`pragma page_count`.execute(db)
        await sql.raw(`pragma max_page_count = ${pages.rows[0]?.page_count}`).execute(db)
      }
      const { reported, outcome, title } = await calling(async (tx, id) => {
        await rename(tx, id, 'x'.repeat(1_000_000)).catch((thrown) => {
          throw thrownFor(thrown)
        })
      }, noRoom)
      expect(reported).toEqual([])
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'disk_full' } })
      expect(title).toBe('test')
    },
  )
}
