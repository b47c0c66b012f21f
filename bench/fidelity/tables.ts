import { columnNumber } from '../../src/kit/documents/cells.ts'
import type { ParsedDocument } from '../../src/kit/documents/document.ts'
import { folded, type Table } from './sample.ts'

type Grid = (string | undefined)[][]

export interface CellScore {
  right: number
  count: number
  wrong: string[]
}

export const isRule = (line: string): boolean => /^\|( --- \|)+$/.test(line)

export const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => folded(cell.replaceAll('\\|', '|').replaceAll('<br>', ' ')))

/** How many cells are in the right row and column. Text in a cell that should be empty counts as wrong. */
export function scoreCells(document: ParsedDocument, tables: Table[]): CellScore {
  const score: CellScore = { right: 0, count: 0, wrong: [] }
  for (const table of tables) {
    const candidates = table.sheet === undefined ? tablesOf(document) : sheetsOf(document, table.sheet)
    const scores = candidates.flatMap((grid) => beginningsOf(table, grid).map((row) => compareFrom(row, table, grid)))
    const best = scores.reduce((best, one) => (one.right > best.right ? one : best), compare(table, []))
    score.right += best.right
    score.count += best.count
    score.wrong.push(...best.wrong)
  }
  return score
}

/** A table may have been merged with the text above it. */
const beginningsOf = ({ sheet }: Table, grid: Grid): number[] =>
  sheet === undefined ? grid.slice(0, 10).map((_, row) => row) : [0]

function compareFrom(first: number, table: Table, grid: Grid): CellScore {
  const score = compare(table, grid.slice(first))
  const above = grid.slice(0, first).flatMap((row) => row.filter((cell) => cell !== undefined && cell !== ''))
  const wrong = above.map((cell) => `above the table: "" came as "${cell}"`)
  return { ...score, count: score.count + above.length, wrong: [...wrong, ...score.wrong] }
}

function compare({ rows }: Table, grid: Grid): CellScore {
  const score: CellScore = { right: 0, count: 0, wrong: [] }
  for (let row = 0; row < Math.max(rows.length, grid.length); row++) {
    for (let column = 0; column < Math.max(rows[row]?.length ?? 0, grid[row]?.length ?? 0); column++) {
      const expected = rows[row]?.[column]
      const wanted = folded(expected ?? '')
      const found = grid[row]?.[column] ?? ''
      if (expected === null || (wanted === '' && found === '')) continue
      score.count++
      if (wanted === found) score.right++
      else score.wrong.push(`row ${row + 1}, column ${column + 1}: "${wanted}" came as "${found}"`)
    }
  }
  return score
}

export const tablesOf = (document: ParsedDocument): Grid[] =>
  document.parts.flatMap(({ text }) =>
    blocksOf(text).map((lines) => lines.filter((line) => !isRule(line)).map(cellsOf)),
  )

function blocksOf(text: string): string[][] {
  const blocks: string[][] = []
  let isInside = false
  for (const line of text.split('\n')) {
    const isRow = line.startsWith('|')
    if (isRow && !isInside) blocks.push([])
    if (isRow) blocks.at(-1)?.push(line)
    isInside = isRow
  }
  return blocks
}

/** A sheet's table names its cells by letters and numbers. */
const sheetsOf = (document: ParsedDocument, sheet: string): Grid[] =>
  document.parts
    .filter(({ name, number }) => (name ?? `${number}`) === sheet)
    .flatMap(({ text }) => blocksOf(text).slice(0, 1))
    .map(([head = '', ...lines]) => {
      const columns = cellsOf(head).slice(1).map(columnNumber)
      const grid: Grid = []
      for (const [number, ...cells] of lines.filter((line) => !isRule(line)).map(cellsOf)) {
        const row: Grid[number] = []
        for (const [place, cell] of cells.entries()) row[(columns[place] ?? 1) - 1] = cell
        grid[Number(number) - 1] = row
      }
      return grid
    })
