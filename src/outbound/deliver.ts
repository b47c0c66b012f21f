import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import type { MessageId, SessionId } from '../domain/ids.ts'
import { messageKey } from '../domain/keys.ts'
import type { Clock } from '../kit/clock.ts'
import { type ChatPlatform, NotPosted } from '../platforms/platform.ts'
import { appendEvents, findEventByKey } from '../store/events.ts'
import { aloneWith, wasDeleted } from '../store/ignored.ts'
import { isReplaced } from '../store/lock.ts'
import type { NextAt } from '../store/next-at.ts'
import { claimAttempt, dueOutbox, laneOf, markDelivered, nextOutbox, nextPosting } from '../store/outbox.ts'
import type { Claimed, OutboxAddition, OutboxEntry } from '../store/outbox-entry.ts'
import { setPosted } from '../store/postings.ts'
import { type Changed, postpone, releaseRefused } from '../store/refused.ts'
import { findSession, homeOf, type Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { answerSaidBelow } from '../trust/answer-below.ts'
import { cardDeleted, showAgain } from '../trust/card-deleted.ts'
import { outcomeKey } from '../trust/cards.ts'
import type { Rules } from '../trust/rules.ts'
import { giveWholeTime } from '../trust/whole-time.ts'
import { changeUnlessReplaced } from './change-unless-over.ts'
import { type ContentDeps, contentOf } from './content.ts'
import type { FormerCalls } from './former-calls.ts'
import { nextAttempt } from './next-attempt.ts'
import { type Gone, type Posted, Poster } from './poster.ts'
import type { Presenter } from './presenter.ts'
import { giveUp, waitForRepair } from './refused-entry.ts'

export interface DeliverDeps extends ContentDeps {
  store: Store
  clock: Clock
  platforms: Map<string, ChatPlatform>
  presenter: Presenter
  rules: Rules
  formerCalls: FormerCalls
  /** Identifies this process in the rows it holds. */
  holder: string
  /** Something was added to the session's inbox. */
  wake(session: SessionId): void
  report(entry: OutboxEntry, thrown: unknown): void
  /** For the log: the outbox couldn't even be read. */
  failed(thrown: unknown): void
}

const firstRetryMs = 1_000
const longestRetryMs = 60_000

/** Posts to one channel at the same time, so that a backlog neither floods it nor holds up other channels. */
const postsAtOnce = 16

/** Files that come later are large, and their uploads may be slow. */
const uploadsAtOnce = 2

/** How many lanes are looked at besides those that are in hand. */
const looksAtOnce = 200

/**
 * Posts the entries of the outbox, each session's in order, until none is due. Files that come later are posted on
 * their own.
 */
export class Deliverer {
  readonly #deps: DeliverDeps
  /** What is being posted, or waits here for its turn. `true`: another entry was added meanwhile. */
  readonly #lanes = new Map<string, boolean>()
  /** Those of platforms that this process isn't set up for. They wait for one that is. */
  readonly #absent = new Set<string>()
  /** Entries that a turn of this process has already claimed. */
  readonly #claimed = new Map<string, Claimed>()
  readonly #postings = new Set<Promise<void>>()
  /** By channel; empty when nothing is being posted. */
  readonly #limits = new Map<string, LimitFunction>()
  #leaving = false
  /** How often a platform reported a change. */
  #changes = 0

  constructor(deps: DeliverDeps) {
    this.#deps = deps
  }

  /** Resolves when the postings have begun: a slow one holds up only its own thread. */
  async deliverDue(): Promise<void> {
    if (this.#leaving) return
    const { store, clock, holder } = this.#deps
    const due = await dueOutbox(store.db, clock.now(), looksAtOnce, holder, this.#notLookedFor())
    for (const entry of due) this.#start(entry.session, laneOf(entry))
  }

  /** When to look next. What waits here for its turn begins without a look. */
  nextAt(): NextAt {
    return nextPosting(this.#deps.holder, this.#notLookedFor())
  }

  #notLookedFor(): string[] {
    return [...this.#lanes.keys(), ...this.#absent]
  }

  /** What was just put into the outbox. */
  deliver(posted: OutboxAddition[]): void {
    for (const { session, claimed } of posted) {
      if (session === undefined) {
        this.deliverDue().catch(this.#deps.failed)
        continue
      }
      if (this.#absent.has(session)) continue
      if (claimed !== undefined) this.#claimed.set(session, claimed)
      if (this.#lanes.has(session)) this.#lanes.set(session, true)
      else if (!this.#leaving) this.#start(session, session)
    }
  }

  #start(session: SessionId, lane: string): void {
    if (this.#lanes.has(lane)) return
    this.#lanes.set(lane, false)
    const posting = this.#deliverIn(session, lane)
      .catch(this.#deps.failed)
      .finally(() => {
        const more = this.#lanes.get(lane) === true && !this.#leaving && !this.#absent.has(lane)
        if (!more) this.#claimed.delete(lane)
        this.#lanes.delete(lane)
        this.#postings.delete(posting)
        if (this.#postings.size === 0) this.#limits.clear()
        if (more) this.#start(session, lane)
      })
    this.#postings.add(posting)
  }

  /** Retries at once whatever the platform refused there. */
  async changed(platform: string, where: Changed): Promise<void> {
    this.#changes++
    await this.#deps.store.transaction((tx) => releaseRefused(tx, platform, where))
  }

  /** Begins no new postings, and gives those under way time to end. */
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

  /** One lane's entries, one after another. */
  async #deliverIn(id: SessionId, lane: string): Promise<void> {
    const { store, clock, holder } = this.#deps
    const session = this.#claimed.get(lane)?.home ?? (await findSession(store.db, id))
    await this.#limitOf(
      session,
      lane === id ? postsAtOnce : uploadsAtOnce,
    )(async () => {
      while (!this.#leaving) {
        const claimed = this.#claimed.get(lane)
        this.#claimed.delete(lane)
        // The query below finds everything added so far.
        if (claimed === undefined) this.#lanes.set(lane, false)
        const entry = claimed?.entry ?? (await nextOutbox(store.db, { session: id, lane, now: clock.now(), holder }))
        if (entry === undefined || !(await this.#attempt(entry, claimed, session))) return
        // The claimed entry was the last, and any later one has set the mark.
        if (claimed !== undefined && !this.#claimed.has(lane)) return
      }
    })
  }

  /** False when somebody else made this attempt, or the entry has to wait. */
  async #attempt(entry: OutboxEntry, claimed: Claimed | undefined, session: Session | undefined): Promise<boolean> {
    const { store, clock, report } = this.#deps
    try {
      return await this.#deliver(entry, claimed, session)
    } catch (thrown) {
      report(entry, thrown)
      if (thrown instanceof NotPosted && thrown.afterMs !== undefined)
        await postpone(store, entry, clock.now() + thrown.afterMs)
      return false
    }
  }

  #limitOf(session: Session | undefined, atOnce: number): LimitFunction {
    const { platform, tenant, project } = session?.thread ?? { platform: '', tenant: '', project: '' }
    const channel = JSON.stringify([platform, tenant, project, atOnce])
    const limit = this.#limits.get(channel) ?? pLimit(atOnce)
    this.#limits.set(channel, limit)
    return limit
  }

  /** False when somebody else made this attempt, or the entry has to wait. Throws when it should be tried again. */
  async #deliver(entry: OutboxEntry, claimed: Claimed | undefined, session: Session | undefined): Promise<boolean> {
    const { store, clock, holder, rules, platforms, presenter, formerCalls, report } = this.#deps
    const retryAt = clock.now() + Math.min(longestRetryMs, firstRetryMs * 2 ** entry.attempts)
    const platform = session && platforms.get(session.thread.platform)
    if (session === undefined || platform === undefined) {
      this.#absent.add(laneOf(entry))
      throw new Error(`no platform is connected for session ${entry.session}`)
    }
    if (platform.progress === 'followed') {
      return store.transaction(async (tx) => {
        const isOurs = claimed !== undefined || (await this.#claim(tx, entry, retryAt))
        if (isOurs) await settle(tx, entry, holder)
        return isOurs
      })
    }
    const deps = { store, clock, holder, platform, presenter, formerCalls, session, turn: entry.turn, report }
    const poster = new Poster(deps, entry.kind === 'card' ? entry.payload.again : undefined)
    const known = claimed?.isNew === true ? undefined : await poster.recall(entry)
    const claim = async (tx: Tx) => {
      const isOurs = await this.#claim(tx, entry, retryAt)
      if (isOurs) await poster.begin(tx, entry)
      if (isOurs && entry.kind === 'card') await giveWholeTime(tx, entry.payload.request, entry.createdAt, rules)
      return isOurs
    }
    if (claimed === undefined && !(await store.transaction(claim))) return false
    const changes = this.#changes
    try {
      const content = await contentOf(entry, session, this.#deps, claimed?.begun)
      const post = () => poster.post(entry, content, known)
      // A card that may stand there is changed, and somebody may have answered it meanwhile.
      const mayStand = entry.kind === 'outcome' || (entry.kind === 'card' && known !== undefined)
      const posted = await (mayStand
        ? changeUnlessReplaced(this.#deps, outcomeKey(entry.payload.request), post)
        : post())
      if (posted === 'over') return false
      await this.#settle(entry, session, platform, posted)
    } catch (thrown) {
      if (!(thrown instanceof NotPosted) || thrown.again === 'later') throw thrown
      const now = clock.now()
      const nextAt = thrown.again === 'never' ? undefined : nextAttempt(entry.refusedAt ?? now, now)
      if (nextAt !== undefined) {
        // Somebody may have fixed it while Slack or Discord was still refusing.
        const when = { at: now, nextAt: () => (changes === this.#changes ? nextAt : now + firstRetryMs) }
        await waitForRepair(entry, thrown, when, deps)
        return false
      }
      await giveUp(entry, thrown, { ...deps, rules })
    }
    return true
  }

  /** A frozen process may notice late that another one is posting now, so the lock is checked with each claim. */
  async #claim(tx: Tx, entry: OutboxEntry, retryAt: number): Promise<boolean> {
    const { holder } = this.#deps
    return !(await isReplaced(tx, holder)) && claimAttempt(tx, entry, retryAt, holder)
  }

  async #settle(entry: OutboxEntry, session: Session, platform: ChatPlatform, posted: Posted | Gone | undefined) {
    const { store, holder, rules, wake } = this.#deps
    const work = async (tx: Tx) => {
      if (entry.kind === 'card' && posted !== undefined && 'id' in posted)
        return settleCard(tx, entry, posted, { session, platform, holder, rules })
      if (posted !== undefined && 'id' in posted) await setPosted(tx, posted.key, posted.id, holder)
      else if (posted !== undefined && entry.kind === 'outcome')
        await showAgain(tx, entry.payload.request, posted.gone.id)
      await settle(tx, entry, holder)
      return false
    }
    // Whoever asked has read the answer already. Until this is stored, a crash means that the platform is asked for it.
    const answered = await store.transaction(work, { isUrgent: entry.kind !== 'answer' })
    if (answered) wake(session.id)
  }
}

/** True if somebody has answered it already. */
async function settleCard(
  tx: Tx,
  entry: OutboxEntry & { kind: 'card' },
  { key, id }: Posted,
  { session, platform, holder, rules }: { session: Session; platform: ChatPlatform; holder: string; rules: Rules },
): Promise<boolean> {
  // A deletion that is being stored is seen here, or it sees the card.
  await aloneWith(tx, messageKey(session.thread, id))
  for (const held of new Set([homeOf(session), session.id])) await tx.hold(held)
  await setPosted(tx, key, id, holder)
  await settle(tx, entry, holder)
  // The deletion may be reported before the platform's reply arrives.
  const isDeleted = await wasDeleted(tx.db, messageKey(session.thread, id))
  if (!isDeleted) return answerSaidBelow(tx, entry.payload.request, (message) => platform.isLater(message, id), rules)
  await cardDeleted(tx, { thread: session.thread, message: id })
  return false
}

/** The message is in the thread: marks the entry and tells screens. */
async function settle(tx: Tx, entry: OutboxEntry, holder: string): Promise<void> {
  if (!(await markDelivered(tx, entry, holder)) || entry.kind !== 'answer') return
  // An earlier attempt may have told them.
  if (entry.attempts > 0 && (await findEventByKey(tx.db, entry.key)) !== undefined) return
  await tx.ledger.hold(entry.session, { next_event: 1 })
  const { text, files, said } = entry.payload
  if (said !== undefined) tx.ledger.say(entry.session, { seq: said, text, turn: entry.turn })
  const ids = { message_id: entry.key as MessageId, turn_id: entry.turn }
  const data = { ...ids, role: 'assistant' as const, text, files }
  await appendEvents(tx, entry.session, [{ type: 'message', data }], entry.key)
}
