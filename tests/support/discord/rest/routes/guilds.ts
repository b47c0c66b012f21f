import { guildPayload } from '../../gateway/ready.ts'
import { channelPayload, memberWithUserPayload } from '../../world/channel-payloads.ts'
import { isDirect } from '../../world/world.ts'
import { json } from '../answer.ts'
import type { Handler, Incoming } from '../call.ts'
import { apiError } from '../errors.ts'

const inGuild =
  (handler: (incoming: Incoming) => unknown): Handler =>
  (incoming) => {
    if (incoming.params.guild_id !== incoming.context.world.guildId) throw apiError(10004)
    return json(handler(incoming))
  }

/** Listing members needs the intent; looking one up does not. */
const members = inGuild(({ context, query }) => {
  if (!context.settings.intents.guildMembers) throw apiError(50001)
  const after = BigInt(query.get('after') ?? 0)
  return [...context.world.members.values()]
    .filter(({ userId }) => BigInt(userId) > after)
    .slice(0, Number(query.get('limit') ?? 1))
    .map((member) => memberWithUserPayload(context.world, member))
})

const search = inGuild(({ context: { world }, query }) =>
  [...world.members.values()]
    .filter(({ userId }) => world.user(userId).username.startsWith((query.get('query') ?? '').toLowerCase()))
    .slice(0, Number(query.get('limit') ?? 1))
    .map((member) => memberWithUserPayload(world, member)),
)

const member = inGuild(({ context: { world }, params }) => {
  const found = world.members.get(params.user_id ?? '')
  if (found) return memberWithUserPayload(world, found)
  throw apiError(world.users.has(params.user_id ?? '') ? 10007 : 10013)
})

const channels = inGuild(({ context: { world } }) =>
  [...world.channels.values()]
    .filter((channel) => !isDirect(channel) && !channel.thread)
    .map((channel) => channelPayload(world, channel)),
)

export const guildRoutes: Record<string, Handler> = {
  'GET /guilds/{guild_id}': inGuild(({ context }) => guildPayload(context.world)),
  'GET /guilds/{guild_id}/channels': channels,
  'GET /guilds/{guild_id}/roles': inGuild(({ context: { world } }) => [...world.roles.values()]),
  'GET /guilds/{guild_id}/members': members,
  'GET /guilds/{guild_id}/members/search': search,
  'GET /guilds/{guild_id}/members/{user_id}': member,
}
