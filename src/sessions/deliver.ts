import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
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
import { findSession, type Session } from '../store/sessions.ts'
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
const longestRetryMs = 60_000

/** Of one channel, at the same time: a backlog is no reason to flood it, nor to keep the other channels waiting. */
const postsAtOnce = 16

/** So many more sessions are looked at than those that are being posted to. */
const looksAtOnce = 200

/** Posts what stands in the outbox, each session's in order, until nothing is due. */
export class Deliverer {
  readonly #deps: DeliverDeps
  readonly #posting = new Set<SessionId>()
  readonly #postings = new Set<Promise<void>>()
  /** By channel; none when nothing is being posted. */
  readonly #limits = new Map<string, LimitFunction>()
  #leaving = false

  constructor(deps: DeliverDeps) {
    this.#deps = deps
  }

  /** Resolves when the postings are under way: a slow one keeps nobody waiting but its own thread. */
  async deliverDue(): Promise<void> {
    if (this.#leaving) return
    const { store, clock, report } = this.#deps
    for (const entry of await dueOutbox(store.db, clock.now(), looksAtOnce + this.#posting.size)) {
      if (this.#posting.has(entry.session)) continue
      this.#posting.add(entry.session)
      const posting = this.#deliverFrom(entry)
        .catch((thrown) => report(entry, thrown))
        .finally(() => {
          this.#postings.delete(posting)
          if (this.#postings.size === 0) this.#limits.clear()
        })
      this.#postings.add(posting)
    }
  }

  /** Begins no posting any more; gives those that are under way the time to end. */
  async leave(graceMs: number): Promise<void> {
    await this.deliverDue()
    this.#leaving = true
    const grace = new AbortController()
    await Promise.race([this.idle(), sleep(graceMs, undefined, { signal: grace.signal }).catch(() => {})])
    grace.abort()
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
      const session = await findSession(store.db, first.session)
      await this.#limitOf(session)(async () => {
        while (entry !== undefined && !this.#leaving) {
          if (!(await this.#deliver(entry, session))) return
          entry = await nextOutbox(store.db, entry.session, clock.now())
        }
      })
    } catch (thrown) {
      const failed = entry ?? first
      report(failed, thrown)
      if (thrown instanceof NotPosted && thrown.afterMs !== undefined) {
        await postpone(store, failed.key, clock.now() + thrown.afterMs)
      }
      return
    } finally {
      this.#posting.delete(first.session)
    }
    // Something may have come between the last look and now.
    await this.deliverDue()
  }

  #limitOf(session: Session | undefined): LimitFunction {
    const { platform, tenant, project } = session?.thread ?? { platform: '', tenant: '', project: '' }
    const channel = JSON.stringify([platform, tenant, project])
    const limit = this.#limits.get(channel) ?? pLimit(postsAtOnce)
    this.#limits.set(channel, limit)
    return limit
  }

  /** False when this attempt was taken already. Throws when another one is to be made. */
  async #deliver(entry: OutboxEntry, session: Session | undefined): Promise<boolean> {
    const { store, clock, platforms, presenter } = this.#deps
    const retryAt = clock.now() + Math.min(longestRetryMs, firstRetryMs * 2 ** entry.attempts)
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
    const poster = new Poster({ store, clock, platform, presenter, session })
    const known = await poster.recall(entry)
    const claimed = await store.transaction(async (tx) => {
      const claimed = await claimAttempt(tx, entry, retryAt)
      if (claimed) await poster.begin(tx, entry)
      return claimed
    })
    if (!claimed) return false
    try {
      const posted = await poster.post(entry, await sayingOf(entry, session, this.#deps), known)
      await store.transaction(async (tx) => {
        if (posted !== undefined) await Poster.keep(tx, posted)
        await settle(tx, entry)
      })
    } catch (thrown) {
      if (!(thrown instanceof NotPosted) || thrown.again !== 'never') throw thrown
      await this.#giveUp(entry, thrown)
    }
    return true
  }

  /** The thread or the message is gone, or we are not let in: what comes after is tried all the same. */
  async #giveUp(entry: OutboxEntry, thrown: NotPosted): Promise<void> {
    const { store, report } = this.#deps
    report(entry, thrown)
    await store.transaction(async (tx) => {
      await markFailed(tx, entry.key, thrown.message)
      if (entry.kind !== 'answer' && entry.kind !== 'card') return
      const message = `This could not be posted in the thread: ${thrown.message}`
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
