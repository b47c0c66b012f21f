import { ChannelType, MessageFlags, MessageType } from 'discord-api-types/v10'
import type { Context } from '../context.ts'
import { channelPayload } from '../world/channel-payloads.ts'
import type { Channel, Message, Thread } from '../world/types.ts'
import { isForum, newChannel } from '../world/world.ts'
import { setArchived, tellThread } from './membership.ts'
import { addMessage, changeMessage, draft } from './messages.ts'

export interface NewThread {
  name: string
  ownerId: string
  type: ChannelType
  /** The message that it is started from, whose id it shares. */
  from?: Message
  autoArchiveMinutes?: number
  invitable?: boolean
  appliedTags?: string[]
}

const threadData = (options: NewThread): Thread => ({
  ownerId: options.ownerId,
  archived: false,
  locked: false,
  invitable: options.invitable ?? true,
  autoArchiveMinutes: options.autoArchiveMinutes ?? 1_440,
  archiveChangedAt: Date.now(),
  members: new Map([[options.ownerId, Date.now()]]),
  messageCount: 0,
  totalSent: 0,
  appliedTags: options.appliedTags ?? [],
})

export function openThread(context: Context, parent: Channel, options: NewThread): Channel {
  const { world, gateway } = context
  const { from, name, ownerId, type } = options
  const id = from?.id ?? world.ids.next()
  const channel = newChannel(id, type, name, { parentId: parent.id, thread: threadData(options) })
  world.channels.set(id, channel)
  gateway.dispatch('THREAD_CREATE', { ...channelPayload(world, channel), newly_created: true }, { channel })
  if (from) {
    changeMessage(context, from, { flags: from.flags | MessageFlags.HasThread }, false)
    addMessage(context, channel, {
      ...draft(context, channel, ownerId),
      type: MessageType.ThreadStarterMessage,
      reference: { channelId: parent.id, messageId: from.id },
    })
  } else if (type !== ChannelType.PrivateThread && !isForum(parent)) {
    addMessage(context, parent, {
      ...draft(context, parent, ownerId),
      type: MessageType.ThreadCreated,
      content: name,
      reference: { channelId: id },
    })
  }
  return channel
}

/** Makes the change and sends the events; permissions are checked before. */
export function changeThread(context: Context, channel: Channel, byId: string, changes: ThreadChanges): void {
  const { thread } = channel
  if (thread === undefined) throw new Error(`${channel.name} is no thread.`)
  const { name, archived, ...rest } = changes
  Object.assign(thread, rest)
  const renamed = name !== undefined && name !== channel.name
  if (renamed) channel.name = name
  if (archived !== undefined && archived !== thread.archived) setArchived(context, channel, archived)
  else tellThread(context, channel)
  if (renamed && !thread.archived) {
    addMessage(context, channel, {
      ...draft(context, channel, byId),
      type: MessageType.ChannelNameChange,
      content: name,
    })
  }
}

export type ThreadChanges = Partial<
  Pick<Thread, 'archived' | 'locked' | 'invitable' | 'autoArchiveMinutes' | 'appliedTags'>
> & { name?: string }

export function deleteChannel({ world, gateway }: Context, channel: Channel): void {
  const { id, type, parentId, thread } = channel
  const payload = thread ? { id, guild_id: world.guildId, parent_id: parentId, type } : channelPayload(world, channel)
  gateway.dispatch(thread ? 'THREAD_DELETE' : 'CHANNEL_DELETE', payload, { channel })
  for (const one of world.threadsOf(id)) world.removeChannel(one.id)
  world.removeChannel(id)
}
