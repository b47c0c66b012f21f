import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId, TurnId } from '../../src/domain/ids.ts'
import { excerptOf, searchWords } from '../../src/kit/text/search-words.ts'
import { eraseSession, markDeleted } from '../../src/store/delete-session.ts'
import { searchThreads } from '../../src/store/message-search.ts'
import { appendMessage, rewriteMessage } from '../../src/store/messages.ts'
import { Store } from '../../src/store/store.ts'
import { changeThread, listThreads } from '../../src/store/thread-list.ts'
import { onPostgres, planOf } from '../support/database.ts'
import { ana, newPlace, newSession, openStore } from '../support/store.ts'
import { turnsDuring } from '../support/turns-during.ts'

const addTurn = (store: Store, session: SessionId) =>
  store.transaction(async (tx) => {
    const turn = `turn_${session}` as TurnId
    await sql`insert into turns (id, session_id, inbox_seq, state, person, time_zone, started_at)
      values (${turn}, ${session}, 1, 'done', '{}', 'UTC', 1)`.execute(tx.db)
    return turn
  })

async function spoken(store: Store, thread: string, texts: string[]) {
  const { id } = await newSession(store, thread)
  const turn = await addTurn(store, id)
  await store.transaction(async (tx) => {
    for (const text of texts)
      await appendMessage(tx, id, { role: 'user', turn, text, person: ana, origin: 'person', files: [] })
  })
  return { id, turn }
}

async function found(store: Store, query: string) {
  const words = searchWords(query)
  const search = words && (await searchThreads(store, words))
  return (await listThreads(store.db, { archived: false, search, limit: 100 })).map(({ id }) => id)
}

test('what is edited or renamed is found by its new words only', async () => {
  const store = await openStore()
  const { id, turn } = await spoken(store, 'a', ['the first draft', 'and a walrus'])
  expect(await found(store, 'walrus')).toEqual([id])
  const said = { turn, person: ana, text: 'and a walrus' }
  await store.transaction((tx) => rewriteMessage(tx, id, said, 'and a seal'))
  expect(await found(store, 'walrus')).toEqual([])
  expect(await found(store, 'seal')).toEqual([id])
  await store.transaction((tx) => changeThread(tx, id, { title: 'Polar notes' }))
  expect(await found(store, 'test')).toEqual([])
  expect(await found(store, 'polar')).toEqual([id])
})

test('tool results and child sessions are not searched, words in any alphabet are', async () => {
  const store = await openStore()
  const { id, turn } = await spoken(store, 'a', ['Смета на Ёлку', 'see report-final.xlsx, v2', '서버를 다시 시작했다'])
  await store.transaction((tx) => appendMessage(tx, id, { role: 'tool', turn, text: 'narwhal', call: 'call_1' }))
  expect(await found(store, 'смета')).toEqual([id])
  expect(await found(store, 'final xlsx')).toEqual([id])
  expect(await found(store, '서버')).toEqual([id])
  expect(await found(store, 'narwhal')).toEqual([])
})

test('accents are ignored, however they are encoded, where letters do without them', async () => {
  const store = await openStore()
  const { id } = await spoken(store, 'a', ['Meet at the café Zoë', 'o cafe\u0301 ÉTÉ, Việt Nam', 'Ёлка'])
  for (const query of ['cafe', 'café', 'CAFE\u0301', 'zoe', 'ete', 'viet', 'việt', 'Ёлка']) {
    expect([query, await found(store, query)]).toEqual([query, [id]])
  }
  // With other letters it isn't an accent.
  expect(await found(store, 'елка')).toEqual([])
  await store.transaction((tx) => changeThread(tx, id, { title: 'Crème brûlée' }))
  expect(await found(store, 'creme brulee')).toEqual([id])
  const words = searchWords('cafe')
  if (words === undefined) throw new Error('there are words')
  expect(excerptOf(`${'far from it '.repeat(50)}at the café`, words)).toContain('café')
  const { condition } = await searchThreads(store, words)
  const { sql: query } = sql`select id from sessions where ${condition}`.compile(store.db)
  const plan = await planOf(store.db, query.replace(/\$\d+|\?/g, `'cafe'`))
  expect(plan).toContain(onPostgres ? 'words_of_messages' : 'message_words')
})

test('more than fits into one transaction is taken in whole, and only once', async () => {
  const store = await openStore()
  const { id } = await spoken(
    store,
    'a',
    Array.from({ length: 1_201 }, (_, index) => `number n${index}`),
  )
  expect(await found(store, 'n1200')).toEqual([id])
  expect(await found(store, 'n0')).toEqual([id])
  const { id: other } = await spoken(store, 'b', ['number n1200'])
  expect((await found(store, 'n1200')).toSorted()).toEqual([id, other].toSorted())
})

test('a deleted thread leaves no word behind, not even in the index', async () => {
  const place = await newPlace()
  const store = await Store.open(place, { now: () => Date.now() })
  const { id } = await spoken(store, 'a', ['the zyzzyvaword is secret'])
  expect(await found(store, 'zyzzyvaword')).toEqual([id])
  await store.transaction((tx) => markDeleted(tx, id))
  await store.transaction((tx) => eraseSession(tx, { session: id }))
  expect(await found(store, 'zyzzyvaword')).toEqual([])
  if (!onPostgres) {
    const { rows } = await sql`select 1 from message_words where message_words match 'zyzzyvaword'`.execute(store.db)
    expect(rows).toEqual([])
    // FTS5 checks that what was taken out is what had been taken in.
    await store.transaction((tx) =>
      sql`insert into message_words (message_words) values ('integrity-check')`.execute(tx.db),
    )
    const { rows: blocks } = await sql<{ block: Buffer }>`select block from message_words_data`.execute(store.db)
    expect(Buffer.concat(blocks.map(({ block }) => Buffer.from(block))).includes('zyzzyva')).toBe(false)
  }
  await store.close()
})

test('a search that no index helps with lets everything else go on, and finds what is in any part', async () => {
  const store = await openStore()
  const { id } = await spoken(store, 'a', ['東京の天気', ...Array.from({ length: 1_500 }, () => '雨')])
  const { id: other } = await spoken(store, 'b', ['明日の天気'])
  const words = searchWords('天気')
  if (words === undefined) throw new Error('there are words')
  if (!onPostgres) expect(await turnsDuring(() => searchThreads(store, words))).toBeGreaterThanOrEqual(3)
  expect((await found(store, '天気')).toSorted()).toEqual([id, other].toSorted())
  expect(await found(store, '東京')).toEqual([id])
  expect(await found(store, '大阪')).toEqual([])
})

test('what is said after the clock was set back is found', async () => {
  let now = Date.now()
  const store = await openStore({ now: () => now })
  const before = await spoken(store, 'a', ['an otter'])
  expect(await found(store, 'otter')).toEqual([before.id])
  now -= 600_000
  const after = await spoken(store, 'b', ['another otter'])
  expect(await found(store, 'otter')).toEqual([before.id, after.id])
})
