import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { joinLines } from './characters.ts'
import { columnPieces, type Piece } from './columns.ts'
import type { Seen } from './glyphs.ts'
import { type Link, markLinks, withAddresses } from './links.ts'
import { paragraphsOf } from './paragraph.ts'
import { rowsOf } from './row.ts'
import { directionsOf } from './run.ts'
import type { TypeSizes } from './sizes.ts'
import { passagesOf } from './table.ts'

export interface PageContent {
  content: TextContent
  seen: Seen
  viewport: PageViewport
  links: Link[]
}

/** A page's text as Markdown, in reading order. Empty if it has none. */
export function pageText({ content, seen, viewport, links }: PageContent, sizes: TypeSizes): string {
  const read = directionsOf(content, viewport, seen)
  const upright = read.find((direction) => direction.isUpright)
  if (upright !== undefined) markLinks(upright.runs, links)
  const directions = read.map(({ runs }) => rowsOf(runs))
  for (const rows of directions) sizes.add(rows)
  const text = directions
    .flatMap((rows) => columnPieces(rows))
    .flatMap((piece) => textsOf(piece, sizes.body))
    .join('\n\n')
  return withAddresses(text, links)
}

function textsOf(piece: Piece, bodySize: number): string[] {
  if (piece.kind === 'columns') {
    return piece.columns
      .map((column) => column.flatMap((inner) => textsOf(inner, bodySize)))
      .reduce<string[]>(joined, [])
  }
  return passagesOf(piece.rows).flatMap((passage) =>
    passage.kind === 'table' ? [passage.markdown] : paragraphsOf(passage.rows, bodySize),
  )
}

/** A paragraph may continue at the top of the next column. */
function joined(texts: string[], more: string[]): string[] {
  const [last, first] = [texts.at(-1), more[0]]
  if (last === undefined || first === undefined || !/^\p{L}/u.test(first) || /(^(##|\|) |[.!?:;|]$)/.test(last)) {
    return [...texts, ...more]
  }
  return [...texts.slice(0, -1), joinLines(last, first), ...more.slice(1)]
}
