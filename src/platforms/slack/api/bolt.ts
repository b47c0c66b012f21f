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
    const teams = teamsOf(body)
    if (teams.length === 0 || teams.includes(me.team)) await next()
  })
  return app
}

/**
 * The workspaces that an event or command names. In a channel of another workspace (Slack Connect), `team_id` is that
 * one, and ours is the one that the app is authorized for.
 */
function teamsOf(body: object): string[] {
  const { team_id, context_team_id, authorizations }: Partial<Record<string, unknown>> = { ...body }
  const authorized = Array.isArray(authorizations) ? authorizations.map((one) => one?.team_id) : []
  return [team_id, context_team_id, ...authorized].filter((team) => typeof team === 'string')
}

export function takeEvents(app: BoltApp, takers: EventTakers): void {
  const byName = new Map(Object.entries(takers))
  app.event(any, async ({ event }) => void (await byName.get(event.type)?.(event)))
}
