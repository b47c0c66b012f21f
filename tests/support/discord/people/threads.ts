import { ChannelType } from 'discord-api-types/v10'
import { joinThread } from '../actions/membership.ts'
import { addMessage, draft } from '../actions/messages.ts'
import { changeThread, openThread, type ThreadChanges } from '../actions/threads.ts'
import type { Context } from '../context.ts'
import { mentionsIn } from '../world/mentions.ts'
import { isForum } from '../world/world.ts'

export interface ThreadOptions {
  /** The id of the message that it starts from. */
  from?: string
  isPrivate?: boolean
  /** For a forum post: its first message. */
  text?: string
}

/** Opens a thread or a forum post; returns its id. */
export function createThread(
  context: Context,
  who: string,
  where: string,
  name: string,
  { from, isPrivate = false, text }: ThreadOptions = {},
): string {
  const { world } = context
  const parent = world.channel(where)
  const ownerId = world.user(who).id
  const isNews = parent.type === ChannelType.GuildAnnouncement
  const open = isNews ? ChannelType.AnnouncementThread : ChannelType.PublicThread
  const thread = openThread(context, parent, {
    name,
    ownerId,
    type: isPrivate ? ChannelType.PrivateThread : open,
    ...(from !== undefined && { from: world.message(from) }),
  })
  if (isForum(parent)) {
    const content = text ?? name
    const mentions = mentionsIn(world, thread, content, false)
    addMessage(context, thread, { ...draft(context, thread, ownerId), id: thread.id, content, mentions })
  }
  return thread.id
}

export const alterThread = (context: Context, where: string, changes: ThreadChanges, who?: string): void => {
  const channel = context.world.channel(where)
  changeThread(context, channel, who === undefined ? context.world.ownerId : context.world.user(who).id, changes)
}

export const inviteToThread = (context: Context, where: string, who: string): void =>
  joinThread(context, context.world.channel(where), context.world.user(who).id)
