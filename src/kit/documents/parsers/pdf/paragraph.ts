import { letters } from '../../../text/letters.ts'
import { isDivided, joinLines, markerOf, withMarkdownBullet } from './characters.ts'
import { isRightToLeft, type Row, textOf } from './row.ts'

/** Lines that belong together: the same type size, at the usual distance. */
interface Block {
  rows: Row[]
  left: number
  right: number
}

/** Type this much larger than the text is a heading. */
const headingSize = 1.15

const longestHeading = 200

/** No paragraph is longer, and joining endless ones would take long. */
const mostRows = 1000

/** Paragraphs and headings as Markdown. `bodySize` is the size of the document's running text, in points. */
export function paragraphsOf(rows: Row[], bodySize: number): string[] {
  return blocksOf(rows).flatMap((block) => {
    const lines = linesOf(block)
    if ((block.rows[0]?.size ?? 0) < headingSize * bodySize) return lines.map(withMarkdownBullet)
    const headings = lines.flatMap((line) => line.split('\n'))
    const isText = !headings.every(isHeading) || (block.rows.length > 1 && endsSentence.test(headings.at(-1) ?? ''))
    return isText ? lines.map(withMarkdownBullet) : headings.map((line) => `## ${line}`)
  })
}

const endsSentence = /[.\u3002\u06d4;,]$/

/**
 * A sentence, and the beginning of another. Numbers and short words with a full stop (`XI. Scope`, `Dr. No`) don't
 * count.
 */
const severalSentences =
  /(?:\p{Ll}{3}|\p{Lo}{3}|\d{4})[.!?\u061f\u06d4] +["'\u201c\u201e\u00ab]?[\p{Lu}\p{Lo}].*\p{L}{3}|\u3002./u

const isHeading = (line: string): boolean =>
  line.length <= longestHeading && letters(line) >= 2 && !severalSentences.test(line)

function blocksOf(rows: Row[]): Block[] {
  const pitch = pitchOf(rows)
  const left = rows.reduce((least, row) => Math.min(least, row.left), Number.POSITIVE_INFINITY)
  const right = rows.reduce((most, row) => Math.max(most, row.right), Number.NEGATIVE_INFINITY)
  const blocks: Block[] = []
  for (const row of rows) {
    const block = blocks.at(-1)
    const before = block?.rows.at(-1)
    if (block === undefined || before === undefined || block.rows.length > mostRows || isApart(before, row, pitch)) {
      blocks.push({ rows: [row], left: row.left, right: row.right })
      continue
    }
    block.rows.push(row)
    block.left = Math.min(block.left, row.left)
    block.right = Math.max(block.right, row.right)
  }
  return blocks.map((block) => (couldBeWider(block, right - left) ? { ...block, left, right } : block))
}

/** A block nearly as wide as all of them isn't full; one of short lines only was never meant to be. */
const couldBeWider = (block: Block, width: number): boolean => {
  const share = (block.right - block.left) / width
  return share > 0.75 || share < 0.5
}

/** The usual distance of two lines, in type sizes: a low one, as many lines end their paragraph. */
function pitchOf(rows: Row[]): number {
  const distances = rows
    .slice(1)
    .map((row, index) => (row.baseline - (rows[index]?.baseline ?? 0)) / row.size)
    .filter((distance) => distance > 0.8)
    .sort((one, other) => one - other)
  return Math.min(distances[distances.length >> 2] ?? 1.2, 2.5)
}

function isApart(before: Row, row: Row, pitch: number): boolean {
  const distance = row.baseline - before.baseline
  if (distance > 1.25 * pitch * Math.max(row.size, before.size) || distance < 0) return true
  const ratio = row.size / before.size
  return ratio > 1.12 || ratio < 0.88
}

/** A block's paragraphs. Lines that were broken on purpose stay lines. */
function linesOf(block: Block): string[] {
  const paragraphs: string[] = []
  const rightToLeft = block.rows.filter(isRightToLeft).length * 2 > block.rows.length
  let before: { row: Row; text: string } | undefined
  for (const [index, row] of block.rows.entries()) {
    const text = textOf(row)
    const paragraph = paragraphs.at(-1)
    if (before === undefined || paragraph === undefined || isIndented(block, index, before.text, rightToLeft))
      paragraphs.push(text)
    else {
      const isNewLine = startsLine(text, before.text) || hadRoom(block, before.row, row, text, rightToLeft)
      paragraphs[paragraphs.length - 1] = isNewLine
        ? `${paragraph}\n${withMarkdownBullet(text)}`
        : joinLines(paragraph, text)
    }
    before = { row, text }
  }
  return paragraphs.map((paragraph) => paragraph.replaceAll('\u00ad', ''))
}

/** Whether an indented line begins a paragraph here. */
function isIndented(block: Block, index: number, textBefore: string, rightToLeft: boolean): boolean {
  const [before, row, next] = [block.rows[index - 1], block.rows[index], block.rows[index + 1]]
  if (before === undefined || row === undefined || markerOf(textBefore) !== undefined) return false
  const indentOf = (one: Row) => (rightToLeft ? block.right - one.right : one.left - block.left) / one.size
  const isAtEdge = (one: Row) => indentOf(one) < 0.3
  const indent = indentOf(row)
  return (
    indent > 0.7 &&
    indent < 5 &&
    isAtEdge(before) &&
    (next === undefined || isAtEdge(next)) &&
    row.right > before.left &&
    row.left < before.right
  )
}

/** A list item, or what follows an entry of a table of contents. */
const startsLine = (text: string, before: string): boolean =>
  markerOf(text) !== undefined || / … [\dA-Zivxl-]+$/.test(before)

/** The first word of this row would have fitted on the line above, so that line was meant to end. */
function hadRoom(block: Block, before: Row, row: Row, text: string, rightToLeft: boolean): boolean {
  if (isDivided(textOf(before), text)) return false
  const after = block.right - before.right
  // Text from right to left may be aligned at its left.
  const room = rightToLeft ? Math.max(before.left - block.left, after) : after
  const isSpaced = !/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text.slice(0, 8))
  const word = isSpaced ? (text.split(' ', 1)[0] ?? '') : text.slice(0, 2)
  const width = ((row.right - row.left) * (word.length + 1)) / Math.max(1, text.length)
  return room > 1.3 * width + 1.5 * row.size
}
