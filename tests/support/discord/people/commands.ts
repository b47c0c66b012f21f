import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  InteractionType,
} from 'discord-api-types/v10'
import type { Context } from '../context.ts'
import type { Command, CommandOption } from '../interactions/commands.ts'
import { resolvedPayload } from '../interactions/payloads.ts'
import type { Payload } from '../world/channel-payloads.ts'
import { attachmentPayload, dispatchedMessagePayload } from '../world/message-payloads.ts'
import { canSee, permissionsIn } from '../world/permissions.ts'
import type { Channel } from '../world/types.ts'
import { isDirect } from '../world/world.ts'
import { type Asked, begin } from './interactions.ts'
import { type PersonFile, upload } from './messages.ts'

export type OptionValue = string | number | boolean | PersonFile

const types = ApplicationCommandOptionType

/** The command that this person sees here; throws where Discord would not show it. */
function commandNamed(
  context: Context,
  name: string,
  type: ApplicationCommandType,
  { userId, channel }: Place,
): Command {
  const { world, commands } = context
  const command = commands.find(name, type, world.guildId)
  if (command === undefined) throw new Error(`The bot has registered no command ${name}.`)
  if (channel.elsewhere) return offeredElsewhere(command, channel.elsewhere)
  const contexts = command.contexts as InteractionContextType[] | null | undefined
  const place = isDirect(channel) ? InteractionContextType.BotDM : InteractionContextType.Guild
  const here = isDirect(channel) && command.dm_permission === false ? false : (contexts?.includes(place) ?? true)
  if (!here || (isDirect(channel) && command.guild_id)) throw new Error(`${name} is not offered here.`)
  const needed = BigInt((command.default_member_permissions as string | null) ?? 0)
  if ((permissionsIn(world, channel, userId) & needed) !== needed) throw new Error(`${name} is not for everybody.`)
  return command
}

/** Where the bot isn't, people have the commands of what they added to their own account. */
function offeredElsewhere(command: Command, { guildId }: NonNullable<Channel['elsewhere']>): Command {
  const place = guildId === undefined ? InteractionContextType.PrivateChannel : InteractionContextType.Guild
  const installs = command.integration_types as number[] | undefined
  const contexts = command.contexts as InteractionContextType[] | undefined
  if (installs?.includes(ApplicationIntegrationType.UserInstall) && contexts?.includes(place)) return command
  throw new Error(`${command.name} is not offered where the bot isn't.`)
}

interface Place {
  userId: string
  channel: Channel
}

function place({ world }: Context, who: string, where: string): Place {
  const channel = world.channel(where)
  const { id: userId, username } = world.user(who)
  if (channel.elsewhere) return { userId, channel }
  if (!canSee(world, channel, userId)) throw new Error(`${username} does not see ${channel.name}.`)
  if (channel.thread?.archived) throw new Error('Nothing can be used in an archived thread.')
  return { userId, channel }
}

/** Runs a slash command, with subcommands as words: `slash('ana', 'general', 'session reset', {name: 'x'})`. */
export function slash(
  context: Context,
  who: string,
  where: string,
  words: string,
  values: Record<string, OptionValue> = {},
): Asked {
  const at = place(context, who, where)
  const { userId, channel } = at
  const [name = '', ...path] = words.replace(/^\//, '').split(' ')
  const command = commandNamed(context, name, ApplicationCommandType.ChatInput, at)
  const resolved: Payload = {}
  const options = optionsAt(command.options ?? [], path, (known) => leaves(context, channel, known, values, resolved))
  const origin = { type: InteractionType.ApplicationCommand, userId, name }
  return begin(context, channel, origin, commandData(command, { options }, resolved))
}

const commandData = ({ id, name, type, guild_id }: Command, rest: Payload, resolved: Payload): Payload => ({
  id,
  name,
  type,
  ...(guild_id && { guild_id }),
  ...rest,
  ...(Object.keys(resolved).length > 0 && { resolved }),
})

function optionsAt(
  known: CommandOption[],
  [first, ...rest]: string[],
  fill: (known: CommandOption[]) => Payload[],
): Payload[] {
  if (first === undefined) {
    const isGroup = known.some(({ type }) => type === types.Subcommand || type === types.SubcommandGroup)
    if (isGroup) throw new Error('Name a subcommand.')
    return fill(known)
  }
  const found = known.find(({ name }) => name === first)
  if (found === undefined) throw new Error(`The command has no subcommand ${first}.`)
  return [{ type: found.type, name: first, options: optionsAt(found.options ?? [], rest, fill) }]
}

function leaves(
  context: Context,
  channel: Channel,
  known: CommandOption[],
  values: Record<string, OptionValue>,
  resolved: Payload,
): Payload[] {
  for (const name of Object.keys(values)) {
    if (!known.some((option) => option.name === name)) throw new Error(`The command has no option ${name}.`)
  }
  return known.flatMap(({ name, type, required, choices }) => {
    const value = values[name]
    if (value === undefined && required) throw new Error(`The option ${name} is missing.`)
    if (value === undefined) return []
    if (choices && !choices.some((choice) => choice.value === value)) throw new Error(`${value} is no choice.`)
    return [{ name, type, value: sentValue(context, channel, type, value, resolved) }]
  })
}

function sentValue(
  context: Context,
  channel: Channel,
  type: ApplicationCommandOptionType,
  value: OptionValue,
  resolved: Payload,
): unknown {
  const { world, cdn } = context
  if (typeof value === 'object') {
    const attachment = upload(context, channel.id, value, true)
    resolved.attachments = { ...(resolved.attachments as object), [attachment.id]: attachmentPayload(cdn, attachment) }
    return attachment.id
  }
  const ids: Partial<Record<ApplicationCommandOptionType, () => string>> = {
    [types.User]: () => world.user(String(value)).id,
    [types.Mentionable]: () => world.user(String(value)).id,
    [types.Role]: () => world.role(String(value)).id,
    [types.Channel]: () => world.channel(String(value)).id,
  }
  const id = ids[type]?.()
  if (id === undefined) return value
  for (const [group, entries] of Object.entries(resolvedPayload(context, channel, [id]))) {
    resolved[group] = { ...(resolved[group] as object | undefined), ...(entries as object) }
  }
  return id
}

/** Uses a command from the menu of a message. */
export function messageCommand(context: Context, who: string, messageId: string, name: string): Asked {
  const message = context.world.message(messageId)
  const at = place(context, who, message.channelId)
  const { userId, channel } = at
  const command = commandNamed(context, name, ApplicationCommandType.Message, at)
  const resolved = { messages: { [messageId]: dispatchedMessagePayload(context, message) } }
  const origin = { type: InteractionType.ApplicationCommand, userId, name }
  return begin(context, channel, origin, commandData(command, { target_id: messageId }, resolved))
}

/** Types in an autocomplete option; the response has the bot's choices. */
export function complete(context: Context, who: string, where: string, words: string, option: string, typed: string) {
  const at = place(context, who, where)
  const [name = '', ...path] = words.replace(/^\//, '').split(' ')
  const command = commandNamed(context, name, ApplicationCommandType.ChatInput, at)
  const options = optionsAt(command.options ?? [], path, (known) => {
    const found = known.find((one) => one.name === option)
    if (!found?.autocomplete) throw new Error(`The option ${option} does not complete itself.`)
    return [{ name: option, type: found.type, value: typed, focused: true }]
  })
  const origin = { type: InteractionType.ApplicationCommandAutocomplete, userId: at.userId, name }
  return begin(context, at.channel, origin, commandData(command, { options }, {}))
}
