import { cutText } from '../../kit/markdown/segments.ts'

/** Of what a command prints, as far as it is worth a look. */
const shownLines = 3
const longestLine = 120
const mostLooked = 4_000

/** Colours and cursor moves of a terminal. */
const terminalMarks = /[^\P{Cc}\t\n\r]\[[0-9;?]*[ -/]*[@-~]/gu
const unseen = /[^\P{C}\t]/gu

/** What a line was overwritten with is what stands there. */
const lastWritten = (line: string): string => line.slice(line.trimEnd().lastIndexOf('\r') + 1)

const shortened = (line: string): string => (line.length <= longestLine ? line : `${cutText(line, longestLine - 1)}…`)

/** The last lines that a command has printed, as a person would see them; '' for none. */
export const lastLines = (output: string): string =>
  output
    .slice(-mostLooked)
    .replace(terminalMarks, '')
    .split('\n')
    .map((line) => lastWritten(line).replace(unseen, '').trimEnd())
    .filter((line) => line !== '')
    .slice(-shownLines)
    .map(shortened)
    .join('\n')
