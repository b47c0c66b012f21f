import { setImmediate } from 'node:timers/promises'
import { maskedLine } from '../../../kit/secrets/masked-line.ts'
import { cutCharacters, shownPath } from '../../../kit/text/shown.ts'
import type { FilesContext } from '../context.ts'
import type { LineHit } from './search.ts'

/** How many characters before a match are shown of a line that is too long. */
const leadCharacters = 60

/**
 * One file's hits: `12: match`, `13- neighbour`, `--` where lines are left out. To mask a long line takes a moment, so
 * others get their turn before each.
 */
export async function fileReport(
  path: string,
  hits: LineHit[],
  lineCharacters: number,
  { mask, signal }: Pick<FilesContext, 'mask' | 'signal'>,
): Promise<string> {
  const lines = [shownPath(path)]
  const hasNeighbours = hits.some(({ matched }) => !matched)
  for (const [index, hit] of hits.entries()) {
    if (hit.text.length > lineCharacters) await setImmediate(undefined, { signal })
    const previous = hits[index - 1]
    if (previous && previous.number + 1 < hit.number && hasNeighbours) lines.push('--')
    lines.push(`${hit.number}${hit.matched ? ':' : '-'} ${excerpt(hit, lineCharacters, mask)}`)
  }
  return lines.join('\n')
}

/** A line, or the part of a long one around its match. */
function excerpt(hit: LineHit, lineCharacters: number, mask: FilesContext['mask']): string {
  if (hit.text.length <= lineCharacters) return hit.text
  const { text, at } = maskedLine(hit.text, hit.at, mask, lineCharacters)
  const start = Math.max(0, Math.min(at - leadCharacters, text.length - lineCharacters))
  const piece = cutCharacters(text.slice(start).replace(/^[\uDC00-\uDFFF]/, ''), lineCharacters)
  return `${start > 0 ? '…' : ''}${piece}${start + lineCharacters < text.length ? '…' : ''}`
}
