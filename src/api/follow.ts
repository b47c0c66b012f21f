import type { SessionEvent } from '../domain/events.ts'
import type { SessionId } from '../domain/ids.ts'
import { readEvents } from '../store/events.ts'
import type { Store } from '../store/store.ts'

const page = 100
/** Other processes write too, and tell us nothing. */
const lookAgainMs = 1_000

/** A session's events from a number on, as they come, none missed and none twice, until `signal` is aborted. */
export async function* follow(
  store: Store,
  session: SessionId,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent> {
  let news = Promise.withResolvers<void>()
  const unwatch = store.watch(session, () => news.resolve())
  const abort = () => news.resolve()
  signal.addEventListener('abort', abort)
  try {
    for (let next = from; !signal.aborted; ) {
      news = Promise.withResolvers<void>()
      const events = await readEvents(store.db, session, next, page)
      for (const event of events) yield event
      next = (events.at(-1)?.event_id ?? next - 1) + 1
      if (events.length > 0 || signal.aborted) continue
      const timer = setTimeout(() => news.resolve(), lookAgainMs)
      await news.promise
      clearTimeout(timer)
    }
  } finally {
    unwatch()
    signal.removeEventListener('abort', abort)
  }
}
