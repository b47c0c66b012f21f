import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { joinLines } from './characters.ts'
import { type Piece, piecesOf } from './columns.ts'
import { paragraphsOf } from './paragraph.ts'
import { rowsOf } from './row.ts'
import { directionsOf, type Run } from './run.ts'
import { passagesOf } from './table.ts'

/** How many characters were set in which size of type, over the pages that were read: the most is running text. */
export class TypeSizes {
  readonly #characters = new Map<number, number>()

  add(runs: Run[]): void {
    for (const { size, text } of runs) {
      const rounded = Math.round(size * 2) / 2
      if (this.#characters.size > 1000 && !this.#characters.has(rounded)) continue
      this.#characters.set(rounded, (this.#characters.get(rounded) ?? 0) + text.length)
    }
  }

  /** In points. */
  get body(): number {
    let [body, most] = [0, 0]
    for (const [size, characters] of this.#characters) if (characters > most) [body, most] = [size, characters]
    return body
  }
}

/** A page's text as Markdown, in the order in which it is read. Empty when it has none. */
export function pageText(content: TextContent, viewport: PageViewport, sizes: TypeSizes): string {
  const directions = directionsOf(content, viewport)
  for (const { runs } of directions) sizes.add(runs)
  return directions
    .flatMap(({ runs }) => piecesOf(rowsOf(runs)))
    .flatMap((piece) => textsOf(piece, sizes.body))
    .join('\n\n')
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

/** A paragraph may go on at the top of the next column. */
function joined(texts: string[], more: string[]): string[] {
  const [last, first] = [texts.at(-1), more[0]]
  if (last === undefined || first === undefined || !/^\p{L}/u.test(first) || /(^(##|\|) |[.!?:;|]$)/.test(last)) {
    return [...texts, ...more]
  }
  return [...texts.slice(0, -1), joinLines(last, first), ...more.slice(1)]
}
