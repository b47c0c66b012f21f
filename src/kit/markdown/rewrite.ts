import type { Nodes, Root } from 'mdast'
import { furtherLine } from './containers.ts'
import { endOf, lineOf, type Parsed, parseMarkdown, startOf } from './parse.ts'
import { structureOf } from './structure.ts'
import { normalised } from './tame.ts'

/** How much is parsed at once; more only if one block is longer. */
const windowSize = 16_000
/** Nobody reads beyond this in a chat, so the rest is left as it is. */
const mostParsed = 64_000

/** A text as trees of whole blocks, one after the other. */
export function* parsedParts(markdown: string): Generator<Parsed> {
  let rest = normalised(markdown)
  let size = windowSize
  for (let left = mostParsed; rest !== '' && left > 0; ) {
    const parsed = parseMarkdown(rest.slice(0, size))
    if (size >= rest.length) {
      yield parsed
      return
    }
    const whole = wholeBlocks(parsed)
    if (whole === undefined && size >= left) break
    if (whole === undefined) {
      size = left
      continue
    }
    yield whole
    rest = rest.slice(whole.text.length)
    left -= whole.text.length
    size = windowSize
  }
  if (rest !== '') yield unparsed(rest)
}

export const unparsed = (text: string): Parsed => ({
  text,
  root: { type: 'root', children: [] },
  lines: [0],
  marks: new Map(),
})

/** Without the last block: it may continue beyond what was parsed. */
function wholeBlocks(parsed: Parsed): Parsed | undefined {
  const { text, root, lines } = parsed
  const last = root.children.at(-1)
  const end = last && lines[lineOf(last)]
  if (!end) return undefined
  return { ...parsed, text: text.slice(0, end), root: { ...root, children: root.children.slice(0, -1) } }
}

/** A node and its position. */
export interface NodePlace {
  parsed: Parsed
  parent: Nodes
  /** What precedes its further lines: the marks of quotes and the indents of lists. */
  further: string
  /** Its children, rewritten. */
  inner(): string
  /** One that it contains, rewritten. */
  source(node: Nodes): string
}

/** What replaces a node; undefined: it stays, but its children may be rewritten. */
export type Rule = (node: Nodes, place: NodePlace) => string | undefined

/** The source of these blocks, and of what is between them, from `start` to `end`. */
export function rewritten(parsed: Parsed, rule: Rule, start = 0, end = parsed.text.length): string {
  const { leaves } = structureOf(parsed)
  const chains = new Map<Nodes, string>(leaves.map(({ node, chain }) => [node, furtherLine(chain)]))
  const within = (nodes: Nodes[], parent: Nodes, further: string, from: number, to: number): string => {
    const parts: string[] = []
    let at = from
    for (const node of nodes) {
      if (node.position === undefined || startOf(node) < at || endOf(node) > to) continue
      const own = chains.get(node) ?? further
      const children = 'children' in node ? (node.children as Nodes[]) : []
      const edges = children.filter(({ position }) => position !== undefined)
      const first = edges[0]
      const last = edges.at(-1)
      const inner = () => (first && last ? within(edges, node, own, startOf(first), endOf(last)) : '')
      const source = (inside: Nodes) => within([inside], node, own, startOf(inside), endOf(inside))
      const instead = rule(node, { parsed, parent, further: own, inner, source })
      const written = instead ?? (edges.length === 0 ? undefined : within(edges, node, own, startOf(node), endOf(node)))
      parts.push(parsed.text.slice(at, startOf(node)), written ?? parsed.text.slice(startOf(node), endOf(node)))
      at = endOf(node)
    }
    return parts.join('') + parsed.text.slice(at, to)
  }
  const root: Root = parsed.root
  return within(root.children, root, '', start, end)
}
