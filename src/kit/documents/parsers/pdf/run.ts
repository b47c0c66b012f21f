import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.js'
import { cleanText } from './characters.ts'
import type { Seen } from './glyphs.ts'
import { product } from './matrix.ts'

/** Text that belongs together on one line. Lengths are in points; y grows downwards. */
export interface Run {
  text: string
  left: number
  right: number
  baseline: number
  /** The size of the type. */
  size: number
  isRightToLeft: boolean
  /** If it has letters from right to left: what is seen from left to right. */
  seen?: string[] | undefined
  /** It stands for a whole table, as Markdown. */
  table?: string
}

/** Runs that are read in the same direction, rotated to run from left to right. */
export interface Direction {
  runs: Run[]
  isVertical: boolean
  /** Places on the page are its own. */
  isUpright: boolean
}

/** Text at other angles (watermarks) goes with the nearest angle. */
const angleStep = 15

/** The page's text by direction, the one with the most text first. */
export function directionsOf(content: TextContent, viewport: PageViewport, seen: Seen): Direction[] {
  const directions = new Map<string, Direction & { characters: number }>()
  for (const item of content.items) {
    if (!('str' in item) || item.str.trim() === '') continue
    const isVertical = content.styles[item.fontName]?.vertical === true
    const { angle, run } = runOf(item, viewport, isVertical)
    const shown = seen.get(item)
    if (shown !== undefined) run.seen = shown.map(cleanGlyph).filter((glyph) => glyph !== '')
    if (run.text === '' || !isPlaced(run)) continue
    const key = isVertical ? 'vertical' : `${angle}`
    const direction = directions.get(key) ?? {
      runs: [],
      isVertical,
      isUpright: angle === 0 && !isVertical,
      characters: 0,
    }
    directions.set(key, direction)
    direction.runs.push(run)
    direction.characters += run.text.length
  }
  return [...directions.values()].sort((one, other) => other.characters - one.characters)
}

const cleanGlyph = (glyph: string): string => (glyph === ' ' ? glyph : cleanText(glyph))

const isPlaced = (run: Run): boolean =>
  Number.isFinite(run.left) && Number.isFinite(run.right) && Number.isFinite(run.baseline) && run.size > 0

function runOf(item: TextItem, viewport: PageViewport, isVertical: boolean): { angle: number; run: Run } {
  const [a, b, c, d, e, f] = product(viewport.transform, item.transform)
  const scale = Math.hypot(viewport.transform[0] ?? 1, viewport.transform[1] ?? 0)
  const text = cleanText(item.str)
  const isRightToLeft = item.dir === 'rtl'
  if (isVertical) {
    const size = Math.hypot(a, b)
    // A line from top to bottom is rotated to run from left to right: the next one, to its left, comes below.
    return { angle: 0, run: { text, left: f, right: f + item.height * scale, baseline: -e, size, isRightToLeft } }
  }
  const angle = (Math.round((Math.atan2(b, a) * 180) / Math.PI / angleStep) * angleStep + 360) % 360
  const turn = (-angle * Math.PI) / 180
  const left = e * Math.cos(turn) - f * Math.sin(turn)
  const baseline = e * Math.sin(turn) + f * Math.cos(turn)
  const size = Math.hypot(c, d)
  return { angle, run: { text, left, right: left + item.width * scale, baseline, size, isRightToLeft } }
}
