import { readdirSync, readFileSync } from 'node:fs'
import type { ParsedDocument } from '../../src/kit/documents/document.ts'
import { folded, type Table } from './sample.ts'
import { tablesOf } from './tables.ts'

/** A PDF that some program made of one table, and the table. */
export interface TruePdf {
  name: string
  program: string
  feature: string
  bytes: Uint8Array
  /** Goes on over pages, whose first rows may repeat its head. */
  table: Table['rows']
}

const folder = `${import.meta.dirname}/pdf-tables`

export const truePdfs = (): TruePdf[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.pdf'))
    .map((file) => {
      const name = file.slice(0, -'.pdf'.length)
      const { program, feature, tables } = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))
      return { name, program, feature, bytes: readFileSync(`${folder}/${file}`), table: tables[0] }
    })

export interface TableScore {
  /** Cells with text, in the right row and column. */
  right: number
  expected: number
  found: number
  /** Lines outside of tables in which several rows of the table stand. */
  flattened: number
  wrong: string[]
}

/** Of cells with text: twice the right ones by all that are expected and found. */
export const f1 = ({ right, expected, found }: Pick<TableScore, 'right' | 'expected' | 'found'>): number =>
  expected + found === 0 ? 1 : (2 * right) / (expected + found)

export const meanOf = (scores: TableScore[]): number => scores.reduce((sum, one) => sum + f1(one), 0) / scores.length

type Rows = (string | null)[][]

export function scoreTable(document: ParsedDocument, table: Rows): TableScore {
  const grids = tablesOf(document).map((rows) => rows.map((row) => row.map((cell) => cell ?? '')))
  const whole = grids.length > 1 ? [joined(grids)] : []
  const scores = [[], ...grids, ...whole].map((grid) => compare(table, grid))
  const best = scores.reduce((best, one) => (f1(one) > f1(best) ? one : best))
  return { ...best, flattened: flattenedLines(document, table) }
}

/** The tables of all pages as one, without the heads that later pages repeat. */
const joined = (grids: string[][][]): string[][] =>
  grids.flatMap((grid, index) => (index > 0 && `${grid[0]}` === `${grids[0]?.[0]}` ? grid.slice(1) : grid))

/** Rows are put side by side so that most cells agree: a row too many doesn't make all below it wrong. */
function compare(table: Rows, grid: string[][]): Omit<TableScore, 'flattened'> {
  const same = (one: number, other: number): number =>
    (table[one] ?? []).filter((cell, column) => cell && folded(cell) === (grid[other]?.[column] ?? '')).length
  const best: number[][] = Array.from({ length: table.length + 1 }, () => Array(grid.length + 1).fill(0))
  const at = (one: number, other: number): number => best[one]?.[other] ?? 0
  for (let one = table.length - 1; one >= 0; one--)
    for (let other = grid.length - 1; other >= 0; other--) {
      const here = same(one, other) + at(one + 1, other + 1)
      ;(best[one] as number[])[other] = Math.max(here, at(one + 1, other), at(one, other + 1))
    }
  const wrong: string[] = []
  let extra = grid.flat().filter((cell) => cell !== '').length
  let [one, other] = [0, 0]
  const about = (row: number) => (table[row] ?? []).map((cell) => cell ?? '…').join(' | ')
  while (one < table.length || other < grid.length) {
    const isPair =
      one < table.length && other < grid.length && at(one, other) === same(one, other) + at(one + 1, other + 1)
    if (isPair) {
      // What a merged cell covers isn't looked at.
      extra -= (table[one] ?? []).filter((cell, column) => cell === null && (grid[other]?.[column] ?? '') !== '').length
      const cells = (table[one] ?? []).filter((cell) => cell).length
      if (same(one, other) < cells || (grid[other] ?? []).filter((cell) => cell !== '').length > cells)
        wrong.push(`${about(one)}  came as  ${(grid[other] ?? []).join(' | ')}`)
      one++
      other++
    } else if (other >= grid.length || (one < table.length && at(one, other) === at(one + 1, other)))
      wrong.push(`${about(one++)}  is missing`)
    else wrong.push(`${(grid[other++] ?? []).join(' | ')}  is too much`)
  }
  const expected = table.flat().filter((cell) => cell).length
  return { right: at(0, 0), expected, found: extra, wrong }
}

/** Lines of plain text with cells that only one row has, from more than one row. */
function flattenedLines(document: ParsedDocument, table: Rows): number {
  const all = table.flat().map((cell) => folded(cell ?? ''))
  const own = table.map((row) =>
    row
      .map((cell) => folded(cell ?? ''))
      .filter((cell) => cell.length > 3 && all.filter((one) => one === cell).length === 1),
  )
  const lines = document.parts.flatMap(({ text }) => text.split('\n')).filter((line) => !line.startsWith('|'))
  return lines.filter((line) => {
    const words = ` ${folded(line)} `
    return own.filter((cells) => cells.some((cell) => words.includes(` ${cell} `))).length > 1
  }).length
}
