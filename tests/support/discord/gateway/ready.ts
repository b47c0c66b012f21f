import { ApplicationFlags } from 'discord-api-types/v10'
import type { Settings } from '../options.ts'
import { channelPayload, memberWithUserPayload, type Payload } from '../world/channel-payloads.ts'
import { canSee } from '../world/permissions.ts'
import { isoTime } from '../world/snowflakes.ts'
import { isDirect, type World } from '../world/world.ts'

const { GatewayMessageContentLimited, GatewayGuildMembersLimited, GatewayPresenceLimited } = ApplicationFlags

/** The flags of an unverified application, which show the privileged intents that are on. */
export const applicationFlags = ({ intents }: Settings): number =>
  (intents.messageContent ? GatewayMessageContentLimited : 0) |
  (intents.guildMembers ? GatewayGuildMembersLimited : 0) |
  (intents.presences ? GatewayPresenceLimited : 0)

export const readyPayload = (
  world: World,
  settings: Settings,
  session: { id: string; shard: [number, number] },
  resumeUrl: string,
): Payload => ({
  v: 10,
  user: { ...world.users.get(world.botId), email: null, verified: true, mfa_enabled: true },
  user_settings: {},
  session_type: 'normal',
  session_id: session.id,
  resume_gateway_url: resumeUrl,
  relationships: [],
  private_channels: [],
  presences: [],
  guilds: [{ id: world.guildId, unavailable: true }],
  geo_ordered_rtc_regions: [],
  application: { id: world.botId, flags: applicationFlags(settings) },
  shard: session.shard,
})

/** The guild as both the gateway and REST send it. */
export const guildPayload = (world: World): Payload => ({
  id: world.guildId,
  name: world.guildName,
  icon: null,
  description: null,
  home_header: null,
  splash: null,
  discovery_splash: null,
  features: [],
  banner: null,
  owner_id: world.ownerId,
  application_id: null,
  region: 'deprecated',
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: null,
  system_channel_flags: 0,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 0,
  roles: [...world.roles.values()],
  default_message_notifications: 0,
  mfa_level: 0,
  explicit_content_filter: 0,
  max_presences: null,
  max_members: 500_000,
  max_stage_video_channel_users: 50,
  max_video_channel_users: 25,
  vanity_url_code: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: 'en-US',
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  public_updates_channel_id: null,
  premium_progress_bar_enabled: false,
  nsfw: false,
  nsfw_level: 0,
  emojis: [],
  stickers: [],
  incidents_data: null,
})

/** The data of GUILD_CREATE: hidden channels too, but no archived threads, and only the bot as a member. */
export function guildCreatePayload(world: World): Payload {
  const channels = [...world.channels.values()].filter((channel) => !isDirect(channel))
  const threads = channels.filter((one) => one.thread?.archived === false && canSee(world, one, world.botId))
  const bot = world.members.get(world.botId)
  return {
    ...guildPayload(world),
    joined_at: isoTime(bot?.joinedAt ?? 0),
    large: false,
    unavailable: false,
    member_count: world.members.size,
    voice_states: [],
    members: bot ? [memberWithUserPayload(world, bot)] : [],
    channels: channels.filter(({ thread }) => !thread).map((channel) => channelPayload(world, channel)),
    threads: threads.map((thread) => channelPayload(world, thread)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
}
