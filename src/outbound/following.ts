import type { SessionId, TurnId } from '../domain/ids.ts'
import { pageKey, replyKey } from '../domain/keys.ts'
import type { TurnView } from '../domain/turn-view.ts'
import type { Clock } from '../kit/clock.ts'
import type { ChatPlatform, LiveReply } from '../platforms/platform.ts'
import { readEvents } from '../store/events.ts'
import { leaseHere } from '../store/hold-session.ts'
import { isInOutbox, whoPosts } from '../store/outbox.ts'
import { beginLive, endPosting, type Former, type KnownPosting, setNote, setPosted } from '../store/postings.ts'
import type { Session } from '../store/sessions.ts'
import { isHeld, type Lease, type Store } from '../store/store.ts'
import { findTurn, type StoredTurn } from '../store/turns.ts'
import { changeUnlessOver } from './change-unless-over.ts'
import type { TurnFold } from './fold-turn.ts'
import type { FormerCalls } from './former-calls.ts'
import type { LiveTexts } from './live-texts.ts'
import { postingOf } from './posting.ts'
import { foldOf } from './record.ts'

export interface PresenterDeps {
  store: Store
  clock: Clock
  liveTexts: LiveTexts
  platforms: Map<string, ChatPlatform>
  formerCalls: FormerCalls
  /** Identifies this process in the engine's lock. */
  holder: string
  /** Events are read at most this often, ms. */
  readMs: number
  report(thrown: unknown): void
}

export interface Live {
  /** Who began to show it. */
  by: object
  /** With which it is shown. */
  lease: Lease
  reply: LiveReply
  /** The deliverer has taken it: to post the answer, which it has begun, or to change only what stands already. */
  taken: 'to post' | 'to change' | undefined
}

/** Where it is shown: a child's in the message of its parent's turn. */
export type ShownIn = Pick<Session, 'id' | 'thread' | 'title'> & {
  parent?: { session: SessionId; turn: TurnId } | undefined
}

export interface Followed {
  session: ShownIn
  turn: StoredTurn
  lease: Lease
  platform: ChatPlatform
  /** Only for a turn that rests; called when it has ended or is taken elsewhere. */
  over?: () => void
}

interface Showing extends Followed {
  deps: PresenterDeps
  /** By the key of the message's first page. */
  lives: Map<string, Live>
  /** Called when this has left a message, which others may be showing. */
  left: (page: string) => void
}

/** Shows one turn in its live message until it ends. */
export class Following {
  /** The turn that is shown: that of the parent, if it has one. */
  readonly #session: Pick<Session, 'id' | 'thread' | 'title'>
  readonly #parent: ShownIn['parent']
  #turn: StoredTurn | undefined
  readonly #lease: Lease
  readonly #platform: ChatPlatform
  readonly #deps: PresenterDeps
  readonly #over: (() => void) | undefined
  readonly #lives: Map<string, Live>
  readonly #left: (page: string) => void
  /** By segment: the keys of its posting and of its outbox entry. */
  readonly #keys = new Map<number, { page: string; entry: string }>()
  readonly #unwatch: (() => void)[]
  #fold: TurnFold | undefined
  #next = 1
  #timer: NodeJS.Timeout | undefined
  #reading = Promise.resolve()
  #ended = false

  constructor({ session, turn, lease, platform, over, deps, lives, left }: Showing) {
    const { parent, thread, title } = session
    const id = parent?.session ?? session.id
    this.#session = { id, thread, title: parent === undefined ? title : '' }
    this.#parent = parent
    this.#turn = parent === undefined ? turn : undefined
    this.#lease = lease
    this.#platform = platform
    this.#over = over
    this.#deps = deps
    this.#lives = lives
    this.#left = left
    this.#unwatch = [deps.store, deps.liveTexts].map((told) => told.watch(id, () => this.#soon()))
    this.#soon()
  }

