import { describe, expect, test } from 'vitest'
import { splitMarkdown } from '../../src/kit/markdown/split.ts'
import { seenIn } from './reading.ts'

const repeated = (times: number, item: string): string => Array.from({ length: times }, () => item).join('\n')
const indented = (text: string): string => text.replace(/^(?=.)/gm, '   ')

/** Each item has a block that must move to the right when its number gets a second digit. */
const item = `1. ${'one '.repeat(60)}end\n\n   > ${'and a quote '.repeat(12)}end`
const inner = `1. ${'two '.repeat(30)}end\n\n   ~~~\n   ${'code '.repeat(20)}\n   ~~~`
const nested = `1. has a list:\n\n${indented(repeated(14, inner))}`

describe('a list whose items are all written 1.', () => {
  test.each([
    ['many items', repeated(30, item), 400],
    ['many items, in longer pieces', repeated(60, item), 2_000],
    ['more than a hundred items', repeated(130, '1. one\n\n   - two'), 100],
    ['lists in it', repeated(6, nested), 420],
    ['lists in it, in longer pieces', repeated(8, nested), 1_400],
    [
      'an item longer than what is parsed at once',
      repeated(11, item) + indented(`\n\n${'long text '.repeat(1_800)}`),
      900,
    ],
  ])('keeps its blocks and numbers: %s', (_, document, characters) => {
    const pieces = splitMarkdown(document, { characters })
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(characters)
    expect(seenIn(pieces)).toEqual(seenIn([document]))
  })

  test('gets its longer numbers where one of them had to be written', () => {
    const document = repeated(13, '1. one two\n\n   > three')
    expect(splitMarkdown(document, { characters: 225 }).slice(1)).toEqual([
      '10. one two\n\n    > three\n11. one two\n\n    > three\n12. one two\n\n    > three\n13. one two\n\n    > three',
    ])
  })
})
