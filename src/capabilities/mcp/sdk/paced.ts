import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'

const atOnce = 20
const everyMs = 1_000

type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>

/**
 * A server says how soon its stream is opened again after it has ended, and the SDK obeys. So one that ends each stream
 * at once would keep us busy for nothing: after the first few, a stream is opened once a second at most.
 */
export function withPacedStreams(
  fetching: FetchLike,
  pause: Pause = (ms, signal) => sleep(ms, undefined, { signal }),
): FetchLike {
  /** When the allowance will be whole again. */
  let wholeAt = 0
  return async (url, init) => {
    if (!opensStream(init)) return fetching(url, init)
    const now = performance.now()
    wholeAt = Math.max(wholeAt, now) + everyMs
    const pauseMs = wholeAt - now - atOnce * everyMs
    if (pauseMs > 0) await pause(pauseMs, init?.signal ?? undefined)
    return fetching(url, init)
  }
}

const opensStream = (init: RequestInit | undefined): boolean =>
  (init?.method ?? 'GET') === 'GET' && new Headers(init?.headers).get('accept') === 'text/event-stream'
