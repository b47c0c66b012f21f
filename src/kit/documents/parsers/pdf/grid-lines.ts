import type { Ruling, Rulings } from './rulings.ts'

/** Lines that hang together, as a grid: its places from left to right and from top to bottom. */
export interface GridLines {
  xs: number[]
  ys: number[]
  /** The number of the place in which the cell begins that this place belongs to: band × columns + column. */
  topLeft(band: number, column: number): number
  /** The column behind the cell that begins here. */
  endOf(band: number, column: number): number
  /** In each band, whether a line is drawn at the place from left to right of that index. */
  sides: boolean[][]
}

/** Whether a line stands at the left of this column. */
export const isSide = (grid: GridLines, band: number, index: number): boolean => grid.sides[band]?.[index] === true

/** How near to each other lines end that touch, in points. */
const touch = 3

/** In points. */
const leastCell = 4
const mostColumns = 60
const mostBands = 500

/** Grids among the lines of a page: those with at least two columns. */
export function gridsOf({ across, down }: Rulings): GridLines[] {
  const groups = new Groups(across.length + down.length)
  for (const [index, one] of across.entries())
    for (const [other, two] of down.entries()) if (crosses(one, two)) groups.join(index, across.length + other)
  const parts = new Map<number, Rulings>()
  for (const [index, ruling] of [...across, ...down].entries()) {
    const root = groups.rootOf(index)
    const part = parts.get(root) ?? { across: [], down: [] }
    parts.set(root, part)
    if (index < across.length) part.across.push(ruling)
    else part.down.push(ruling)
  }
  return [...parts.values()].map(gridOf).filter((grid) => grid !== undefined)
}

const crosses = (across: Ruling, down: Ruling): boolean =>
  down.at >= across.from - touch &&
  down.at <= across.to + touch &&
  across.at >= down.from - touch &&
  across.at <= down.to + touch

function gridOf({ across, down }: Rulings): GridLines | undefined {
  if (across.length === 0 || down.length === 0) return undefined
  const xs = bounds(down, across)
  const ys = bounds(across, down)
  const [columns, bands] = [xs.length - 1, ys.length - 1]
  if (columns < 2 || columns > mostColumns || bands < 1 || bands > mostBands) return undefined
  const [atX, atY] = [xs.map((x) => linesAt(down, x)), ys.map((y) => linesAt(across, y))]
  const sides = ys.slice(1).map((_, band) => atX.map((lines) => isDrawn(lines, ys[band] ?? 0, ys[band + 1] ?? 0)))
  const groups = new Groups(columns * bands)
  for (let band = 0; band < bands; band++)
    for (let column = 0; column < columns; column++) {
      const place = band * columns + column
      const [left, right] = [xs[column] ?? 0, xs[column + 1] ?? 0]
      if (column + 1 < columns && sides[band]?.[column + 1] !== true) groups.join(place, place + 1)
      if (band + 1 < bands && !isDrawn(atY[band + 1] ?? [], left, right)) groups.join(place, place + columns)
    }
  return {
    xs,
    ys,
    sides,
    topLeft: (band, column) => groups.rootOf(band * columns + column),
    endOf: (band, column) => {
      let end = column + 1
      while (end < columns && groups.rootOf(band * columns + end) === groups.rootOf(band * columns + column)) end++
      return end
    },
  }
}

/** Where lines are, and where lines that cross them end outside of these. */
function bounds(lines: Ruling[], crossing: Ruling[]): number[] {
  const places = [...new Set(lines.map(({ at }) => at))].sort((one, other) => one - other)
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0]
  const least = crossing.reduce((least, { from }) => Math.min(least, from), first)
  const most = crossing.reduce((most, { to }) => Math.max(most, to), last)
  if (least < first - leastCell) places.unshift(least)
  if (most > last + leastCell) places.push(most)
  return places.filter((place, index) => index === 0 || place - (places[index - 1] ?? 0) >= leastCell)
}

const linesAt = (lines: Ruling[], place: number): Ruling[] => lines.filter(({ at }) => Math.abs(at - place) < leastCell)

/** Whether lines cover most of this stretch. */
const isDrawn = (lines: Ruling[], from: number, to: number): boolean =>
  lines.reduce((sum, line) => sum + Math.max(0, Math.min(line.to, to) - Math.max(line.from, from)), 0) >=
  0.6 * (to - from)

/** Things that belong together. The root of a group is its first. */
class Groups {
  readonly #above: Int32Array

  constructor(count: number) {
    this.#above = Int32Array.from({ length: count }, (_, index) => index)
  }

  rootOf(index: number): number {
    let at = index
    while (this.#above[at] !== at) {
      const next = this.#above[at] ?? at
      this.#above[at] = this.#above[next] ?? next
      at = next
    }
    return at
  }

  join(one: number, other: number): void {
    const [first, second] = [this.rootOf(one), this.rootOf(other)]
    if (first < second) this.#above[second] = first
    else this.#above[first] = second
  }
}
