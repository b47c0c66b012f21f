import pLimit from 'p-limit'
import { type ChatPlatform, NotPosted } from '../chat/platform.ts'
import type { Clock } from '../domain/clock.ts'
import type { MessageId, SessionId } from '../domain/ids.ts'
import { appendEvents, findEventByKey } from '../store/events.ts'
import {
  claimAttempt,
  dueOutbox,
  markDelivered,
  markFailed,
  nextOutbox,
  type OutboxEntry,
  postpone,
} from '../store/outbox.ts'
import { findSession } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { Poster } from './poster.ts'
import type { Presenter } from './presenter.ts'
import { type SayingDeps, sayingOf } from './saying.ts'

export interface DeliverDeps extends SayingDeps {
  store: Store
  clock: Clock
  platforms: Map<string, ChatPlatform>
  presenter: Presenter
  report(entry: OutboxEntry, thrown: unknown): void
}

const firstRetryMs = 1_000
const longestRetryMs = 300_000

/** Postings at the same time: a backlog of many threads is no reason to flood a platform. */
const postsAtOnce = 64

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
      const posting = this.#limit(() => this.#deliverFrom(entry)).finally(() => this.#postings.delete(posting))
      this.#postings.add(posting)
    }
  }

  /** Resolves when nothing is being posted. */
  async idle(): Promise<void> {
    while (this.#postings.size > 0) await Promise.all(this.#postings)
  }

  /** One session's entries, from this one on. */
  async #deliverFrom(first: OutboxEntry): Promise<void> {
    const { store, clock, report } = this.#deps
    let entry: OutboxEntry | undefined = first
    try {
      while (entry !== undefined) {
        if (!(await this.#deliver(entry))) return
        entry = await nextOutbox(store.db, entry.session, clock.now())
      }
    } catch (thrown) {
      report(entry ?? first, thrown)
      if (entry !== undefined && thrown instanceof NotPosted && thrown.afterMs !== undefined) {
        await postpone(store, entry.key, clock.now() + thrown.afterMs)
      }
      return
    } finally {
      this.#posting.delete(first.session)
    }
    // Something may have come between the last look and now.
    await this.deliverDue()
  }

  /** False when another process took this attempt. Throws when another attempt is to be made. */
  async #deliver(entry: OutboxEntry): Promise<boolean> {
    const { store, clock, platforms, presenter } = this.#deps
    const retryAt = clock.now() + Math.min(longestRetryMs, firstRetryMs * 2 ** entry.attempts)
    const session = await findSession(store.db, entry.session)
    const platform = session && platforms.get(session.thread.platform)
    if (session === undefined || platform === undefined) {
      await store.transaction((tx) => claimAttempt(tx, entry, retryAt))
      throw new Error(`no platform is connected for session ${entry.session}`)
    }
    if (platform.progress === 'followed') {
      return store.transaction(async (tx) => {
        const claimed = await claimAttempt(tx, entry, retryAt)
        if (claimed) await settle(tx, entry)
        return claimed
      })
    }
    const poster = new Poster(store, platform, presenter, session)
    const known = await poster.recall(entry)
    const claimed = await store.transaction(async (tx) => {
      const claimed = await claimAttempt(tx, entry, retryAt)
      if (claimed) await poster.begin(tx, entry)
      return claimed
    })
    if (!claimed) return false
    try {
      const saying = await sayingOf(entry, session, this.#deps)
      const posted = saying && (await poster.post(entry, saying, known))
      await store.transaction(async (tx) => {
        if (posted !== undefined) await Poster.keep(tx, posted)
        await settle(tx, entry)
      })
    } catch (thrown) {
      if (!(thrown instanceof NotPosted) || thrown.again !== 'never') throw thrown
      await this.#giveUp(entry, thrown.message)
    }
    return true
  }

  /** The thread or the message is gone, or we are not let in: what comes after is tried all the same. */
  async #giveUp(entry: OutboxEntry, reason: string): Promise<void> {
    await this.#deps.store.transaction(async (tx) => {
      await markFailed(tx, entry.key, reason)
      if (entry.kind !== 'answer' && entry.kind !== 'card') return
      const message = `This could not be posted in the thread: ${reason}`
      await appendEvents(tx, entry.session, [
        { type: 'warning', data: { turn_id: entry.turn, code: 'not_posted', message } },
      ])
    })
  }
}

/** It stands in the thread, and screens are told. */
async function settle(tx: Tx, entry: OutboxEntry): Promise<void> {
  await markDelivered(tx, entry.key)
  if (entry.kind !== 'answer' || (await findEventByKey(tx.db, entry.key)) !== undefined) return
  const { text, files } = entry.payload
  const ids = { message_id: entry.key as MessageId, turn_id: entry.turn }
  const data = { ...ids, role: 'assistant' as const, text, files }
  await appendEvents(tx, entry.session, [{ type: 'message', data }], entry.key)
}
