import type { Context } from '../context.ts'
import { channelPayload, memberPayload, type Payload, partialChannelPayload } from '../world/channel-payloads.ts'
import { dispatchedMessagePayload } from '../world/message-payloads.ts'
import { permissionsIn } from '../world/permissions.ts'
import type { Channel } from '../world/types.ts'
import { isDirect } from '../world/world.ts'
import type { Interaction } from './interactions.ts'

const maxFileBytes = 10 * 1_024 * 1_024

/** The data of INTERACTION_CREATE. */
export function interactionPayload(
  context: Context,
  interaction: Interaction,
  channel: Channel,
  data: Payload,
): Payload {
  const { world } = context
  const { id, token, type, userId, message } = interaction
  const direct = isDirect(channel)
  const user = world.users.get(userId)
  return {
    id,
    application_id: world.botId,
    type,
    token,
    version: 1,
    data,
    channel_id: channel.id,
    channel: partialChannelPayload(world, channel, userId),
    locale: 'en-US',
    entitlements: [],
    entitlement_sku_ids: [],
    app_permissions: String(channel.elsewhere ? 0n : permissionsIn(world, channel, world.botId)),
    authorizing_integration_owners: channel.elsewhere ? { '1': userId } : { '0': direct ? '0' : world.guildId },
    context: channel.elsewhere && !channel.elsewhere.guildId ? 2 : direct ? 1 : 0,
    attachment_size_limit: maxFileBytes,
    ...(channel.elsewhere
      ? elsewhereParts(context, channel.elsewhere.guildId, userId)
      : direct
        ? { user }
        : guildParts(context, channel, userId)),
    ...(message && { message: dispatchedMessagePayload(context, message) }),
  }
}

/** Of a server where the bot isn't, it is told nothing but who did something there. */
function elsewhereParts({ world }: Context, guildId: string | undefined, userId: string): Payload {
  const user = world.users.get(userId)
  if (guildId === undefined) return { user }
  const member = { ...memberPayload({ userId, roles: [], joinedAt: Date.now() }), user, permissions: '0' }
  return { guild_id: guildId, guild_locale: 'en-US', guild: { id: guildId, locale: 'en-US', features: [] }, member }
}

const guildParts = ({ world }: Context, channel: Channel, userId: string): Payload => ({
  guild_id: world.guildId,
  guild_locale: 'en-US',
  guild: { id: world.guildId, locale: 'en-US', features: [] },
  member: {
    ...resolvedMember({ world }, channel, userId),
    user: world.users.get(userId),
    mute: false,
    deaf: false,
  },
})

function resolvedMember({ world }: Pick<Context, 'world'>, channel: Channel, userId: string): Payload {
  const member = world.members.get(userId)
  if (member === undefined) throw new Error(`${userId} is no member.`)
  const { mute: _, deaf: __, ...payload } = memberPayload(member)
  return { ...payload, permissions: String(permissionsIn(world, channel, userId)) }
}

/** The users, roles and channels behind the chosen ids. */
export function resolvedPayload(context: Context, channel: Channel, ids: string[]): Payload {
  const { world } = context
  const pick = <Value>(known: ReadonlyMap<string, Value>, payload: (value: Value, id: string) => unknown) =>
    Object.fromEntries(ids.flatMap((id) => (known.has(id) ? [[id, payload(known.get(id) as Value, id)]] : [])))
  const groups = {
    users: pick(world.users, (user) => user),
    members: isDirect(channel) ? {} : pick(world.members, (_, id) => resolvedMember(context, channel, id)),
    roles: pick(world.roles, (role) => (role.id === world.guildId ? undefined : role)),
    channels: pick(world.channels, (one) => channelPayload(world, one)),
  }
  return Object.fromEntries(Object.entries(groups).filter(([, group]) => Object.keys(group).length > 0))
}
