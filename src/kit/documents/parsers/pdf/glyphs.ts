import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.js'
import { rightToLeftLetters } from '../../../text/letters.ts'

/** What a piece of text shows from left to right: one entry per glyph, which may be several letters, or a space. */
export type Seen = ReadonlyMap<TextItem, string[]>

interface Glyph {
  text: string
  /** What is before it: nothing, a space, or the beginning of another piece. */
  after: '' | ' ' | '?'
}

/** A wider step, in thousandths of the type size, is a space. */
const leastSpace = 102

/** For each page: how many glyphs may be compared in vain. */
const mostTries = 200_000

/** Left out of both sides: the library loses some of them. */
const ignored = /[\s<>\p{Cf}]/gu

/**
 * The library turns text round that runs from right to left, as if nothing stood beside it and every glyph were one
 * letter. Its drawing instructions tell what is really there. Empty if no such text is on the page.
 */
export async function seenOn(page: PDFPageProxy, { items }: TextContent): Promise<Seen> {
  const texts = items.filter((item): item is TextItem => 'str' in item)
  const seen = new Map<TextItem, string[]>()
  if (!texts.some(({ str }) => rightToLeftLetters(str) > 0)) return seen
  const glyphs = await glyphsOf(page)
  let [at, tries] = [0, 0]
  for (const item of texts) {
    const wanted = sorted(item.str.replace(ignored, ''))
    if (wanted === '') continue
    for (let start = at; start < glyphs.length && tries < mostTries; start++) {
      const found = pieceAt(glyphs, start, wanted)
      tries += found === undefined ? wanted.length : 0
      if (found === undefined) continue
      at = start + found.length
      const shown = rightToLeftLetters(item.str) > 0 ? spaced(found, item.str) : undefined
      if (shown !== undefined) seen.set(item, shown)
      break
    }
  }
  return seen
}

async function glyphsOf(page: PDFPageProxy): Promise<Glyph[]> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 })
  const glyphs: Glyph[] = []
  for (const [index, operator] of fnArray.entries()) {
    if (operator !== OPS.showText) continue
    let after: Glyph['after'] = '?'
    for (const one of (argsArray[index]?.[0] ?? []) as unknown[]) {
      const text = textIn(one)
      if (text === undefined) after = Number(one) <= -leastSpace ? ' ' : after
      else if (text.replace(ignored, '') !== '') {
        glyphs.push({ text, after })
        after = ''
      } else if (/\s/.test(text)) after = ' '
    }
  }
  return glyphs
}

/** Undefined for a step to the side. */
const textIn = (glyph: unknown): string | undefined =>
  typeof glyph === 'object' && glyph !== null && 'unicode' in glyph ? String(glyph.unicode) : undefined

const sorted = (text: string): string => [...text].sort().join('')

/** The glyphs from `start` on, if they are the wanted characters in any order. */
function pieceAt(glyphs: Glyph[], start: number, wanted: string): Glyph[] | undefined {
  if (!wanted.includes([...(glyphs[start]?.text ?? '')][0] ?? '')) return undefined
  let length = 0
  let end = start
  for (; length < wanted.length && end < glyphs.length; end++)
    length += (glyphs[end]?.text ?? '').replace(ignored, '').length
  const piece = glyphs.slice(start, end)
  return length === wanted.length && sorted(piece.map(({ text }) => text.replace(ignored, '')).join('')) === wanted
    ? piece
    : undefined
}

/** With as many spaces as the library has found. Undefined if they can't be told. */
function spaced(piece: Glyph[], text: string): string[] | undefined {
  const count = text.trim().split(/\s+/).length - 1
  const inner = piece.slice(1)
  const sure = inner.filter(({ after }) => after === ' ').length
  const perhaps = inner.filter(({ after }) => after === '?').length
  const isDivided = sure !== count && sure + perhaps === count
  if (sure !== count && !isDivided) return undefined
  return piece.flatMap(({ text, after }, index) =>
    index > 0 && (after === ' ' || (isDivided && after === '?')) ? [' ', text] : [text],
  )
}
