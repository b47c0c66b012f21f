/** A cell of a table: its text, and how many columns and rows it covers. */
export interface TableCell {
  text: string
  columns?: number
  rows?: number
}

/** More columns than any page has; a file may claim millions. */
const maxColumns = 1000
/** A label that spans several rows is repeated in each; a longer text is shown once. */
const repeatedCharacters = 200
/** How many cells merged ones may fill in one table: they cost a file nothing. */
const maxFilled = 200_000

/** One line of a cell: line ends become `<br>`, `|` is escaped. */
const cellText = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('<br>')
    .replaceAll('|', '\\|')

/**
 * A Markdown table; the first row is its header. A cell over several rows is repeated in them, one over several columns
 * is followed by empty ones. Empty text for a table without text.
 */
export function markdownTable(rows: readonly (readonly TableCell[])[]): string {
  const grid = gridOf(rows)
  const [head] = grid
  if (head === undefined || grid.every((row) => row.every((text) => text === ''))) return ''
  const width = Math.max(1, head.length, Math.min(widestOf(grid), head.length + 50))
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`
  const padded = [...head, ...new Array<string>(width - head.length).fill('')]
  return [line(padded), `|${' --- |'.repeat(width)}`, ...grid.slice(1).map(line)].join('\n')
}

const widestOf = (grid: readonly (readonly string[])[]): number =>
  grid.reduce((widest, row) => Math.max(widest, row.length), 0)

/** The texts of each row by column. */
function gridOf(rows: readonly (readonly TableCell[])[]): string[][] {
  let room = maxFilled
  /** By column: what the rows before `end` repeat. */
  const hanging = new Map<number, { text: string; end: number }>()
  return rows.map((cells, at) => {
    for (const [column, { end }] of hanging) if (end <= at || room === 0) hanging.delete(column)
    const row: string[] = []
    const hang = (): void => {
      for (let above = hanging.get(row.length); above !== undefined && room > 0; above = hanging.get(row.length)) {
        room--
        row.push(above.text)
      }
    }
    for (const { text, columns = 1, rows: down = 1 } of cells) {
      hang()
      const flat = cellText(text)
      for (let column = 0; column < columns && row.length < maxColumns && (column === 0 || room > 0); column++) {
        if (column > 0) room--
        const shown = column === 0 ? flat : ''
        if (down > 1) hanging.set(row.length, { text: shown.length > repeatedCharacters ? '' : shown, end: at + down })
        row.push(shown)
      }
    }
    // A row may have too few cells of its own to reach those that hang to the right of them.
    const right = Math.max(-1, ...hanging.keys())
    for (; row.length <= right && room > 0; room--) row.push(hanging.get(row.length)?.text ?? '')
    return row
  })
}
