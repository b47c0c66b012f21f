import type { Ids } from './ids.ts'
import type { Settings } from './settings.ts'

interface Trigger {
  user: string
  until: number
  used: boolean
}

const mostKept = 5_000

/** A trigger_id opens one modal, within three seconds. */
export class Triggers {
  readonly #known = new Map<string, Trigger>()
  readonly #ids: Ids
  readonly #settings: Settings

  constructor(ids: Ids, settings: Settings) {
    this.#ids = ids
    this.#settings = settings
  }

  make(user: string): string {
    const id = `${Date.now()}.${this.#ids.next('1').toLowerCase()}.${this.#ids.next('a').toLowerCase()}`
    this.#known.set(id, { user, until: Date.now() + this.#settings.triggerMs, used: false })
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKept) break
      this.#known.delete(oldest)
    }
    return id
  }

  /** Returns the user, or Slack's error. */
  take(id: string): { user: string } | { error: string } {
    const trigger = this.#known.get(id)
    if (!trigger) return { error: 'invalid_trigger_id' }
    if (trigger.used) return { error: 'exchanged_trigger_id' }
    if (trigger.until <= Date.now()) return { error: 'expired_trigger_id' }
    trigger.used = true
    return { user: trigger.user }
  }
}
