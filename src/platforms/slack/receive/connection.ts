import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { reasonOf } from '../../../kit/failure.ts'
import { slackWords } from '../words/words.ts'
import type { Taker } from './acknowledge.ts'
import { OneConnection, type SocketOptions } from './socket-client.ts'

export interface ConnectionOptions extends SocketOptions {
  /** If Slack doesn't answer the bot's goodbye, the connection is cut after this long, ms. */
  goodbyeMs: number
  /** A connection that isn't established in this time is given up, ms. */
  openMs: number
}

/** Why a connection has to be replaced: Slack says so, or it is gone. */
export type End = 'refresh' | 'link_disabled' | 'too_many_websockets' | 'lost'

const received = z.object({
  ack: z.custom<(answer?: unknown) => Promise<void>>((value) => typeof value === 'function'),
  body: z.record(z.string(), z.unknown()),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
})

const pongs = z.object({ lastPongReceivedTimestamp: z.number().optional() })

const endOf = (reason: string): End =>
  reason === 'link_disabled' || reason === 'too_many_websockets' ? reason : 'refresh'

/** One WebSocket to Slack, from its opening to its end. Never opens another one by itself. */
export class Connection {
  readonly #client: OneConnection
  readonly #options: ConnectionOptions
  readonly #ended = Promise.withResolvers<End>()
  #open = false
  #openedAt = 0
  #closing = false

  constructor(options: ConnectionOptions, taker: Taker, onMessage: () => void) {
    this.#options = options
    this.#client = new OneConnection(options)
    this.#client.onMessage = onMessage
    this.#client.onGoodbye = (reason) => this.#ended.resolve(endOf(reason))
    this.#client.on('disconnected', () => {
      this.#open = false
      this.#ended.resolve('lost')
    })
    this.#client.on('slack_event', (args: unknown) => void this.#take(args, taker))
  }

  /** When Slack wants it to be replaced, or it was lost. */
  get ended(): Promise<End> {
    return this.#ended.promise
  }

  get isOpen(): boolean {
    return this.#open && this.#client.websocket?.isActive() === true
  }

  /** When Slack was last known to be there, ms since 1970. */
  get heardAt(): number {
    // The library keeps the time of the last pong to itself.
    const { lastPongReceivedTimestamp: pong = 0 } = pongs.parse(this.#client.websocket ?? {})
    return Math.max(this.#openedAt, pong)
  }

  /** Resolves when Slack has said hello. */
  async open(): Promise<void> {
    const { openMs } = this.#options
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`Slack did not say hello within ${openMs} ms`)), openMs)
    try {
      const started = this.#client.start()
      // It may still be established when nobody waits for it any more.
      started.then(
        () => {
          if (this.#closing) void this.close()
        },
        () => {},
      )
      await Promise.race([
        started,
        tooLate,
        this.#ended.promise.then((end) => Promise.reject(new ConnectionRefused(end))),
      ])
      if (this.#closing) throw new Error('the bot stops')
      this.#open = true
      this.#openedAt = Date.now()
    } catch (thrown) {
      void this.close()
      throw thrown ?? new Error('the connection was closed at once')
    } finally {
      clearTimeout(timer)
    }
  }

  /** Says goodbye, and hangs up if Slack doesn't answer. Resolves when the socket is gone. */
  async close(): Promise<void> {
    this.#closing = true
    this.#open = false
    const gone = new Promise<void>((resolve) => this.#client.once('disconnected', resolve))
    void this.#client.disconnect()
    // The second time it doesn't wait for an answer.
    const { goodbyeMs } = this.#options
    const timer = setTimeout(() => void this.#client.disconnect(), goodbyeMs)
    await Promise.race([gone, sleep(2 * goodbyeMs, undefined, { ref: false })])
    clearTimeout(timer)
  }

  async #take(args: unknown, taker: Taker): Promise<void> {
    try {
      const { ack, body, retry_num, retry_reason } = received.parse(args)
      await taker.processEvent({
        body,
        ack,
        ...(retry_num === undefined ? {} : { retryNum: retry_num }),
        ...(retry_reason === undefined ? {} : { retryReason: retry_reason }),
      })
    } catch (thrown) {
      this.#options.logger.warn(slackWords.eventRefused({ reason: reasonOf(thrown) }))
    }
  }
}

/** Slack said goodbye instead of hello. */
export class ConnectionRefused extends Error {
  readonly end: End

  constructor(end: End) {
    super(slackWords.connectionRefused({ end }))
    this.name = 'ConnectionRefused'
    this.end = end
  }
}
