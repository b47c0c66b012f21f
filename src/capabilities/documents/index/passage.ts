import { cutBefore } from '../../../kit/documents/chunks/pieces.ts'
import { linesOf, type Row, rowAt, sheetOf } from '../../../kit/documents/chunks/rows.ts'
import { wellFormed } from '../../../kit/documents/chunks/well-formed.ts'
import { maskedLine } from '../../../kit/secrets/masked-line.ts'
import type { Span } from '../../../kit/text/span.ts'
import { joined, marked } from './mark.ts'

/** A place in a part where something was found. Offsets in `spans` count from the part's beginning. */
export interface FoundPlace {
  spans: Span[]
  /** Where most of the matches are close together. */
  focus?: Span[]
  /** The piece of the part's text that was searched: in a sheet, whole rows. */
  within: Span
}

export interface Passage {
  /** How much of the part it shows, so that none of it is shown twice. */
  place: Span
  cells?: string
  passage: string
}

type Mask = (text: string) => string

/** Reads a piece of the part; beyond its end there is nothing. */
export type ReadSpan = (start: number, end: number) => string

/** The most that is shown of one cell, and of the header row of a table. */
const cellCharacters = 200
const headCharacters = 2000

/** Longer passages end before their last match. */
const maxCharacters = 1500

/**
 * Where a passage on a page, slide or section is cut out: a match with its surroundings. Undefined: nothing matches.
 */
export function textPlace(
  found: FoundPlace,
  context: number,
  characters: number,
  shown: Span[],
  read: ReadSpan,
): Span | undefined {
  const spans = joined('', found.spans)
  const [first] = spans
  if (first === undefined) return undefined
  // A request for little context shouldn't show everything between two distant matches.
  const most = Math.min(maxCharacters, context * 5)
  const last = spans.findLast(({ end }) => end - first.start <= most) ?? first
  const [before, after] = [
    shown.filter(({ end }) => end <= first.start),
    shown.filter(({ start }) => start >= first.end),
  ]
  const floor = Math.max(0, ...before.map(({ end }) => end))
  const ceiling = Math.min(characters, ...after.map(({ start }) => start))
  const until = Math.min(Math.max(last.end, first.start + 1), first.start + maxCharacters, ceiling)
  const half = Math.ceil(context / 2)
  const from = Math.max(floor, first.start - half - 100)
  const text = read(from, Math.min(ceiling, until + half + 100))
  const start = from + wordStart(text, Math.max(0, first.start - half - from), first.start - from)
  const end = from + Math.max(until - from, cutBefore(text, until - from, until + half - from))
  return { start, end }
}

/** How far before a passage a secret may begin that reaches into it. */
const secretCharacters = 8000

/** The text of a place with its matches in bold, unless a part of a secret is in it. */
export function textPassage(place: Span, spans: Span[], characters: number, read: ReadSpan, mask: Mask): string {
  const { start, end } = place
  const inText = joined('', spans).map((span) => moved(span, -start))
  const from = Math.max(0, start - secretCharacters)
  const whole = read(from, end)
  const { text, at } = maskedLine(whole, start - from, mask)
  const shown = text.slice(at)
  const isWhole = shown === whole.slice(start - from)
  const passage = marked(shown, { start: 0, end: shown.length }, isWhole ? inText : []).trim()
  return `${start > 0 ? '…' : ''}${passage}${end < characters ? '…' : ''}`
}

export const overlap = (one: Span, other: Span): boolean => one.start < other.end && one.end > other.start

/** The first word that begins at or after `from`, and no later than `latest`. */
function wordStart(text: string, from: number, latest: number): number {
  if (from <= 0) return 0
  const space = text.slice(from - 1, latest).search(/\s\S/)
  return space === -1 ? wellFormed(text, from) : from + space
}

/** The matching rows below their column letters. Undefined: all of them have been shown. */
export function sheetPassage(
  found: FoundPlace,
  context: number,
  shown: Span[],
  read: ReadSpan,
  mask: Mask,
): Passage | undefined {
  const { start, end } = found.within
  const text = read(start, end)
  const head = headOf(read(0, headCharacters * 2))
  const rows = Array.from(linesOf(text), (line) => rowAt(text, line.start, line.end))
  // Row numbers aren't searched.
  const inContent = (span: Span) =>
    rows.some(
      (row) => overlap(span, row) && (row.cells.length < 2 || row.cells.slice(1).some((cell) => overlap(span, cell))),
    )
  const all = joined('', found.spans).map((span) => moved(span, -start))
  const spans = all.filter(inContent)
  if (spans.length === 0 && all.length > 0) return undefined
  const isNew = (row: Row) => !shown.some((other) => overlap(other, { start: row.start + start, end: row.end + start }))
  const focus = (found.focus ?? []).map((span) => moved(span, -start)).filter(inContent)
  const matched = bestRows(text, rows.filter(isNew), focus.length > 0 ? focus : spans)
  if (matched.length === 0) return undefined
  const taken = around(rows, matched, Math.max(context, cellCharacters), isNew)
  const firstRow = head.rows[0]
  const lines = taken.map((row) =>
    text[row.start] === '|' ? rowLine(text, row, spans, focus, context, mask) : marked(text, row, spans),
  )
  const isAbove = firstRow !== undefined && firstRow.end < (taken[0]?.start ?? 0) + start
  const titles = isAbove ? [rowLine(head.text, firstRow, [], [], context, mask)] : []
  const inCells = spans.filter((span) => matched.some((row) => overlap(span, row)))
  const [from, to] = [taken[0]?.start ?? 0, taken.at(-1)?.end ?? 0]
  const cells = cellsOf(matched, inCells, head.letters)
  return {
    place: { start: from + start, end: to + start },
    ...(cells === undefined ? {} : { cells }),
    passage: [head.line, ...titles, ...lines].filter((line) => line !== '').join('\n'),
  }
}

