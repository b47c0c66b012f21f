import type { Kysely, LogEvent, Transaction } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import type { Tables } from './schema.ts'
import type { Wire } from './wire.ts'

/** What the store stands on. What differs between databases is behind it, and in the folders of the databases alone. */
export interface Database {
  /** For reads: it sees what is committed, and waits for no transaction. */
  readonly reading: Kysely<Tables>
  /**
   * Resolves when the work is stored. The work may run several times, but only what it did the last time is stored.
   * What isn't urgent may wait some ms for other work, to be committed with it.
   */
  transaction<T>(work: (db: Transaction<Tables>) => Promise<T>, isUrgent?: boolean): Promise<T>
  /**
   * Waits until no other transaction is past this point with the same name, and keeps others from it until this one
   * ends.
   */
  alone(db: Transaction<Tables>, name: string): Promise<void>
  /** The same for whoever writes a session. */
  hold(db: Transaction<Tables>, session: SessionId): Promise<void>
  /** Undefined where a server looks after what is stored. */
  readonly keeper: Keeper | undefined
  /** To other processes; undefined where there is only one. */
  readonly wire: Wire | undefined
  /** The steps of the schema that were missing when it was opened. */
  readonly migrated: string[]
  /** Undefined where there is only a file. */
  readonly server: DatabaseServer | undefined
  /** What was begun is stored. */
  close(): Promise<void>
}

/** What a server knows that its processes don't. */
export interface DatabaseServer {
  /** Its time, ms since 1970. */
  now(): Promise<number>
  /** Whether a process has a connection; undefined if that can't be told. */
  isConnected(holder: string): Promise<boolean | undefined>
  /** For the engine's own tables. Several statements without values are possible, and have an array as their result. */
  run(statements: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** Looks after a file that anybody may damage or exchange. */
export interface Keeper {
  /** What is wrong with it; it may take long, and `signal` ends it. */
  faults(signal: AbortSignal): Promise<string[]>
  /** The number of the last mark that is known beside the database; 0 when there is none. */
  marked(): number
  mark(number: number): void
}

export interface DatabaseOptions {
  /** How long a write waits for another one. */
  patienceMs?: number | undefined
  /** After how long without an answer a server is asked whether it is still there; without it, never. */
  answerMs?: number | undefined
  /** Where others may ask the server whether this process is connected. */
  holder?: string | undefined
  /** False to leave the schema as it is: another one than this version's is then refused. */
  migrates?: boolean | undefined
  /** Called before the tables of an older version change, on SQLite: what it throws leaves them as they are. */
  beforeMigrating?: ((db: Kysely<Tables>) => Promise<void>) | undefined
  log?: ((event: LogEvent) => void) | undefined
}
