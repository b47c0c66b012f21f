import type { Font, Text } from './make.ts'

/** Helvetica's widths in thousandths, roughly: narrow, wide and other letters. */
const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) => sum + (/[ijl.,:;'|!ftI ()-]/.test(letter) ? 278 : /[mwMW]/.test(letter) ? 780 : 556),
    0,
  ) / 1000

/** Breaks words into lines of a width in points, and puts them below each other. */
export function paragraph(
  text: string,
  at: { x: number; y: number; width: number; size?: number; leading?: number; font?: Font },
): Text[] {
  const { x, y, width, size = 10, leading = 1.2 * size, font = 'latin' } = at
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && widthOf(longer) * size <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line, index) => ({ x, y: y + index * leading, text: line, size, font }))
}

/** Lines as they are, below each other. */
export const lines = (texts: string[], at: Omit<Text, 'text'> & { leading?: number }): Text[] =>
  texts.map((text, index) => ({ ...at, y: at.y + index * (at.leading ?? 1.2 * (at.size ?? 10)), text }))

/** Cells in columns that begin at `xs`; rows are `pitch` points apart. */
export const grid = (
  cells: string[][],
  at: { xs: number[]; y: number; pitch?: number; size?: number; font?: Font },
): Text[] =>
  cells.flatMap((row, index) =>
    row.map((text, column) => ({
      x: at.xs[column] ?? 0,
      y: at.y + index * (at.pitch ?? 16),
      text,
      size: at.size ?? 10,
      font: at.font ?? ('latin' as const),
    })),
  )

export const lorem =
  'The committee met in March to review the budget of the northern region and found that most of the planned works ' +
  'had been finished before the winter. Two bridges remain closed because steel was delivered late, and the contractor ' +
  'has asked for more time. Members agreed to visit both places in May and to report what they find there in writing. ' +
  'A further meeting will be held when the figures of the first quarter are known to everybody who takes part in it.'
