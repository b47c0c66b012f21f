import type { NewEvent } from '../domain/events.ts'
import type { CallId, TurnId } from '../domain/ids.ts'
import type { StreamMask } from '../kit/secrets/mask.ts'
import { appendEvents } from '../store/events.ts'
import { isHeld, type Lease, type Store } from '../store/store.ts'

/** How often a call's output is shown, and up to how many characters; the result has the rest. */
const flushMs = 300
const mostCharacters = 20_000

interface Printing {
  lease: Lease
  turn: TurnId
  pending: string
  shown: number
  mask: StreamMask
}

/** Carries the output of running calls to the events. It may be lost; a call's result may not. */
export class OutputStream {
  readonly #store: Store
  readonly #report: (thrown: unknown) => void
  readonly #newMask: () => StreamMask
  readonly #printing = new Map<CallId, Printing>()
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store, report: (thrown: unknown) => void, newMask: () => StreamMask) {
    this.#store = store
    this.#report = report
    this.#newMask = newMask
  }

  push(lease: Lease, turn: TurnId, call: CallId, text: string): void {
    const printing = this.#printing.get(call) ?? { lease, turn, pending: '', shown: 0, mask: this.#newMask() }
    const room = mostCharacters - printing.shown
    if (room <= 0) return
    printing.shown += text.length
    printing.pending += printing.mask.push(text.length > room ? `${text.slice(0, room)}\n…` : text)
    this.#printing.set(call, printing)
    this.#timer ??= setTimeout(() => void this.#flush(), flushMs)
  }

  /** The call has ended; its result contains whatever wasn't shown yet. */
  end(call: CallId): void {
    this.#printing.delete(call)
  }

  /** The turn is over, or somebody else has it. */
  leave(lease: Lease): void {
    for (const [call, printing] of this.#printing) if (printing.lease === lease) this.#printing.delete(call)
  }

  /** Stores nothing from now on. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#printing.clear()
  }

  async #flush(): Promise<void> {
    this.#timer = undefined
    const pieces = [...this.#printing].map(([call, { lease, turn, pending: text }]) => ({ call, lease, turn, text }))
    for (const printing of this.#printing.values()) printing.pending = ''
    try {
      const lost = await this.#store.transaction(async (tx) => {
        const lost: CallId[] = []
        for (const { call, lease, turn, text } of pieces) {
          if (text === '') continue
          const event: NewEvent = { type: 'output', data: { turn_id: turn, call_id: call, text } }
          if (await isHeld(tx, lease)) await appendEvents(tx, lease.session, [event])
          else lost.push(call)
        }
        return lost
      })
      for (const call of lost) this.#printing.delete(call)
    } catch (thrown) {
      this.#report(thrown)
    }
  }
}
