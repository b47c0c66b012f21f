import type { ChatPlatform, LiveReply } from '../chat/platform.ts'
import type { Clock } from '../domain/clock.ts'
import { readEvents, startOfTurn } from '../store/events.ts'
import { isInOutbox } from '../store/outbox.ts'
import { beginPosting, findPosting, setNote, setPosted } from '../store/postings.ts'
import type { Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Turn } from '../store/turns.ts'
import { replyKey } from './end-turn.ts'
import type { TurnFold } from './fold-turn.ts'
import { foldOf } from './record.ts'

/** A message's pages are known by its key and their place. */
export const pageKey = (key: string, index: number): string => `${key}.${index}`

export interface PresenterDeps {
  store: Store
  clock: Clock
  platforms: Map<string, ChatPlatform>
  /** Events are read at most this often, ms. */
  readMs: number
  report(thrown: unknown): void
}

interface Live {
  reply: LiveReply
  /** Who delivers the answer keeps its rows from here on. */
  taken: boolean
}

/** Shows turns on their platform while they run in this process. What is shown may be lost: it is derived from events. */
export class Presenter {
  readonly #deps: PresenterDeps
  readonly #lives = new Map<string, Live>()

  constructor(deps: PresenterDeps) {
    this.#deps = deps
  }

  /** Takes the live message with this key out: nothing but `finish` or `leave` happens to it any more. */
  take(key: string): LiveReply | undefined {
    const live = this.#lives.get(key)
    if (live === undefined) return undefined
    this.#lives.delete(key)
    live.taken = true
    return live.reply
  }

  /** Follows a turn until `end`. */
  follow(session: Session, turn: Turn): { end(): Promise<void> } {
    const platform = this.#deps.platforms.get(session.thread.platform)
    if (platform === undefined || platform.progress === 'followed') return { end: async () => {} }
    const following = new Following(session, turn, platform, this.#deps, this.#lives)
    return { end: () => following.end() }
  }
}

class Following {
  readonly #session: Session
  readonly #turn: Turn
  readonly #platform: ChatPlatform
  readonly #deps: PresenterDeps
  readonly #lives: Map<string, Live>
  readonly #keys = new Set<string>()
  readonly #unwatch: () => void
  #fold: TurnFold | undefined
  #next = 1
  #timer: NodeJS.Timeout | undefined
  #reading = Promise.resolve()
  #ended = false

  constructor(session: Session, turn: Turn, platform: ChatPlatform, deps: PresenterDeps, lives: Map<string, Live>) {
    this.#session = session
    this.#turn = turn
    this.#platform = platform
    this.#deps = deps
    this.#lives = lives
    this.#unwatch = deps.store.watch(session.id, () => this.#soon())
    this.#soon()
  }

  /** The turn has ended or waits, and what it put into the outbox finishes its message; or the process is leaving. */
  end(): Promise<void> {
    this.#ended = true
    this.#unwatch()
    clearTimeout(this.#timer)
    return this.#reading
  }

  #soon(): void {
    if (this.#ended || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#reading = this.#reading.then(() => this.#read()).catch(this.#deps.report)
    }, this.#deps.readMs)
  }

  async #read(): Promise<void> {
    const { store } = this.#deps
    if (this.#fold === undefined) {
      this.#fold = await foldOf(store.db, this.#turn)
      this.#next = await startOfTurn(store.db, this.#session.id, this.#turn.id)
    }
    for (const event of await readEvents(store.db, this.#session.id, this.#next, -1)) {
      this.#fold.add(event)
      this.#next = event.event_id + 1
    }
    const view = this.#fold.current
    if (this.#ended || view.state !== 'running') return
    const live = await this.#liveOf(view.segment)
    live?.reply.show(structuredClone(view))
  }

  #keyOf(segment: number): string {
    return pageKey(replyKey(this.#turn.id, segment), 0)
  }

  /** The live message of a segment; undefined when somebody took it already. */
  async #liveOf(segment: number): Promise<Live | undefined> {
    const key = this.#keyOf(segment)
    if (this.#keys.has(key)) return this.#lives.get(key)
    const { store, clock } = this.#deps
    const known = await findPosting(store.db, key)
    if (this.#ended) return undefined
    this.#keys.add(key)
    const posting = {
      key,
      note: known?.note,
      since: known?.begunAt ?? clock.now(),
      remember: (note: string) => store.transaction((tx) => setNote(tx, key, note)),
    }
    const live: Live = {
      taken: false,
      reply: this.#platform.live(this.#session.thread, {
        posting,
        reader: this.#turn.person,
        id: known?.id,
        unsure: known !== undefined && known.id === undefined,
        begin: () => (live.taken ? Promise.resolve(true) : this.#begin(key)),
        posted: async (id) => {
          if (!live.taken) await store.transaction((tx) => setPosted(tx, key, id))
        },
      }),
    }
    this.#lives.set(key, live)
    return live
  }

  /** False when its end stands in the outbox already: then it is posted from there. */
  #begin(key: string): Promise<boolean> {
    return this.#deps.store.transaction(async (tx) => {
      if (await isInOutbox(tx.db, key.slice(0, key.lastIndexOf('.')))) return false
      await beginPosting(tx, this.#session.id, key)
      return true
    })
  }
}
