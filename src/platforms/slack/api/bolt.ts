import type { App as BoltApp, SlackEventMiddlewareArgs } from '@slack/bolt'
import { clientOptions } from './api.ts'
import { App } from './bolt-parts.ts'
import type { Identity } from './identity.ts'
import type { SlackLogger } from './logger.ts'

export type { BoltApp }

/** What takes in events, by Slack's own names. */
export type EventTakers = Record<string, (event: SlackEventMiddlewareArgs['event']) => Promise<unknown>>

/** Fits every name. Bolt leads each event past every listener, so there is one of a kind, which looks up the name. */
export const any = /^/

/** Bolt's routing, without its receivers, its state and its own idea of which messages count. */
export function createBolt(me: Identity, botToken: string, apiUrl: string | undefined, logger: SlackLogger): BoltApp {
  const app = new App({
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    authorize: async () => ({ botToken, botId: me.botId, botUserId: me.userId, teamId: me.team }),
    clientOptions: clientOptions(apiUrl, logger),
    convoStore: false,
    ignoreSelf: false,
    logger,
  })
  // The app may be installed in other workspaces too; their events aren't ours.
  app.use(async ({ body, next }) => {
    const team = 'team_id' in body ? body.team_id : undefined
    if (typeof team !== 'string' || team === me.team) await next()
  })
  return app
}

export function takeEvents(app: BoltApp, takers: EventTakers): void {
  const byName = new Map(Object.entries(takers))
  app.event(any, async ({ event }) => void (await byName.get(event.type)?.(event)))
}
