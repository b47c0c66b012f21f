import { patienceMs } from './until.ts'

/**
 * Runs what a time limit is to end, with a longer limit each time until it had begun before: on a busy machine, a
 * program may need seconds for its first word.
 */
export async function begunBefore<T>(run: (timeoutMs: number) => Promise<T>, hasBegun: (result: T) => boolean) {
  for (let timeoutMs = 500; ; timeoutMs *= 2) {
    const result = await run(timeoutMs)
    if (hasBegun(result) || timeoutMs > patienceMs) return result
  }
}
