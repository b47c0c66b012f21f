import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { ToldEvent } from '../domain/events.ts'
import type { ApiDeps } from './deps.ts'

/** Proxies and browsers give up on a silent connection. */
const pulseMs = 15_000

/** How often the reader's token is looked at again, ms: one that is revoked ends its streams within seconds. */
const lookMs = 3_000

/**
 * Events as an event stream; the SSE id is the event's number. It ends when the events do, or when the reader leaves
 * or may no longer read, which stops nothing. `open` is given a signal for that.
 */
export function eventStream(
  context: Context,
  { closing, report }: Pick<ApiDeps, 'closing' | 'report'>,
  open: (signal: AbortSignal) => AsyncIterable<ToldEvent>,
): Response {
  context.header('X-Accel-Buffering', 'no')
  // Nobody would read the stream, or close it.
  if (context.req.method === 'HEAD') return context.body(null, 200, { 'Content-Type': 'text/event-stream' })
  return streamSSE(context, async (stream) => {
    const closed = new AbortController()
    stream.onAbort(() => closed.abort())
    const pulse = setInterval(() => void stream.write(': \n\n'), pulseMs)
    const mayGoOn: (() => Promise<boolean>) | undefined = context.get('mayGoOn')
    const look = setInterval(async () => {
      if (mayGoOn !== undefined && !(await mayGoOn())) closed.abort()
    }, lookMs)
    try {
      // Tells readers at once that they are connected.
      await stream.write(': \n\n')
      for await (const event of open(AbortSignal.any([closed.signal, closing]))) {
        // Without an id, readers continue from the last one they had.
        const id = event.event_id === undefined ? {} : { id: String(event.event_id) }
        await stream.writeSSE({ ...id, data: JSON.stringify(event) })
      }
    } catch (thrown) {
      // Hono would print it as it is. Readers connect again, and are told then.
      report(thrown)
    } finally {
      clearInterval(pulse)
      clearInterval(look)
      closed.abort()
    }
  })
}
