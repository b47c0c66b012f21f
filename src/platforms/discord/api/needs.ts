import { GatewayIntentBits, IntentsBitField, OAuth2Scopes, PermissionFlagsBits, PermissionsBitField } from 'discord.js'

/** The intents that the gateway is asked for. `MessageContent` has to be switched on in the developer portal first. */
export const intentNames = [
  'Guilds',
  'GuildMessages',
  'GuildMessageReactions',
  'DirectMessages',
  'DirectMessageReactions',
  'MessageContent',
] as const satisfies (keyof typeof GatewayIntentBits)[]

export const intents: number = new IntentsBitField(intentNames.map((name) => GatewayIntentBits[name])).bitfield

/** What the bot may do in a server, in the library's terms; the role that the invite link makes gets exactly these. */
export const permissionNames = [
  'ViewChannel',
  'SendMessages',
  'SendMessagesInThreads',
  'CreatePublicThreads',
  'ReadMessageHistory',
  'AttachFiles',
] as const satisfies (keyof typeof PermissionFlagsBits)[]

export const permissions: bigint = new PermissionsBitField(permissionNames.map((name) => PermissionFlagsBits[name]))
  .bitfield

export const inviteScopes: OAuth2Scopes[] = [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands]

/** Where the owner of a server adds the bot to it. */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: inviteScopes.join(' '),
    permissions: permissions.toString(),
  })
  return `https://discord.com/oauth2/authorize?${query}`
}
