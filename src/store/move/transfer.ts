import type { Db } from '../store.ts'
import type { Shape } from './shapes.ts'

/** Whole numbers are exact, whatever their size. */
export type Value = string | number | bigint | boolean | Uint8Array | null

/** What is stored in a database at one moment, beside whatever else happens in it. */
export interface Reading {
  batches(shape: Shape): AsyncIterable<Value[][]>
  close(): Promise<void>
}

/** What differs between databases when everything in them is read, or written. */
export interface Transfer {
  /** The queries that find ColumnFacts and References. */
  columns: string
  references: string
  read(place: string): Promise<Reading>
  /** Puts away what was moved from a place before, and returns where it is. */
  makeRoom(place: string): Promise<string | undefined>
  /** Puts it back, instead of what was begun in its place. Nobody may have that open. */
  putBack(place: string, putAway: string): Promise<void>
  /**
   * Runs work that fills tables in a transaction. References are checked at its end, and new rows go on after these.
   */
  fill(db: Db, shapes: Shape[], work: () => Promise<void>): Promise<void>
  /** Returns how many texts had to be changed: they held a NUL, or were paths that are too long. */
  insert(db: Db, shape: Shape, rows: Value[][]): Promise<number>
}
