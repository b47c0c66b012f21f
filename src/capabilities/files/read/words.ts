// What read_file says to models.

export const stillReading = (parts: string): string => `It is still being read: so far, ${parts} can be shown.`

export const lineCut = 'Not all is shown: a line that is cut says how to read on.'

export const lastLines = (end: string): string => `Last lines of ${end} ${lineCut}`

/** Of a line; `part` is a document's. With `-`, it can't be taken for the name of a sheet. */
export const placeOf = (line: number, part?: number): string =>
  part === undefined ? `offset ${line}` : `part "${part}-", offset ${line}`

/** Where to read on in a line of which only a part is shown. */
export const columnToReadOn = (place: string, column: number): string => `read on with ${place}, column ${column}`

export const lineFrom = (line: number, path: string, column: number): string =>
  `Line ${line} of ${path} from column ${column}`

/** The farthest column that is read: what comes before it has to be masked first. */
export const mostColumn = 1_000_000

const byCommand = 'use a command, such as `cut -c`, for what comes later in a line'

export const columnTooFar = `must be at most 1,000,000; ${byCommand}`

export const partOfLine = (where: string, place: string, next: number): string =>
  `${where} to ${next - 1}. There is more: ${next > mostColumn ? byCommand : columnToReadOn(place, next)}.`

export const restOfLine = (where: string, nextPlace: string): string =>
  `${where} to its end. The next line, if there is one, has ${nextPlace}.`

export const nothingThere = (where: string): string => `${where}: there is nothing to show.`

export const smallerColumn = 'Use a smaller column, or look at the line with a command.'

export const aboutColumn = 'More than 1 shows only the line at offset, from this character on'

export const hasOnly = (path: string, lines: string): string => `${path} has only ${lines}.`

export const smallerOffset = 'Use a smaller offset.'
