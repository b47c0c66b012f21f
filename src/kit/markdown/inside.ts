import type { Nodes, PhrasingContent } from 'mdast'
import { indented } from './containers.ts'
import type { Frame } from './frame.ts'
import { contentStart, endOf, lineEnd, type Parsed, startOf } from './parse.ts'
import { graphemeStarts, sentenceStarts, unspacedWordStarts } from './segments.ts'
import type { Cut, Leaf, Splitting } from './structure.ts'

/** How a line may be split, from best to worst. `broken…` splits a link, an emphasis or the like. */
export type Tier = 'line' | 'sentence' | 'word' | 'brokenWord' | 'grapheme' | 'brokenGrapheme'

/** A part of one line where a cut needs nothing besides `open` and `close`. */
interface Ground {
  start: number
  end: number
  line: number
  open: string
  close: string
  /** What must not be broken, in order. */
  inline: PhrasingContent[]
  /** Its text could be read as a block if it started a line. */
  free: boolean
  /** Where the text of the next line starts, if it continues there. */
  goesOn: number | undefined
}

/** What would be another kind of block at the start of a line. */
const block =
  /^(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|>|~{3}|`{3,}[^`\n]*(?:\n|$)|<(?!https?:|mailto:)|\[[^\]]*\]:|(?:[-*_][ \t]*){3,}(?:\n|$)|=+[ \t]*(?:\n|$)|\||:?-+[ \t]*(?:[|:\n]|$))/
/** A line that would underline the one before it, or turn it into a table's header. */
const isUnderline = (line: string): boolean => /^[ \t>|:=-]+$/.test(line) && /[|:=-]/.test(line)
/** An escape or a character reference, which must not be broken. */
const unit = /\\[!-/:-@[-`{-~]|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][\dA-Za-z]{1,31});/g
const space = /[ \t]+/g

/** The cuts of one tier in a block, at most `most`, last first. */
export function* cutsInside(
  { parsed, least, most, room }: Splitting,
  leaf: Leaf,
  frame: Frame,
  tier: Tier,
): Generator<Cut> {
  const grounds = groundsOf(parsed, leaf, frame).filter(({ start, end }) => start < most && end > least)
  const broken = tier.startsWith('broken')
  for (const ground of grounds.reverse()) {
    const danger = dangerOf(parsed, ground)
    for (const [end, next] of placesIn(parsed.text, ground, tier, most).reverse()) {
      const marks = marksAround(parsed, ground.inline, end, next)
      if (!marks || end <= ground.start || (marks.longest > 0 && marks.longest <= room) !== broken) continue
      if (tier !== 'line' && next >= ground.end) continue
      if (ground.free && (end <= danger.underlineUntil || danger.headsTable)) continue
      const mark = ground.free && marks.longest === 0 ? escapeFor(parsed.text, next, tier) : ''
      if (mark === undefined) continue
      const edits = indented(parsed, leaf.chain, next)
      yield { end, next, close: marks.close + ground.close, open: ground.open + mark + marks.open, edits }
    }
  }
}

function placesIn(text: string, ground: Ground, tier: Tier, most: number): [end: number, next: number][] {
  if (tier === 'line') return ground.goesOn === undefined ? [] : [[textEnd(text, ground), ground.goesOn]]
  const part = text.slice(ground.start, Math.min(ground.end, most + 1_000))
  const at = (index: number) => ground.start + index
  const behindSpace = (index: number): [number, number] => [at(part.slice(0, index).trimEnd().length), at(index)]
  if (tier === 'sentence') return [...sentenceStarts(part)].map(behindSpace)
  if (tier.endsWith('rapheme')) {
    const within = new Set<number>()
    for (const { index, 0: one } of part.matchAll(unit)) {
      for (let next = index + 1; next < index + one.length; next++) within.add(next)
    }
    return [...graphemeStarts(part)].filter((index) => !within.has(index)).map((index) => [at(index), at(index)])
  }
  const spaces = [...part.matchAll(space)].map((one): [number, number] => [
    at(one.index),
    at(one.index + one[0].length),
  ])
  const unspaced = [...unspacedWordStarts(part)].map((index): [number, number] => [at(index), at(index)])
  return [...spaces, ...unspaced].sort((a, b) => a[0] - b[0])
}

/** Where a line's text ends, without what breaks the line. */
function textEnd(text: string, { start, end, inline }: Ground): number {
  let nodes = inline
  for (;;) {
    const node = nodes.find((one) => startOf(one) <= end && end < endOf(one))
    if (node?.type === 'break') return startOf(node)
    if (!node || !('children' in node)) return start + text.slice(start, end).trimEnd().length
    nodes = node.children
  }
}

/** How to close and reopen the inline elements around a cut. Undefined: there must be no cut. */
function marksAround(parsed: Parsed, nodes: PhrasingContent[], end: number, next: number) {
  const marks = { longest: 0, open: '', close: '' }
  let inside: PhrasingContent[] = nodes
  for (;;) {
    const node = lastBefore(inside, end)
    if (!node || node.type === 'text' || next >= endOf(node)) return marks
    const own = ownMarks(parsed.text, node)
    if (!own || end <= own.start || next >= own.end) return undefined
    marks.longest = Math.max(marks.longest, endOf(node) - startOf(node))
    marks.open += own.open
    marks.close = own.close + marks.close
    inside = 'children' in node ? node.children : []
  }
}

/** The last node that starts before a place. */
function lastBefore(nodes: PhrasingContent[], place: number): PhrasingContent | undefined {
  let [low, high] = [0, nodes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const node = nodes[middle]
    if (node && startOf(node) < place) low = middle + 1
    else high = middle
  }
  return nodes[low - 1]
}

function ownMarks(text: string, node: Nodes) {
  const marks = (start: number, end: number) => ({
    start,
    end,
    open: text.slice(startOf(node), start),
    close: text.slice(end, endOf(node)),
  })
  if (node.type === 'inlineCode') {
    const mark = /^`+/.exec(text.slice(startOf(node), endOf(node)))?.[0].length ?? 1
    return marks(startOf(node) + mark, endOf(node) - mark)
  }
  const inner = 'children' in node ? node.children : []
  const [first, last] = [inner[0], inner.at(-1)]
  return first && last ? marks(startOf(first), endOf(last)) : undefined
}

