import { unlessAborted } from '../kit/abort.ts'
import { Failure } from '../kit/failure.ts'
import type { StoredTurn } from '../store/turns.ts'

/**
 * From so many deaths at one step on, a turn is alone among its kind until it has got further: whose step it is that kills the
 * process shows then, and the others are cleared.
 */
const aloneFrom = 2

/** Turns during which the process died. They run one at a time. */
export class Suspects {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves when this turn may run, with a function that lets the next one run. */
  async enter(turn: StoredTurn | undefined, signal: AbortSignal): Promise<() => void> {
    if (turn?.state !== 'running' || turn.deaths < aloneFrom) return () => {}
    const before = this.#last
    const over = Promise.withResolvers<void>()
    this.#last = before.then(() => over.promise)
    try {
      await unlessAborted(signal, () => before)
    } catch (thrown) {
      over.resolve()
      throw thrown
    }
    return over.resolve
  }
}

/** Why a turn isn't opened again. `calls`: those that had been started. */
export const tookProcessDown = ({ deaths }: StoredTurn, calls: string[]): Failure =>
  new Failure(
    'process_died',
    `Bobbin crashed ${deaths} times in a row at this step${calls.length === 0 ? '' : ` (while running ${calls.join(', ')})`}.`,
    'Try asking another way, or ask whoever runs Bobbin to check the log.',
  )
