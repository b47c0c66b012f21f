import { type Args, refuse, violate } from './args.ts'
import type { Json } from './json.ts'
import type { Tier } from './rate-limits.ts'
import type { Slack } from './slack.ts'
import type { Channel, Message } from './types.ts'

export interface Method {
  /** The token must have them. */
  scopes: string[]
  tier: Tier
  /** The arguments it accepts besides `token` and `team_id`. */
  args: string[]
  token?: 'app'
  /** Returns the response without `ok`, or throws a Refusal. */
  run(slack: Slack, args: Args): Json
}

export type Methods = Record<string, Method>

export function needScope({ settings }: Slack, needed: string) {
  if (settings.scopes.includes(needed)) return
  refuse('missing_scope', { needed, provided: settings.scopes.join(',') })
}

const families = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' } as const

export const scopeFor = (channel: Channel, what: 'history' | 'read'): string => `${families[channel.kind]}:${what}`

/** A channel that the bot can see. */
export function visible({ world }: Slack, id: string): Channel {
  const channel = world.channels.get(id)
  if (!channel || (channel.kind !== 'public' && !channel.members.has(world.bot.id))) return refuse('channel_not_found')
  return channel
}

/** A channel that the bot can write to: by id, `#name`, or a user's id for the DM. */
export function writable(slack: Slack, which: string): Channel {
  const { world } = slack
  const named = which.startsWith('#') ? [...world.channels.values()].find((one) => `#${one.name}` === which) : undefined
  const direct = world.people.get(which)
  const channel = visible(slack, named?.id ?? (direct ? world.direct(direct.id).id : which))
  if (channel.archived) return refuse('is_archived')
  return channel.members.has(world.bot.id) ? channel : refuse('not_in_channel')
}

export function existing({ world }: Slack, channel: Channel, ts: string): Message {
  const message = world.message(ts, channel.id)
  return message && !message.deleted && message.ephemeralTo === undefined ? message : refuse('message_not_found')
}

/** An optional argument that names a person: Slack looks at the form of the id, which a webhook's isn't in. */
export function userAt(args: Args, key: string): string | undefined {
  const id = args.maybe(key)
  if (id === undefined || /^[UW][A-Z0-9]{2,}$/.test(id)) return id
  return violate('invalid_arguments', [
    `[ERROR] input must match regex pattern: ^[UW][A-Z0-9]{2,}$ [json-pointer:/${key}]`,
  ])
}

/** A page of a list, and the cursor for the next one. */
export function page<T>(args: Args, list: T[], otherwise: number, most: number): { items: T[]; next: Json } {
  const limit = args.count('limit', otherwise, most)
  const cursor = args.maybe('cursor')
  const from =
    cursor === undefined
      ? 0
      : Number(
          Buffer.from(cursor, 'base64url')
            .toString()
            .replace(/^next:/, ''),
        )
  if (!Number.isInteger(from)) return refuse('invalid_cursor')
  const more = from + limit < list.length
  const next = more ? Buffer.from(`next:${from + limit}`).toString('base64url') : ''
  return { items: list.slice(from, from + limit), next: { response_metadata: { next_cursor: next } } }
}
