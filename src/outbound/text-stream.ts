import type { NewEvent } from '../domain/events.ts'
import { newId, type SessionId, type TextId, type TurnId } from '../domain/ids.ts'
import { mayBecomeSilence } from '../kit/model/silence.ts'
import type { StreamMask } from '../kit/secrets/mask.ts'
import { appendEvents } from '../store/events.ts'
import { isHeld, type Lease, type Store } from '../store/store.ts'

interface Streaming {
  lease: Lease
  turn: TurnId
  text: TextId
  started: boolean
  pending: string
  mask: StreamMask
}

/**
 * Streamed text on its way to the events. What comes in within `flushMs` becomes one event, and all sessions' text is
 * stored in one transaction; the first words of a reply do not wait.
 */
export class TextStream {
  readonly #store: Store
  readonly #flushMs: number
  readonly #report: (thrown: unknown) => void
  readonly #newMask: () => StreamMask
  readonly #streaming = new Map<SessionId, Streaming>()
  #timer: NodeJS.Timeout | undefined
  #immediate = false
  #stopped = false

  constructor(store: Store, flushMs: number, report: (thrown: unknown) => void, newMask: () => StreamMask) {
    this.#store = store
    this.#flushMs = flushMs
    this.#report = report
    this.#newMask = newMask
  }

  push(lease: Lease, turn: TurnId, delta: string): void {
    if (this.#stopped) return
    const known = this.#streaming.get(lease.session)
    const streaming = known?.lease === lease && known.turn === turn ? known : this.#begin(lease, turn)
    streaming.pending += streaming.mask.push(delta)
    // The first words do not wait; what may be the beginning of a secret is not there yet.
    if (!streaming.started && !mayBecomeSilence(streaming.pending) && !this.#immediate) {
      this.#immediate = true
      setImmediate(() => void this.#flush())
    }
    this.#timer ??= setTimeout(() => this.#flush(), this.#flushMs)
  }

  #begin(lease: Lease, turn: TurnId): Streaming {
    const text: TextId = newId('text')
    const streaming = { lease, turn, text, started: false, pending: '', mask: this.#newMask() }
    this.#streaming.set(lease.session, streaming)
    return streaming
  }

  /** Takes the session's stream out: the events that end it, to be stored with whatever comes next. Once: the second time there are none. */
  end(lease: Lease, whole: { text: string; discarded?: boolean }): NewEvent[] {
    const streaming = this.#streaming.get(lease.session)
    if (streaming === undefined || streaming.lease !== lease) return []
    this.#streaming.delete(lease.session)
    streaming.pending += streaming.mask.end()
    // Nobody has seen anything of it.
    if (!streaming.started && whole.text === '') return []
    const { turn, text } = streaming
    return [...take(streaming), { type: 'text_end', data: { turn_id: turn, text_id: text, ...whole } }]
  }

  /** Stores what there is; nothing is stored any more afterwards. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    if (this.#streaming.size > 0) await this.#flush()
    this.#streaming.clear()
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#immediate = false
    const taken: { streaming: Streaming; started: boolean; text: string }[] = []
    try {
      await this.#store.transaction(async (tx) => {
        for (const [session, streaming] of this.#streaming) {
          if (streaming.pending === '' || (!streaming.started && mayBecomeSilence(streaming.pending))) continue
          if (await isHeld(tx, streaming.lease)) {
            taken.push({ streaming, started: streaming.started, text: streaming.pending })
            await appendEvents(tx, session, take(streaming))
          } else this.#streaming.delete(session)
        }
      })
    } catch (thrown) {
      for (const { streaming, started, text } of taken) {
        streaming.started = started
        streaming.pending = text + streaming.pending
      }
      this.#report(thrown)
    }
  }
}

function take(streaming: Streaming): NewEvent[] {
  const { turn, text, started, pending } = streaming
  const ids = { turn_id: turn, text_id: text }
  streaming.started = true
  streaming.pending = ''
  const start: NewEvent[] = started ? [] : [{ type: 'text_start', data: ids }]
  return pending === '' ? start : [...start, { type: 'text_delta', data: { ...ids, delta: pending } }]
}
