import { announceChange, announceDeletion, announcePost, announceRoot, snapshot } from '../announce.ts'
import { type Args, refuse } from '../args.ts'
import { contentOf, metadataOf, threadOf } from '../content.ts'
import { compact, type Json } from '../json.ts'
import { messageObject } from '../message-objects.ts'
import { existing, type Methods, visible, writable } from '../method.ts'
import type { Slack } from '../slack.ts'
import type { Message } from '../types.ts'

const content = ['text', 'blocks', 'attachments', 'markdown_text', 'parse', 'link_names', 'mrkdwn']
const author = ['icon_emoji', 'icon_url', 'username', 'as_user']

/** Old versions are kept as long as people may still see an old card. */
const mostVersions = 10
const mostRemoved = 500

export function rootBefore(slack: Slack, channel: string, threadTs: string | undefined): Json | undefined {
  const root = threadTs === undefined ? undefined : slack.world.message(threadTs, channel)
  return root && snapshot(slack, root)
}

/** After an answer, the status line is cleared and the root counts one more reply. */
export function answered(slack: Slack, message: Message, before: Json | undefined) {
  if (message.threadTs === undefined) return
  const key = `${message.channel}:${message.threadTs}`
  slack.statuses.delete(key)
  if (slack.world.sessions.has(key)) announceRoot(slack, message.channel, message.threadTs, before)
}

const authorOf = (args: Args) => ({
  username: args.maybe('username'),
  icons: args.has('icon_emoji') ? { emoji: args.maybe('icon_emoji') } : undefined,
})

export const withMetadata = (slack: Slack, message: Message): Json =>
  compact({ ...messageObject(slack.world, slack.origin(), message), metadata: message.metadata })

function postMessage(slack: Slack, args: Args): Json {
  const { world } = slack
  const channel = writable(slack, args.text('channel'))
  const { attachments = [], ...said } = contentOf(world, args, 'new')
  const threadTs = threadOf(world, args, channel.id, (one) => slack.violations.push(`chat.postMessage: ${one}`))
  const before = rootBefore(slack, channel.id, threadTs)
  const broadcast = args.flag('reply_broadcast')
  const message = world.store({
    channel: channel.id,
    user: world.bot.id,
    bot: world.bot,
    ...said,
    ...authorOf(args),
    attachments,
    metadata: metadataOf(args),
    threadTs,
    broadcast,
    subtype: broadcast ? 'thread_broadcast' : undefined,
  })
  announcePost(slack, message)
  answered(slack, message, before)
  return { channel: channel.id, ts: message.ts, message: withMetadata(slack, message) }
}

function postEphemeral(slack: Slack, args: Args): Json {
  const { world } = slack
  const channel = writable(slack, args.text('channel'))
  const user = args.text('user')
  if (!channel.members.has(user)) return refuse('user_not_in_channel')
  const { attachments = [], ...said } = contentOf(world, args, 'new')
  const threadTs = threadOf(world, args, channel.id, (one) => slack.violations.push(`chat.postEphemeral: ${one}`))
  const bot = { user: world.bot.id, bot: world.bot }
  const fields = { channel: channel.id, ...bot, ...said, attachments, threadTs, ephemeralTo: user }
  return { message_ts: world.store({ ...fields, ...authorOf(args) }).ts }
}

/** Keeps the old version and shows the new one. */
export function rewrite(message: Message, fields: Partial<Message>) {
  message.before.push(message.blocks)
  if (message.before.length > mostVersions) message.before.shift()
  Object.assign(message, fields)
}

function update(slack: Slack, args: Args): Json {
  const { world } = slack
  const channel = visible(slack, args.text('channel'))
  const message = existing(slack, channel, args.text('ts'))
  if (message.bot?.id !== world.bot.id) return refuse('cant_update_message')
  if (channel.archived) return refuse('is_inactive')
  if (message.stream?.state === 'in_progress') return refuse('streaming_state_conflict')
  const { attachments = message.attachments, ...said } = contentOf(world, args, 'edit')
  const metadata = metadataOf(args) ?? message.metadata
  const previous = snapshot(slack, message)
  const edited = { user: world.bot.id, ts: world.ids.ts() }
  rewrite(message, { ...said, attachments, metadata, edited })
  announceChange(slack, message, previous)
  return { channel: channel.id, ts: message.ts, text: message.text, message: withMetadata(slack, message) }
}

/** A root with replies stays as a tombstone. */
export function remove(slack: Slack, message: Message) {
  const { messages } = slack.world.channel(message.channel)
  const previous = snapshot(slack, message)
  message.deleted = true
  slack.world.removed.push(message)
  if (slack.world.removed.length > mostRemoved) slack.world.removed.shift()
  if (messages.replies(message.ts).length === 0) messages.delete(message)
  announceDeletion(slack, message, previous)
}

function deleteMessage(slack: Slack, args: Args): Json {
  const channel = visible(slack, args.text('channel'))
  const message = existing(slack, channel, args.text('ts'))
  const own = message.bot?.id === slack.world.bot.id
  if (!own || message.stream?.state === 'in_progress') return refuse('cant_delete_message')
  remove(slack, message)
  return { channel: channel.id, ts: message.ts }
}

function permalink(slack: Slack, args: Args): Json {
  const channel = visible(slack, args.text('channel'))
  const { ts, threadTs } = existing(slack, channel, args.text('message_ts'))
  const query = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channel.id}`
  const base = `https://${slack.world.team.domain}.slack.com/archives/${channel.id}`
  return { channel: channel.id, permalink: `${base}/p${ts.replace('.', '')}${query}` }
}

const scopes = ['chat:write']

export const chatMethods: Methods = {
  'chat.postMessage': {
    scopes,
    tier: 'message',
    args: [
      ...['channel', 'thread_ts', 'reply_broadcast', 'unfurl_links', 'unfurl_media', 'metadata'],
      ...content,
      ...author,
    ],
    run: postMessage,
  },
  'chat.postEphemeral': {
    scopes,
    tier: 4,
    args: ['channel', 'user', 'thread_ts', ...content, ...author],
    run: postEphemeral,
  },
  'chat.update': {
    scopes,
    tier: 3,
    args: ['channel', 'ts', 'metadata', 'file_ids', 'reply_broadcast', 'as_user', ...content],
    run: update,
  },
  'chat.delete': { scopes, tier: 3, args: ['channel', 'ts', 'as_user'], run: deleteMessage },
  'chat.getPermalink': { scopes: [], tier: 'unlimited', args: ['channel', 'message_ts'], run: permalink },
}
