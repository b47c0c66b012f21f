import type { LiveEvent, ToldEvent } from '../domain/events.ts'
import type { SessionId, TextId } from '../domain/ids.ts'
import type { LiveText } from '../outbound/live-texts.ts'
import { readEvents, toEvent } from '../store/events.ts'
import type { EventRow } from '../store/schema.ts'
import type { ApiDeps } from './deps.ts'

const page = 100
/** Other processes write too, and don't notify us. */
const lookAgainMs = 1_000

/** What a reader has heard of and not been told yet. Whatever it may have missed is read. */
class Heard {
  #events: EventRow[] = []
  #missed = true

  hear(events: EventRow[] | undefined): void {
    if (events === undefined || this.#events.length + events.length > page) this.miss()
    else this.#events.push(...events)
  }

  miss(): void {
    this.#events = []
    this.#missed = true
  }

  /** The events from a number on; undefined if they have to be read. */
  take(from: number): EventRow[] | undefined {
    const events = this.#events.filter(({ id }) => id >= from)
    this.#events = []
    const isMissed = this.#missed || events.some(({ id }, index) => id !== from + index)
    this.#missed = false
    return isMissed ? undefined : events
  }
}

/** How much of a text a reader has been told. */
interface Told {
  text: TextId
  length: number
}

/**
 * A session's events from a number on, as they come, each exactly once, until `signal` is aborted. Streaming text comes
 * between them: first everything so far, then what is new each time the reader asks for more.
 */
export async function* follow(
  { store, liveTexts }: Pick<ApiDeps, 'store' | 'liveTexts'>,
  session: SessionId,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<ToldEvent> {
  let news = Promise.withResolvers<void>()
  const tell = () => news.resolve()
  const heard = new Heard()
  const unwatch = [
    liveTexts.watch(session, tell),
    store.watch(session, (events) => {
      heard.hear(events)
      tell()
    }),
  ]
  signal.addEventListener('abort', tell)
  try {
    let told: Told | undefined
    for (let next = from; !signal.aborted; ) {
      news = Promise.withResolvers<void>()
      // Read before the events, so that the text is sent after what came before it and before its end.
      const now = liveTexts.now(session)
      const events = heard.take(next)?.map(toEvent) ?? (await readEvents(store.db, session, next, page))
      if (events.length === page) heard.miss()
      for (const event of events) yield event
      next = (events.at(-1)?.event_id ?? next - 1) + 1
      if (events.length > 0 || signal.aborted) continue
      const delta = now && deltaOf(session, now, told)
      if (now !== undefined && delta !== undefined) {
        told = { text: now.text, length: now.shown.length }
        yield delta
        continue
      }
      const timer = setTimeout(() => {
        heard.miss()
        tell()
      }, lookAgainMs)
      await news.promise
      clearTimeout(timer)
    }
  } finally {
    for (const end of unwatch) end()
    signal.removeEventListener('abort', tell)
  }
}

function deltaOf(
  session: SessionId,
  { turn, text, shown, at }: LiveText,
  told: Told | undefined,
): LiveEvent | undefined {
  const isKnown = told?.text === text
  const delta = isKnown ? shown.slice(told.length) : shown
  if (delta === '') return undefined
  const data = { turn_id: turn, text_id: text, delta, ...(isKnown ? {} : { whole: true as const }) }
  return { type: 'text_delta', data, timestamp: new Date(at).toISOString(), conversation_id: session }
}
