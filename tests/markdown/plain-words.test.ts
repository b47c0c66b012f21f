import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainWords } from '../../src/kit/markdown/plain-words.ts'

const words = fc.array(fc.constantFrom(...'aZé9 @.,;:!?\'"()%…', 'www.', 'a@b.cd', '1. ', 'http:'), { maxLength: 30 })

test('a line without marks means the same to the parser', () => {
  fc.assert(
    fc.property(words, (pieces) => {
      const text = pieces.join('')
      fc.pre(/^[\p{L}@]/u.test(text))
      // The mark behind it calls the parser.
      expect(`${plainWords(text, 600)} x`).toBe(plainWords(`${text} **x**`, 600))
    }),
    { numRuns: 1_000 },
  )
})

test('no character is cut in two', () => {
  expect(plainWords(`${'a'.repeat(599)}😀`, 600)).toBe('a'.repeat(599))
})

test('marks are left out', () => {
  expect(plainWords('# Title\n\n- *one*\n- [two](https://x.y)', 600)).toBe('Title one two')
})
