import { isNumber, type Table } from './table.ts'

export interface NumberColumn {
  kind: 'numbers'
  name: string
  count: number
  min: number
  max: number
  mean: number
  sum: number
}

export interface TextColumn {
  kind: 'texts'
  name: string
  count: number
  distinct: number
  /** The most frequent values, with their counts. */
  top: [value: string, times: number][]
}

const topValues = 3

function numbersOf(name: string, fields: string[]): NumberColumn {
  const values = fields.map(Number)
  const sum = values.reduce((total, value) => total + value, 0)
  const min = values.reduce((least, value) => Math.min(least, value))
  const max = values.reduce((most, value) => Math.max(most, value))
  return { kind: 'numbers', name, count: values.length, min, max, mean: sum / values.length, sum }
}

function textsOf(name: string, fields: string[]): TextColumn {
  const times = new Map<string, number>()
  for (const field of fields) times.set(field, (times.get(field) ?? 0) + 1)
  const top = [...times].sort(([, one], [, other]) => other - one).slice(0, topValues)
  return { kind: 'texts', name, count: fields.length, distinct: times.size, top }
}

/** One column: numeric if every non-empty field is a number. */
export function columnStatistics(table: Table): (NumberColumn | TextColumn)[] {
  return table.columns.map((name, at) => {
    const fields = table.rows.map((row) => (row[at] ?? '').trim()).filter((field) => field !== '')
    return fields.length > 0 && fields.every(isNumber) ? numbersOf(name, fields) : textsOf(name, fields)
  })
}

/** At most two decimals, without floating-point noise. */
export const rounded = (value: number): string => String(Math.round(value * 100) / 100)
