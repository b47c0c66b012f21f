import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { joinLines } from './characters.ts'
import { columnPieces, type Piece } from './columns.ts'
import type { Seen } from './glyphs.ts'
import { type GridLines, gridsOf } from './grid-lines.ts'
import { type Link, markLinks, withAddresses } from './links.ts'
import { paragraphsOf } from './paragraph.ts'
import { type Row, rowsOf, segmentsOf } from './row.ts'
import { ruledRows } from './ruled.ts'
import type { Rulings } from './rulings.ts'
import { directionsOf, type Run } from './run.ts'
import type { TypeSizes } from './sizes.ts'
import { markdownTable, passagesOf } from './table.ts'

export interface PageContent {
  content: TextContent
  seen: Seen
  viewport: PageViewport
  links: Link[]
  /** Asked for only where there may be a table: it takes as long as reading the text. */
  rulings: () => Promise<Rulings>
}

/** A page's text as Markdown, in reading order. Empty if it has none. */
export async function pageText(
  { content, seen, viewport, links, rulings }: PageContent,
  sizes: TypeSizes,
): Promise<string> {
  const read = directionsOf(content, viewport, seen)
  const upright = read.find((direction) => direction.isUpright)
  if (upright !== undefined) markLinks(upright.runs, links)
  const directions: Row[][] = []
  for (const { runs, isUpright } of read) {
    const rows = rowsOf(runs)
    sizes.add(rows)
    if (!isUpright || !mayHaveTables(rows)) directions.push(rows)
    else directions.push(withTables(runs, rows, await rulings()))
  }
  const text = directions
    .flatMap((rows) => columnPieces(rows))
    .flatMap((piece) => textsOf(piece, sizes.body))
    .join('\n\n')
  return withAddresses(text, links)
}

/** Rows of a table, at least: something stands beside something else, or figures stand close together. */
const leastRows = 2

const mayHaveTables = (rows: Row[]): boolean => {
  let count = 0
  return rows.some((row) => {
    if (segmentsOf(row).length > 1 || /\d\S* +\S*\d\S* +\S*\d/.test(row.runs.map(({ text }) => text).join(' '))) count++
    return count >= leastRows
  })
}

/** Rows with those of tables whose lines are drawn replaced by one for each table. */
function withTables(runs: Run[], rows: Row[], rulings: Rulings): Row[] {
  let left = runs
  for (const grid of gridsOf(rulings)) {
    // A table stays as it was found: within a cell of another one it would be lost.
    const inside = left.filter((run) => run.table === undefined && isInside(run, grid))
    const table = inside.length === 0 ? undefined : ruledRows(grid, inside)
    if (table === undefined) continue
    const taken = new Set(inside)
    left = left.filter((run) => !taken.has(run))
    left.push(placeholder(grid, inside, markdownTable(table.rows, table.isReversed)))
  }
  return left.length === runs.length ? rows : rowsOf(left)
}

function isInside(run: Run, { xs, ys }: GridLines): boolean {
  const [x, y] = [(run.left + run.right) / 2, run.baseline - 0.3 * run.size]
  return x > (xs[0] ?? 0) && x < (xs.at(-1) ?? 0) && y > (ys[0] ?? 0) && y < (ys.at(-1) ?? 0)
}

function placeholder({ xs }: GridLines, inside: Run[], table: string): Run {
  const first = inside.reduce((one, other) => (other.baseline < one.baseline ? other : one))
  const { baseline, size } = first
  return { text: '\u0002', left: xs[0] ?? 0, right: xs.at(-1) ?? 0, baseline, size, isRightToLeft: false, table }
}

function textsOf(piece: Piece, bodySize: number): string[] {
  if (piece.kind === 'columns') {
    return piece.columns
      .map((column) => column.flatMap((inner) => textsOf(inner, bodySize)))
      .reduce<string[]>(joined, [])
  }
  return passagesOf(piece.rows).flatMap((passage) =>
    passage.kind === 'table' ? [passage.markdown] : paragraphsOf(passage.rows, bodySize),
  )
}

/** A paragraph may continue at the top of the next column. */
function joined(texts: string[], more: string[]): string[] {
  const [last, first] = [texts.at(-1), more[0]]
  if (last === undefined || first === undefined || !/^\p{L}/u.test(first) || /(^(##|\|) |[.!?:;|]$)/.test(last)) {
    return [...texts, ...more]
  }
  return [...texts.slice(0, -1), joinLines(last, first), ...more.slice(1)]
}
