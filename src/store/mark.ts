import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isLockedByAnother } from './lock.ts'
import { readNote, writeNote } from './notes.ts'
import type { Db, Store } from './store.ts'

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
  readonly #databaseFile: string
  readonly #holder: string
  #writes = -1

  /** `holder` identifies this process in the engine's lock. */
  constructor(store: Store, databaseFile: string, holder: string) {
    this.#store = store
    this.#databaseFile = databaseFile
    this.#holder = holder
  }

  /** Whether the database has lost something that was stored in it. */
  async isBehind(): Promise<boolean> {
    return (await numberIn(this.#store.db)) < readMark(this.#databaseFile)
  }

  /** Does nothing if nothing has been stored since the last time, or if another process has taken over. */
  async set(): Promise<void> {
    const { availability } = this.#store
    if (availability.writes === this.#writes) return
    const number = await this.#store.transaction(async (tx) => {
      if (await isLockedByAnother(tx.db, this.#holder)) return undefined
      const next = Math.max(await numberIn(tx.db), readMark(this.#databaseFile)) + 1
      await writeNote(tx, noteName, String(next))
      return next
    })
    if (number === undefined) return
    this.#writes = availability.writes
    const file = markFile(this.#databaseFile)
    writeFileSync(`${file}.new`, String(number), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
}

const numberIn = async (db: Db): Promise<number> => Number((await readNote(db, noteName)) ?? 0)
