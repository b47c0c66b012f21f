import { type Row, segmentsOf } from './row.ts'

/** This share of all characters in lines of text is enough to tell their size. */
const enough = 0.25

/** In characters. Cells of tables are mostly shorter, lines of text longer. */
const leastLine = 30

/** How many characters were set in which type size, over the pages read: the most common is running text. */
export class TypeSizes {
  readonly #all = new Map<number, number>()
  readonly #lines = new Map<number, number>()

  add(rows: Row[]): void {
    for (const row of rows) {
      for (const { size, text } of row.runs) count(this.#all, size, text.length)
      for (const { size, runs } of segmentsOf(row)) {
        const length = runs.reduce((sum, { text }) => sum + text.length, 0)
        if (length >= leastLine) count(this.#lines, size, length)
      }
    }
  }

  /** In points. */
  get body(): number {
    return sumOf(this.#lines) > enough * sumOf(this.#all) ? mostOf(this.#lines) : mostOf(this.#all)
  }
}

function count(sizes: Map<number, number>, size: number, characters: number): void {
  const rounded = Math.round(size * 2) / 2
  if (sizes.size <= 1000 || sizes.has(rounded)) sizes.set(rounded, (sizes.get(rounded) ?? 0) + characters)
}

const sumOf = (sizes: Map<number, number>): number => sizes.values().reduce((sum, characters) => sum + characters, 0)

function mostOf(sizes: Map<number, number>): number {
  let [size, most] = [0, 0]
  for (const [each, characters] of sizes) if (characters > most) [size, most] = [each, characters]
  return size
}
