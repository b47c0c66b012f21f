import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { App, HTTPReceiver, type Logger, LogLevel, SocketModeReceiver } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import { onTestFinished } from 'vitest'
import { type SlackOptions, type SlackServer, startSlackServer } from '../support/slack/server.ts'

const silent = () => undefined
const logger: Logger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  setLevel: silent,
  setName: silent,
  getLevel: () => LogLevel.ERROR,
}

export type Transport = 'socket' | 'http'

export async function slackServer(options: SlackOptions = {}): Promise<SlackServer> {
  const slack = await startSlackServer(options)
  onTestFinished(() => slack.close())
  return slack
}

export function clientOf(slack: SlackServer, token = slack.botToken, timeout = 20_000): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout,
    logger,
  })
}

/** The code of Slack's refusal. */
export const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (thrown: { data?: { error: string }; code?: string }) => thrown.data?.error ?? thrown.code,
  )

function receiverFor(slack: SlackServer, transport: Transport, clientPingTimeout?: number) {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } }
  return transport === 'http'
    ? new HTTPReceiver({ signingSecret: slack.signingSecret, logger })
    : new SocketModeReceiver({
        appToken: slack.appToken,
        ...(clientPingTimeout !== undefined && { clientPingTimeout }),
        installerOptions: { clientOptions },
        logger,
      })
}

/** What the Events API wraps an event into. */
export interface Told {
  event_id: string
  event: Record<string, unknown> & { type: string; subtype?: string; ts: string }
}

/** Hears every event, also the bot's own; `retry` counts from 0. */
export function hearAll(app: App, hear: (told: Told, retry: number) => void) {
  app.use(async ({ body, context, next }) => {
    if (body.type === 'event_callback') hear(body as unknown as Told, context.retryNum ?? 0)
    await next()
  })
}

/**
 * A bolt app on either transport. The client connects anew after `clientPingTimeout` ms, and a pong that is later than
 * that breaks its connection, so that a short one is only for tests of that. It says `echo: …` in the thread of a mention.
 */
export async function tinyBot(
  slack: SlackServer,
  transport: Transport = 'socket',
  prepare?: (app: App) => void,
  clientPingTimeout?: number,
) {
  const receiver = receiverFor(slack, transport, clientPingTimeout)
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } }
  const app = new App({ token: slack.botToken, receiver, clientOptions, logger, ignoreSelf: false })
  app.event('app_mention', async ({ event, client }) => {
    const thread_ts = event.thread_ts ?? event.ts
    await client.chat.postMessage({ channel: event.channel, thread_ts, text: `echo: ${event.text}` })
  })
  prepare?.(app)
  const server = await (app.start as (port?: number) => Promise<unknown>)(0)
  if (transport === 'http') {
    const { port } = (server as Server).address() as AddressInfo
    slack.deliverTo(`http://127.0.0.1:${port}/slack/events`)
  }
  onTestFinished(async () => {
    const closed = transport === 'http' ? once(server as Server, 'close') : undefined
    if (closed) (server as Server).closeAllConnections()
    await app.stop()
    await closed
  })
  return app
}
