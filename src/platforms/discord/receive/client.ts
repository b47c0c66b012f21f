import { Client, Options } from 'discord.js'
import { intents } from '../api/needs.ts'
import { type DiscordSettings, restOptions } from '../api/rest.ts'
import type { ConnectionTiming } from './timing.ts'

/** Shard ids and tokens in the environment belong to others: the library would read them. */
const shards = 'auto'

/** Keeps what has names (servers, channels, roles, ourselves), and forgets everything else at once. */
export const createClient = (
  settings: DiscordSettings,
  { serversMs, requestMs }: ConnectionTiming,
  ws: Client['options']['ws'],
): Client =>
  new Client({
    intents,
    shards,
    ws,
    waitGuildTimeout: serversMs,
    enforceNonce: true,
    allowedMentions: { parse: [], repliedUser: false },
    rest: restOptions(settings, requestMs),
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
    // Archived threads are forgotten after an hour; writing in one brings it back.
    sweepers: { ...Options.DefaultSweeperSettings, threads: { interval: 3600, lifetime: 3600 } },
  })
