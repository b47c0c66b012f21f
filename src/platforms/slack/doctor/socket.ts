import { z } from 'zod'

const hello = z.object({
  type: z.literal('hello'),
  num_connections: z.number().optional(),
  connection_info: z.object({ app_id: z.string().optional() }).optional(),
})
const goodbye = z.object({ type: z.literal('disconnect'), reason: z.string().optional() })
const delivered = z.object({
  type: z.literal('events_api'),
  envelope_id: z.string(),
  payload: z.object({
    event: z.object({ type: z.string(), channel: z.string().optional(), ts: z.string().optional() }),
  }),
})

type Hello = { kind: 'hello'; connections: number; app: string | undefined }
/** How Slack answered the new connection. */
export type Greeting = Hello | { kind: 'goodbye'; reason: string } | { kind: 'nothing' }

/**
 * A connection that listens for a moment. It acknowledges only what it waits for: Slack sends the rest again, to
 * whoever runs the bot.
 */
export class DoctorSocket {
  readonly #socket: WebSocket
  readonly #greeting = Promise.withResolvers<Greeting>()
  readonly #heard: { envelope: string; channel: string | undefined; ts: string | undefined }[] = []
  #onHeard = () => {}

  constructor(url: string) {
    this.#socket = new WebSocket(url)
    this.#socket.addEventListener('message', ({ data }) => this.#receive(String(data)))
    for (const end of ['close', 'error'] as const) {
      this.#socket.addEventListener(end, () => this.#greeting.resolve({ kind: 'nothing' }))
    }
  }

  greeting(withinMs: number): Promise<Greeting> {
    const timer = setTimeout(() => this.#greeting.resolve({ kind: 'nothing' }), withinMs)
    return this.#greeting.promise.finally(() => clearTimeout(timer))
  }

  /** Whether a message of ours comes back as an event, which is then acknowledged. */
  async hears(channel: string, ts: string, withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), withinMs)
    const look = () => {
      const found = this.#heard.find((one) => one.channel === channel && one.ts === ts)
      if (found === undefined) return
      this.#socket.send(JSON.stringify({ envelope_id: found.envelope }))
      resolve(true)
    }
    this.#onHeard = look
    look()
    return promise.finally(() => clearTimeout(timer))
  }

  close(): void {
    this.#socket.close()
  }

  #receive(text: string): void {
    const told = z.union([hello, goodbye, delivered]).safeParse(parsed(text))
    if (!told.success) return
    const { data } = told
    if (data.type === 'hello') {
      const app = data.connection_info?.app_id
      this.#greeting.resolve({ kind: 'hello', connections: data.num_connections ?? 1, app })
    } else if (data.type === 'disconnect') {
      this.#greeting.resolve({ kind: 'goodbye', reason: data.reason ?? 'without a reason' })
    } else {
      const { type, channel, ts } = data.payload.event
      if (type !== 'message') return
      this.#heard.push({ envelope: data.envelope_id, channel, ts })
      this.#onHeard()
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
