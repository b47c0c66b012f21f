import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requiredWords } from '../../../src/capabilities/documents/index/required-words.ts'
import { pages, scratch, sheet, testLibrary } from './library.ts'

async function roomWith(...texts: string[]) {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  await one.put('a.pdf', pages(...texts))
  return one
}

const found = { isPattern: true, contextCharacters: 40 }

test.each([
  ['contract number: \\d+', 'The Contract Number: 1234 is valid', '**Contract Number: 1234**'],
  ['the tenant shall\\s+pay', 'THE TENANT SHALL\nPAY at once', '**THE TENANT SHALL\nPAY**'],
  ['[A-Z]{2}-\\d{4}', 'File AB-1234 is closed', '**AB-1234**'],
  ['^Annex$', 'x\nAnnex\ny', '**Annex**'],
  ['a.*z|q', 'it is qui', '**q**'],
  ['合同.限', '双方同意合同期限。', '**合同期限**'],
])('%s matches as it is written', async (query, text, marked) => {
  const room = await roomWith('Nothing is here.', text)
  const { matches } = await room.find(query, found)
  expect(matches).toHaveLength(1)
  expect(matches[0]).toMatchObject({ number: 2, score: 1 })
  expect(matches[0]?.passage).toContain(marked)
})

test('a match across the borders of a search step is found once', async () => {
  const text = `${'x'.repeat(49_998)}zebra${'x'.repeat(60_000)} zebra`
  const room = await roomWith(text)
  const { matches } = await room.find('ze+bra', found)
  expect(matches.map(({ passage }) => passage.includes('**zebra**'))).toEqual([true, true])
})

test('one with look-around is looked for in the full text, across the borders too, and ended when it takes too long', async () => {
  const text = `${'x'.repeat(49_990)}price: zebra ${'x'.repeat(60_000)} cost: zebra\n${'a'.repeat(60)}!`
  const room = await roomWith(text)
  const { matches } = await room.find('(?<=price: )ze+bra', found)
  expect(matches).toHaveLength(1)
  expect(matches[0]?.passage).toContain('price: **zebra**')
  await expect(room.find('(?=a)(a+)+$', found)).rejects.toMatchObject({ code: 'too_slow' })
})

test('in a sheet it names the cell', async () => {
  const { room } = await testLibrary(await scratch())
  const one = await room('ses_one')
  await one.put(
    'a.xlsx',
    sheet([
      ['Code', 'Sum'],
      ['AB-1', '12'],
      ['AB-2', '99'],
    ]),
  )
  const { matches } = await one.find('\\b9\\d\\b', found)
  expect(matches[0]).toMatchObject({ cells: 'B3' })
  expect(matches[0]?.passage).toContain('| 3 | AB-2 | **99** |')
})

test('one that cannot be used is refused, and one can be stopped', async () => {
  const room = await roomWith('a'.repeat(200_000))
  await expect(room.find('(a', found)).rejects.toMatchObject({ code: 'bad_pattern' })
  const stop = new AbortController()
  const looking = room.find('(a?){50}a{50}b', { ...found, signal: stop.signal })
  setTimeout(() => stop.abort(new Error('stopped')), 100)
  await expect(looking).rejects.toThrow()
})

test('only words that must stand by themselves narrow a search', () => {
  expect(requiredWords('the tenant shall pay \\d+')).toEqual(['tenant', 'shall'])
  expect(requiredWords('x\\s+tenant\\s+y')).toEqual(['tenant'])
  for (const source of [
    'tenant',
    'a (tenant )b',
    'a tenant | b',
    'a tenants? b',
    '[^]a tenant ]',
    'a tenant? b',
    '\\btenant\\b',
  ])
    expect(requiredWords(source)).toEqual([])
})

test('whatever a text is, it has the words that a pattern made of it requires', async () => {
  const word = fc.constantFrom(
    'tenant',
    'Zebra',
    'house-boat',
    "lessee's",
    '4.1',
    'größe',
    '|',
    'and',
    'a1b2',
    'x_y',
    'e.g.',
  )
  const cases = fc.sample(fc.array(word, { minLength: 3, maxLength: 60 }), 40)
  const room = await roomWith(...cases.map((words) => words.join(' ')))
  for (const [index, words] of cases.entries()) {
    const escaped = words
      .slice(0, 8)
      .join(' ')
      .replaceAll(/[.|\\]/g, '\\$&')
    const { matches } = await room.find(escaped, { ...found, maxResults: 50 })
    expect(matches.map(({ number }) => number)).toContain(index + 1)
  }
})
