import { indented } from './containers.ts'
import { bareFrame, type Frame, frameOf } from './frame.ts'
import { cutsInside, type Tier } from './inside.ts'
import { endOf, lineEnd, type Parsed, startOf } from './parse.ts'
import type { Cut, Leaf, Rank, Splitting } from './structure.ts'

/** How much of a piece a cut of this kind must fill; otherwise a worse kind is used. */
const fill = { heading: 0.5, block: 0.3, item: 0.3, line: 0.3, sentence: 0.25 }

/** The best cut that leaves well-formed pieces, if there is one. */
export function chooseCut(splitting: Splitting): Cut | undefined {
  const { structure, least, most } = splitting
  const leaf = structure.leaves.find(({ node }) => startOf(node) < most && endOf(node) > most)
  const cuts = leaf && insideOf(splitting, leaf)
  const latest = (part: number, candidates: Iterable<Cut> = []): Cut | undefined => {
    for (const cut of candidates) {
      if (cut.end <= least + (most - least) * part) return undefined
      if (cut.end <= most && splitting.fits(cut)) return cut
    }
    return undefined
  }
  const boundary = (part: number, ...ranks: Rank[]) =>
    latest(part, splitting.structure.boundaries.filter(({ rank }) => ranks.includes(rank)).toReversed())
  const line = (part: number) => latest(part, cuts?.lines())
  const inside = (tier: Tier, part: number) => latest(part, cuts?.within(tier))
  const anyBoundary = () => boundary(0, 'heading', 'block', 'item', 'inner', 'orphan')
  const byLines = leaf?.node.type === 'code' || leaf?.node.type === 'table'
  const byWords = leaf?.node.type === 'paragraph' || leaf?.node.type === 'heading'

  return (
    boundary(fill.heading, 'heading') ??
    boundary(fill.block, 'heading', 'block') ??
    boundary(fill.item, 'item') ??
    later(byLines || byWords ? line(fill.line) : undefined, boundary(fill.line, 'inner')) ??
    (byLines ? line(0) : undefined) ??
    (byWords ? (inside('sentence', fill.sentence) ?? inside('word', 0)) : undefined) ??
    anyBoundary() ??
    line(0) ??
    inside('word', 0) ??
    inside('brokenWord', 0) ??
    inside('grapheme', 0) ??
    inside('brokenGrapheme', 0)
  )
}

const later = (one: Cut | undefined, other: Cut | undefined): Cut | undefined =>
  one && other ? (one.end > other.end ? one : other) : (one ?? other)

/** The places in a block, the last first. */
function insideOf(splitting: Splitting, leaf: Leaf) {
  const { parsed, least, most } = splitting
  const whole = frameOf(parsed, leaf)
  const cut = { end: least + 1, next: least + 1, close: whole.close, open: whole.openLine ?? whole.openInside }
  const bare = !splitting.fits(cut)
  const frame = bare ? bareFrame(leaf) : whole
  const marked = (cuts: Iterable<Cut>) => (bare ? bared(cuts) : cuts)
  const verbatim = frame.openLine !== undefined
  return {
    lines: () => marked(verbatim ? linesOf(parsed, leaf, frame, most) : cutsInside(splitting, leaf, frame, 'line')),
    within: (tier: Tier) => marked(cutsInside(splitting, leaf, frame, tier)),
  }
}

function* bared(cuts: Iterable<Cut>): Generator<Cut> {
  for (const { end, next } of cuts) yield { end, next, open: '', close: '', bare: true }
}

function* linesOf(parsed: Parsed, leaf: Leaf, frame: Frame, most: number): Generator<Cut> {
  for (let line = frame.lastLine - 1; line >= frame.firstLine; line--) {
    const end = lineEnd(parsed, line)
    if (end > most) continue
    const close = leaf.node.type === 'table' ? '' : frame.close
    const next = parsed.lines[line + 1] ?? end
    yield { end, next, close, open: frame.openLine ?? '', edits: indented(parsed, leaf.chain, next) }
  }
}
