import { applicationFlags } from '../../gateway/ready.ts'
import { channelPayload, type Payload } from '../../world/channel-payloads.ts'
import { permissionsIn } from '../../world/permissions.ts'
import { newChannel } from '../../world/world.ts'
import { json } from '../answer.ts'
import type { Handler, Incoming } from '../call.ts'
import { apiError } from '../errors.ts'

const application = ({ context: { world, settings } }: Incoming): Payload => ({
  id: world.botId,
  name: 'bobbin',
  icon: null,
  description: '',
  type: null,
  bot: world.users.get(world.botId),
  bot_public: false,
  bot_require_code_grant: false,
  verify_key: '0'.repeat(64),
  flags: applicationFlags(settings),
  flags_new: String(applicationFlags(settings)),
  redirect_uris: [],
  interactions_endpoint_url: null,
  role_connections_verification_url: null,
  owner: world.users.get(world.ownerId),
  approximate_guild_count: 1,
  approximate_user_install_count: 0,
  approximate_user_authorization_count: 0,
  explicit_content_filter: 0,
  team: null,
  eligible_oauth2_scopes: [],
  integration_types_config: { '0': {}, ...(settings.userInstall && { '1': {} }) },
})

const me: Handler = ({ context: { world } }) =>
  json({ ...world.users.get(world.botId), mfa_enabled: true, locale: 'en-US', verified: true, email: null, bio: '' })

const user: Handler = ({ context: { world }, params }) => {
  const found = world.users.get(params.user_id ?? '')
  if (found === undefined) throw apiError(10013)
  return json(found)
}

const guilds: Handler = ({ context: { world } }) => {
  const anywhere = newChannel('0', 0, '')
  const { guildId: id, guildName: name } = world
  const permissions = String(permissionsIn(world, anywhere, world.botId))
  return json([{ id, name, icon: null, banner: null, owner: false, permissions, features: [] }])
}

const openDirect: Handler = ({ context: { world }, body }) => {
  const recipient = String(body.recipient_id)
  if (!world.users.has(recipient)) throw apiError(10013)
  if (world.users.get(recipient)?.bot) throw apiError(50007)
  return json(channelPayload(world, world.directMessages(recipient)))
}

const gateway: Handler = ({ context }) => json({ url: context.gateway.url })

const gatewayBot: Handler = ({ context }) =>
  json({ url: context.gateway.url, shards: 1, session_start_limit: context.gateway.starts.limit })

export const applicationRoutes: Record<string, Handler> = {
  'GET /gateway': gateway,
  'GET /gateway/bot': gatewayBot,
  'GET /users/@me': me,
  'GET /users/@me/guilds': guilds,
  'POST /users/@me/channels': openDirect,
  'GET /users/{user_id}': user,
  'GET /applications/@me': (incoming) => json(application(incoming)),
  'GET /oauth2/applications/@me': (incoming) => json(application(incoming)),
}
