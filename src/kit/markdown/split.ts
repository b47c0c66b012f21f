import { chooseCut } from './choose.ts'
import { type Container, edited, renumbered } from './containers.ts'
import { missingFence } from './frame.ts'
import { endOf, type Parsed, parseMarkdown } from './parse.ts'
import { cutText } from './segments.ts'
import { type Cut, type Structure, structureOf } from './structure.ts'
import { normalised } from './tame.ts'

export interface Limits {
  /** The size of each piece, in UTF-16 units, or in what `measure` counts. */
  characters: number
  /** A longer text must not count less. */
  measure?: (text: string) => number
}

/** How much is parsed at once. */
const windowSize = 16_000
/**
 * How much is parsed in all, counting what is parsed twice: nobody reads a longer text in a chat, and the rest is split
 * as plain text. A text of some 30,000 units takes less, even if many list items get longer numbers.
 */
const mostParsed = 100_000

/** The rest of a text. Its first `opened` units are marks that were reopened. */
interface Rest {
  text: string
  opened: number
}

interface Taken {
  pieces: string[]
  rest: Rest
  /** More of it must be parsed at once: a list item that doesn't end in this part has to be indented. */
  more?: boolean
}

/**
 * Pieces that fit, each well-formed by itself: a fence that is split is closed and reopened, a table repeats its
 * header, lists and quotes repeat their marks. What needs no change stays as it is.
 */
export function splitMarkdown(markdown: string, limits: Limits): string[] {
  const size = limits.measure ?? ((text: string) => text.length)
  const fits = (text: string) => size(text) <= limits.characters
  if (blank(markdown)) return []
  if (fits(markdown)) return [withFence(markdown, fits)]

  const pieces: string[] = []
  let rest: Rest = { text: normalised(markdown), opened: 0 }
  let parsed = 0
  let length = Math.max(windowSize, limits.characters * 3)
  while (!blank(rest.text.slice(rest.opened))) {
    const whole = rest.text.length <= length
    const part = { text: whole ? rest.text : rest.text.slice(0, length), opened: rest.opened }
    const taken = parsed < mostParsed ? takePieces(part, whole, limits.characters, fits) : takePlain(part, fits)
    pieces.push(...taken.pieces)
    rest = { text: taken.rest.text + rest.text.slice(part.text.length), opened: taken.rest.opened }
    parsed += part.text.length
    length = taken.more ? length * 2 : Math.max(windowSize, limits.characters * 3)
  }
  return pieces
}

const blank = (text: string): boolean => !/\S/.test(text)

type Fits = (text: string) => boolean

/**
 * The pieces of a part that is parsed: all of them if it is the `whole` rest, otherwise those that surely end before it
 * does.
 */
function takePieces(part: Rest, whole: boolean, characters: number, fits: Fits): Taken {
  const parsed = parseMarkdown(part.text)
  const structure = structureOf(parsed)
  const surely = whole ? part.text.length + 1 : lastTextLine(parsed)
  const pieces: string[] = []
  let from = { at: 0, least: part.opened, opened: '' }
  for (;;) {
    const left = from.opened + part.text.slice(from.at)
    if (whole) {
      const last = from.opened + endOfText(parsed, structure, from.at)
      if (fits(last)) return { pieces: [...pieces, last], rest: { text: '', opened: 0 } }
    } else if (pieces.length > 0 && left.length < characters * 1.5) {
      return { pieces, rest: { text: left, opened: from.opened.length } }
    }
    const cut = cutOf(parsed, structure, from, fits)
    if (!cut) {
      const start = from.opened === '' ? from.at : from.least
      const bare = takePlain({ text: part.text.slice(start), opened: from.least - start }, fits)
      return { pieces: [...pieces, ...bare.pieces.map((piece) => withFence(piece, fits))], rest: bare.rest }
    }
    const lastEdit = cut.edits?.at(-1)
    if (lastEdit && lastEdit.start >= surely) {
      return { pieces, rest: { text: left, opened: from.opened.length + from.least - from.at }, more: true }
    }
    pieces.push(withFence(from.opened + part.text.slice(from.at, cut.end) + cut.close, fits))
    if (cut.bare) return { pieces, rest: { text: part.text.slice(cut.next), opened: 0 } }
    if (blank(part.text.slice(cut.next))) return { pieces, rest: { text: '', opened: 0 } }
    if (cut.edits && cut.edits.length > 0) {
      const chains = structure.leaves.map(({ chain }) => chain)
      const isWhole = ({ lastLine }: Container) => (parsed.lines[lastLine] ?? 0) < surely
      const all = [...cut.edits, ...renumbered(parsed, chains, cut.next, isWhole)]
      const edits = all.map(({ start, end, text }) => ({ start: start - cut.next, end: end - cut.next, text }))
      return { pieces, rest: { text: cut.open + edited(part.text.slice(cut.next), edits), opened: cut.open.length } }
    }
    from = { at: cut.next, least: cut.next, opened: cut.open }
  }
}

