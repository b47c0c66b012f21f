import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js'
import { type Matrix, product } from './matrix.ts'

/** A drawing instruction of a page. `matrix`: where it draws, in points of the visible page; y grows downwards. */
export interface Placed {
  operator: number
  given: unknown
  matrix: Matrix
}

/** A page's drawing instructions with their places. One that changes the place is given with the new one. */
export function* placedOf(
  { fnArray, argsArray }: PDFOperatorList,
  viewport: readonly number[],
): Generator<Placed, void, undefined> {
  const outer: Matrix[] = []
  let matrix = product(viewport, identity)
  for (const [index, operator] of fnArray.entries()) {
    const given: unknown = argsArray[index]
    if (operator === OPS.save) outer.push(matrix)
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = outer.pop() ?? matrix
    else if (operator === OPS.transform && isNumbers(given)) matrix = product(matrix, given)
    else if (operator === OPS.paintFormXObjectBegin) {
      outer.push(matrix)
      const [inner] = Array.isArray(given) ? given : []
      if (isNumbers(inner)) matrix = product(matrix, inner)
    }
    yield { operator, given, matrix }
  }
}

const identity: Matrix = [1, 0, 0, 1, 0, 0]

export const isNumbers = (value: unknown): value is ArrayLike<number> & Iterable<number> =>
  (Array.isArray(value) || ArrayBuffer.isView(value)) && typeof (value as ArrayLike<unknown>)[0] === 'number'