const moved = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by })

/** The rows with the most different matches; the first row if only the header matches. */
function bestRows(text: string, rows: Row[], spans: Span[]): Row[] {
  if (spans.length === 0) return rows.slice(0, 1)
  const counts = rows.map((row) => {
    const inRow = spans.filter((span) => overlap(span, row))
    return new Set(inRow.map(({ start, end }) => text.slice(start, end).toLowerCase())).size
  })
  const most = counts.reduce((one, other) => Math.max(one, other), 1)
  return rows.filter((_, index) => counts[index] === most)
}

function headOf(text: string): { text: string; line: string; letters: string[]; rows: Row[] } {
  const sheet = sheetOf(text)
  const line = sheet.head === undefined ? '' : text.slice(sheet.head.start, sheet.head.end)
  return { text, line: line.length > headCharacters ? '' : line, letters: sheet.letters, rows: sheet.rows }
}

/** One run of rows from the first match on: the matching ones and, if there is room, their neighbours. */
function around(rows: Row[], matched: Row[], room: number, isNew: (row: Row) => boolean): Row[] {
  const [first] = matched
  if (first === undefined) return []
  let from = rows.indexOf(first)
  let to = from
  let left = room - (first.end - first.start)
  const last = rows.indexOf(matched.at(-1) ?? first)
  for (let at = from + 1; at <= last; at++) {
    const row = rows[at]
    if (row === undefined || !isNew(row) || row.end - first.start > Math.max(room, maxCharacters)) break
    to = at
    left -= row.end - row.start
  }
  for (const [step, next] of [
    [1, () => rows[to + 1]],
    [-1, () => rows[from - 1]],
  ] as const) {
    const row = next()
    if (row === undefined || !isNew(row) || row.end - row.start > left) continue
    left -= row.end - row.start
    if (step === 1) to++
    else from--
  }
  return rows.slice(from, to + 1)
}

/** A row with the cells that are needed. */
function rowLine(text: string, { cells }: Row, spans: Span[], focus: Span[], context: number, mask: Mask): string {
  const most = Math.max(cellCharacters, context)
  const shown = cells.map((cell) => {
    const first = [...focus, ...spans].find((span) => overlap(span, cell))
    if (cell.end - cell.start <= most) return marked(text, cell, spans)
    const whole = text.slice(cell.start, cell.end)
    const masked = maskedLine(whole, Math.max(0, (first?.start ?? 0) - cell.start), mask, most)
    if (masked.text !== whole) return cutAround(masked, most)
    const from = wellFormed(
      text,
      Math.max(cell.start, Math.min((first?.start ?? cell.start) - (most >> 2), cell.end - most)),
    )
    const to = wellFormed(text, Math.min(cell.end, from + most))
    return `${from > cell.start ? '…' : ''}${marked(text, { start: from, end: to }, spans)}${to < cell.end ? '…' : ''}`
  })
  return `| ${shown.join(' | ')} |`
}

/** A long cell that had secrets, without them. */
function cutAround({ text, at }: { text: string; at: number }, most: number): string {
  const from = wellFormed(text, Math.max(0, Math.min(at - (most >> 2), text.length - most)))
  const to = wellFormed(text, Math.min(text.length, from + most))
  return `${from > 0 ? '…' : ''}${marked(text, { start: from, end: to }, [])}${to < text.length ? '…' : ''}`
}

function cellsOf(rows: Row[], spans: Span[], letters: string[]): string | undefined {
  const labels = rows.map(({ label }) => label).filter((label) => /^\d+$/.test(label))
  const [first, last] = [labels[0], labels.at(-1)]
  if (first === undefined) return undefined
  const columns = rows.flatMap(({ cells }) =>
    cells.flatMap((cell, index) => (index > 0 && spans.some((span) => overlap(span, cell)) ? [index] : [])),
  )
  const letter = letters[columns[0] ?? -1]
  return rows.length === 1 && columns.length === 1 && letter ? `${letter}${first}` : `${first}:${last}`
}
