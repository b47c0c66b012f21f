import { pageKey, replyKey } from '../domain/keys.ts'
import type { Clock } from '../kit/clock.ts'
import type { ChatPlatform, LiveReply } from '../platforms/platform.ts'
import { readEvents } from '../store/events.ts'
import { isInOutbox, isUndelivered } from '../store/outbox.ts'
import { beginPosting, findPosting, type KnownPosting, setNote, setPosted } from '../store/postings.ts'
import type { Session } from '../store/sessions.ts'
import { isHeld, type Lease, type Store } from '../store/store.ts'
import type { StoredTurn } from '../store/turns.ts'
import { changeUnlessOver } from './change-unless-over.ts'
import type { TurnFold } from './fold-turn.ts'
import type { FormerCalls } from './former-calls.ts'
import type { LiveTexts } from './live-texts.ts'
import { postingOf } from './posting.ts'
import { foldOf } from './record.ts'

export interface PresenterDeps {
  store: Store
  clock: Clock
  live: LiveTexts
  platforms: Map<string, ChatPlatform>
  former: FormerCalls
  /** Identifies this process in the engine's lock. */
  holder: string
  /** Events are read at most this often, ms. */
  readMs: number
  report(thrown: unknown): void
}

interface Live {
  reply: LiveReply
  /** The deliverer has taken it: to post the answer, which it has begun, or to change only what stands already. */
  taken: 'to post' | 'to change' | undefined
}

/**
 * Shows turns of this process on their platform while they run. What is shown may be lost, because it is derived from
 * events and from the text that streams.
 */
export class Presenter {
  readonly #deps: PresenterDeps
  /** By the key of the message's first page, until it ends. */
  readonly #lives = new Map<string, Live>()

  constructor(deps: PresenterDeps) {
    this.#deps = deps
  }

  /** Takes out the live message with this key. After that, only `finish` or `leave` may be called on it. */
  take(key: string, why: NonNullable<Live['taken']>): LiveReply | undefined {
    const live = this.#lives.get(key)
    if (live === undefined) return undefined
    this.#lives.delete(key)
    live.taken = why
    return live.reply
  }

  /** Follows a turn until `end`. Once the lease is lost it begins no new message: another process shows the turn. */
  follow(session: Session, turn: StoredTurn, lease: Lease): { end(): Promise<void> } {
    const platform = this.#deps.platforms.get(session.thread.platform)
    if (platform === undefined || platform.progress === 'followed') return { end: async () => {} }
    const following = new Following(session, turn, lease, platform, this.#deps, this.#lives)
    return { end: () => following.end() }
  }
}

class Following {
  readonly #session: Session
  readonly #turn: StoredTurn
  readonly #lease: Lease
  readonly #platform: ChatPlatform
  readonly #deps: PresenterDeps
  readonly #lives: Map<string, Live>
  /** By segment: the keys of its posting and of its outbox entry. */
  readonly #keys = new Map<number, { page: string; entry: string }>()
  readonly #unwatch: (() => void)[]
  #fold: TurnFold | undefined
  #next = 1
  #timer: NodeJS.Timeout | undefined
  #reading = Promise.resolve()
  #ended = false

  constructor(
    session: Session,
    turn: StoredTurn,
    lease: Lease,
    platform: ChatPlatform,
    deps: PresenterDeps,
    lives: Map<string, Live>,
  ) {
    this.#session = session
    this.#turn = turn
    this.#lease = lease
    this.#platform = platform
    this.#deps = deps
    this.#lives = lives
    this.#unwatch = [deps.store, deps.live].map((told) => told.watch(session.id, () => this.#soon()))
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

  /** A message that no outbox entry will end stays as it is. */
  async #letGo(page: string, entry: string): Promise<void> {
    if (await isUndelivered(this.#deps.store.db, entry)) return
    const live = this.#lives.get(page)
    this.#lives.delete(page)
    await live?.reply.leave()
  }

  #soon(): void {
    if (this.#ended || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#reading = this.#reading.then(() => this.#read()).catch(this.#deps.report)
    }, this.#deps.readMs)
  }

  async #read(): Promise<void> {
    const { store, live } = this.#deps
    const before = live.now(this.#session.id)
    if (this.#fold === undefined) {
      const { fold, from } = await foldOf(store.db, this.#turn)
      this.#fold = fold
      this.#next = from
    }
    for (const event of await readEvents(store.db, this.#session.id, this.#next, -1)) {
      this.#fold.add(event)
      this.#next = event.event_id + 1
    }
    const now = live.now(this.#session.id)
    // Text that has begun or ended meanwhile comes next time, after the events that were not read yet.
    if (now !== undefined && now.text === before?.text) this.#fold.hear(now)
    const view = this.#fold.current
    if (this.#ended || view.state !== 'running') return
    const message = await this.#liveOf(view.segment)
    message?.reply.show(structuredClone(view))
  }

  /** The live message of a segment; undefined when it is already being ended. */
  async #liveOf(segment: number): Promise<Live | undefined> {
    const keys = this.#keys.get(segment)
    if (keys !== undefined) return this.#lives.get(keys.page)
    const entry = replyKey(this.#turn.id, segment)
    const page = pageKey(entry, 0)
    const { db } = this.#deps.store
    const known = await findPosting(db, page)
    await this.#deps.former.arrived(known)
    // If the answer is already in the outbox, nobody would finish this live message, so don't start one.
    if ((await isInOutbox(db, entry)) || this.#ended) return undefined
    this.#keys.set(segment, { page, entry })
    const live = this.#open(page, entry, known)
    this.#lives.set(page, live)
    return live
  }

  #open(page: string, entry: string, known: KnownPosting | undefined): Live {
    const { store, clock } = this.#deps
    const posting = postingOf({ store, clock, session: this.#session.id, turn: this.#turn.id }, page, known)
    const live: Live = {
      taken: undefined,
      reply: this.#platform.live(this.#session.thread, {
        posting,
        reader: this.#turn.person,
        id: known?.id,
        unsure: known !== undefined && known.id === undefined,
        begin: async (note) => {
          if (live.taken === undefined && (await this.#begin(page, entry, note))) return true
          if (live.taken === 'to post') {
            if (note !== undefined) await posting.remember(note)
            return true
          }
          // Only the deliverer posts it now.
          if (this.#lives.get(page) === live) this.#lives.delete(page)
          return false
        },
        // Stored before the answer replaces it, because an edited message may not be found again.
        posted: (id) => store.transaction((tx) => setPosted(tx, page, id)),
        change: (write) => changeUnlessOver(this.#deps, { entry, lease: this.#lease }, write),
      }),
    }
    return live
  }

  /** False when its end is already in the outbox, or another process has the turn: then they post it. */
  #begin(page: string, entry: string, note: string | undefined): Promise<boolean> {
    return this.#deps.store.transaction(async (tx) => {
      if (!(await isHeld(tx, this.#lease)) || (await isInOutbox(tx.db, entry))) return false
      await beginPosting(tx, this.#session.id, page)
      if (note !== undefined) await setNote(tx, page, note)
      return true
    })
  }
}
