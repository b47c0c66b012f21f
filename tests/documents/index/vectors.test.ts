import { getLoadablePath } from 'sqlite-vec'
import { expect, test } from 'vitest'
import { standInVector } from '../../../bench/search/stand-in.ts'
import type { VectorOptions } from '../../../src/capabilities/documents/index/vectors.ts'
import { ModelFailure, NotPermitted } from '../../../src/kit/model/model.ts'
import { until } from '../../support/until.ts'
import { pages, scratch, testLibrary } from './library.ts'

/** Words that mean the same, as a model would know. */
const meanings: Record<string, string> = { dogs: 'animal', pet: 'animal', lead: 'strap', crane: 'machine' }
const meant = (text: string) => text.toLowerCase().replace(/\p{L}+/gu, (word) => meanings[word] ?? word)

function maker(model = 'one', mostChunks = 1_000) {
  const made: string[][] = []
  const state = { fails: false, during: async () => {}, spent: '' }
  const options: VectorOptions = {
    model,
    mostChunks,
    async make(session, texts) {
      made.push([...texts])
      await state.during()
      if (state.fails) throw new ModelFailure('unavailable', 'The model is away.', true)
      if (state.spent === session) throw new NotPermitted('The budget is used up.')
      return texts.map((text) => standInVector(meant(text)))
    },
    extension: getLoadablePath(),
  }
  return { made, state, options }
}

const never = new AbortController().signal
const document = pages(
  'The garden is open in summer.',
  'Dogs are admitted if they are kept on a lead.',
  'Rooms are cleaned once a week, towels are changed each day.',
)

async function house(directory: string, options: VectorOptions) {
  const one = await testLibrary(directory, { vectors: options })
  const room = await one.room('ses_one')
  const path = await room.put('a.pdf', document)
  const { makeVectors } = one.library.of('ses_one', room.workspace)
  return { ...one, oneRoom: room, path, makeVectors: () => makeVectors?.(path, never) }
}

test('a passage is found by its meaning, and that is made once for each content', async () => {
  const { made, options } = maker()
  const { makeVectors, oneRoom, room, library } = await house(await scratch(), options)
  expect((await oneRoom.find('my pet')).matches.map(({ number }) => number)).not.toContain(2)
  await makeVectors()
  const { matches, byWordsOnly } = await oneRoom.find('my pet')
  expect(matches[0]).toMatchObject({ number: 2, score: 1 })
  expect(matches[0]?.passage).toContain('Dogs are admitted')
  expect(byWordsOnly).toBeUndefined()
  const other = await room('ses_two')
  const path = await other.put('b.pdf', document)
  await library.of('ses_two', other.workspace).makeVectors?.(path, never)
  expect(made.flat().filter((text) => text.includes('Dogs'))).toHaveLength(1)
})

test('a quoted phrase is found as it is, and nothing else', async () => {
  const { options } = maker()
  const { makeVectors, oneRoom } = await house(await scratch(), options)
  await makeVectors()
  expect((await oneRoom.find('"my pet"')).matches).toEqual([])
})

test('a document that was searched before its vectors were there gets them in the background', async () => {
  const { options } = maker()
  const { oneRoom } = await house(await scratch(), options)
  await oneRoom.find('garden')
  await until('the vectors', async () => (await oneRoom.find('my pet')).matches[0]?.number === 2)
})

test('a model that does not answer leaves the words, and is said', async () => {
  const { made, state, options } = maker()
  const { makeVectors, oneRoom, reports } = await house(await scratch(), options)
  await makeVectors()
  state.fails = true
  const found = await oneRoom.find('towels')
  expect(found).toMatchObject({ byWordsOnly: 'The embedding model doesn’t answer.' })
  expect(found.matches[0]?.number).toBe(3)
  expect(reports).toHaveLength(1)
  const asked = made.length
  expect(await oneRoom.find('towels')).toMatchObject({ byWordsOnly: 'The embedding model doesn’t answer.' })
  expect(made).toHaveLength(asked)
})

test('a thread whose budget is used up gets words only, and others still find meanings', async () => {
  const { state, options } = maker()
  const { makeVectors, oneRoom, room, reports } = await house(await scratch(), options)
  await makeVectors()
  const other = await room('ses_two')
  await other.put('b.pdf', document)
  state.spent = 'ses_one'
  await oneRoom.put('c.pdf', pages('Nobody has asked for this one yet.'))
  expect(await oneRoom.find('towels')).toMatchObject({ byWordsOnly: expect.stringContaining('budget') })
  expect((await other.find('my pet')).matches[0]).toMatchObject({ number: 2 })
  expect(reports).toEqual([])
})

test('what was made before a failure is not made again, also by the next process', async () => {
  const directory = await scratch()
  const long = pages(...Array.from({ length: 200 }, (_, index) => `Page ${index} tells about thing number ${index}.`))
  const { made, state, options } = maker()
  const first = await testLibrary(directory, { vectors: options })
  const room = await first.room('ses_one')
  const path = await room.put('long.pdf', long)
  state.during = async () => {
    state.fails = made.length === 2
  }
  const { makeVectors } = first.library.of('ses_one', room.workspace)
  await expect(makeVectors?.(path, never)).rejects.toThrow('The model is away.')
  first.library.close()
  const again = maker()
  const second = await testLibrary(directory, { vectors: again.options })
  await second.library.of('ses_one', room.workspace).makeVectors?.(path, never)
  expect(made[0]).toHaveLength(64)
  expect(again.made.flat()).toHaveLength(200 - 64)
  expect(again.made.flat()).not.toContain(made[0]?.[0])
})

test('another model makes them anew, and a document gets no more than its share', async () => {
  const directory = await scratch()
  const first = await house(directory, maker().options)
  await first.makeVectors()
  first.library.close()
  const other = maker('two', 2)
  const second = await house(directory, other.options)
  await second.makeVectors()
  expect(other.made.flat()).toHaveLength(2)
})

test('they go with their document, even if it is removed while they are made', async () => {
  const { state, options } = maker()
  const { library, makeVectors, file, oneRoom, path } = await house(await scratch(), options)
  await oneRoom.open(path, { signal: never })
  state.during = async () => {
    library.forget('ses_one')
    await library.settled()
  }
  await makeVectors()
  const { default: Sqlite } = await import('better-sqlite3')
  const database = new Sqlite(file, { readonly: true })
  const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  expect([count('documents'), count('vectors'), count('embedded')]).toEqual([0, 0, 0])
  database.close()
})
