import type { Span } from '../../../kit/text/span.ts'

interface Edit {
  at: number
  removed: number
  added: string
}

/** The document's own bold text; its content stays. */
const bold = /(?<![\p{L}\p{N}*\\])\*\*(?=[^\s*])[^*\n]+(?<=[^\s*\\])\*\*(?![\p{L}\p{N}*])/gu

/** A piece of text with its matches in `**`, which has no other meaning there. */
export function marked(text: string, { start, end }: Span, spans: Span[]): string {
  const slice = text.slice(start, end)
  const own: Edit[] = []
  for (const { 0: pair, index } of slice.matchAll(bold)) {
    own.push({ at: index, removed: 2, added: '' }, { at: index + pair.length - 2, removed: 2, added: '' })
  }
  const paired = new Set(own.map(({ at }) => at))
  for (const { index } of slice.matchAll(/\*\*/g)) {
    if (!paired.has(index)) own.push({ at: index, removed: 2, added: '\\*\\*' })
  }
  const edits = [...own, ...marksOf(slice, start, spans)].toSorted((a, b) => a.at - b.at || a.removed - b.removed)
  let result = ''
  let from = 0
  for (const { at, removed, added } of edits) {
    result += slice.slice(from, Math.max(from, at)) + added
    from = Math.max(from, at + removed)
  }
  return result + slice.slice(from)
}

function marksOf(slice: string, offset: number, spans: Span[]): Edit[] {
  const inside = spans
    .map(({ start, end }) => ({ start: Math.max(0, start - offset), end: Math.min(slice.length, end - offset) }))
    .filter(({ start, end }) => start < end)
  return joined(slice, inside).flatMap(({ start, end }) => [
    { at: start, removed: 0, added: '**' },
    { at: end, removed: 0, added: '**' },
  ])
}

/** Spans without overlaps; those with only spaces between them become one. */
export function joined(text: string, spans: Span[]): Span[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const result: Span[] = []
  for (const { start, end } of sorted) {
    const last = result.at(-1)
    if (
      last !== undefined &&
      (start <= last.end || (start - last.end < 4 && /^ +$/.test(text.slice(last.end, start))))
    ) {
      last.end = Math.max(last.end, end)
    } else {
      result.push({ start, end })
    }
  }
  return result
}
