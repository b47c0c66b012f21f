import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marked } from '../../../src/capabilities/documents/index/mark.ts'
import { chunksOf } from '../../../src/kit/documents/chunks/chunks.ts'
import { fold } from '../../../src/kit/documents/chunks/fold.ts'
import { tokensIn } from '../../../src/kit/documents/chunks/tokens.ts'
import { distanceOf } from '../../../src/kit/documents/chunks/vocabulary.ts'
import { pages, sheet } from './library.ts'

const sentence = 'The tenant shall keep the house in good repair. '

test('chunks end with sentences, have about 400 characters, and repeat a fifth', () => {
  const text = sentence.repeat(60)
  const chunks = chunksOf(pages(text))
  for (const [index, { start, end }] of chunks.entries()) {
    expect(end - start).toBeLessThanOrEqual(400)
    expect(text.slice(0, end).trimEnd()).toMatch(/\.$/)
    const next = chunks[index + 1]
    if (next !== undefined) expect(end - next.start).toBeGreaterThanOrEqual(40)
    if (next !== undefined) expect(end - next.start).toBeLessThanOrEqual(80)
  }
})

test('a heading begins a chunk, and short paragraphs share one', () => {
  const text = `${sentence.repeat(4)}\n\n# Payment\n\nAt once.\n\nIn cash.`
  const chunks = chunksOf(pages(text)).map(({ start, end }) => text.slice(start, end))
  expect(chunks).toEqual([sentence.repeat(4), '# Payment\n\nAt once.\n\nIn cash.'])
})

test('Chinese sentences end chunks, too', () => {
  const text = '合同在三十天后终止。双方同意延长合同期限。'.repeat(60)
  const chunks = chunksOf(pages(text))
  expect(chunks.length).toBeGreaterThan(2)
  expect(chunks.every(({ end }) => text[end - 1] === '。')).toBe(true)
})

test('sheets are cut by 20 rows with 2 repeated, and each piece has the words of the head', () => {
  const rows = Array.from({ length: 50 }, (_, index) => [`item${index}`, 'plain'])
  const chunks = chunksOf(sheet([['Quantity', 'Note'], ...rows]))
  expect(chunks.map(({ cells }) => cells)).toEqual(['1:20', '19:38', '37:51'])
  expect(chunks.map(({ words }) => words.split(' ').includes('quantiti'))).toEqual([true, true, true])
  expect(chunks[0]?.words.split(' ')).not.toContain('b')
  expect(chunks[1]?.words.split(' ')).not.toContain('20')
})

test('pieces of a row of very many columns have the words of the head above them, and no others', () => {
  const row = (letter: string) => Array.from({ length: 2000 }, (_, index) => `${letter}${index}`)
  const chunks = chunksOf(sheet([row('head'), row('cell')]))
  const piece = chunks.find(({ words, cells }) => cells === '2:2' && words.split(' ').includes('cell1000'))
  const heads = piece?.words.split(' ').filter((word) => word.startsWith('head')) ?? []
  expect(heads).toContain('head1000')
  expect(heads.length).toBeLessThan(100)
})

test('tables in pages are cut between rows and keep the words of their heads', () => {
  const row = '| a long cell with words | another long cell with words |'
  const text = `Before.\n\n| Quantity | Note |\n| --- | --- |\n${`${row}\n`.repeat(30)}`
  const chunks = chunksOf(pages(text))
  for (const { start, end, words } of chunks) {
    expect(text.slice(start, end)).toMatch(/\|$|^Before/)
    expect(words.split(' ')).toContain('quantiti')
  }
})

test('a slide is a chunk of its own, and is found by its title', () => {
  const slides = ['One', 'Two', ''].map((text, index) => ({
    unit: 'slide' as const,
    number: index + 1,
    name: 'Zebra',
    text,
  }))
  const chunks = chunksOf({ kind: 'pptx', notes: [], parts: slides })
  expect(chunks.map(({ part }) => part)).toEqual([0, 1, 2])
  expect(chunks.every(({ words }) => words.includes('zebra'))).toBe(true)
})

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3000 }),
  fc.string({ unit: 'binary', maxLength: 3000 }),
  fc
    .array(fc.constantFrom('word', '合同', '. ', ' ', '\n', '|', '4.1', 'a-b', '# ', 'ü', '1,234', "'"), {
      maxLength: 2000,
    })
    .map((all) => all.join('')),
)

test('whatever a text is, all its words are in its chunks', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const chunks = chunksOf(pages(text))
      const known = new Set(
        Array.from(chunks, ({ start, end }) => [...tokensIn(text.slice(start, end))])
          .flat()
          .flatMap(({ kind, forms }) => (kind === 'word' ? forms : [])),
      )
      for (const { kind, forms } of tokensIn(text)) if (kind === 'word') expect(known).toContain(forms[0])
      for (const { start, end } of chunks) expect(start >= 0 && end <= text.length && start <= end).toBe(true)
    }),
  )
})

test('reading hostile texts takes time in proportion', () => {
  const hostile = [
    'a-'.repeat(100_000),
    '1.'.repeat(100_000),
    '|'.repeat(100_000),
    '"'.repeat(100_000),
    '**'.repeat(100_000),
  ]
  for (const text of [
    ...hostile,
    'é'.repeat(200_000),
    'ー'.repeat(100_000),
    '# '.repeat(100_000),
    '\n'.repeat(200_000),
    '| a'.repeat(70_000),
  ]) {
    expect(Array.isArray(chunksOf({ kind: 'xlsx', notes: [], parts: [{ unit: 'sheet', number: 1, text }] }))).toBe(true)
    expect(Array.isArray(chunksOf(pages(text)))).toBe(true)
    expect(marked(text, { start: 0, end: text.length }, []).length).toBeGreaterThan(0)
  }
})

test('words are compared without accents, case, points and width', () => {
  expect(['É', 'ẞ', 'ﬁ', 'Ｗ', 'й', 'ё', 'ｶﾞ', 'ø'].map(fold)).toEqual(['e', 'ss', 'fi', 'w', 'й', 'е', 'ガ', 'o'])
  expect(distanceOf('house', 'huose', 2)).toBe(1)
  expect(distanceOf('house', 'mouses', 2)).toBe(2)
  expect(distanceOf('house', 'elephant', 2)).toBe(3)
})
