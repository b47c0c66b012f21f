import type { ChatPlatform } from '../chat/platform.ts'
import type { Clock } from '../domain/clock.ts'
import { claimAttempt, dueOutbox, markDelivered, type OutboxEntry } from '../store/outbox.ts'
import { findSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'

export interface DeliverDeps {
  store: Store
  clock: Clock
  platforms: Map<string, ChatPlatform>
  report(entry: OutboxEntry, thrown: unknown): void
}

const firstRetryMs = 5_000
const longestRetryMs = 300_000

/** Posts what stands in the outbox, each session's in order, until nothing is due. */
export class Deliverer {
  readonly #deps: DeliverDeps
  readonly #posting = new Set<string>()

  constructor(deps: DeliverDeps) {
    this.#deps = deps
  }

  async deliverDue(): Promise<void> {
    const due = await dueOutbox(this.#deps.store.db, this.#deps.clock.now())
    await Promise.all(due.filter(({ session }) => !this.#posting.has(session)).map((entry) => this.#deliver(entry)))
  }

  async #deliver(entry: OutboxEntry): Promise<void> {
    this.#posting.add(entry.session)
    try {
      const { store, clock } = this.#deps
      const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** entry.attempts)
      if (!(await claimAttempt(store, entry, clock.now() + wait))) return
      await markDelivered(store, entry.key, await this.#postOnce(entry))
    } catch (thrown) {
      this.#deps.report(entry, thrown)
      return
    } finally {
      this.#posting.delete(entry.session)
    }
    await this.deliverDue()
  }

  /** A former attempt may have posted and died before it said so. */
  async #postOnce(entry: OutboxEntry): Promise<string> {
    const session = await findSession(this.#deps.store.db, entry.session)
    const platform = session && this.#deps.platforms.get(session.thread.platform)
    if (session === undefined || platform === undefined) {
      throw new Error(`no platform is connected for session ${entry.session}`)
    }
    const found = entry.attempts > 0 ? await platform.find(session.thread, entry.key) : undefined
    const posted = found ?? (await platform.post(session.thread, entry.message, entry.key))
    return posted.id
  }
}
