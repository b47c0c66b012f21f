import type { Keeper } from './database.ts'
import { isLockedByAnother } from './lock.ts'
import { readNote, writeNote } from './notes.ts'
import type { Db, Store } from './store.ts'

/** The note that counts marks. */
const noteName = 'store.mark'

/**
 * Counts in the database and, once that is stored, writes the number beside it. So the file may lag behind the
 * database, but is never ahead of one that is complete.
 */
export class Mark {
  readonly #store: Store
  readonly #keeper: Keeper
  readonly #holder: string
  #writes = -1

  /** `holder` identifies this process in the engine's lock. */
  constructor(store: Store, keeper: Keeper, holder: string) {
    this.#store = store
    this.#keeper = keeper
    this.#holder = holder
  }

  /** Whether the database has lost something that was stored in it. */
  async isBehind(): Promise<boolean> {
    return (await numberIn(this.#store.db)) < this.#keeper.marked()
  }

  /** Does nothing if nothing has been stored since the last time, or if another process has taken over. */
  async set(): Promise<void> {
    const { availability } = this.#store
    if (availability.writes === this.#writes) return
    const number = await this.#store.transaction(async (tx) => {
      if (await isLockedByAnother(tx.db, this.#holder)) return undefined
      const next = Math.max(await numberIn(tx.db), this.#keeper.marked()) + 1
      await writeNote(tx, noteName, String(next))
      return next
    })
    if (number === undefined) return
    this.#writes = availability.writes
    this.#keeper.mark(number)
  }
}

const numberIn = async (db: Db): Promise<number> => Number((await readNote(db, noteName)) ?? 0)
