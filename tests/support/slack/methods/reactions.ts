import { type Args, refuse, violate } from '../args.ts'
import type { Json } from '../json.ts'
import { messageObject } from '../message-objects.ts'
import { existing, type Methods, visible } from '../method.ts'
import type { Slack } from '../slack.ts'
import type { Message } from '../types.ts'

/** False if the person already had this reaction. */
export function addReaction(slack: Slack, message: Message, name: string, user: string): boolean {
  const held = message.reactions.find((one) => one.name === name)
  if (held?.users.includes(user)) return false
  if (held) held.users.push(user)
  else message.reactions.push({ name, users: [user] })
  tell(slack, 'reaction_added', message, name, user)
  return true
}

/** False if there was none. */
export function removeReaction(slack: Slack, message: Message, name: string, user: string): boolean {
  const held = message.reactions.find((one) => one.name === name)
  if (!held?.users.includes(user)) return false
  held.users = held.users.filter((one) => one !== user)
  message.reactions = message.reactions.filter(({ users }) => users.length > 0)
  tell(slack, 'reaction_removed', message, name, user)
  return true
}

function tell(slack: Slack, type: string, message: Message, reaction: string, user: string) {
  const item = { type: 'message', channel: message.channel, ts: message.ts }
  slack.events.tell({ type, user, reaction, item, item_user: message.user ?? '' }, message.channel)
}

function target(slack: Slack, args: Args): Message {
  if (!args.has('channel') || !args.has('timestamp')) return violate('no_item_specified')
  const channel = visible(slack, args.text('channel'))
  if (channel.archived) return refuse('is_archived')
  const ts = args.text('timestamp')
  if (!/^\d+\.\d+$/.test(ts)) return violate('bad_timestamp')
  return existing(slack, channel, ts)
}

function nameOf(args: Args): string {
  const name = args.text('name')
  return /^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/.test(name) ? name : violate('invalid_name', [name])
}

function add(slack: Slack, args: Args): Json {
  const name = nameOf(args)
  return addReaction(slack, target(slack, args), name, slack.world.bot.id) ? {} : refuse('already_reacted')
}

function remove(slack: Slack, args: Args): Json {
  const name = nameOf(args)
  return removeReaction(slack, target(slack, args), name, slack.world.bot.id) ? {} : refuse('no_reaction')
}

function get(slack: Slack, args: Args): Json {
  const message = target(slack, args)
  const reactions = message.reactions.map(({ name, users }) => ({ name, users, count: users.length }))
  const shown = messageObject(slack.world, slack.origin(), message)
  const found = reactions.length > 0 ? { ...shown, reactions } : shown
  return { type: 'message', channel: message.channel, message: found }
}

const item = ['channel', 'timestamp']

export const reactionMethods: Methods = {
  'reactions.add': { scopes: ['reactions:write'], tier: 3, args: [...item, 'name'], run: add },
  'reactions.remove': {
    scopes: ['reactions:write'],
    tier: 2,
    args: [...item, 'name', 'file', 'file_comment'],
    run: remove,
  },
  'reactions.get': {
    scopes: ['reactions:read'],
    tier: 3,
    args: [...item, 'file', 'file_comment', 'full'],
    run: get,
  },
}
