import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for something that will be; fails after a while, saying what it waited for. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (const end = Date.now() + 60_000; ; await sleep(10)) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
  }
}
