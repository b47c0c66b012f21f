import { expect, test } from 'vitest'
import type { DocumentPart } from '../../../src/kit/documents/document.ts'
import { scratch, testLibrary } from './library.ts'

const filler = (about: string, from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `Sentence ${from + index} of the ${about} says very little here.`).join(
    ' ',
  )

async function roomWith(...pages: string[]) {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  const parts: DocumentPart[] = pages.map((text, index) => ({ unit: 'page', number: index + 1, text }))
  await one.put('a.pdf', { kind: 'pdf', notes: [], parts })
  return one
}

test('what one of several wordings finds is found, also in another language', async () => {
  const room = await roomWith(
    filler('garden', 0, 30),
    'Dogs are admitted if they are kept on a lead.',
    'Die Kündigungsfrist beträgt drei Monate.',
    'Work begins at nine. I can bring it, my office.',
  )
  const alone = await room.find('Can I bring my pet to work?')
  expect(alone.matches.map(({ number }) => number)).not.toContain(2)
  const { matches } = await room.find('Can I bring my pet to work?', { others: ['pets policy', 'dogs admitted'] })
  expect(matches.find(({ number }) => number === 2)?.passage).toContain('**Dogs** are **admitted**')
  const german = await room.find('notice period', { others: ['termination', 'Kündigungsfrist'] })
  expect(german.matches[0]?.number).toBe(3)
})

test('a wording that fits nothing does not push away what another one fits exactly', async () => {
  const pages = Array.from(
    { length: 12 },
    (_, index) => `The office of the manager ${index} is open. ${filler('day', index, 3)}`,
  )
  const room = await roomWith(...pages, 'The crane must not be operated without a licence.')
  const { matches } = await room.find('who is in the office', { others: ['crane licence'], maxResults: 3 })
  expect(matches[0]?.number).toBe(13)
})

test('slips of the pen are forgiven only where no wording was found as it is', async () => {
  const room = await roomWith('The guarantee covers one year.')
  expect(await room.find('guarantte', { others: ['year'] })).toMatchObject({ forgiven: [] })
  expect(await room.find('guarantte', { others: ['yeer'] })).toMatchObject({ forgiven: ['guarantee', 'year'] })
})

test('matches beside one another are one passage, and all passages together have a limit', async () => {
  const text = `${filler('start', 0, 30)} The zebra sleeps here. ${filler('gap', 0, 8)} The zebra eats there. ${filler('end', 0, 30)}`
  const room = await roomWith(text, ...Array.from({ length: 9 }, (_, index) => `${filler('page', index, 20)} A zebra.`))
  const wide = await room.find('zebra', { contextCharacters: 700, maxResults: 20 })
  const first = wide.matches.filter(({ number }) => number === 1)
  expect(first).toHaveLength(1)
  expect(first[0]?.passage).toContain('**zebra** sleeps')
  expect(first[0]?.passage).toContain('**zebra** eats')
  expect(first[0]?.passage.length).toBeLessThan(2_100)
  expect(wide.matches).toHaveLength(10)
  const little = await room.find('zebra', { contextCharacters: 700, maxResults: 20, mostCharacters: 1_000 })
  expect(little.matches.length).toBeLessThan(5)
})
