import { setTimeout as sleep } from 'node:timers/promises'
import { BoundedMap } from '../../bounded-map.ts'

export interface LookupCacheOptions {
  most: number
  keepMs: number
  /** How long somebody waits for a value, ms. If it comes later, it is still kept. */
  patienceMs: number
}

/** What wasn't found is looked up again after this long, ms. */
const failedMs = 30_000

interface Entry<T> {
  value: Promise<T | undefined>
  until: number
  /** Nobody has to wait for it. */
  isThere: boolean
}

/** Something that is looked up once and kept for a while. What couldn't be found is looked up again soon. */
export class LookupCache<T> {
  readonly #options: LookupCacheOptions
  readonly #entries: BoundedMap<Entry<T>>

  constructor(options: LookupCacheOptions) {
    this.#options = options
    this.#entries = new BoundedMap(options.most)
  }

  /** Undefined if it isn't found, or not in time. */
  get(id: string, find: () => Promise<T>, patienceMs = this.#options.patienceMs): Promise<T | undefined> {
    const { keepMs } = this.#options
    const kept = this.#entries.get(id)
    if (kept !== undefined && Date.now() < kept.until) {
      return kept.isThere ? kept.value : inTime(kept.value, patienceMs)
    }
    const value = find().catch(() => {
      entry.until = Date.now() + failedMs
      return undefined
    })
    const entry = { value, until: Date.now() + keepMs, isThere: false }
    void value.then(() => {
      entry.isThere = true
    })
    this.#entries.set(id, entry)
    return inTime(value, patienceMs)
  }
}

const inTime = <T>(value: Promise<T>, ms: number): Promise<T | undefined> =>
  Promise.race([value, sleep(ms, undefined, { ref: false })])
