import { type Client, PermissionFlagsBits } from 'discord.js'
import type { Reason } from '../../platform.ts'
import { discordWords } from '../words/words.ts'

type Name = keyof typeof PermissionFlagsBits

/** As they are called in a server's settings. */
const inWords: Partial<Record<Name, string>> = {
  ViewChannel: 'View Channel',
  SendMessages: 'Send Messages',
  SendMessagesInThreads: 'Send Messages in Threads',
  CreatePublicThreads: 'Create Public Threads',
  ReadMessageHistory: 'Read Message History',
  AttachFiles: 'Attach Files',
  ManageThreads: 'Manage Threads',
}

/** Which of these the bot lacks in a channel, by the names people know. Empty if that isn't known. */
export function missingPermissions(client: Client | undefined, channelId: string, needed: Name[]): string[] {
  const channel = client?.channels.cache.get(channelId)
  if (channel === undefined || channel.isDMBased() || client?.user == null) return []
  const has = channel.permissionsFor(client.user)
  if (has === null) return []
  return needed.filter((name) => !has.has(PermissionFlagsBits[name])).map((name) => inWords[name] ?? name)
}

/** Why Discord didn't let us, with the permission's name if it is known. */
export function refusalFor(client: Client | undefined, channelId: string, needed: Name[]): Reason | undefined {
  const missing = missingPermissions(client, channelId, needed)
  if (missing.length === 0) return undefined
  const names = missing.map((name) => `"${name}"`).join(' and ')
  const lacked = `the permission ${names} in this channel`
  return {
    why: `the bot lacks ${lacked}`,
    said: discordWords.iLack({ lacked }),
    remedy: discordWords.lackedPermissionRemedy(),
  }
}
