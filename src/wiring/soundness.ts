import { type Looking, lookOften } from '../engine/look-often.ts'
import type { Log } from '../kit/log.ts'
import type { Keeper } from '../store/database.ts'
import { Mark } from '../store/mark.ts'
import type { Store } from '../store/store.ts'
import { storeWords } from '../store/words.ts'
import type { Foundation } from './foundation.ts'
import { wiringWords } from './words.ts'

/** How often the mark is set, ms. A loss since the last mark isn't noticed. */
const markEveryMs = 10_000

/** Checks at the start whether the database is complete, and marks how far it goes. Nothing waits for it. */
export class Soundness {
  readonly #store: Store
  readonly #keeper: Keeper
  readonly #log: Log
  readonly #mark: Mark
  readonly #marking: Looking
  readonly #leaving = new AbortController()

  constructor({ store, log, report, lock }: Foundation, keeper: Keeper) {
    this.#store = store
    this.#keeper = keeper
    this.#log = log
    this.#mark = new Mark(store, keeper, lock.holder)
    this.#marking = lookOften(
      markEveryMs,
      () => this.#mark.set(),
      report('the number of the last commit could not be written beside the database'),
    )
  }

  async start(): Promise<void> {
    if (await this.#mark.isBehind())
      this.#tell(`${storeWords.olderThanItsMark()} ${storeWords.olderThanItsMarkRemedy()}`)
    this.#marking.start()
    void this.#check()
  }

  async stop(): Promise<void> {
    this.#leaving.abort()
    await this.#marking.stop()
    await this.#mark.set()
  }

  async #check(): Promise<void> {
    const { signal } = this.#leaving
    try {
      const faults = await this.#keeper.faults(signal)
      if (faults.length > 0) this.#tell(wiringWords.databaseDamaged({ faults: faults.join('; ') }))
    } catch (thrown) {
      if (!signal.aborted) this.#log.warn({ error: String(thrown) }, 'the database could not be checked')
    }
  }

  #tell(what: string): void {
    this.#store.damage = what
    this.#log.error({}, what)
  }
}
