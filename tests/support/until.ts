import { setTimeout as sleep } from 'node:timers/promises'

/** How long a failing test waits before it says so; generous because the machine may be busy. In ms. */
export const patienceMs = 300_000

/** Looks often at first: what takes long would be held up by those who look. */
const firstPauseMs = 10
const longer = (pauseMs: number): number => Math.min(pauseMs * 1.1, 60)

/** Resolves when this no longer throws. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = patienceMs): Promise<T> {
  const end = Date.now() + withinMs
  for (let pauseMs = firstPauseMs; ; pauseMs = longer(pauseMs)) {
    try {
      return await check()
    } catch (thrown) {
      if (Date.now() > end) throw thrown
    }
    await sleep(pauseMs)
  }
}

/** Waits until something is true; fails after a while, saying what it waited for. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = Date.now() + patienceMs
  for (let pauseMs = firstPauseMs; ; pauseMs = longer(pauseMs)) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await sleep(pauseMs)
  }
}
