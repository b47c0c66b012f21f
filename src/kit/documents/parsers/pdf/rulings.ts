import { OPS, type PageViewport, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js'
import type { Matrix } from './matrix.ts'
import { isNumbers, placedOf } from './operators.ts'

/**
 * A line drawn on the page: across at a height, or down at a place. In points of the visible page, y grows downwards.
 */
export interface Ruling {
  at: number
  from: number
  to: number
}

export interface Rulings {
  across: Ruling[]
  down: Ruling[]
}

/** A drawing with more isn't a table, and looking at it would take long. */
const mostSegments = 30_000
const mostRulings = 1500

/** In points. Thicker bars aren't lines. */
const thickest = 3.5
/** How far apart pieces of one line are at most: dashes, and corners that other lines fill. */
const widestBreak = 3
/** Lines this near to each other are one: the borders of two cells. */
const nearest = 2

/** How a path is painted that leaves lines on the page. */
const strokes = new Set<number>([OPS.stroke, OPS.closeStroke])
const both = new Set<number>([OPS.fillStroke, OPS.eoFillStroke, OPS.closeFillStroke, OPS.closeEOFillStroke])
const fills = new Set<number>([OPS.fill, OPS.eoFill])

/** The lines of a page, pieces of one line joined. None if they can't be read. */
export const rulingsOn = async (page: PDFPageProxy, viewport: PageViewport): Promise<Rulings> => {
  const operators = await page.getOperatorList({ annotationMode: 0 }).catch(() => undefined)
  return operators === undefined ? { across: [], down: [] } : rulingsOf(operators, viewport.transform)
}

function rulingsOf(operators: PDFOperatorList, viewport: readonly number[]): Rulings {
  const drawn: Rulings = { across: [], down: [] }
  for (const { operator, given, matrix } of placedOf(operators, viewport)) {
    if (operator === OPS.constructPath && Array.isArray(given)) addPath(drawn, given, matrix)
    if (drawn.across.length + drawn.down.length > mostSegments) return { across: [], down: [] }
  }
  const rulings = { across: merged(drawn.across), down: merged(drawn.down) }
  return rulings.across.length + rulings.down.length > mostRulings ? { across: [], down: [] } : rulings
}

function addPath(drawn: Rulings, [paint, paths]: unknown[], matrix: Matrix): void {
  const operator = Number(paint)
  const isStroked = strokes.has(operator) || both.has(operator)
  if (!isStroked && !fills.has(operator)) return
  for (const path of Array.isArray(paths) ? paths : []) {
    if (!isNumbers(path)) continue
    for (const outline of outlinesOf(path, matrix)) {
      if (isStroked) addEdges(drawn, outline)
      else addBar(drawn, outline)
    }
  }
}

type Point = [x: number, y: number]

/** The library's own numbers for drawing: move, line, curve, simple curve, close; and how many numbers follow each. */
const steps = [2, 2, 6, 4, 0]

/** The corners of each piece of a path that consists of straight lines. */
function outlinesOf(path: ArrayLike<number>, matrix: Matrix): Point[][] {
  const outlines: Point[][] = []
  let outline: Point[] = []
  for (let at = 0; at < path.length; ) {
    const step = path[at] ?? 0
    const numbers = steps[step]
    // A step that the library doesn't have.
    if (numbers === undefined) return []
    if (step === 0 || step === 2 || step === 3) {
      if (outline.length > 1) outlines.push(outline)
      outline = []
    }
    if (step === 4 && outline[0] !== undefined) outline.push(outline[0])
    else if (numbers > 0) outline.push(placed(path[at + numbers - 1] ?? 0, path[at + numbers] ?? 0, matrix))
    at += numbers + 1
  }
  if (outline.length > 1) outlines.push(outline)
  return outlines
}

const placed = (x: number, y: number, [a, b, c, d, e, f]: Matrix): Point => [a * x + c * y + e, b * x + d * y + f]

function addEdges(drawn: Rulings, outline: Point[]): void {
  for (const [index, [x, y]] of outline.entries()) {
    const [nextX, nextY] = outline[index + 1] ?? [x, y]
    const [width, height] = [Math.abs(nextX - x), Math.abs(nextY - y)]
    if (height < 0.5 && width > 0.5) add(drawn.across, y, x, nextX)
    else if (width < 0.5 && height > 0.5) add(drawn.down, x, y, nextY)
  }
}

/** In points: a larger area is the ground of something else. */
const tallestRow = 90

/** A thin rectangle that is filled is a line. */
function addBar(drawn: Rulings, outline: Point[]): void {
  if (outline.length < 4 || outline.length > 5) return
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const [width, height] = [right - left, bottom - top]
  if (height > thickest && height < tallestRow && width > thickest) {
    // A coloured cell or row ends where a line would be.
    for (const y of [top, bottom]) add(drawn.across, y, left, right)
    for (const x of [left, right]) add(drawn.down, x, top, bottom)
    return
  }
  if (height <= thickest && width > height) add(drawn.across, (top + bottom) / 2, left, right)
  else if (width <= thickest && height > width) add(drawn.down, (left + right) / 2, top, bottom)
}

function add(list: Ruling[], at: number, one: number, other: number): void {
  if (Number.isFinite(at) && Number.isFinite(one) && Number.isFinite(other))
    list.push({ at, from: Math.min(one, other), to: Math.max(one, other) })
}

/** In points: what is shorter is a tick, a dash, or a part of a letter. */
const shortest = 5

/** Pieces at the same height that touch are one line. */
function merged(pieces: Ruling[]): Ruling[] {
  const sorted = pieces.toSorted((one, other) => one.at - other.at)
  const lines: Ruling[] = []
  for (let start = 0; start < sorted.length; ) {
    const at = sorted[start]?.at ?? 0
    let end = start + 1
    while (end < sorted.length && (sorted[end]?.at ?? 0) - at <= nearest) end++
    const level = sorted.slice(start, end).sort((one, other) => one.from - other.from)
    const middle = level[level.length >> 1]?.at ?? at
    let last: Ruling | undefined
    for (const { from, to } of level) {
      if (last !== undefined && from - last.to <= widestBreak) last.to = Math.max(last.to, to)
      else {
        last = { at: middle, from, to }
        lines.push(last)
      }
    }
    start = end
  }
  return lines.filter(({ from, to }) => to - from >= shortest)
}
