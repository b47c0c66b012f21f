import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { reasonOf } from '../../domain/errors.ts'
import { NotPosted } from '../platform.ts'
import { RateLimited } from '../scheduler.ts'

/** Slack's word for what went wrong: of an answer with `ok: false`. Undefined for the network's own failures. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof WebAPIPlatformError ? thrown.data.error : undefined

export const isCode = (thrown: unknown, ...codes: string[]): boolean => codes.includes(codeOf(thrown) ?? '')

/** In plain words, for those that an operator or a teammate can do something about. */
const plain: Record<string, string> = {
  account_inactive: 'the app was removed from the workspace: install it again',
  channel_not_found: 'the channel is gone, or the bot is not in it: invite it with /invite',
  invalid_auth: 'Slack does not know the bot token: copy it again from “OAuth & Permissions”',
  invalid_thread_ts: 'the thread was deleted',
  is_archived: 'the channel is archived',
  is_inactive: 'the channel is archived',
  message_not_found: 'the message was deleted',
  cant_update_message: 'the message is not the bot’s own',
  thread_not_found: 'the thread was deleted',
  cannot_reply_to_message: 'that message takes no replies',
  messages_tab_disabled: 'the app takes no direct messages: switch the Messages tab on',
  not_authed: 'no bot token was sent',
  not_in_channel: 'the bot is not in the channel: invite it with /invite',
  restricted_action: 'the workspace lets only some people post there',
  restricted_action_read_only_channel: 'the channel is read-only',
  restricted_action_thread_locked: 'the thread is locked',
  team_access_not_granted: 'the app was not given access to this workspace',
  token_expired: 'the bot token has expired: install the app again',
  token_revoked: 'the bot token was revoked: install the app again',
}

/** Slack began, and says itself that a part may have happened. */
const open = new Set(['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable', 'team_added_to_org'])
const busy = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded', 'accesslimited'])

const laterMs = 30_000

/** What a failed call says, with the remedy where there is one. Never holds a token: those travel in headers. */
export function reasonIn(thrown: unknown): string {
  const code = codeOf(thrown)
  if (code === undefined) return reasonOf(thrown)
  if (code === 'missing_scope') {
    const needed = thrown instanceof WebAPIPlatformError && 'needed' in thrown.data ? String(thrown.data.needed) : ''
    return `the app lacks the scope ${needed || '(unnamed)'}: add it under “OAuth & Permissions” and install it again`
  }
  return plain[code] ?? `Slack says ${code}`
}

/** What the scheduler and the core are to make of it: a refusal did certainly nothing, everything else is open. */
export function translate(thrown: unknown, scope: RateLimited['scope']): unknown {
  if (thrown instanceof WebAPIRateLimitedError)
    return new RateLimited(thrown.retryAfter * 1_000, scope, { cause: thrown })
  const code = codeOf(thrown)
  if (code === undefined || open.has(code)) return thrown
  if (busy.has(code)) return new RateLimited(laterMs, scope, { cause: thrown })
  return new NotPosted('never', reasonIn(thrown), { cause: thrown })
}

/** Slack's word behind what `translate` made of it. */
export const refusalIn = (thrown: unknown): string | undefined =>
  codeOf(thrown) ?? (thrown instanceof Error ? codeOf(thrown.cause) : undefined)

/** A read that may go well the next time. */
export const isPassing = (thrown: unknown): boolean => {
  const code = codeOf(thrown)
  if (code !== undefined) return open.has(code) || busy.has(code)
  return !(thrown instanceof WebAPIHTTPError) || thrown.statusCode >= 500
}
