import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { notesIn } from './notes.ts'
import type { Store } from './store.ts'

/** The note that counts marks, and the file beside the database that has the last stored count. */
const noteName = 'store.mark'
const markFile = (databaseFile: string): string => `${databaseFile}.last`

export const older =
  'The database is older than Bobbin’s last write to it. Something is missing, such as a deleted bobbin.db-wal.'
export const olderRemedy =
  'Restore bobbin.db together with its bobbin.db-wal. After restoring a backup, this is expected.'

/** 0 when there is none, or a power failure destroyed it. Then nothing is concluded from it. */
export function readMark(databaseFile: string): number {
  const file = markFile(databaseFile)
  if (!existsSync(file)) return 0
  const number = Number(readFileSync(file, 'utf8'))
  return Number.isSafeInteger(number) ? number : 0
}

/**
 * Counts in the database and, once that is stored, writes the number to the file. So the file may lag behind the
 * database, but is never ahead of one that is complete.
 */
export class Mark {
  readonly #store: Store
  readonly #notes: ReturnType<typeof notesIn>
  readonly #databaseFile: string
  #writes = -1

  /** `holder` identifies this process in the engine's lock. */
  constructor(store: Store, databaseFile: string, holder: string) {
    this.#store = store
    this.#notes = notesIn(store, holder)
    this.#databaseFile = databaseFile
  }

  /** Whether the database has lost something that was stored in it. */
  async isBehind(): Promise<boolean> {
    return (await this.#number()) < readMark(this.#databaseFile)
  }

  /** Does nothing if nothing has been stored since the last time. */
  async set(): Promise<void> {
    const { availability } = this.#store
    if (availability.writes === this.#writes) return
    const next = Math.max(await this.#number(), readMark(this.#databaseFile)) + 1
    await this.#notes.set(noteName, String(next))
    this.#writes = availability.writes
    const file = markFile(this.#databaseFile)
    writeFileSync(`${file}.new`, String(next), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  async #number(): Promise<number> {
    return Number((await this.#notes.get(noteName)) ?? 0)
  }
}
