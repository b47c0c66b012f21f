import type { Ids } from './ids.ts'
import type { Settings } from './settings.ts'

export interface ResponseTarget {
  channel: string
  user: string
  /** The message that the click was on; none for a command. */
  ts: string | undefined
  threadTs: string | undefined
}

interface Entry {
  target: ResponseTarget
  until: number
  uses: number
}

const mostKept = 5_000

/** Addresses for responding to an interaction, valid for half an hour and five responses. */
export class ResponseUrls {
  readonly #known = new Map<string, Entry>()
  readonly #ids: Ids
  readonly #settings: Settings

  constructor(ids: Ids, settings: Settings) {
    this.#ids = ids
    this.#settings = settings
  }

  /** A path. */
  make(target: ResponseTarget): string {
    const { responseUrlMs, responseUrlUses } = this.#settings
    const key = this.#ids.next('R')
    this.#known.set(key, { target, until: Date.now() + responseUrlMs, uses: responseUrlUses })
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKept) break
      this.#known.delete(oldest)
    }
    return `/actions/${key}`
  }

  take(key: string): ResponseTarget | { error: string } {
    const entry = this.#known.get(key)
    if (!entry || entry.until <= Date.now()) return { error: 'expired_url' }
    if (entry.uses <= 0) return { error: 'used_url' }
    entry.uses--
    return entry.target
  }
}
