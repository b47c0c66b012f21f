import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

interface PendingWrite {
  /** Resolves with a function that reports that it is stored. */
  work(db: Transaction<Tables>): Promise<() => void>
  fail(thrown: unknown): void
}

const savepoint = CompiledQuery.raw('savepoint write')
const release = CompiledQuery.raw('release write')
const rollback = CompiledQuery.raw('rollback to write')

/** With more, the first of them would wait too long. */
const mostTogether = 64

/** The longest time to gather work that keeps coming, ms. A commit that waits for the disk takes about as long. */
const gatheringMs = 8

/** The longest time that unhurried work waits for other work, ms. */
const unhurriedMs = 20

/**
 * So many are enough for a commit of their own. With more, posts that wait for a free place in their channel would wait
 * for it.
 */
const enoughUnhurried = 8

/**
 * Runs transactions one after another, the urgent ones in the order in which they came. Those that wait at the same
 * time become one database transaction, because the commit waits for the disk. Each has a savepoint, so that a failing
 * one undoes only itself, and nobody hears of success before the commit.
 */
export class Writer {
  readonly #db: Kysely<Tables>
  readonly #waiting: PendingWrite[] = []
  /** Work that nobody waits for: it is written with the next that somebody does wait for. */
  readonly #unhurried: PendingWrite[] = []
  readonly #unhurriedMs: number
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(db: Kysely<Tables>, longestMs = unhurriedMs) {
    this.#db = db
    this.#unhurriedMs = longestMs
  }

  run<T>(work: (db: Transaction<Tables>) => Promise<T>, isUrgent = true): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const queue = isUrgent ? this.#waiting : this.#unhurried
    queue.push({
      async work(db) {
        const result = await work(db)
        return () => resolve(result)
      },
      fail: reject,
    })
    if (isUrgent) this.#writing ??= this.#write()
    else if (this.#unhurried.length >= enoughUnhurried) this.#hurry()
    else this.#timer ??= setTimeout(() => this.#hurry(), this.#unhurriedMs)
    return promise
  }

  #hurry(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting.push(...this.#unhurried.splice(0))
    if (this.#waiting.length > 0) this.#writing ??= this.#write()
  }

  /** Resolves when nothing waits to be written. */
  async idle(): Promise<void> {
    this.#hurry()
    await this.#writing
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      this.#hurry()
      await this.#together(this.#waiting.splice(0, mostTogether))
    }
    this.#writing = undefined
  }

  /**
   * What arrives in the same round of the event loop is written together, and so is work that keeps coming round after
   * round.
   */
  async #gather(): Promise<void> {
    const until = performance.now() + gatheringMs
    let before: number
    do {
      before = this.#waiting.length
      await new Promise((resolve) => setImmediate(resolve))
    } while (this.#waiting.length > before && this.#waiting.length < mostTogether && performance.now() < until)
  }

  /** Never throws. */
  async #together(writes: PendingWrite[]): Promise<void> {
    const tell: (() => void)[] = []
    try {
      await this.#db.transaction().execute(async (db) => {
        const [only] = writes
        // What is alone needs no savepoint: if it fails, the whole transaction is undone.
        if (only !== undefined && writes.length === 1) tell.push(await only.work(db))
        else for (const write of writes) tell.push(await this.#one(write, db))
      })
    } catch (thrown) {
      // No lock, no room or no commit, or the only one failed: none of it is stored.
      for (const { fail } of writes) fail(thrown)
      return
    }
    for (const one of tell) one()
  }

  async #one({ work, fail }: PendingWrite, db: Transaction<Tables>): Promise<() => void> {
    await db.executeQuery(savepoint)
    try {
      const tell = await work(db)
      await db.executeQuery(release)
      return tell
    } catch (thrown) {
      await undo(db, thrown)
      return () => fail(thrown)
    }
  }
}

/** Throws `why` when the database has ended the whole transaction by itself, as it does on a full disk. */
async function undo(db: Transaction<Tables>, why: unknown): Promise<void> {
  try {
    await db.executeQuery(rollback)
    await db.executeQuery(release)
  } catch {
    throw why
  }
}
