import { patienceMs } from '../until.ts'
import type { WorldOptions } from './world.ts'

export interface SlackOptions extends WorldOptions {
  /** The bot token's scopes; by default everything the bot may need. */
  scopes?: string[]
  /** The app's event subscriptions as in the manifest: `app_mention`, `message.channels`, … */
  events?: string[]
  botToken?: string
  appToken?: string
  signingSecret?: string
  /** Events and interactions are posted there; without it they go through Socket Mode. */
  requestUrl?: string
  /** How long each delivery of an event waits for its ack before the next one; as many deliveries as entries, and one. */
  redeliveryMs?: number[]
  /** How long an interaction waits for its ack. It is never repeated; the person sees a warning. */
  ackMs?: number
  /** Between ping frames of the server. */
  pingMs?: number
  /** How long a stream lives, whether or not text is appended. */
  streamMs?: number
  /** How long a trigger_id opens a modal. */
  triggerMs?: number
  responseUrlMs?: number
  responseUrlUses?: number
  /** From files.completeUploadExternal to the message with the file. */
  fileShareMs?: number
  /** Whether files.info tells where a file was shared. */
  listsShares?: boolean
  /** `real`: the tiers per minute, and a message a second and channel. */
  limits?: 'none' | 'real'
  /** Whether a message_changed event is sent for a thread's root when its session's state changes, as Slack does. */
  bookkeeping?: boolean
}

export type Settings = Required<Omit<SlackOptions, 'requestUrl' | keyof WorldOptions>>

const allScopes = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'chat:write.customize',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'mpim:history',
  'mpim:read',
  'reactions:read',
  'reactions:write',
  'team:read',
  'usergroups:read',
  'users:read',
]

export const allEvents = [
  'agent_session_stopped',
  'agent_session_title_changed',
  'app_context_changed',
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'channel_id_changed',
  'channel_unarchive',
  'file_created',
  'group_unarchive',
  'member_joined_channel',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'reaction_added',
  'reaction_removed',
  'tokens_revoked',
]

/** Slack waits 3 s, but a busy machine gets more; tests of lateness set their own limit. */
export const settingsOf = (options: SlackOptions): Settings => ({
  scopes: [...(options.scopes ?? allScopes)],
  events: [...(options.events ?? allEvents)],
  botToken: options.botToken ?? 'xoxb-test-bot-token',
  appToken: options.appToken ?? 'xapp-test-app-token',
  signingSecret: options.signingSecret ?? 'test-signing-secret',
  redeliveryMs: options.redeliveryMs ?? [patienceMs, patienceMs, patienceMs],
  ackMs: options.ackMs ?? patienceMs,
  pingMs: options.pingMs ?? 10_000,
  streamMs: options.streamMs ?? 306_000,
  triggerMs: options.triggerMs ?? patienceMs,
  responseUrlMs: options.responseUrlMs ?? 30 * 60_000,
  responseUrlUses: options.responseUrlUses ?? 5,
  fileShareMs: options.fileShareMs ?? 5,
  listsShares: options.listsShares ?? true,
  limits: options.limits ?? 'none',
  bookkeeping: options.bookkeeping ?? true,
})
