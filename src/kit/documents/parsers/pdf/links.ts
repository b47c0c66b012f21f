import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Run } from './run.ts'

/** A place on the page that leads to an address. */
export interface Link {
  url: string
  /** From the left, from the top, to the right, to the bottom: in points of the visible page. */
  box: [number, number, number, number]
  /** What the library considers its words. May be wrong. */
  words: string
}

/** In texts, stands for the address whose number follows it. Cleaned text contains no such character. */
const mark = '\u0001'
const marks = new RegExp(`${mark}(.)`, 'gsu')
export const linkMarks = new RegExp(`${mark}.`, 'gsu')
const firstNumber = 0xe000

/** Writes marks after the words of links, upright runs only. `withAddresses` replaces them with the addresses. */
export function markLinks(runs: Run[], links: Link[]): void {
  for (const [number, { url, box, words }] of links.entries()) {
    const next = links[number + 1]
    // A link that spans lines has a box on each: its address follows the last.
    if (next?.url === url && isBelow(box, next.box)) continue
    const inside = runs.filter((run) => isInside(run, box))
    const last = inside.reduce<Run | undefined>(
      (before, run) =>
        before === undefined || (run.isRightToLeft ? run.left < before.left : run.right > before.right) ? run : before,
      undefined,
    )
    if (last === undefined || inside.some((run) => names(run.text, url))) continue
    const at = last.isRightToLeft ? last.text.length : endOf(last, box, words)
    last.text = `${last.text.slice(0, at)}${mark}${String.fromCharCode(firstNumber + number)}${last.text.slice(at)}`
  }
}

export const withAddresses = (text: string, links: Link[]): string =>
  links.length === 0
    ? text
    : text.replace(marks, (_, number: string) => {
        const url = links[number.charCodeAt(0) - firstNumber]?.url
        return url === undefined ? '' : ` (${url})`
      })

/** `rect` in the page's own units, as it is seen: the viewport may rotate it, and its origin is at the top. */
export function boxOf([left, bottom, right, top]: Rectangle, { transform }: PageViewport): Link['box'] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform
  const seen = (x: number, y: number) => ({ x: a * x + c * y + e, y: b * x + d * y + f })
  const [one, other] = [seen(left, bottom), seen(right, top)]
  return [Math.min(one.x, other.x), Math.min(one.y, other.y), Math.max(one.x, other.x), Math.max(one.y, other.y)]
}

export type Rectangle = [left: number, bottom: number, right: number, top: number]

/** The middle of lower-case letters is inside the box, and so is a part of the run across. */
function isInside(run: Run, [left, top, right, bottom]: Link['box']): boolean {
  const middle = run.baseline - 0.25 * run.size
  const shared = Math.min(run.right, right) - Math.max(run.left, left)
  return middle > top && middle < bottom && shared > Math.min(0.5 * (run.right - run.left), 0.5 * run.size)
}

const isBelow = (box: Link['box'], next: Link['box']): boolean =>
  next[1] > box[1] && next[1] - box[3] < box[3] - box[1] && (next[0] < box[0] + 1 || next[2] > box[2] - 1)

/** Whether the words are the address themselves. */
const names = (text: string, url: string): boolean =>
  text.includes(url.replace(/^(https?:\/\/(www\.)?|mailto:)/i, '').replace(/\/$/, ''))

/** Where in the run's text the words of the link end. */
function endOf({ text, left, right }: Run, box: Link['box'], words: string): number {
  if (box[2] >= right - 1) return text.length
  const guess = Math.round((text.length * (box[2] - left)) / (right - left))
  const known = endsOf(text, words.trim())
  const ends = known.length > 0 ? known : endsOf(text, ' ').map((end) => end - 1)
  return nearest(ends, guess) ?? text.length
}

/** Every place where `piece` ends. */
function endsOf(text: string, piece: string): number[] {
  const ends: number[] = []
  if (piece === '') return ends
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + piece.length))
    ends.push(at + piece.length)
  return ends
}

const nearest = (places: number[], wanted: number): number | undefined =>
  places.reduce<number | undefined>(
    (best, place) => (best === undefined || Math.abs(place - wanted) < Math.abs(best - wanted) ? place : best),
    undefined,
  )
