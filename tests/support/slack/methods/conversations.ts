import { type Args, refuse, violate } from '../args.ts'
import type { Json } from '../json.ts'
import { historyObject } from '../message-objects.ts'
import { type Methods, needScope, page, scopeFor, visible } from '../method.ts'
import { channelObject } from '../objects.ts'
import type { Slack } from '../slack.ts'
import type { Channel, Message } from '../types.ts'

function channelFor(slack: Slack, args: Args, what: 'history' | 'read'): Channel {
  const channel = visible(slack, args.text('channel'))
  needScope(slack, scopeFor(channel, what))
  return channel
}

function info(slack: Slack, args: Args): Json {
  return { channel: channelObject(slack.world, channelFor(slack, args, 'read')) }
}

const kinds: Record<string, Channel['kind']> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
}

function listed(slack: Slack, args: Args, own: boolean): Json {
  const { world } = slack
  const types = (args.maybe('types') ?? 'public_channel').split(',').map((one) => one.trim())
  if (types.some((one) => kinds[one] === undefined)) return violate('invalid_types', types)
  const user = own ? args.maybe('user') : undefined
  const wanted = new Set(types.map((one) => kinds[one]))
  for (const kind of wanted) if (kind) needScope(slack, scopeFor({ kind } as Channel, 'read'))
  const channels = [...world.channels.values()]
    .filter(({ kind }) => wanted.has(kind))
    .filter(({ kind, members }) => members.has(world.bot.id) || (kind === 'public' && (!own || user !== undefined)))
    .filter(({ members }) => user === undefined || members.has(user))
    .filter(({ archived }) => !(archived && args.flag('exclude_archived')))
  const { items, next } = page(args, channels, 100, 1_000)
  return { channels: items.map((one) => channelObject(world, one)), ...next }
}

function members(slack: Slack, args: Args): Json {
  const channel = channelFor(slack, args, 'read')
  const { items, next } = page(args, [...channel.members], 100, 1_000)
  return { members: items, ...next }
}

const timestamp = /^\d+(\.\d{1,6})?$/

/** Digits behind the point count, so timestamps are compared as text of one length. */
const padded = (ts: string) => {
  const [whole = '', part = ''] = ts.split('.')
  return `${whole.padStart(12, '0')}.${part.padEnd(6, '0')}`
}

/** Messages between `oldest` and `latest`, which are included only with `inclusive`. */
function between(args: Args, messages: Message[]): Message[] {
  const oldest = args.maybe('oldest') ?? '0'
  const latest = args.maybe('latest')
  if (!timestamp.test(oldest)) return violate('invalid_ts_oldest')
  if (latest !== undefined && !timestamp.test(latest)) return violate('invalid_ts_latest')
  const inclusive = args.flag('inclusive')
  return messages.filter(({ ts }) => {
    if (inclusive && (ts === oldest || ts === latest)) return true
    return padded(ts) > padded(oldest) && (latest === undefined || padded(ts) < padded(latest))
  })
}

function history(slack: Slack, args: Args): Json {
  const channel = channelFor(slack, args, 'history')
  if (!channel.members.has(slack.world.bot.id)) return refuse('not_in_channel')
  const found = between(args, channel.messages.top()).toReversed()
  const { items, next } = page(args, found, 100, 999)
  const withMetadata = args.flag('include_all_metadata')
  return {
    messages: items.map((one) => historyObject(slack.world, slack.origin(), one, withMetadata)),
    has_more: items.length > 0 && items.at(-1) !== found.at(-1),
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0,
    ...next,
  }
}

/** The root first, on every page; then its replies, oldest first. */
function replies(slack: Slack, args: Args): Json {
  const channel = channelFor(slack, args, 'history')
  if (!channel.members.has(slack.world.bot.id)) return refuse('not_in_channel')
  const asked = args.text('ts')
  const found = channel.messages.get(asked)
  if (!found) return refuse('thread_not_found')
  const rootTs = found.threadTs ?? found.ts
  const root = channel.messages.get(rootTs)
  const inThread = channel.messages.replies(rootTs)
  const { items, next } = page(args, between(args, inThread), 999, 999)
  const withMetadata = args.flag('include_all_metadata')
  const more = next.response_metadata as { next_cursor: string }
  return {
    messages: [...(root ? [root] : []), ...items].map((one) =>
      historyObject(slack.world, slack.origin(), one, withMetadata),
    ),
    has_more: more.next_cursor !== '',
    ...next,
  }
}

function open(slack: Slack, args: Args): Json {
  const { world } = slack
  const given = args.maybe('channel')
  const users = (args.maybe('users') ?? '').split(',').filter((one) => one !== '')
  if (given === undefined && users.length === 0) return violate('users_list_not_supplied')
  if (users.some((one) => !world.people.has(one))) return refuse('user_not_found')
  const [first = ''] = users
  needScope(slack, users.length > 1 ? 'mpim:write' : 'im:write')
  const group = () => world.addChannel(`mpdm-${users.join('-')}`, 'mpim', [...users, world.bot.id])
  const channel = given !== undefined ? visible(slack, given) : users.length > 1 ? group() : world.direct(first)
  return { channel: args.flag('return_im') ? channelObject(world, channel) : { id: channel.id } }
}

const paged = ['cursor', 'limit']
const lists = [...paged, 'types', 'exclude_archived']
const ranged = ['channel', ...paged, 'oldest', 'latest', 'inclusive', 'include_all_metadata']

export const conversationMethods: Methods = {
  'conversations.info': { scopes: [], tier: 3, args: ['channel', 'include_locale', 'include_num_members'], run: info },
  'conversations.list': { scopes: [], tier: 2, args: lists, run: (slack, args) => listed(slack, args, false) },
  'users.conversations': {
    scopes: [],
    tier: 3,
    args: [...lists, 'user'],
    run: (slack, args) => listed(slack, args, true),
  },
  'conversations.members': { scopes: [], tier: 4, args: ['channel', ...paged], run: members },
  'conversations.history': { scopes: [], tier: 3, args: ranged, run: history },
  'conversations.replies': { scopes: [], tier: 3, args: [...ranged, 'ts'], run: replies },
  'conversations.open': {
    scopes: [],
    tier: 3,
    args: ['channel', 'users', 'return_im', 'prevent_creation'],
    run: open,
  },
}
