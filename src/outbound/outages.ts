import type { ThreadRef } from '../domain/chat.ts'
import { newId } from '../domain/ids.ts'
import type { Clock } from '../kit/clock.ts'
import type { Unavailable } from '../kit/failure.ts'
import { BoundedMap } from '../platforms/bounded-map.ts'
import { type ChatPlatform, NotPosted, type Posting } from '../platforms/platform.ts'
import type { Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'

export interface OutageDeps {
  platforms: ReadonlyMap<string, ChatPlatform>
  clock: Clock
  report(thrown: unknown): void
}

/** At most this many threads are told of one outage; the others see it in health and the log. */
const mostThreads = 50
/** How many sessions' threads are known without the database. */
const mostKnown = 1_000
/** A thread is told of the same outage again after this time, ms. */
const quietMs = 30 * 60_000

/**
 * Tells threads about a full disk and the like while nothing can be stored. Such a notice has no row, so it may be
 * lost, and may come again after a restart.
 */
export class Outages {
  readonly #deps: OutageDeps
  readonly #told = new Map<string, number>()
  readonly #threads = new BoundedMap<ThreadRef>(mostKnown)

  constructor(deps: OutageDeps) {
    this.#deps = deps
  }

  /** A turn runs in this session. Its thread couldn't be looked up in an outage. */
  know({ id, thread }: Session): void {
    this.#threads.set(id, thread)
  }

  /** Tells a thread once. Never throws, and isn't awaited. */
  tell(thread: ThreadRef, { code, message, remedy }: Unavailable): void {
    const { platforms, clock, report } = this.#deps
    const platform = platforms.get(thread.platform)
    // The console shows health, and gets an error as the response.
    if (platform === undefined || platform.progress === 'followed') return
    const key = JSON.stringify([code, thread])
    for (const [known, at] of this.#told) if (clock.now() - at > quietMs) this.#told.delete(known)
    if (this.#told.has(key) || this.#told.size >= mostThreads) return
    this.#told.set(key, clock.now())
    const [page] = platform.pages({ kind: 'answer', text: `${message} ${remedy}`, files: [], record: undefined })
    platform.post(thread, page, this.#posting()).catch((thrown) => {
      if (!(thrown instanceof NotPosted)) report(thrown)
    })
  }

  /** Tells the threads whose turns wait until they can be stored. */
  follow(store: Store): void {
    store.whenWaiting((id, fault) => {
      const thread = this.#threads.get(id)
      if (thread !== undefined) this.tell(thread, fault)
    })
  }

  #posting(): Posting {
    const since = this.#deps.clock.now()
    const nothing = { remember: async () => {}, postpone: async () => {}, isOther: async () => false }
    return { key: newId('msg'), note: undefined, since, ...nothing }
  }
}
