import { SocketModeClient } from '@slack/socket-mode'
import { z } from 'zod'
import { reasonOf } from '../../../kit/failure.ts'
import { clientOptions } from '../api/api.ts'
import type { SlackLogger } from '../api/logger.ts'
import { slackWords } from '../words/words.ts'

export interface SocketOptions {
  appToken: string
  apiUrl: string | undefined
  logger: SlackLogger
  /** How late a pong may be, ms: a busy bot isn't a dead one. */
  pongMs: number
}

const envelope = z.looseObject({ type: z.string(), reason: z.string().optional() })
/** Slack itself says so when there are too many events. There is no event in it. */
const limited = z.looseObject({
  type: z.literal('events_api'),
  payload: z.object({ type: z.literal('app_rate_limited') }),
})

/**
 * The library's client for one connection, without four problems of version 3.1: a message that it doesn't understand
 * becomes an unhandled rejection, such as the one that says that Slack drops events; it closes at once when Slack
 * announces a refresh, so that nothing is heard until there is a new connection; and it reconnects late, which may
 * crash the process.
 */
export class OneConnection extends SocketModeClient {
  /** Slack wants us to reconnect: `refresh_requested`, `warning`, `link_disabled`, `too_many_websockets`. */
  onGoodbye: (reason: string) => void = () => {}
  /** Anything that arrived. */
  onMessage: () => void = () => {}
  readonly #log: SlackLogger

  constructor({ appToken, apiUrl, logger, pongMs }: SocketOptions) {
    super({
      appToken,
      logger,
      clientOptions: clientOptions(apiUrl, logger),
      autoReconnectEnabled: false,
      clientPingTimeout: pongMs,
    })
    this.#log = logger
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    this.onMessage()
    if (isBinary || typeof data !== 'string') return
    try {
      const message = envelope.parse(JSON.parse(data))
      if (message.type === 'disconnect') this.onGoodbye(message.reason ?? 'refresh_requested')
      // It looks for an event only in what is called one.
      else if (limited.safeParse(message).success)
        await super.onWebSocketMessage(JSON.stringify({ ...message, type: 'app_rate_limited' }), isBinary)
      else await super.onWebSocketMessage(data, isBinary)
    } catch (thrown) {
      this.#log.warn(slackWords.unreadableMessage({ reason: reasonOf(thrown) }))
    }
  }
}