/** Where the last whole line of text starts: what ends before it doesn't continue after the part. */
function lastTextLine({ text, lines }: Parsed): number {
  const line = lines.findLastIndex((start, index) => /[^\s>]/.test(text.slice(start, lines[index + 1] ?? start)))
  return lines[line] ?? 0
}

/** A text that fits, its fence closed if that fits too, even if the end of a quote or list would do that. */
function withFence(text: string, fits: Fits): string {
  if (!/`{3}|~{3}/.test(text) || text.length > mostParsed) return text
  const parsed = parseMarkdown(normalised(text))
  const missing = missingFence(parsed, structureOf(parsed).leaves.at(-1))
  const closed = text.replace(/\n$/, '') + missing
  return missing !== '' && fits(closed) ? closed : text
}

/** The end of a text, its fence closed, without empty marks and lines after it. */
function endOfText(parsed: Parsed, structure: Structure, at: number): string {
  const { text } = parsed
  const leaf = structure.leaves.at(-1)
  const missing = missingFence(parsed, leaf)
  if (missing !== '') return text.slice(at).replace(/\n$/, '') + missing
  return text.slice(at, leaf ? endOf(leaf.node) : text.length)
}

function cutOf(parsed: Parsed, structure: Structure, from: { at: number; least: number; opened: string }, fits: Fits) {
  const { at, least, opened } = from
  const piece = (end: number, close = '') => opened + parsed.text.slice(at, end) + close
  const most = reach(at, parsed.text.length, (end) => fits(piece(end)))
  if (most <= least) return undefined
  // What is reopened may take half of the next piece.
  const cutFits = (cut: Cut) => fits(piece(cut.end, cut.close)) && fits(cut.open + cut.open)
  return chooseCut({ parsed, structure, least, most, room: most - at + opened.length, fits: cutFits })
}

/** The last place up to which something fits. */
function reach(start: number, end: number, fits: (end: number) => boolean): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** One piece of a text that can't be split well: by lines, words or graphemes, without the marks around it. */
function takePlain({ text, opened }: Rest, fits: Fits): Taken {
  const start = text.slice(opened).search(/\S/) + opened
  if (start < opened) return { pieces: [], rest: { text: '', opened: 0 } }
  const most = reach(start, text.length, (end) => fits(text.slice(start, end))) - start
  const room = text.slice(start, start + most + 1)
  const ends = ['\n\n', '\n', ' '].map((mark) => room.lastIndexOf(mark))
  const good = room.length <= most ? most : ends.find((end) => end > most * 0.3)
  const piece = good === undefined ? cutText(text.slice(start, start + most + 2_000), most) : room.slice(0, good)
  const whole = piece === '' ? String.fromCodePoint(text.codePointAt(start) ?? 0) : piece
  return { pieces: [whole.trimEnd()], rest: { text: text.slice(start + whole.length), opened: 0 } }
}
