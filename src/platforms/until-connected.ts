import { setTimeout as sleep } from 'node:timers/promises'
import { NotPosted } from './platform.ts'

const usualWaitMs = 1_000

/** Asks a platform, and asks again while it isn't connected yet. Rejects when the signal is aborted. */
export async function untilConnected<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await ask()
    } catch (thrown) {
      if (!(thrown instanceof NotPosted) || thrown.again !== 'later') throw thrown
      await sleep(thrown.afterMs ?? usualWaitMs, undefined, { signal })
    }
  }
}
