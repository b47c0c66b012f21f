export interface Table {
  columns: string[]
  rows: string[][]
}

/** Comma, semicolon or tab: whichever is most frequent in the first line. */
function separatorOf(line: string): string {
  const count = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/** RFC 4180, with any of the usual separators. */
function parseCsv(text: string): Table {
  const clean = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*\n/, '')
    .trimEnd()
  const separator = separatorOf(clean.split('\n', 1)[0] ?? '')
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let quoted = false
  for (let at = 0; at <= clean.length; at++) {
    const character = clean[at]
    if (quoted && character !== undefined) {
      if (character !== '"') field += character
      else if (clean[at + 1] === '"') field += clean[at++]
      else quoted = false
    } else if (character === '"' && field === '') quoted = true
    else if (character === separator || character === '\n' || character === undefined) {
      row.push(field)
      field = ''
      if (character === separator) continue
      rows.push(row)
      row = []
    } else field += character
  }
  return tableOf(rows)
}

/** Columns at the end without any text, and empty rows, are left out. */
function tableOf([names = [], ...lines]: string[][]): Table {
  const filled = (row: string[]) => row.findLastIndex((field) => field.trim() !== '') + 1
  const rows = lines.filter((row) => filled(row) > 0)
  const width = rows.reduce((most, row) => Math.max(most, filled(row)), filled(names))
  const columns = Array.from({ length: width }, (_, at) => names[at]?.trim() || `column ${at + 1}`)
  return { columns, rows }
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** The first Markdown table of a text, which is how a document may be shown. */
function parseMarkdownTable(text: string): Table | undefined {
  const lines = text.split('\n')
  const ruler = lines.findIndex((line) => /^[\s|:-]+$/.test(line) && line.includes('|') && line.includes('-'))
  const head = lines[ruler - 1]
  if (ruler < 1 || head === undefined) return undefined
  const body = lines.slice(ruler + 1)
  const end = body.findIndex((line) => !line.trim().startsWith('|'))
  return tableOf(withoutFrame([cellsOf(head), ...(end < 0 ? body : body.slice(0, end)).map(cellsOf)]))
}

/** A sheet has column letters above and row numbers on the left; its own header is its first row. */
const withoutFrame = (rows: string[][]): string[][] =>
  rows[0]?.[0] === '' && rows[0].slice(1).every((cell) => /^[A-Z]{1,3}$/.test(cell))
    ? rows.slice(1).map((cells) => cells.slice(1))
    : rows

export const parseTable = (text: string): Table => parseMarkdownTable(text) ?? parseCsv(text)

export function toMarkdown({ columns, rows }: Table): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', '<br>')).join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((_, at) => row[at] ?? ''))),
  ].join('\n')
}

/** Rows as objects. Numbers only where a whole column reads the same as numbers. */
export function toJson({ columns, rows }: Table): string {
  const keys = keysOf(columns)
  const isNumeric = columns.map((_, at) => rows.every((row) => isExact(row[at]?.trim() ?? '')))
  const typed = (field: string, at: number) => (isNumeric[at] && field.trim() !== '' ? Number(field) : field)
  const objects = rows.map((row) => Object.fromEntries(keys.map((key, at) => [key, typed(row[at] ?? '', at)])))
  return JSON.stringify(objects, undefined, 2)
}

/** `01099`, `1.10` and `1e5` may mean something else, and long numbers would be rounded. */
const isExact = (field: string): boolean => field === '' || (isNumber(field) && String(Number(field)) === field)

/** A name for each column that no other has. */
function keysOf(columns: string[]): string[] {
  const taken = new Set(columns)
  return columns.map((column, at) => {
    if (columns.indexOf(column) === at) return column
    let count = 2
    while (taken.has(`${column} ${count}`)) count++
    taken.add(`${column} ${count}`)
    return `${column} ${count}`
  })
}

export const isNumber = (field: string): boolean => /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(field)
