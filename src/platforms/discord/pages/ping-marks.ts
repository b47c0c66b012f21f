import { isId } from '../api/snowflakes.ts'
import type { Rings } from './page.ts'

/** More marks would leave too little of a message for what it says. */
const most = 40

/** Whom `user:<id>` and `group:<id>` mean here; what is no id of Discord's means nobody. */
export function ringsOf(ping: string[]): Rings {
  const known = [...new Set(ping)].filter((one) => /^(user|group):\d+$/.test(one) && isId(idIn(one))).slice(0, most)
  const ids = (kind: string) => known.filter((one) => one.startsWith(kind)).map(idIn)
  return { users: ids('user:'), roles: ids('group:') }
}

const idIn = (one: string): string => one.slice(one.indexOf(':') + 1)

/** Their marks, which notify only where the message says so besides. */
export const pingMarks = ({ users, roles }: Rings): string =>
  [...users.map((id) => `<@${id}>`), ...roles.map((id) => `<@&${id}>`)].join(' ')
