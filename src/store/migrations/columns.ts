/** What differs between databases in a migration. */
export interface Columns {
  /** A 64-bit integer: milliseconds don't fit PostgreSQL's `integer`, and SQLite's STRICT tables refuse `bigint`. */
  int: string
  strict: string
  /** For tables of small rows that are looked up only by their key, and can be stored in its index. */
  byKey: string
}

export const sqliteColumns: Columns = { int: 'integer', strict: ' strict', byKey: ' strict, without rowid' }
