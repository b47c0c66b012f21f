import {
  type APIChannel,
  type APIGuildMember,
  type APIOverwrite,
  ChannelType,
  OverwriteType,
  PermissionFlagsBits,
  type REST,
  type RESTAPIPartialCurrentUserGuild,
  Routes,
} from 'discord.js'
import { broken, type Finding, fine, mind } from '../../../domain/finding.ts'
import { inviteLink, permissionNames } from '../api/needs.ts'
import { discordWords } from '../words/words.ts'

/** The most servers and channels that are checked one by one: more would use up Discord's limits. */
const mostGuilds = 20
const mostNamed = 5

/** Where people write, and threads can be begun. */
const written = new Set([ChannelType.GuildText, ChannelType.GuildAnnouncement])

type Guild = RESTAPIPartialCurrentUserGuild
type Channel = APIChannel & { name?: string | null; permission_overwrites?: APIOverwrite[] }

/** The servers that the bot is in, and what it may not do there. */
export async function* guildFindings(rest: REST, application: string, me: string): AsyncGenerator<Finding> {
  const guilds = (await rest.get(Routes.userGuilds())) as Guild[]
  if (guilds.length === 0) {
    yield broken(discordWords.joinedNowhere(), `Add it: ${inviteLink(application)}`)
    return
  }
  for (const guild of guilds.slice(0, mostGuilds)) yield* permissionFindings(rest, guild, application, me)
  if (guilds.length > mostGuilds) yield fine(discordWords.serversNotShown({ count: guilds.length - mostGuilds }))
}

async function* permissionFindings(rest: REST, guild: Guild, application: string, me: string): AsyncGenerator<Finding> {
  const own = BigInt(guild.permissions)
  const lacking = missingIn(own)
  if (lacking.length > 0) {
    yield broken(
      discordWords.permissionsMissing({ name: guild.name, lacking: lacking.join(', ') }),
      discordWords.permissionsMissingRemedy({ application: inviteLink(application) }),
    )
    return
  }
  const { roles } = (await rest.get(Routes.guildMember(guild.id, me))) as APIGuildMember
  const channels = (await rest.get(Routes.guildChannels(guild.id))) as Channel[]
  const short = channels
    .filter((channel) => written.has(channel.type))
    .map((channel) => ({ name: channel.name, may: within(own, channel, guild.id, new Set(roles), me) }))
    .filter(({ may }) => (may & PermissionFlagsBits.ViewChannel) !== 0n)
    .flatMap(({ name, may }) => (missingIn(may).length > 0 ? [`#${name} (${missingIn(may).join(', ')})`] : []))
  if (short.length === 0) {
    yield fine(discordWords.permissionsComplete({ name: guild.name }))
    return
  }
  const named = short.slice(0, mostNamed).join(', ')
  const more = short.length > mostNamed ? `, and in ${short.length - mostNamed} more channels` : ''
  yield mind(
    discordWords.channelPermissionsMissing({ name: guild.name, named, more }),
    discordWords.channelPermissionsRemedy(),
  )
}

/** As Discord's settings call them. */
const missingIn = (may: bigint): string[] =>
  may & PermissionFlagsBits.Administrator
    ? []
    : permissionNames
        .filter((name) => (may & PermissionFlagsBits[name]) === 0n)
        .map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' '))

/** The permissions in a channel: first everybody's overwrites, then those of the roles, then its own. */
function within(own: bigint, { permission_overwrites = [] }: Channel, guild: string, roles: Set<string>, me: string) {
  if (own & PermissionFlagsBits.Administrator) return own
  const ofRole = permission_overwrites.filter(({ type }) => type === OverwriteType.Role)
  const everybody = ofRole.filter(({ id }) => id === guild)
  const mine = ofRole.filter(({ id }) => roles.has(id))
  const personal = permission_overwrites.filter(({ type, id }) => type === OverwriteType.Member && id === me)
  return [everybody, mine, personal].reduce((may, overwrites) => {
    const all = (part: 'allow' | 'deny') => overwrites.reduce((bits, one) => bits | BigInt(one[part]), 0n)
    return (may & ~all('deny')) | all('allow')
  }, own)
}
