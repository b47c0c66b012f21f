// What read_file says to models.

export const stillReading = (parts: string): string => `It is still being read: so far, ${parts} can be shown.`

export const lastLines = (end: string): string =>
  `Last lines of ${end} Not all is shown: a line that is cut says how to read on.`

/** Where to read on in a line of which only a part is shown. */
export const columnToReadOn = (line: number, column: number): string => `read on with offset ${line}, column ${column}`

export const lineFrom = (line: number, path: string, column: number): string =>
  `Line ${line} of ${path} from column ${column}`

export const partOfLine = (where: string, { to, onward }: { to: number; onward: string }): string =>
  `${where} to ${to}. There is more: ${onward}.`

export const restOfLine = (where: string, line: number): string =>
  `${where} to its end. Read on with offset ${line + 1}.`

export const aboutColumn = 'Shows only the line at offset, from this character on'

export const hasOnly = (path: string, lines: string): string => `${path} has only ${lines}.`

export const smallerOffset = 'Use a smaller offset.'
