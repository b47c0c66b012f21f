import {
  type APIUser,
  ChannelType,
  OverwriteType,
  PermissionFlagsBits,
  type RoleFlags,
  type UserFlags,
} from 'discord-api-types/v10'
import type { Settings } from '../options.ts'
import { Snowflakes } from './snowflakes.ts'
import type { Role } from './types.ts'
import { newChannel, World } from './world.ts'

// The enums of flags have no member for none.
const none = 0
const dayMs = 86_400_000

const sum = (...bits: bigint[]): bigint => bits.reduce((all, bit) => all | bit, 0n)

const { ViewChannel, SendMessages, SendMessagesInThreads, CreatePublicThreads, CreatePrivateThreads } =
  PermissionFlagsBits
const { AttachFiles, EmbedLinks, ReadMessageHistory, AddReactions, UseApplicationCommands } = PermissionFlagsBits

/** The permissions of a typical chat bot, which manages nothing. */
const usual = sum(
  ViewChannel,
  SendMessages,
  SendMessagesInThreads,
  CreatePublicThreads,
  CreatePrivateThreads,
  AttachFiles,
  EmbedLinks,
  ReadMessageHistory,
  AddReactions,
  UseApplicationCommands,
)

const person = (id: string, username: string, bot = false): APIUser => ({
  id,
  username,
  discriminator: bot ? '4021' : '0',
  global_name: bot ? null : username.charAt(0).toUpperCase() + username.slice(1),
  avatar: null,
  public_flags: none as UserFlags,
  flags: none as UserFlags,
  primary_guild: null,
  ...(bot && { bot }),
})

const role = (id: string, name: string, permissions: bigint, position: number, rest: Partial<Role> = {}): Role => ({
  id,
  name,
  permissions: String(permissions),
  position,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  managed: false,
  mentionable: false,
  icon: null,
  unicode_emoji: null,
  flags: none as RoleFlags,
  ...rest,
})

/**
 * The guild of every test. ana owns it, ben is one of the approvers, cleo is neither; loom is another bot. Nobody but
 * ana sees `hidden`; `private` is for ana, ben and our bot.
 */
export function createWorld({ people, channels, roles, permissions }: Settings): World {
  const origin = Date.now() - 30 * dayMs
  const names = ['ana', 'ben', 'cleo', ...people]
  const first = new Snowflakes()
  const [guildId, botId, otherBotId] = [first.next(origin), first.next(origin), first.next(origin)]
  const userIds = names.map(() => first.next(origin))
  const world = new World({ guildId, botId, ownerId: userIds[0] ?? botId })
  const nextId = () => world.ids.next(origin + dayMs)

  world.roles.set(guildId, role(guildId, '@everyone', usual, 0))
  const botRole = role(nextId(), 'bobbin', permissions ?? usual, 2, { managed: true, tags: { bot_id: botId } })
  const approvers = role(nextId(), 'approvers', 0n, 1, { mentionable: true })
  const others = roles.map((name) => role(nextId(), name, 0n, 1, { mentionable: true }))
  for (const one of [botRole, approvers, ...others]) world.roles.set(one.id, one)
  // The bot also has everyone's permissions, so denying it one means denying it to everyone.
  if (permissions !== undefined) world.roles.set(guildId, role(guildId, '@everyone', usual & permissions, 0))

  const join = (user: APIUser, roles: string[] = []) => {
    world.users.set(user.id, user)
    world.members.set(user.id, { userId: user.id, roles, joinedAt: origin + 2 * dayMs })
  }
  join(person(botId, 'bobbin', true), [botRole.id])
  join(person(otherBotId, 'loom', true))
  for (const [index, name] of names.entries()) {
    join(person(userIds[index] as string, name), name === 'ben' ? [approvers.id] : [])
  }
  addChannels(world, channels, nextId)
  return world
}

function addChannels(world: World, more: string[], nextId: () => string): void {
  const add = (name: string, type: ChannelType, allowed?: string[]) => {
    const id = nextId()
    const overwrites = allowed
      ? [
          { id: world.guildId, type: OverwriteType.Role, allow: '0', deny: String(ViewChannel) },
          ...allowed.map((who) => ({ id: who, type: OverwriteType.Member, allow: String(ViewChannel), deny: '0' })),
        ]
      : []
    world.channels.set(id, newChannel(id, type, name, { overwrites, position: world.channels.size }))
  }
  add('general', ChannelType.GuildText)
  add('random', ChannelType.GuildText)
  add('announcements', ChannelType.GuildAnnouncement)
  add('forum', ChannelType.GuildForum)
  add(
    'private',
    ChannelType.GuildText,
    ['ana', 'ben', 'bobbin'].map((name) => world.user(name).id),
  )
  add('hidden', ChannelType.GuildText, [world.user('ana').id])
  for (const name of more) add(name, ChannelType.GuildText)
}
