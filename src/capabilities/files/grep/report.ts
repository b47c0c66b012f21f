import { maskedLine } from '../../../kit/secrets/masked-line.ts'
import { cutCharacters, shownPath } from '../../../kit/text/shown.ts'
import type { FilesContext } from '../context.ts'
import type { LineHit } from './search.ts'

/** How many characters before a match are shown of a line that is too long. */
const leadCharacters = 60

/** One file's hits: `12: match`, `13- neighbour`, `--` where lines are left out. */
export function fileReport(path: string, hits: LineHit[], lineCharacters: number, mask: FilesContext['mask']): string {
  const lines = hits.flatMap((hit, index) => {
    const previous = hits[index - 1]
    const gap = previous && previous.number + 1 < hit.number && hits.some(({ matched }) => !matched) ? ['--'] : []
    return [...gap, `${hit.number}${hit.matched ? ':' : '-'} ${excerpt(hit, lineCharacters, mask)}`]
  })
  return [shownPath(path), ...lines].join('\n')
}

/** A line, or the part of a long one around its match. */
function excerpt(hit: LineHit, lineCharacters: number, mask: FilesContext['mask']): string {
  if (hit.text.length <= lineCharacters) return hit.text
  const { text, at } = maskedLine(hit.text, hit.at, mask, lineCharacters)
  const start = Math.max(0, Math.min(at - leadCharacters, text.length - lineCharacters))
  const piece = cutCharacters(text.slice(start).replace(/^[\uDC00-\uDFFF]/, ''), lineCharacters)
  return `${start > 0 ? '…' : ''}${piece}${start + lineCharacters < text.length ? '…' : ''}`
}
