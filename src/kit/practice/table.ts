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

const tableOf = ([columns = [], ...rows]: string[][]): Table => ({
  columns: columns.map((column) => column.trim()),
  rows: rows.filter((row) => row.some((field) => field.trim() !== '')),
})

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

/** Rows as objects; what looks like a number becomes one. */
export function toJson({ columns, rows }: Table): string {
  const typed = (field: string) => (isNumber(field) ? Number(field) : field)
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, typed(row[at] ?? '')])))
  return JSON.stringify(objects, undefined, 2)
}

export const isNumber = (field: string): boolean => /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(field)
