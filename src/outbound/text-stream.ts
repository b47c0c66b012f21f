import type { NewEvent } from '../domain/events.ts'
import type { SessionId, TextId, TurnId } from '../domain/ids.ts'
import { mayBecomeSilence } from '../kit/model/silence.ts'
import type { StreamMask } from '../kit/secrets/mask.ts'
import { stillHolds } from '../store/hold-session.ts'
import type { Lease, Store } from '../store/store.ts'
import type { LiveTexts } from './live-texts.ts'

interface Streaming {
  lease: Lease
  turn: TurnId
  text: TextId
  shown: string
  /** Not masked yet. */
  raw: string
  pending: string
  mask: StreamMask
}

interface TextStreamDeps {
  store: Store
  liveTexts: LiveTexts
  /** What arrives within this time is shown together, ms. */
  flushMs: number
  report(thrown: unknown): void
  newMask(): StreamMask
}

/** Streamed text on its way to screens and platforms. */
export class TextStream {
  readonly #deps: TextStreamDeps
  readonly #streaming = new Map<SessionId, Streaming>()
  /** How many texts were streamed under each lease. */
  readonly #counts = new WeakMap<Lease, number>()
  #timer: NodeJS.Timeout | undefined
  #immediate = false
  #stopped = false

  constructor(deps: TextStreamDeps) {
    this.#deps = deps
  }

  push(lease: Lease, turn: TurnId, delta: string): void {
    if (this.#stopped) return
    const known = this.#streaming.get(lease.session)
    const streaming = known?.lease === lease && known.turn === turn ? known : this.#begin(lease, turn)
    streaming.raw += delta
    // The first words are shown at once.
    if (!this.#immediate && streaming.shown === '' && !mayBecomeSilence(streaming.pending + streaming.raw)) {
      this.#immediate = true
      setImmediate(() => void this.#flush())
    }
    this.#timer ??= setTimeout(() => void this.#flush(), this.#deps.flushMs)
  }

  #begin(lease: Lease, turn: TurnId): Streaming {
    const count = (this.#counts.get(lease) ?? 0) + 1
    this.#counts.set(lease, count)
    // No two leases of a session have the same epoch.
    const text: TextId = `text_${lease.epoch}_${count}`
    const streaming = { lease, turn, text, shown: '', raw: '', pending: '', mask: this.#deps.newMask() }
    this.#streaming.set(lease.session, streaming)
    return streaming
  }

  /**
   * Ends the session's stream and returns its events, to be stored with what comes next. The second call returns none.
   */
  end(lease: Lease, whole: { text: string; discarded?: boolean }): NewEvent[] {
    const streaming = this.#streaming.get(lease.session)
    if (streaming === undefined || streaming.lease !== lease) return []
    this.#forget(lease.session)
    // Nobody has seen any of it.
    if (streaming.shown === '' && whole.text === '') return []
    return wholeText(streaming, whole)
  }

  /** Ends the stream of this lease without telling what was said. */
  leave(lease: Lease): void {
    if (this.#streaming.get(lease.session)?.lease === lease) this.#forget(lease.session)
  }

  #forget(session: SessionId): void {
    this.#streaming.delete(session)
    this.#deps.liveTexts.forget(session)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#streaming.clear()
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#immediate = false
    const { store, report } = this.#deps
    for (const [session, streaming] of this.#streaming) {
      // Once for all that has come: the mask looks at what was said before, too. It holds back what may become a
      // secret.
      streaming.pending += streaming.mask.push(streaming.raw)
      streaming.raw = ''
      if (streaming.pending === '' || (streaming.shown === '' && mayBecomeSilence(streaming.pending))) continue
      try {
        const isHeld = await stillHolds(store.db, streaming.lease)
        // It may have ended meanwhile.
        if (this.#streaming.get(session) !== streaming) continue
        if (isHeld) this.#show(session, streaming)
        else this.#forget(session)
      } catch (thrown) {
        report(thrown)
      }
    }
  }

  #show(session: SessionId, streaming: Streaming): void {
    const { store, liveTexts } = this.#deps
    const { turn, text } = streaming
    streaming.shown += store.mask(streaming.pending)
    streaming.pending = ''
    liveTexts.show(session, { turn, text, shown: streaming.shown })
  }
}

/** The events for a text that was streamed. */
export function wholeText(
  { turn, text: id }: { turn: TurnId; text: TextId },
  whole: { text: string; discarded?: boolean },
): NewEvent[] {
  const ids = { turn_id: turn, text_id: id }
  return [
    { type: 'text_start', data: ids },
    { type: 'text_end', data: { ...ids, ...whole } },
  ]
}
