import { patienceMs } from '../until.ts'

export interface DiscordServerOptions {
  token?: string
  /** Names of people in addition to ana, ben and cleo. */
  people?: string[]
  /** Names of additional text channels. */
  channels?: string[]
  /** Names of additional roles, which nobody has. */
  roles?: string[]
  /** Privileged intents as set in the developer portal; all are on by default. */
  intents?: { messageContent?: boolean; guildMembers?: boolean; presences?: boolean }
  /** The permission bits of the bot's role; by default those in a chat bot's invite link. */
  permissions?: bigint
  /** Whether Discord's own rate limits apply from the start; `misbehave.limits` switches them later. */
  limits?: boolean
  /** The deadline for the first response to an interaction: 3 s on Discord, longer here because the machine may be busy. */
  interactionDeadlineMs?: number
  heartbeatIntervalMs?: number
  /** “User Install” in the developer portal: people may add the bot to their own account. */
  userInstall?: boolean
  sessionStarts?: { total?: number; remaining?: number; resetAfterMs?: number }
  /** Whether more than one IDENTIFY in 5 s is answered by Invalid Session, as Discord does. */
  identifyThrottle?: boolean
  /** How long a file's address is valid: 24 h. */
  attachmentLifetimeMs?: number
  /** How long a nonce is remembered: a few minutes. */
  nonceMemoryMs?: number
  /** Also checks our own responses and events against Discord's description; differences are violations. */
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
  userInstall: options.userInstall ?? false,
  identifyThrottle: options.identifyThrottle ?? false,
  attachmentLifetimeMs: options.attachmentLifetimeMs ?? 24 * 60 * minuteMs,
  nonceMemoryMs: options.nonceMemoryMs ?? 5 * minuteMs,
  checkAnswers: options.checkAnswers ?? false,
})
