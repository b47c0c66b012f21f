import { type Args, refuse } from '../args.ts'
import type { Json } from '../json.ts'
import { type Methods, page } from '../method.ts'
import { botObject, userObject } from '../objects.ts'
import type { Slack } from '../slack.ts'

function userInfo({ world }: Slack, args: Args): Json {
  const person = world.people.get(args.text('user'))
  return person ? { user: userObject(world, person) } : refuse('user_not_found')
}

function usersList({ world }: Slack, args: Args): Json {
  const { items, next } = page(args, [...world.people.values()], 100, 1_000)
  return { members: items.map((one) => userObject(world, one)), cache_ts: 1_700_000_000, ...next }
}

function botInfo({ world }: Slack, args: Args): Json {
  const asked = args.maybe('bot') ?? world.bot.botId
  const bot = [...world.people.values()].find(({ botId }) => botId === asked)
  return bot ? { bot: botObject(bot) } : refuse('bot_not_found')
}

function teamInfo({ world }: Slack): Json {
  const { id, name, domain } = world.team
  return { team: { id, name, domain, url: `https://${domain}.slack.com/`, email_domain: '', icon: {} } }
}

function authTest({ world }: Slack): Json {
  return {
    url: `https://${world.team.domain}.slack.com/`,
    team: world.team.name,
    user: world.bot.name,
    team_id: world.team.id,
    user_id: world.bot.id,
    bot_id: world.bot.botId,
    app_id: world.app.id,
    app_name: world.app.name,
    is_enterprise_install: false,
  }
}

/** The host and the scheme are those that the caller used. */
const openConnection = ({ sockets, origin }: Slack): Json => ({
  url: `${origin().replace(/^http/, 'ws')}${sockets.ticket()}`,
})

function groupUsers({ world }: Slack, args: Args): Json {
  const group = world.groups.get(args.text('usergroup'))
  return group ? { users: [...group.users] } : refuse('no_such_subteam')
}

function groups({ world }: Slack, args: Args): Json {
  const usergroups = [...world.groups.values()].map(({ id, handle, name, users }) => ({
    id,
    team_id: world.team.id,
    is_usergroup: true,
    is_subteam: true,
    name,
    description: '',
    handle,
    is_external: false,
    date_create: 1_700_000_000,
    date_update: 1_700_000_000,
    date_delete: 0,
    auto_type: null,
    prefs: { channels: [], groups: [] },
    user_count: users.length,
    ...(args.flag('include_users') && { users: [...users] }),
  }))
  return { usergroups }
}

export const identityMethods: Methods = {
  'auth.test': { scopes: [], tier: 'unlimited', args: [], run: authTest },
  'apps.connections.open': { scopes: [], tier: 3, args: [], token: 'app', run: openConnection },
  'bots.info': { scopes: ['users:read'], tier: 3, args: ['bot'], run: botInfo },
  'team.info': { scopes: ['team:read'], tier: 3, args: ['team', 'domain'], run: teamInfo },
  'users.info': { scopes: ['users:read'], tier: 4, args: ['user', 'include_locale'], run: userInfo },
  'users.list': { scopes: ['users:read'], tier: 2, args: ['cursor', 'limit', 'include_locale'], run: usersList },
  'usergroups.list': {
    scopes: ['usergroups:read'],
    tier: 2,
    args: ['include_count', 'include_disabled', 'include_users'],
    run: groups,
  },
  'usergroups.users.list': {
    scopes: ['usergroups:read'],
    tier: 2,
    args: ['usergroup', 'include_disabled'],
    run: groupUsers,
  },
}
