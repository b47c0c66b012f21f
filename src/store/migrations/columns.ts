/** What differs between databases in a migration. */
export interface Columns {
  /** Text that is compared byte by byte, whatever the database's locale. */
  text: string
  /** A 64-bit integer: milliseconds don't fit PostgreSQL's `integer`, and SQLite's STRICT tables refuse `bigint`. */
  int: string
  strict: string
  /** For tables of small rows that are looked up only by their key, and can be stored in its index. */
  byKey: string
  /** From here on, rows can only be added to the table `audit`. */
  onlyGrows: string[]
  /** An index of the words of messages. */
  wordsOfMessages: string[]
  /** Statements about how SQLite stores rows. */
  inSqlite(...statements: string[]): string[]
  /** Statements about what only PostgreSQL has. */
  inPostgres(...statements: string[]): string[]
  /** Statements for rows of old versions, which only ran on SQLite. */
  ofOldRows(...statements: string[]): string[]
}
