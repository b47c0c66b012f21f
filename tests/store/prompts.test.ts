import { expect, test } from 'vitest'
import { dropPrompt, readPrompt, writePrompt } from '../../src/store/prompts.ts'
import type { Store } from '../../src/store/store.ts'
import { newSession, openStore } from '../support/store.ts'

const told = [{ name: 'Who you are', hash: 'abc', at: 0 }]
const offered = ['read_file']
const shared = 'You are Bobbin.'

const write = (store: Store, session: Awaited<ReturnType<typeof newSession>>, text: string, as = told) =>
  store.transaction((tx) => writePrompt(tx, session.id, { text, told: as, offered, shared }))

const beginnings = (store: Store) => store.db.selectFrom('shared_prompts').select('text').execute()

test('a shared beginning of prompts is stored once, and each prompt is read whole', async () => {
  const store = await openStore()
  const [one, two] = [await newSession(store), await newSession(store, 'msg_2')]
  await write(store, one, `${shared} Thread one.`)
  await write(store, two, `${shared} Thread two.`)
  expect(await readPrompt(store.db, one.id)).toEqual({ text: `${shared} Thread one.`, told, offered })
  expect(await readPrompt(store.db, two.id)).toEqual({ text: `${shared} Thread two.`, told, offered })
  expect(await beginnings(store)).toEqual([{ text: shared }])
})

test('later changes belong to one thread, and the text stays the same', async () => {
  const store = await openStore()
  const [one, two] = [await newSession(store), await newSession(store, 'msg_2')]
  await write(store, one, `${shared} Thread one.`)
  await write(store, two, `${shared} Thread two.`)
  const since = [...told, { name: 'Guide', hash: 'def', at: 3 }]
  await store.transaction((tx) => writePrompt(tx, one.id, { text: 'anything', told: since, offered: [], shared: '' }))
  expect(await readPrompt(store.db, one.id)).toEqual({ text: `${shared} Thread one.`, told: since, offered: [] })
  expect(await readPrompt(store.db, two.id)).toEqual({ text: `${shared} Thread two.`, told, offered })
})

test('a shared beginning is deleted with the last thread that uses it', async () => {
  const store = await openStore()
  const [one, two] = [await newSession(store), await newSession(store, 'msg_2')]
  await write(store, one, `${shared} Thread one.`)
  await write(store, two, `${shared} Thread two.`)
  await store.transaction((tx) => dropPrompt(tx, one.id))
  expect(await readPrompt(store.db, one.id)).toBeUndefined()
  expect(await readPrompt(store.db, two.id)).toEqual({ text: `${shared} Thread two.`, told, offered })
  await store.transaction((tx) => dropPrompt(tx, two.id))
  expect(await beginnings(store)).toEqual([])
})
