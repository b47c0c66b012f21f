import { OPS, type PageViewport, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import type { Matrix } from './matrix.ts'
import { type Placed, placedOf } from './operators.ts'

/** The share of a page that pictures cover from which on what is written in them is wanted. */
const leastShare = 0.2

/**
 * Characters: with more on its pictures, a page is a scan whose text somebody has recognized already, or the pictures
 * are the ground of the text. A stamp or a header has fewer.
 */
const mostOnPictures = 250

/** A page with more isn't a scan. */
const mostPictures = 1000

/** A rectangle in points of the visible page. */
interface Area {
  left: number
  right: number
  top: number
  bottom: number
}

/** Whether pictures without text on them cover much of a page. */
export async function isPictured(page: PDFPageProxy, viewport: PageViewport, content: TextContent): Promise<boolean> {
  const operators = await page.getOperatorList({ annotationMode: 0 }).catch(() => undefined)
  if (operators === undefined) return false
  const areas = picturesOf(placedOf(operators, viewport.transform))
  if (areas.length > mostPictures || shareOf(areas, viewport) < leastShare) return false
  return charactersOn(areas, content, viewport) <= mostOnPictures
}

/**
 * The library leaves out pictures that it isn't to decode. What stays of each is its place, a unit square, where
 * nothing is drawn.
 */
function picturesOf(placed: Iterable<Placed>): Area[] {
  const areas: Area[] = []
  let empty: Matrix | undefined
  for (const { operator, given, matrix } of placed) {
    if (operator === OPS.transform) empty = matrix
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) {
      if (empty !== undefined) areas.push(areaOf(empty))
      empty = undefined
    } else if (draws(operator, given)) empty = undefined
  }
  if (empty !== undefined) areas.push(areaOf(empty))
  return areas
}

const drawing = new Set<number>([
  OPS.beginText,
  OPS.shadingFill,
  OPS.paintFormXObjectBegin,
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintSolidColorImageMask,
])

/** A path that isn't painted only limits what is drawn after it. */
const draws = (operator: number, given: unknown): boolean =>
  operator === OPS.constructPath ? Array.isArray(given) && given[0] !== OPS.endPath : drawing.has(operator)

function areaOf([a, b, c, d, e, f]: Matrix): Area {
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

/** The page is divided into this many fields in both directions: pictures may lie on top of each other. */
const fields = 40

function shareOf(areas: Area[], { width, height }: PageViewport): number {
  const covered = new Set<number>()
  for (const { left, right, top, bottom } of areas)
    for (let row = first(top, height); row < fields && (row + 0.5) * height < bottom * fields; row++)
      for (let column = first(left, width); column < fields && (column + 0.5) * width < right * fields; column++)
        covered.add(row * fields + column)
  return covered.size / fields ** 2
}

/** The first field whose middle isn't before this place. */
const first = (place: number, side: number): number => Math.max(0, Math.ceil((place * fields) / side - 0.5))

function charactersOn(areas: Area[], { items }: TextContent, { transform }: PageViewport): number {
  let count = 0
  for (const item of items) {
    if (!('str' in item) || item.str.trim() === '') continue
    const [x, y] = [item.transform[4] + item.width / 2, item.transform[5] + item.height / 2]
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform
    const [left, top] = [a * x + c * y + e, b * x + d * y + f]
    if (areas.some((area) => left > area.left && left < area.right && top > area.top && top < area.bottom))
      count += item.str.trim().length
    if (count > mostOnPictures) return count
  }
  return count
}
