/** What differs between databases in a migration. */
export interface Columns {
  /** A 64-bit integer: milliseconds do not fit PostgreSQL's `integer`, and SQLite's STRICT tables refuse `bigint`. */
  int: string
  strict: string
}

export const sqliteColumns: Columns = { int: 'integer', strict: ' strict' }