/** Where the parts of a line could be read as an underline, of it or of the line before. */
function dangerOf(parsed: Parsed, { line }: Ground) {
  const start = parsed.lines[line] ?? 0
  const other = parsed.text.slice(start, lineEnd(parsed, line)).search(/[^ \t>|:=-]/)
  const next = parsed.lines[line + 1]
  const below = next === undefined ? '' : parsed.text.slice(next, lineEnd(parsed, line + 1))
  return { underlineUntil: other < 0 ? lineEnd(parsed, line) : start + other, headsTable: isUnderline(below) }
}

/** What keeps the text after a cut from being taken for a block. Undefined: the cut must not be there. */
function escapeFor(text: string, next: number, tier: Tier): string | undefined {
  const head = text.slice(next, next + 200)
  if (!block.test(head)) return ''
  return tier === 'grapheme' && /^[!-/:-@[-`{-~]/.test(head) ? '\\' : undefined
}

function groundsOf(parsed: Parsed, { node, chain }: Leaf, frame: Frame): Ground[] {
  if (node.type === 'table' && frame.cells) {
    return node.children.slice(1).flatMap((row) =>
      row.children.flatMap((cell, index) => {
        const [first, last] = [cell.children[0], cell.children.at(-1)]
        if (!first || !last) return []
        const open = `${frame.openInside}${'| '.repeat(index + 1)}`
        const line = (first.position?.start.line ?? 1) - 1
        const ground = { start: startOf(first), end: endOf(last), line, open, close: frame.close }
        return [{ ...ground, inline: cell.children, free: false, goesOn: undefined }]
      }),
    )
  }
  const inline = node.type === 'paragraph' || node.type === 'heading' ? node.children : []
  const free = node.type === 'paragraph'
  return Array.from({ length: Math.max(0, frame.lastLine - frame.firstLine + 1) }, (_, index) => {
    const line = frame.firstLine + index
    const start = Math.max(contentStart(parsed, line, chain.length), startOf(inline[0] ?? node))
    const end = Math.min(lineEnd(parsed, line), endOf(inline.at(-1) ?? node))
    const goesOn = free && line < frame.lastLine ? textStart(parsed, line + 1, chain.length) : undefined
    return { start, end, line, open: frame.openInside, close: frame.close, inline, free, goesOn }
  })
}

function textStart(parsed: Parsed, line: number, depth: number): number {
  const start = contentStart(parsed, line, depth)
  return start + parsed.text.slice(start, lineEnd(parsed, line)).search(/[^ \t]|$/)
}
