import type { Blockquote, List, ListItem } from 'mdast'
import { type LineMark, lastLineOf, lineOf, type Parsed, startOf } from './parse.ts'

/** A quote or list item around a block. */
export interface Container {
  kind: 'quote' | 'item'
  /** Spaces before the mark, from where the outer container's content starts. */
  indent: number
  /** Such as > or - or 10. */
  mark: string
  /** Columns that it takes on further lines. */
  width: number
  /** Columns missing on its further lines because its number has become longer than it was written. */
  short: number
  /** A list item's own mark with the space after it. */
  prefix?: LineMark
  lastLine: number
}

export interface Edit {
  start: number
  end: number
  text: string
}

export function quoteOf(node: Blockquote): Container {
  return { kind: 'quote', indent: 0, mark: '>', width: 2, short: 0, lastLine: lastLineOf(node) }
}

/** `depth`: how many containers are around its list. */
export function itemOf(parsed: Parsed, list: List, index: number, depth: number): Container {
  const node = list.children[index] as ListItem
  const own = prefixOf(parsed, node, depth)
  const written = parsed.text.slice(own.start, own.end)
  const outer = parsed.marks.get(lineOf(node))?.[depth - 1]?.end ?? parsed.lines[lineOf(node)] ?? 0
  const indent = columns(parsed, outer, own.start)
  const blank = /\s/.test(written) ? 0 : 1
  const width = indent + columns(parsed, own.start, own.end) + blank
  const mark = markOf(list, index, written.trim())
  const wanted = indent + mark.length + 1
  return {
    kind: 'item',
    indent,
    mark,
    width: Math.max(width, wanted),
    short: Math.max(0, wanted - width),
    prefix: own,
    lastLine: lastLineOf(node),
  }
}

/** A list item's own mark with the space after it, where it stands. */
export function prefixOf(parsed: Parsed, item: ListItem, depth: number): LineMark {
  const mark = parsed.marks.get(lineOf(item))?.[depth]
  return mark?.kind === 'listItemPrefix'
    ? mark
    : { kind: 'listItemPrefix', start: startOf(item), end: startOf(item) + 2 }
}

/** With the number that people see, which may differ from the written one. */
function markOf(list: List, index: number, written: string): string {
  if (!list.ordered) return written
  const number = (list.start ?? 1) + index
  return number > 999_999_999 ? written : `${number}${written.at(-1)}`
}

/** Tabs reach to the next multiple of four. */
function columns({ text, lines }: Parsed, start: number, end: number): number {
  let line = start
  while (line > 0 && text[line - 1] !== '\n') line--
  let column = 0
  let from = 0
  for (let offset = line; offset < end; offset++) {
    if (offset === start) from = column
    column += text[offset] === '\t' ? 4 - (column % 4) : 1
  }
  return lines.length > 0 && end > start ? column - from : 0
}

/** What precedes a further line of these containers. */
export const furtherLine = (chain: Container[]): string =>
  chain.map(({ kind, width }) => (kind === 'quote' ? '> ' : ' '.repeat(width))).join('')

/** Reopens the containers, each list item on a line of its own, for lines that have their marks already. */
export function opening(chain: Container[]): string {
  return chain
    .map(({ kind, indent, mark }, depth) =>
      kind === 'quote' ? '' : `${furtherLine(chain.slice(0, depth))}${' '.repeat(indent)}${mark}\n`,
    )
    .join('')
}

/** Reopens the containers for text on the same line as the innermost mark. */
export function openingLine(chain: Container[]): string {
  const inner = chain.at(-1)
  if (inner?.kind !== 'item') return opening(chain) + furtherLine(chain)
  const outer = chain.slice(0, -1)
  const mark = `${' '.repeat(inner.indent)}${inner.mark}`
  return opening(outer) + furtherLine(outer) + mark.padEnd(inner.width)
}

/** Indents what comes after `from`, for containers whose number has become longer. */
export const indented = (parsed: Parsed, chain: Container[], from: number): Edit[] =>
  chain.flatMap((container, depth) => indentedWithin(parsed, container, depth, from))

function indentedWithin(parsed: Parsed, { short, lastLine }: Container, depth: number, from: number): Edit[] {
  if (short === 0) return []
  const edits: Edit[] = []
  for (let line = parsed.lines.findLastIndex((start) => start <= from); line <= lastLine; line++) {
    const mark = parsed.marks.get(line)?.[depth]
    if (mark?.kind !== 'listItemIndent' || mark.end <= from) continue
    edits.push({ start: mark.end, end: mark.end, text: ' '.repeat(short) })
  }
  return edits
}

/**
 * Gives the list items after `from` their longer numbers. Only items up to the end of this parse: the rest is parsed
 * again anyway.
 */
export function renumbered(
  parsed: Parsed,
  chains: Container[][],
  from: number,
  isWhole: (item: Container) => boolean,
): Edit[] {
  const seen = new Set<Container>()
  return chains.flatMap((chain) =>
    chain.flatMap((container, depth) => {
      const { short, prefix, mark } = container
      if (short === 0 || !prefix || prefix.start < from || seen.has(container)) return []
      seen.add(container)
      if (!isWhole(container) || !/^\d+[.)][ \t]*$/.test(parsed.text.slice(prefix.start, prefix.end))) return []
      const number = { start: prefix.start, end: prefix.end, text: `${mark} ` }
      return [number, ...indentedWithin(parsed, container, depth, prefix.end)]
    }),
  )
}

/** The edits must not overlap. */
export function edited(text: string, edits: Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(text.slice(at, start), replacement)
    at = end
  }
  return parts.join('') + text.slice(at)
}
