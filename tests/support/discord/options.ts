import { patienceMs } from '../until.ts'

export interface DiscordServerOptions {
  token?: string
  /** Names of people beside ana, ben and cleo. */
  people?: string[]
  /** Names of text channels beside the usual ones. */
  channels?: string[]
  /** Names of roles beside approvers, which nobody has. */
  roles?: string[]
  /** Privileged intents as they are switched in the developer portal; all on unless said otherwise. */
  intents?: { messageContent?: boolean; guildMembers?: boolean; presences?: boolean }
  /** What the bot's role may, as bits; without, what a chat bot asks for when it is invited. */
  permissions?: bigint
  /** Whether Discord's own rate limits apply from the start; `misbehave.limits` switches them later. */
  limits?: boolean
  /** How long a first answer to an interaction may take: 3 s at Discord, longer here, as the machine may be busy. */
  interactionDeadlineMs?: number
  heartbeatIntervalMs?: number
  sessionStarts?: { total?: number; remaining?: number; resetAfterMs?: number }
  /** Whether more than one IDENTIFY in 5 s is answered by Invalid Session, as Discord does. */
  identifyThrottle?: boolean
  /** How long a file's address is good: 24 h. */
  attachmentLifetimeMs?: number
  /** How long a nonce is remembered: a few minutes. */
  nonceMemoryMs?: number
  /** Holds our own answers and events against Discord's description too; differences are violations. */
  checkAnswers?: boolean
}

export type Settings = Required<Omit<DiscordServerOptions, 'sessionStarts' | 'intents' | 'permissions' | 'limits'>> & {
  intents: Required<NonNullable<DiscordServerOptions['intents']>>
  sessionStarts: Required<NonNullable<DiscordServerOptions['sessionStarts']>>
  permissions: bigint | undefined
}

const minuteMs = 60_000

export const settingsOf = (options: DiscordServerOptions): Settings => ({
  token: options.token ?? 'MTAwMDAwMDAwMDAwMDAwMDAwMA.Gtest1.this-token-opens-nothing-but-a-test-server',
  people: options.people ?? [],
  channels: options.channels ?? [],
  roles: options.roles ?? [],
  intents: { messageContent: true, guildMembers: true, presences: true, ...options.intents },
  permissions: options.permissions,
  interactionDeadlineMs: options.interactionDeadlineMs ?? patienceMs,
  heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
  sessionStarts: { total: 1_000, remaining: 1_000, resetAfterMs: 24 * 60 * minuteMs, ...options.sessionStarts },
  identifyThrottle: options.identifyThrottle ?? false,
  attachmentLifetimeMs: options.attachmentLifetimeMs ?? 24 * 60 * minuteMs,
  nonceMemoryMs: options.nonceMemoryMs ?? 5 * minuteMs,
  checkAnswers: options.checkAnswers ?? false,
})
