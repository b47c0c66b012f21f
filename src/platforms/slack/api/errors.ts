import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { reasonOf } from '../../../kit/failure.ts'
import { RateLimited } from '../../calls/scheduler.ts'
import { NotPosted, type Reason } from '../../platform.ts'
import { slackWords } from '../words/words.ts'
import { ofToken, refusalOf } from './refusals.ts'

/** Slack's error code, from an answer with `ok: false`. Undefined for the network's own failures. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof WebAPIPlatformError ? thrown.data.error : undefined

export const isCode = (thrown: unknown, ...codes: string[]): boolean => codes.includes(codeOf(thrown) ?? '')

/** Slack says itself that a part may have happened. */
const open = new Set(['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable', 'team_added_to_org'])
const busy = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded', 'accesslimited'])

const laterMs = 30_000

/** Describes a refused call, in parts of sentences. Never contains a token: those travel in headers. */
function reasonFor(thrown: unknown, code: string): Reason {
  if (code !== 'missing_scope') return refusalOf(code).reason
  const needed = thrown instanceof WebAPIPlatformError && 'needed' in thrown.data ? String(thrown.data.needed) : ''
  return {
    why: `the app lacks the scope ${needed || '(unnamed)'}`,
    remedy: slackWords.addScopeRemedy(),
  }
}

/** Describes a failed call, with the remedy if there is one. */
export function reasonIn(thrown: unknown): string {
  const code = codeOf(thrown)
  if (code === undefined) return reasonOf(thrown)
  const { why, remedy } = reasonFor(thrown, code)
  return remedy === undefined ? why : `${why}: ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`
}

/** Why Slack no longer accepts the bot token; undefined for everything else. */
export function tokenTrouble(thrown: unknown): { why: string; remedy: string } | undefined {
  const { why, remedy = '' } = ofToken[codeOf(thrown) ?? '']?.() ?? {}
  return why === undefined ? undefined : { why, remedy }
}

/** Slack answered, and accepts the token, so other calls may work. */
export const isAnswer = (thrown: unknown): boolean =>
  thrown instanceof WebAPIHTTPError || (codeOf(thrown) !== undefined && tokenTrouble(thrown) === undefined)

/** The same for the app token, which comes from another page. */
export function appTokenReason(thrown: unknown): string {
  if (isCode(thrown, 'missing_scope')) return `the app token lacks the scope connections:write: ${newAppToken}`
  if (tokenTrouble(thrown) === undefined) return reasonIn(thrown)
  return slackWords.appTokenRefusedWithCode({ code: codeOf(thrown) ?? '?', remedy: newAppToken })
}

const newAppToken =
  'create one with the scope connections:write under “Basic Information” and put it into SLACK_APP_TOKEN'

/** Slack asks us to come back later. */
export const isLimited = (thrown: unknown): boolean =>
  thrown instanceof WebAPIRateLimitedError || busy.has(codeOf(thrown) ?? '')

/** What the scheduler and the core make of it: a refusal certainly did nothing; for everything else that is open. */
export function translate(thrown: unknown, scope: RateLimited['scope']): unknown {
  if (thrown instanceof WebAPIRateLimitedError)
    return new RateLimited(thrown.retryAfter * 1_000, scope, { cause: thrown })
  // The client encodes a text before it sends anything.
  if (thrown instanceof URIError) return new NotPosted('never', slackWords.notEncoded(), { cause: thrown })
  const code = codeOf(thrown)
  if (code === undefined || open.has(code)) return thrown
  if (busy.has(code)) return new RateLimited(laterMs, scope, { cause: thrown })
  return refused(thrown, code)
}

/** A refusal in the port's words. */
function refused(thrown: unknown, code: string): NotPosted {
  const { why, ...rest } = reasonFor(thrown, code)
  const again = code === 'missing_scope' ? 'repairable' : refusalOf(code).again
  return new NotPosted(again, why, { cause: thrown, ...rest })
}

/** A read that was refused because the bot lacks access: what it looked for may exist all the same. */
export function unlessRefused(thrown: unknown): unknown {
  const code = codeOf(thrown)
  if (code === undefined || open.has(code) || busy.has(code)) return thrown
  const made = refused(thrown, code)
  return made.again === 'repairable' ? made : thrown
}

/** Slack's error code behind what `translate` threw. */
export const refusalIn = (thrown: unknown): string | undefined =>
  codeOf(thrown) ?? (thrown instanceof Error ? codeOf(thrown.cause) : undefined)

const aboutBlocks = new Set([
  'invalid_attachments',
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
])

/** Slack rejected a message because of its blocks: the text beside them is never long. Then it posted nothing. */
export const isAboutBlocks = (thrown: unknown): boolean => aboutBlocks.has(refusalIn(thrown) ?? '')

/** A read that may succeed next time. */
export const isPassing = (thrown: unknown): boolean => {
  const code = refusalIn(thrown)
  if (code !== undefined) return open.has(code) || busy.has(code)
  return !(thrown instanceof WebAPIHTTPError) || thrown.statusCode >= 500
}
