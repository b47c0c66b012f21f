import { discordPlatform } from '../../src/platforms/discord/discord.ts'
import type { Content, PlatformDeps } from '../../src/platforms/platform.ts'
import { slackPlatform } from '../../src/platforms/slack/slack.ts'
import { pageOf } from '../support/memory/world.ts'
import type { World } from './world.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent }
// Rendering pages is pure and uses none of this.
const deps = {
  notes: { get: async () => undefined, set: async () => {} },
  clock: { now: () => Date.now() },
  log: silent,
  show: { firstMs: 1000, everyMs: 1000, mostMessages: 3 },
} as unknown as PlatformDeps

const none = { apiUrl: undefined, signingSecret: undefined, http: undefined }
const slack = slackPlatform({ botToken: 'xoxb-1', appToken: 'xapp-1', ...none }, deps)
const discord = discordPlatform({ token: 'MTE.x.y', apiUrl: undefined }, deps)

export interface Shown {
  slack: string
  discord: string
}

/** The bot's messages in a channel as JSON, the way they would be sent to Slack and Discord. */
export function shownOn(world: World, kind: 'answer' | 'card'): Shown {
  const sayings = world.shown().flatMap((message): Content[] => {
    const page = pageOf(message)
    if (page.kind === 'card' && kind === 'card') return [page]
    return page.kind === 'answer' && kind === 'answer' ? [{ ...page, files: [], record: undefined }] : []
  })
  return {
    slack: JSON.stringify(sayings.map((one) => slack.pages(one))),
    discord: JSON.stringify(sayings.map((one) => discord.pages(one))),
  }
}
