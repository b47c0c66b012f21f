import type { Channel, Mentions } from './types.ts'
import { isDirect, type World } from './world.ts'

/** The allowed_mentions of a request. */
export interface AllowedMentions {
  parse?: (string | null)[] | null
  users?: (string | null)[] | null
  roles?: (string | null)[] | null
  replied_user?: boolean | null
}

export const noMentions = (): Mentions => ({ users: [], roles: [], everyone: false })

/** Mentions inside code don't count. */
const withoutCode = (text: string): string => text.replace(/(`{3}|`{1,2})[\s\S]*?\1/g, ' ')

const idsOf = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, id]) => id as string)),
]

/** Whom a text mentions: existing ids only, and only those its author may mention. */
export function mentionsIn(
  world: World,
  channel: Channel,
  text: string,
  mayPingAll: boolean,
  allowed: AllowedMentions = { parse: ['users', 'roles', 'everyone'] },
): Mentions {
  const shown = withoutCode(text)
  const parses = (kind: string) => allowed.parse?.includes(kind) ?? false
  const users = idsOf(shown, /<@!?(\d+)>/g).filter((id) => world.users.has(id))
  const roles = isDirect(channel) ? [] : idsOf(shown, /<@&(\d+)>/g).filter((id) => world.roles.has(id))
  return {
    users: users.filter((id) => parses('users') || allowed.users?.includes(id)),
    roles: roles.filter(
      (id) =>
        (parses('roles') || allowed.roles?.includes(id)) && (mayPingAll || world.roles.get(id)?.mentionable === true),
    ),
    everyone: /@(everyone|here)\b/.test(shown) && mayPingAll && parses('everyone') && !isDirect(channel),
  }
}
