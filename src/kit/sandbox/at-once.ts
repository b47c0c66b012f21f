import { whenDescriptors } from '../unavailable.ts'
import type { Sandbox } from './port.ts'

/**
 * A command needs many descriptors, and waits behind everybody who connects meanwhile: on a slow machine that takes
 * long.
 */
const longestMs = 10 * 60_000

/** Runs this many commands at the same time; the others wait, and their time starts when they run. */
export function atMost(most: number, sandbox: Sandbox): Sandbox {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(signal: AbortSignal): Promise<void> {
    // If it was stopped already, the sandbox says so at once.
    if (running < most || signal.aborted) {
      running++
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const leave = () => {
      const place = waiting.indexOf(go)
      if (place < 0) return
      waiting.splice(place, 1)
      // It isn't admitted, and takes nobody's place: the sandbox reports that it was stopped.
      running++
      resolve()
    }
    const go = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    waiting.push(go)
    signal.addEventListener('abort', leave, { once: true })
    await promise
  }

  return {
    facts: () => whenDescriptors(() => sandbox.facts(), { longestMs }),
    async run(wanted) {
      // It stays, so it would take a place for ever.
      if (wanted.talk !== undefined) return sandbox.run(wanted)
      await enter(wanted.signal)
      try {
        return await whenDescriptors(() => sandbox.run(wanted), { longestMs, signal: wanted.signal })
      } finally {
        const next = running <= most ? waiting.shift() : undefined
        if (next === undefined) running--
        else next()
      }
    },
  }
}
