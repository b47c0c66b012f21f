import type { SessionId } from '../domain/ids.ts'
import type { ChatPlatform, LiveReply } from '../platforms/platform.ts'
import { takeResting } from '../store/resting.ts'
import type { Session } from '../store/sessions.ts'
import type { Lease } from '../store/store.ts'
import type { StoredTurn } from '../store/turns.ts'
import { type Followed, Following, type Live, type PresenterDeps } from './following.ts'

/** A turn that is being shown. */
interface Shown {
  /** The turn has ended, or this process gives it up. */
  end(): Promise<void>
  /** The turn waits. If there are other processes, its message continues with what its subagents do there. */
  rest(): Promise<void>
}

/**
 * Shows turns of this process on their platform while they run. What is shown may be lost, because it is derived from
 * events and from the text that streams.
 */
export class Presenter {
  readonly #deps: PresenterDeps
  /** By the key of the message's first page, until it ends. */
  readonly #lives = new Map<string, Live>()
  /** Those that show something now. */
  readonly #following = new Set<Following>()
  /** Those of turns that rest while subagents work, which may run in other processes. */
  readonly #resting = new Map<SessionId, Following>()

  constructor(deps: PresenterDeps) {
    this.#deps = deps
  }

  /** Whether a live message with this key is open here. */
  shows(key: string): boolean {
    return this.#lives.has(key)
  }

  /** Takes out the live message with this key. After that, only `finish` or `leave` may be called on it. */
  take(key: string, why: NonNullable<Live['taken']>): LiveReply | undefined {
    const live = this.#lives.get(key)
    if (live === undefined) return undefined
    this.#lives.delete(key)
    live.taken = why
    return live.reply
  }

  /**
   * Follows a turn until `end`. Once the lease is lost it begins no new message: another process shows the turn. What a
   * child does is shown in the message of its parent's turn, by the process that last ran that turn.
   */
  follow(session: Session, turn: StoredTurn, lease: Lease): Shown {
    const platform = this.#deps.platforms.get(session.thread.platform)
    if (platform === undefined || platform.progress === 'followed') return { end: async () => {}, rest: async () => {} }
    this.#resume(session.id)
    const following = this.#begin({ session, turn, lease, platform })
    const end = () => this.#end(following)
    return {
      end,
      rest: async () => {
        await end()
        this.#rest(session, turn, lease, platform)
      },
    }
  }

  /** Continues the messages of turns that rest while subagents work, if the process that showed them is gone. */
  async takeOver(): Promise<void> {
    for (const { session, turn, lease } of await takeResting(this.#deps.store, this.#deps.holder)) {
      const platform = this.#deps.platforms.get(session.thread.platform)
      if (platform !== undefined && platform.progress !== 'followed') this.#rest(session, turn, lease, platform)
    }
  }

  /** Without other processes, whoever runs the subagents is here. */
  #rest(session: Session, turn: StoredTurn, lease: Lease, platform: ChatPlatform): void {
    if (this.#deps.store.wire === undefined || session.parent !== undefined) return
    this.#resume(session.id)
    const parent = { session: session.id, turn: turn.id }
    const resting = this.#begin({
      session: { ...session, parent },
      turn,
      lease,
      platform,
      over: () => this.#resume(session.id),
    })
    this.#resting.set(session.id, resting)
  }

  /** Shows nothing more of turns that rest. */
  async stop(): Promise<void> {
    const resting = [...this.#resting.values()]
    this.#resting.clear()
    await Promise.all(resting.map((one) => this.#end(one)))
  }

  #begin(followed: Followed): Following {
    const following: Following = new Following({
      ...followed,
      deps: this.#deps,
      lives: this.#lives,
      left: (page) => {
        for (const other of this.#following) if (other !== following) other.showAgain(page)
      },
    })
    this.#following.add(following)
    return following
  }

  #end(following: Following): Promise<void> {
    this.#following.delete(following)
    return following.end()
  }

  /** The turn doesn't rest any more, or another process has it. */
  #resume(session: SessionId): void {
    const resting = this.#resting.get(session)
    this.#resting.delete(session)
    if (resting !== undefined) this.#end(resting).catch(this.#deps.report)
  }
}
