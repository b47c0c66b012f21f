import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../domain/engine.ts'
import type { SessionId } from '../domain/ids.ts'

export interface EmbeddedOptions {
  turnsAtOnce: number
  /** Whether one more may run beside so many. */
  hasRoom?(running: number): boolean
  sweepMs: number
  /** Sessions in which something is to be done: the guarantee behind the wakes. */
  runnable(): Promise<SessionId[]>
  report(session: SessionId | undefined, thrown: unknown): void
}

/** A queue in memory, first in first out, one run at a time per session; swept at start and every `sweepMs`. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its parts share what they hold, and nothing else may reach it.
export function embeddedEngine({
  turnsAtOnce,
  hasRoom = () => true,
  sweepMs,
  runnable,
  report,
}: EmbeddedOptions): Engine {
  const queue = new Set<SessionId>()
  const running = new Map<SessionId, { abort: AbortController; done: Promise<void> }>()
  const again = new Set<SessionId>()
  const leaving = new AbortController()
  let run: ((session: SessionId, signal: AbortSignal) => Promise<void>) | undefined
  let timer: NodeJS.Timeout | undefined
  let pumping = false

  function wake(session: SessionId): void {
    if (running.has(session)) again.add(session)
    else queue.add(session)
    pump()
  }

  /** One run in each round of the event loop: what comes in is stored and acknowledged between them. */
  function pump(): void {
    if (pumping) return
    pumping = true
    setImmediate(() => {
      pumping = false
      const [session] = queue
      if (session === undefined || run === undefined || leaving.signal.aborted || running.size >= turnsAtOnce) return
      if (running.size > 0 && !hasRoom(running.size)) return
      queue.delete(session)
      const abort = new AbortController()
      running.set(session, { abort, done: work(run, session, abort.signal) })
      pump()
    })
  }

  async function work(runSession: NonNullable<typeof run>, session: SessionId, signal: AbortSignal): Promise<void> {
    try {
      // Only after `running` holds it.
      await Promise.resolve()
      await runSession(session, signal)
    } catch (thrown) {
      report(session, thrown)
    }
    running.delete(session)
    if (again.delete(session)) queue.add(session)
    pump()
  }

  async function sweep(): Promise<void> {
    try {
      for (const session of await runnable()) if (!running.has(session)) wake(session)
    } catch (thrown) {
      report(undefined, thrown)
    }
  }

  return {
    leaving: leaving.signal,
    async start(runSession) {
      run = runSession
      timer = setInterval(sweep, sweepMs)
      await sweep()
    },
    wake,
    interrupt: (session) => running.get(session)?.abort.abort(new Error('interrupted')),
    async stop(graceMs) {
      clearInterval(timer)
      leaving.abort(new Error('the process is leaving'))
      const within = async (ms: number) => {
        const over = new AbortController()
        const lanes = Promise.all([...running.values()].map(({ done }) => done))
        await Promise.race([lanes, sleep(ms, undefined, { signal: over.signal }).catch(() => {})])
        over.abort()
      }
      await within(graceMs)
      for (const { abort } of running.values()) abort.abort(new Error('the process is leaving'))
      // A plug-in that listens to nothing is left behind: its call is found started by the next process.
      await within(graceMs)
    },
  }
}
