import { sharedFile } from './file-objects.ts'
import { type Block, compact, type Json, stringAt } from './json.ts'
import { blocksOfMarkdown } from './markdown.ts'
import { botProfile } from './objects.ts'
import type { Channel, Message } from './types.ts'
import type { World } from './world.ts'

/** A root's fields about its replies; empty if there are none. */
export function threadFields(channel: Channel, root: Message): Json {
  const replies = channel.messages.replies(root.ts)
  const last = replies.at(-1)
  if (!last) return {}
  const users = [...new Set(replies.flatMap(({ user }) => user ?? []))]
  return {
    thread_ts: root.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    latest_reply: last.ts,
    reply_users: users.slice(0, 5),
    is_locked: false,
    subscribed: false,
  }
}

const translated = new WeakMap<Block, Block[]>()

/** Blocks as Slack gives them back: Markdown is rich text by then. */
function blocksBack(world: World, blocks: Block[]): Block[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'markdown') return block
    const held = translated.get(block) ?? world.withIds(blocksOfMarkdown(stringAt(block, 'text')))
    translated.set(block, held)
    return held
  })
}

/** A message as in events and histories, without the fields that depend on its place. */
export function messageObject(world: World, origin: string, message: Message): Json {
  const { bot, threadTs } = message
  const root = threadTs !== undefined && threadTs !== message.ts ? world.message(threadTs, message.channel) : undefined
  if (message.deleted) {
    const text = 'This message was deleted.'
    return compact({ type: 'message', subtype: 'tombstone', user: 'USLACKBOT', ts: message.ts, hidden: true, text })
  }
  return compact({
    user: message.user,
    type: 'message',
    subtype: message.subtype,
    ts: message.ts,
    client_msg_id: message.clientMsgId,
    bot_id: bot?.botId,
    app_id: bot?.appId,
    username: message.username,
    icons: message.icons,
    text: message.text,
    // A message with files doesn't name its author's workspace.
    team:
      message.user === undefined || message.subtype === 'file_share'
        ? undefined
        : (world.person(message.user).team ?? world.team.id),
    bot_profile: bot && message.subtype !== 'bot_message' ? botProfile(world, bot) : undefined,
    thread_ts: threadTs,
    parent_user_id: root?.user,
    attachments: message.attachments.length > 0 ? message.attachments : undefined,
    blocks: message.blocks.length > 0 ? blocksBack(world, message.blocks) : undefined,
    ...(message.files.length > 0 && {
      files: message.files.map((file) => sharedFile(world, origin, file)),
      upload: true,
      display_as_bot: false,
    }),
    edited: message.edited,
    streaming_state: message.stream?.state,
  })
}

/** As conversations.history and conversations.replies have it. */
export function historyObject(world: World, origin: string, message: Message, withMetadata: boolean): Json {
  const channel = world.channel(message.channel)
  const session = world.sessions.get(`${message.channel}:${message.ts}`)
  const { subtype, ...shown } = messageObject(world, origin, message)
  return compact({
    ...(subtype !== 'file_share' && { subtype }),
    ...shown,
    ...(message.threadTs === undefined && threadFields(channel, message)),
    reactions:
      message.reactions.length > 0
        ? message.reactions.map(({ name, users }) => ({ name, users, count: users.length }))
        : undefined,
    agent_session: session && {
      status: session.status,
      title: session.title,
      agent_bot_user_ids: [world.bot.id],
      agent_statuses: [{ agent_bot_user_id: world.bot.id, status: session.status, is_stoppable: true }],
    },
    metadata: withMetadata ? message.metadata : undefined,
  })
}
