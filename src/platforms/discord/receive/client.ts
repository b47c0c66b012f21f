import { Client, Options, REST, type RESTOptions } from 'discord.js'
import { intents } from '../api/needs.ts'

export interface DiscordSettings {
  token: string
  /** Another server than Discord's, such as http://127.0.0.1:4000/api. */
  apiUrl: string | undefined
}

/** A request that takes longer is given up, ms: whether it was done is open then. */
const requestTimeoutMs = 15_000

/** Ids of shards and tokens that the environment holds belong to others: the library would read them. */
const shards = 'auto'

/** Discord bans who sends 10,000 refused requests within 10 minutes; the library tells us every so many. */
export const countEvery = 100

const restOptions = (settings: DiscordSettings): Partial<RESTOptions> => ({
  // The scheduler waits, and decides who goes first: the library never does.
  rejectOnRateLimit: () => true,
  // A write is never repeated blindly; reads are repeated where they are made.
  retries: 0,
  timeout: requestTimeoutMs,
  invalidRequestWarningInterval: countEvery,
  ...(settings.apiUrl !== undefined && { api: settings.apiUrl.replace(/\/+$/, '') }),
})

/** Requests have their own client: they go on while the connection is rebuilt. */
export const createRest = (settings: DiscordSettings): REST => new REST(restOptions(settings)).setToken(settings.token)

/** Keeps what names things (servers, channels, roles, ourselves), and forgets everything else at once. */
export const createClient = (settings: DiscordSettings, ws: Client['options']['ws']): Client =>
  new Client({
    intents,
    shards,
    ws,
    enforceNonce: true,
    allowedMentions: { parse: [], repliedUser: false },
    rest: restOptions(settings),
    makeCache: Options.cacheWithLimits({
      ApplicationCommandManager: 0,
      ApplicationEmojiManager: 0,
      AutoModerationRuleManager: 0,
      BaseGuildEmojiManager: 0,
      DMMessageManager: 0,
      EntitlementManager: 0,
      GuildBanManager: 0,
      GuildEmojiManager: 0,
      GuildInviteManager: 0,
      GuildMemberManager: { maxSize: 0, keepOverLimit: (member) => member.id === member.client.user.id },
      GuildMessageManager: 0,
      GuildScheduledEventManager: 0,
      GuildStickerManager: 0,
      MessageManager: 0,
      PresenceManager: 0,
      ReactionManager: 0,
      ReactionUserManager: 0,
      StageInstanceManager: 0,
      ThreadMemberManager: 0,
      UserManager: { maxSize: 0, keepOverLimit: (user) => user.id === user.client.user.id },
      VoiceStateManager: 0,
    }),
    // Archived threads are forgotten after an hour; whoever writes in one brings it back.
    sweepers: { ...Options.DefaultSweeperSettings, threads: { interval: 3600, lifetime: 3600 } },
  })
