import { GatewayIntentBits } from 'discord-api-types/v10'
import type { Settings } from '../options.ts'

const guildIntents: [RegExp, GatewayIntentBits][] = [
  [/^(GUILD_(CREATE|UPDATE|DELETE|ROLE_)|CHANNEL_|THREAD_)/, GatewayIntentBits.Guilds],
  [/^GUILD_MEMBER_/, GatewayIntentBits.GuildMembers],
  [/^MESSAGE_REACTION_/, GatewayIntentBits.GuildMessageReactions],
  [/^MESSAGE_/, GatewayIntentBits.GuildMessages],
  [/^TYPING_/, GatewayIntentBits.GuildMessageTyping],
]
const directIntents: [RegExp, GatewayIntentBits][] = [
  [/^MESSAGE_REACTION_/, GatewayIntentBits.DirectMessageReactions],
  [/^MESSAGE_/, GatewayIntentBits.DirectMessages],
  [/^TYPING_/, GatewayIntentBits.DirectMessageTyping],
]

/** The intent that an event needs; interactions need none. */
export const intentFor = (event: string, direct: boolean): number =>
  (direct ? directIntents : guildIntents).find(([pattern]) => pattern.test(event))?.[1] ?? 0

export const allIntents = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === 'number')
  .reduce((sum, bit) => sum | bit, 0)

/** The privileged ones that are switched off in the portal. */
export const disallowedIntents = ({ intents }: Settings): number =>
  (intents.messageContent ? 0 : GatewayIntentBits.MessageContent) |
  (intents.guildMembers ? 0 : GatewayIntentBits.GuildMembers) |
  (intents.presences ? 0 : GatewayIntentBits.GuildPresences)
