import { DiscordAPIError, HTTPError, RateLimitError, RESTJSONErrorCodes } from 'discord.js'
import { reasonOf } from '../../../kit/failure.ts'
import { RateLimited } from '../../calls/scheduler.ts'
import { NotPosted, type Reason } from '../../platform.ts'
import { discordWords } from '../words/words.ts'
import { refusalOf } from './refusals.ts'

export { RESTJSONErrorCodes as Code }

/** Discord's own error code. */
export const codeOf = (thrown: unknown): number | undefined =>
  thrown instanceof DiscordAPIError && typeof thrown.code === 'number' ? thrown.code : undefined

/** The answer was a refusal: nothing was done. A 408 or a 5xx leaves that open. */
export const isRefusal = (thrown: unknown): thrown is DiscordAPIError =>
  thrown instanceof DiscordAPIError && thrown.status >= 400 && thrown.status < 500 && thrown.status !== 408

/** Our token isn't accepted. */
export const isUnauthorised = (thrown: unknown): boolean => thrown instanceof DiscordAPIError && thrown.status === 401

/** Discord answered, so other requests may work. */
export const isAnswer = (thrown: unknown): boolean =>
  thrown instanceof HTTPError || (thrown instanceof DiscordAPIError && !isUnauthorised(thrown))

/** For a refusal without a time: as long as Discord's shortest windows. */
const unknownPauseMs = 1_000

/** What the library threw, in the scheduler's terms if it is about too many requests. */
export function limitedOr(thrown: unknown): unknown {
  if (thrown instanceof RateLimitError) {
    const afterMs = Math.max(thrown.retryAfter, thrown.timeToReset) || unknownPauseMs
    return new RateLimited(afterMs, thrown.global ? 'global' : 'channel', { cause: thrown })
  }
  if (codeOf(thrown) === RESTJSONErrorCodes.ActionCannotBePerformedDueToSlowmodeRateLimit) {
    return new RateLimited(slowmodeMs(thrown), 'channel', { cause: thrown })
  }
  return thrown
}

function slowmodeMs(thrown: unknown): number {
  const raw: unknown = thrown instanceof DiscordAPIError ? thrown.rawError : undefined
  const seconds = typeof raw === 'object' && raw !== null && 'retry_after' in raw ? Number(raw.retry_after) : Number.NaN
  return Number.isFinite(seconds) ? seconds * 1000 : 5_000
}

/** There was no connection: what was sent never arrived. */
const neverArrived = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export const isUnreachable = (thrown: unknown): boolean => isOneOf(neverArrived, thrown)

/** The connection ended in the middle: whether anything was done is open. */
const brokeOff = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

export const isBroken = (thrown: unknown): boolean => isOneOf(brokeOff, thrown)

function isOneOf(codes: Set<string>, thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && codes.has(String(error.code))) return true
    if (error instanceof AggregateError && error.errors.length > 0) {
      if (error.errors.every((one) => isOneOf(codes, one))) return true
    }
  }
  return false
}

/** It was given up because it took too long. */
export const isTooSlow = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'TimeoutError'

/** Worth another attempt, for a read. */
export const isPassing = (thrown: unknown): boolean => !(thrown instanceof DiscordAPIError) || thrown.status === 408

/** Undefined if it was refused: what is read is gone, or closed to us. */
export const unlessRefused = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((thrown: unknown) => {
    if (codeOf(thrown) === undefined) throw thrown
    return undefined
  })

/** When to try again what Discord or the network didn't accept, ms. */
export const tryAgainMs = 5_000

/**
 * A failed write, in the port's terms; `why` explains a refusal. An error that leaves the outcome open is returned as
 * it is.
 */
export function toNotPosted(thrown: unknown, why: (code: number | undefined) => Reason | undefined): unknown {
  if (thrown instanceof NotPosted) return thrown
  if (isUnreachable(thrown)) {
    return new NotPosted('later', discordWords.discordUnreachable(), { cause: thrown, afterMs: tryAgainMs })
  }
  if (!isRefusal(thrown)) return thrown
  const code = codeOf(thrown)
  const { again, ...known } = refusalOf(code, thrown.status, reasonOf(thrown))
  const reason = { ...known, ...why(code) }
  const afterMs = again === 'later' ? 60_000 : undefined
  return new NotPosted(again, reason.why, { ...reason, cause: thrown, ...(afterMs && { afterMs }) })
}
