import { isId } from '../api/snowflakes.ts'
import type { Rings } from './page.ts'

/** More mentions would leave too little of a message for its text. */
const most = 40

/** Whom `user:<id>` and `group:<id>` mean here; anything but a Discord id means nobody. */
export function ringsOf(ping: string[]): Rings {
  const known = [...new Set(ping)].filter((one) => /^(user|group):\d+$/.test(one) && isId(idIn(one))).slice(0, most)
  const ids = (kind: string) => known.filter((one) => one.startsWith(kind)).map(idIn)
  return { users: ids('user:'), roles: ids('group:') }
}

const idIn = (one: string): string => one.slice(one.indexOf(':') + 1)

/** Their mentions, which notify only if the message also lists them. */
export const pingMarks = ({ users, roles }: Rings): string =>
  [...users.map((id) => `<@${id}>`), ...roles.map((id) => `<@&${id}>`)].join(' ')
