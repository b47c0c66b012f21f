/** What differs between databases in a migration. */
export interface Columns {
  /** A 64-bit integer: milliseconds do not fit PostgreSQL's `integer`, and SQLite's STRICT tables refuse `bigint`. */
  int: string
  strict: string
  /** For a table of small rows that are found by their key alone: they stand in its index. */
  byKey: string
}

export const sqliteColumns: Columns = { int: 'integer', strict: ' strict', byKey: ' strict, without rowid' }
