import Papa from 'papaparse'
import type { AuditEntry } from '../store/audit.ts'

/**
 * One JSON object a line. `at` and `data` are as they were hashed, so that the chain can be checked without the bot.
 */
export const jsonLines = (entries: AuditEntry[]): string =>
  entries.map((entry) => `${JSON.stringify({ ...whole(entry), data: entry.data })}\n`).join('')

const whole = ({ seq, at, kind, session, previous, hash }: AuditEntry) => ({
  seq,
  at,
  time: new Date(at).toISOString(),
  kind,
  session: session ?? null,
  previous,
  hash,
})

/** What most entries have gets its own column; all of it is in `data`. */
const named = ['tool', 'request', 'call', 'grant', 'by', 'said', 'status', 'reason'] as const

const columns = ['seq', 'at', 'time', 'kind', 'session', ...named, 'data', 'previous', 'hash']

export const csvHeader = `${columns.join(',')}\r\n`

/**
 * What spreadsheets take for a formula at the beginning of a cell, including full-width characters. The library's own
 * expression misses texts of several lines.
 */
const formula = /^[\t\r\n]|^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

export function csvLines(entries: AuditEntry[]): string {
  const rows = entries.map((entry) => {
    const cells = named.map((name) => [name, cellOf(entry.data[name])])
    return { ...whole(entry), ...Object.fromEntries(cells), data: JSON.stringify(entry.data) }
  })
  return `${Papa.unparse({ fields: columns, data: rows }, { header: false, newline: '\r\n', escapeFormulae: formula })}\r\n`
}

const cellOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
