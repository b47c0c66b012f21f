import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitMarkdown } from '../../src/kit/markdown/split.ts'
import { normalised } from '../../src/kit/markdown/tame.ts'
import { documents, rubbish } from './documents.ts'
import { seenIn, treeOf } from './reading.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const graphemesOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)
const runs = { numRuns: 10 }
const sizes = fc.integer({ min: 400, max: 4_000 })

describe('whatever document is split', () => {
  test('every character stays where it was: in its list item, cell, quote, code, link', () => {
    fc.assert(
      fc.property(documents, sizes, (document, characters) => {
        const pieces = splitMarkdown(document, { characters })
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(characters)
        expect(seenIn(pieces)).toEqual(seenIn([document]))
      }),
      runs,
    )
  })

  test('each piece closes what it opens', () => {
    fc.assert(
      fc.property(documents, sizes, (document, characters) => {
        for (const piece of splitMarkdown(document, { characters })) {
          expect(treeOf(`${piece}\n\nbehind`).children.at(-1)).toMatchObject({
            type: 'paragraph',
            children: [{ value: 'behind' }],
          })
        }
      }),
      runs,
    )
  })

  test("a piece isn't split again, and it is always split the same way", () => {
    fc.assert(
      fc.property(fc.oneof(documents, rubbish), sizes, (document, characters) => {
        const pieces = splitMarkdown(document, { characters })
        expect(pieces.flatMap((piece) => splitMarkdown(piece, { characters }))).toEqual(pieces)
        expect(splitMarkdown(document, { characters })).toEqual(pieces)
      }),
      runs,
    )
  })
})

/** Whether all of the letters stand in the text, in their order. */
function standIn(letters: string[], text: string): boolean {
  let at = 0
  for (const character of text) if (character === letters[at]) at++
  return at === letters.length
}

describe("whatever isn't a document", () => {
  test('fits, even in little room, and loses no letter', () => {
    fc.assert(
      fc.property(rubbish, fc.integer({ min: 2, max: 300 }), (text, characters) => {
        const pieces = splitMarkdown(text, { characters })
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(characters)
        expect(standIn(normalised(text).match(/\p{L}/gu) ?? [], pieces.join(''))).toBe(true)
      }),
      { numRuns: 80 },
    )
  })

  test('breaks no character', () => {
    const character = fc.constantFrom('👩‍👩‍👧‍👦', '👍🏽', '🏳️‍🌈', '🇩🇪', 'e\u0301', '한', '你', 'a', 'ไท', '1️⃣', ' ')
    fc.assert(
      fc.property(fc.array(character, { maxLength: 200 }), fc.integer({ min: 12, max: 60 }), (characters, most) => {
        const text = `x${characters.join('')}`
        const pieces = splitMarkdown(text, { characters: most })
        const kept = (all: string[]) => all.filter((one) => one !== ' ')
        expect(kept(pieces.flatMap(graphemesOf))).toEqual(kept(graphemesOf(text)))
      }),
      { numRuns: 80 },
    )
  })
})
