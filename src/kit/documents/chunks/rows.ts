import type { Span } from '../../text/span.ts'

export interface Row extends Span {
  /** The text of its first cell: in a sheet, the number of the row. */
  label: string
  cells: Span[]
}

/** Reads the line of a Markdown table that begins at `start`. Offsets are those of the trimmed cells. */
export function rowAt(text: string, start: number, end: number): Row {
  const cells: Span[] = []
  let from = start + 1
  for (let at = from; at < end; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '|') {
      cells.push(trimmed(text, from, at))
      from = at + 1
    }
  }
  if (from < end && text.slice(from, end).trim() !== '') cells.push(trimmed(text, from, end))
  const [first] = cells
  return { start, end, label: first === undefined ? '' : text.slice(first.start, first.end), cells }
}

function trimmed(text: string, start: number, end: number): Span {
  let [from, to] = [start, end]
  while (from < to && text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return { start: from, end: to }
}

/** The lines of a text. */
export function* linesOf(text: string, within: Span = { start: 0, end: text.length }): Generator<Span> {
  for (let start = within.start; start < within.end; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 || newline > within.end ? within.end : newline
    yield { start, end }
    start = end + 1
  }
}

const isRule = (line: string): boolean => /^\|[ :|-]*$/.test(line.trimEnd()) && line.includes('-')

export interface Sheet {
  /** The column letters and the line below them. Undefined if a sheet isn't a single table. */
  head: Span | undefined
  letters: string[]
  rows: Row[]
  /** The text outside of tables. */
  rest: Span[]
}

/** A sheet's text as rows with numbers under column letters. */
export function sheetOf(text: string): Sheet {
  const sheet: Sheet = { head: undefined, letters: [], rows: [], rest: [] }
  let previous: Row | undefined
  for (const { start, end } of linesOf(text)) {
    if (!text.startsWith('|', start)) {
      if (end > start) sheet.rest.push({ start, end })
      previous = undefined
      continue
    }
    if (previous !== undefined && sheet.head === undefined && isRule(text.slice(start, Math.min(end, start + 5000)))) {
      sheet.head = { start: previous.start, end }
      sheet.letters = previous.cells.map((cell) => text.slice(cell.start, cell.end))
      sheet.rows.pop()
    } else {
      previous = rowAt(text, start, end)
      sheet.rows.push(previous)
    }
  }
  return sheet
}
