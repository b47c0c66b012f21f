import { setTimeout as sleep } from 'node:timers/promises'
import { type ChatPlatform, NotPosted } from './platform.ts'

const usualWaitMs = 1_000

/** What is connected and can't answer for this long has another reason, which may last, ms. */
const patienceMs = 30_000

/** Whether it answers, even if it can't reach us. */
export function canBeAsked(platform: ChatPlatform): boolean {
  const { ok, waits } = platform.health()
  return ok || waits === true
}

/**
 * Asks a platform, and asks again while it isn't connected yet, but not for ever where only this question has no
 * answer. Rejects when the signal is aborted.
 */
export async function untilConnected<T>(
  signal: AbortSignal,
  isConnected: () => boolean,
  ask: () => Promise<T>,
): Promise<T> {
  let inVainMs = 0
  for (;;) {
    signal.throwIfAborted()
    const askedAt = performance.now()
    try {
      return await ask()
    } catch (thrown) {
      if (!(thrown instanceof NotPosted) || thrown.again !== 'later') throw thrown
      const waitMs = thrown.afterMs ?? usualWaitMs
      // A server that lets everybody wait is not asked as often.
      if (isConnected()) inVainMs += performance.now() - askedAt + waitMs
      if (inVainMs >= patienceMs) throw thrown
      await sleep(waitMs, undefined, { signal })
    }
  }
}
