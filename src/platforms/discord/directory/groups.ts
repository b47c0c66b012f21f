import { type APIGuildMember, Routes } from 'discord.js'
import type { ThreadRef } from '../../../domain/chat.ts'
import type { DiscordApi } from '../api/api.ts'
import { Code, codeOf } from '../api/errors.ts'
import { isId } from '../api/snowflakes.ts'

/**
 * Whether a person has a role right now: Discord is asked each time, since a role that was taken away no longer counts.
 * Direct messages belong to no server and have no roles. Throws if Discord can't be asked.
 */
export async function hasRole(api: DiscordApi, { tenant }: ThreadRef, person: string, role: string): Promise<boolean> {
  if (!isId(tenant) || !isId(person) || !isId(role)) return false
  try {
    const { roles } = await api.read<APIGuildMember>(Routes.guildMember(tenant, person))
    // Everybody's role has the id of the server, and isn't listed.
    return role === tenant || roles.includes(role)
  } catch (thrown) {
    if (codeOf(thrown) === Code.UnknownMember || codeOf(thrown) === Code.UnknownUser) return false
    throw thrown
  }
}
