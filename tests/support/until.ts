import { setTimeout as sleep } from 'node:timers/promises'

/** How long a failing test waits before it says so; generous because the machine may be busy. In ms. */
export const patienceMs = 60_000

/** Resolves when this no longer throws. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = patienceMs): Promise<T> {
  for (const end = Date.now() + withinMs; ; await sleep(10)) {
    try {
      return await check()
    } catch (thrown) {
      if (Date.now() > end) throw thrown
    }
  }
}

/** Waits until something is true; fails after a while, saying what it waited for. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (const end = Date.now() + patienceMs; ; await sleep(10)) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
  }
}
