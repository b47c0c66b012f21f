import { stripVTControlCharacters } from 'node:util'
import { cutText } from '../../kit/markdown/segments.ts'

/** How much of a command's output is worth a look. */
const shownLines = 3
const mostLooked = 4_000

export interface LineLook {
  longest: number
  /** A line without what a platform wouldn't show, or would show wrongly. */
  clean(line: string): string
}

/** Where a line was overwritten, only the new text counts. */
const lastWritten = (line: string): string => line.slice(line.trimEnd().lastIndexOf('\r') + 1)

const shortened = (line: string, most: number): string => (line.length <= most ? line : `${cutText(line, most - 1)}…`)

/**
 * The last lines that a command has printed, as a person would see them, without colours and cursor moves; '' if there
 * are none.
 */
export const lastLines = (output: string, { longest, clean }: LineLook): string =>
  stripVTControlCharacters(output.slice(-mostLooked))
    .split('\n')
    .map((line) => clean(lastWritten(line)).trimEnd())
    .filter((line) => line !== '')
    .slice(-shownLines)
    .map((line) => shortened(line, longest))
    .join('\n')
