import type { Json } from './json.ts'
import type { Channel, Person } from './types.ts'
import type { World } from './world.ts'

const icons = (base: string) =>
  Object.fromEntries([36, 48, 72].map((size) => [`image_${size}`, `https://avatars.invalid/${base}_${size}.png`]))

/** The `user` object of users.info and users.list. */
export const userObject = (world: World, person: Person): Json => ({
  id: person.id,
  team_id: person.team ?? world.team.id,
  name: person.name,
  deleted: person.deleted ?? false,
  color: '9f69e7',
  real_name: person.realName,
  tz: person.tz,
  tz_label: 'Central European Time',
  tz_offset: 3_600,
  profile: {
    title: '',
    phone: '',
    real_name: person.realName,
    real_name_normalized: person.realName,
    display_name: person.name,
    display_name_normalized: person.name,
    status_text: '',
    status_emoji: '',
    avatar_hash: 'g00000000000',
    ...(person.botId === undefined
      ? { email: `${person.name}@example.invalid` }
      : { bot_id: person.botId, api_app_id: person.appId, always_active: true }),
    team: world.team.id,
  },
  is_admin: false,
  is_owner: false,
  is_primary_owner: false,
  is_restricted: false,
  is_ultra_restricted: false,
  is_bot: person.botId !== undefined,
  is_app_user: false,
  updated: 1_700_000_000,
  is_email_confirmed: person.botId === undefined,
  who_can_share_contact_card: 'EVERYONE',
})

export const botProfile = (world: World, bot: Person): Json => ({
  id: bot.botId,
  app_id: bot.appId,
  user_id: bot.id,
  name: bot.name,
  icons: icons(bot.name),
  deleted: false,
  updated: 1_700_000_000,
  team_id: world.team.id,
})

export const botObject = (bot: Person): Json => ({
  id: bot.botId,
  deleted: false,
  name: bot.name,
  updated: 1_700_000_000,
  app_id: bot.appId,
  user_id: bot.id,
  icons: icons(bot.name),
})

/** The `channel` object of conversations.info and conversations.list. */
export function channelObject(world: World, channel: Channel): Json {
  const direct = channel.kind === 'im'
  const common = {
    id: channel.id,
    created: channel.created,
    is_archived: channel.archived,
    is_im: direct,
    is_org_shared: false,
    context_team_id: world.team.id,
    updated: channel.created * 1_000,
    properties: {},
  }
  const other = [...channel.members].find((id) => id !== world.bot.id)
  if (direct) return { ...common, user: other, is_user_deleted: false, is_open: true, priority: 0 }
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    is_general: channel.name === 'general',
    is_shared: false,
    is_ext_shared: false,
    is_pending_ext_shared: false,
    is_member: channel.members.has(world.bot.id),
    unlinked: 0,
    creator: other,
    parent_conversation: null,
    pending_shared: [],
    pending_connected_team_ids: [],
    previous_names: [],
    shared_team_ids: [world.team.id],
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: channel.purpose, creator: '', last_set: 0 },
    num_members: channel.members.size,
  }
}
