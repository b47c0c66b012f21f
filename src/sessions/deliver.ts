import pLimit from 'p-limit'
import type { ChatPlatform } from '../chat/platform.ts'
import type { Clock } from '../domain/clock.ts'
import type { SessionId } from '../domain/ids.ts'
import { claimAttempt, dueOutbox, markDelivered, nextOutbox, type OutboxEntry } from '../store/outbox.ts'
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

/** Postings at the same time: a backlog of many threads is no reason to flood a platform. */
const postsAtOnce = 16

/** Posts what stands in the outbox, each session's in order, until nothing is due. */
export class Deliverer {
  readonly #deps: DeliverDeps
  readonly #posting = new Set<SessionId>()
  readonly #postings = new Set<Promise<void>>()
  readonly #limit = pLimit(postsAtOnce)

  constructor(deps: DeliverDeps) {
    this.#deps = deps
  }

  /** Resolves when the postings are under way: a slow one keeps nobody waiting but its own thread. */
  async deliverDue(): Promise<void> {
    for (const entry of await dueOutbox(this.#deps.store.db, this.#deps.clock.now())) {
      if (this.#posting.has(entry.session)) continue
      this.#posting.add(entry.session)
      const posting = this.#limit(() => this.#deliver(entry)).finally(() => this.#postings.delete(posting))
      this.#postings.add(posting)
    }
  }

  /** Resolves when nothing is being posted. */
  async idle(): Promise<void> {
    while (this.#postings.size > 0) await Promise.all(this.#postings)
  }

  /** One session's entries, from this one on. */
  async #deliver(first: OutboxEntry): Promise<void> {
    const { store, clock, report } = this.#deps
    let entry: OutboxEntry | undefined = first
    try {
      while (entry !== undefined) {
        const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** entry.attempts)
        if (!(await claimAttempt(store, entry, clock.now() + wait))) return
        await markDelivered(store, entry.key, await this.#postOnce(entry))
        entry = await nextOutbox(store.db, entry.session, clock.now())
      }
    } catch (thrown) {
      report(entry ?? first, thrown)
      return
    } finally {
      this.#posting.delete(first.session)
    }
    // Something may have come between the last look and now.
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
