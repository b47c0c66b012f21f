import { expect, onTestFinished, test } from 'vitest'
import { findSession } from '../../src/store/sessions.ts'
import { Store } from '../../src/store/store.ts'
import { newPlace, newSession, openStore } from '../support/store.ts'

test('one that fails undoes only itself', async () => {
  const store = await openStore()
  const rename = (id: string, title: string, then = () => {}) =>
    store.transaction(async (tx) => {
      await tx.db.updateTable('sessions').set({ title }).where('thread', '=', id).execute()
      then()
    })
  const [first, second, third] = await Promise.all(['a', 'b', 'c'].map((thread) => newSession(store, thread)))

  const settled = await Promise.allSettled([
    rename('a', 'renamed'),
    rename('b', 'undone', () => {
      throw new Error('no')
    }),
    store.transaction((tx) =>
      tx.db
        .insertInto('sessions')
        .values({} as never)
        .execute(),
    ),
    rename('c', 'renamed'),
  ])

  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  const titles = await Promise.all([first, second, third].map((one) => findSession(store.db, one?.id ?? '')))
  expect(titles.map((one) => one?.title)).toEqual(['renamed', 'test', 'renamed'])
})

test('one that fails alone leaves nothing, and the next one works', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const failed = store.transaction(async (tx) => {
    await tx.db.updateTable('sessions').set({ title: 'half done' }).where('id', '=', session.id).execute()
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect((await findSession(store.db, session.id))?.title).toBe(session.title)

  expect((await newSession(store, 'next')).thread.thread).toBe('next')
})

test('uncommitted rows are not read, and reading waits for no transaction', async () => {
  const store = await openStore()
  const { id } = await newSession(store)
  const written = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()

  const writing = store.transaction(async (tx) => {
    await tx.db.updateTable('sessions').set({ title: 'new' }).where('id', '=', id).execute()
    written.resolve()
    await read.promise
  })
  await written.promise
  expect((await findSession(store.db, id))?.title).toBe('test')
  read.resolve()
  await writing

  expect((await findSession(store.db, id))?.title).toBe('new')
})

test('what was begun is stored before the store closes', async () => {
  const place = await newPlace()
  const store = await Store.open(place, { now: () => Date.now() })
  const writing = newSession(store)
  await store.close()

  const again = await Store.open(place, { now: () => Date.now() })
  onTestFinished(() => again.close())
  expect(await findSession(again.db, (await writing).id)).toBeDefined()
})