  /** The turn has ended or waits, and its outbox entry will end the message; or another process continues it. */
  async end(): Promise<void> {
    this.#ended = true
    for (const unwatch of this.#unwatch) unwatch()
    clearTimeout(this.#timer)
    await this.#reading
    for (const { page, entry } of this.#keys.values()) await this.#letGo(page, entry).catch(this.#deps.report)
  }

  /** A message that no outbox entry will end here stays as it is, perhaps until another process ends it. */
  async #letGo(page: string, entry: string): Promise<void> {
    if ((await whoPosts(this.#deps.store.db, entry, this.#deps.holder)) === 'we') return
    const live = this.#lives.get(page)
    // Others may be showing the same turn.
    if (this.#parent !== undefined && live?.by !== this) return
    this.#lives.delete(page)
    await live?.reply.leave()
    this.#left(page)
  }

  /** Somebody else has left the message; what was shown in it last may not have been written. */
  showAgain(page: string): void {
    for (const keys of this.#keys.values()) if (keys.page === page) this.#soon()
  }

  #soon(): void {
    if (this.#ended || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#reading = this.#reading.then(() => this.#read()).catch(this.#deps.report)
    }, this.#deps.readMs)
  }

  async #read(): Promise<void> {
    const { store, liveTexts } = this.#deps
    const before = liveTexts.now(this.#session.id)
    this.#turn ??= this.#parent && (await findTurn(store.db, this.#parent.turn))
    if (this.#turn === undefined) return
    if (this.#fold === undefined) {
      const { fold, from } = await foldOf(store.db, this.#turn)
      this.#fold = fold
      this.#next = from
    }
    for (const event of await readEvents(store.db, this.#session.id, this.#next, -1)) {
      this.#fold.add(event)
      this.#next = event.event_id + 1
    }
    const now = liveTexts.now(this.#session.id)
    // Text that has begun or ended meanwhile comes next time, after the events that were not read yet.
    if (now !== undefined && now.text === before?.text) this.#fold.hear(now)
    const view = this.#fold.current
    if (this.#over !== undefined && !(await this.#stillRests(view.state))) return this.#over()
    if (this.#ended || view.state !== 'running') return
    const message = await this.#liveOf(this.#turn, view.segment)
    message?.reply.show(structuredClone(view))
  }

  /** While it waits for people, which may take weeks, nothing of it is kept in memory. */
  async #stillRests(state: TurnView['state']): Promise<boolean> {
    if (state === 'waiting') this.#fold = undefined
    return (state === 'running' || state === 'waiting') && (await this.#leaseNow()) !== undefined
  }

  /** The live message of a segment; undefined when it is already being ended. */
  async #liveOf(turn: StoredTurn, segment: number): Promise<Live | undefined> {
    const keys = this.#keys.get(segment)
    if (keys !== undefined && this.#parent === undefined) return this.#lives.get(keys.page)
    const lease = await this.#leaseNow()
    const open = keys && this.#lives.get(keys.page)
    if (open !== undefined && (lease === undefined || isSame(open.lease, lease))) return open
    const entry = replyKey(turn.id, segment)
    const page = pageKey(entry, 0)
    const { db } = this.#deps.store
    const shown = this.#lives.get(page)
    if (shown !== undefined && (this.#parent === undefined || (lease !== undefined && !isSame(shown.lease, lease)))) {
      // A child showed the turn while it rested. It has gone on since, and may rest again.
      this.#lives.delete(page)
      await shown.reply.leave()
    }
    const known = await this.#deps.formerCalls.find(page, () => this.#ended || this.#lives.has(page))
    // If the answer is already in the outbox, nobody would finish this live message, so don't start one.
    if ((await isInOutbox(db, entry)) || this.#ended || lease === undefined) return undefined
    this.#keys.set(segment, { page, entry })
    const live = this.#lives.get(page) ?? this.#open({ page, entry }, known, turn, lease)
    this.#lives.set(page, live)
    return live
  }

  /** Undefined when another process shows the turn. */
  #leaseNow(): Lease | undefined | Promise<Lease | undefined> {
    if (this.#parent === undefined) return this.#lease
    return leaseHere(this.#deps.store.db, this.#parent.session, this.#deps.holder)
  }

  #open(
    { page, entry }: { page: string; entry: string },
    known: KnownPosting | undefined,
    turn: StoredTurn,
    lease: Lease,
  ): Live {
    const { store, clock, holder } = this.#deps
    let former: Former = known
    const posting = postingOf({ store, clock, holder, session: this.#session.id, turn: turn.id }, page, known)
    const live: Live = {
      by: this,
      lease,
      taken: undefined,
      reply: this.#platform.live(this.#session.thread, {
        posting,
        reader: turn.person,
        title: this.#session.title,
        id: known?.id,
        unsure: known !== undefined && known.id === undefined,
        begin: async (note) => {
          const begunAt = live.taken === undefined ? await this.#begin({ page, entry }, lease, former, note) : undefined
          if (begunAt !== undefined) {
            former = { begunAt, holder }
            return true
          }
          if (live.taken === 'to post') {
            if (note !== undefined) await posting.remember(note)
            return true
          }
          // Only the deliverer posts it now.
          if (this.#lives.get(page) === live) this.#lives.delete(page)
          return false
        },
        // Stored before the answer replaces it, because an edited message may not be found again. Until then, whoever
        // continues the message waits.
        posted: (id) =>
          store.availability.patiently(() =>
            store.transaction((tx) =>
              id === undefined ? endPosting(tx, page, holder) : setPosted(tx, page, id, holder),
            ),
          ),
        change: (write) => changeUnlessOver(this.#deps, { entry, lease }, write),
      }),
    }
    return live
  }

  /**
   * Returns when it was begun, ms. Undefined when its end is already in the outbox, or another process has the turn:
   * then they post it. Also when whoever showed it before was just posting it, or has tried to since.
   */
  #begin(
    { page, entry }: { page: string; entry: string },
    lease: Lease,
    former: Former,
    note: string | undefined,
  ): Promise<number | undefined> {
    const { store, holder } = this.#deps
    return store.transaction(async (tx) => {
      if (!(await isHeld(tx, lease)) || (await isInOutbox(tx.db, entry))) return undefined
      const begunAt = await beginLive(tx, this.#session.id, page, { holder, former })
      if (begunAt !== undefined && note !== undefined) await setNote(tx, page, note, holder)
      return begunAt
    })
  }
}

const isSame = (one: Lease, other: Lease): boolean => one.epoch === other.epoch
