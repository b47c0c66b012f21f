import { setTimeout as sleep } from 'node:timers/promises'
import type { Report } from './reports.ts'

export type Step = [what: string, end: () => Promise<unknown>]

/** Ends the parts one after the other. Never throws: if one fails or takes too long, the next ones still end. */
export async function stopOneByOne(limitMs: number, report: Report, steps: Step[]): Promise<void> {
  for (const [what, end] of steps) {
    const over = new AbortController()
    const late = async () => {
      await sleep(limitMs, undefined, { signal: over.signal })
      throw new Error(`it did not end within ${limitMs} ms`)
    }
    try {
      await Promise.race([end(), late().catch((thrown) => (over.signal.aborted ? undefined : Promise.reject(thrown)))])
    } catch (thrown) {
      report('a part could not be stopped', { part: what })(thrown)
    } finally {
      over.abort()
    }
  }
}
