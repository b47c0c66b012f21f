/** A table for a screen. `numbers` has one number for each row. */
export interface Table {
  columns: string[]
  numbers: number[]
  rows: string[][]
  /** Some of it is left out. */
  cut: boolean
}

const mostRows = 1_000
const mostColumns = 100
const mostCharacters = 1_000

const shortened = (cell: string): string =>
  cell.length > mostCharacters ? `${cell.slice(0, mostCharacters).toWellFormed()}…` : cell

const cellsOf = (row: string[]): string[] => row.slice(0, mostColumns).map(shortened)

/** Its first row becomes the head. `cut`: the text ends in the middle, so its last row is left out. */
export async function tableOfCsv(text: string, cut: boolean): Promise<Table | undefined> {
  const { default: Papa } = await import('papaparse')
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true, preview: mostRows + 3 })
  const whole = cut && data.length < mostRows + 3 ? data.slice(0, -1) : data
  const [head, ...rows] = whole
  if (head === undefined) return undefined
  const shown = rows.slice(0, mostRows)
  return {
    columns: cellsOf(head),
    numbers: shown.map((_, index) => index + 1),
    rows: shown.map(cellsOf),
    cut: cut || rows.length > mostRows || whole.some((row) => row.length > mostColumns),
  }
}

/** A sheet as documents give it: the head has the column letters, the first cell of each row its number. */
export function tableOfSheet(markdown: string): Table | undefined {
  const lines = markdown.split('\n', mostRows + 3)
  const [head = '', rule = '', ...rest] = lines
  if (!head.startsWith('|') || !rule.startsWith('| ---')) return undefined
  const rows = rest.filter((line) => line.startsWith('|')).map(cellsOfLine)
  const shown = rows.slice(0, mostRows)
  const columns = cellsOfLine(head).slice(1)
  return {
    columns: columns.slice(0, mostColumns),
    numbers: shown.map(([number]) => Number(number)),
    rows: shown.map((row) => cellsOf(row.slice(1))),
    cut: rows.length > mostRows || columns.length > mostColumns,
  }
}

/** `| 1 | a \| b |` is `['1', 'a | b']`. */
function cellsOfLine(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  for (let index = 1; index < line.length; index++) {
    const character = line[index]
    if (character === '\\' && index + 1 < line.length) cell += line[++index]
    else if (character === '|') {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return cells.map((one) => one.trim().replaceAll('<br>', '\n'))
}
