import { unlessAborted } from '../../kit/abort.ts'
import { Failure } from '../../kit/failure.ts'
import type { StoredTurn } from '../../store/turns.ts'
import { turnWords } from '../port/words.ts'

/**
 * After this many deaths at one step, a turn no longer runs beside others like it. Then it shows whose step kills the
 * process, and the others are cleared.
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

/** Why a turn isn't opened again. `calls`: the ones that had been started. */
export const tookProcessDown = ({ deaths }: StoredTurn, calls: string[]): Failure =>
  new Failure(
    'process_died',
    turnWords.crashed({ deaths, calls: calls.length === 0 ? 'none' : calls.join(', ') }),
    turnWords.crashedRemedy(),
  )
