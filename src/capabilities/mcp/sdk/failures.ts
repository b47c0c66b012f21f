import {
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { UnknownOutcome } from '../../../domain/tool.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { asUnavailable } from '../../../kit/unavailable.ts'
import { mcpWords } from '../words.ts'

/** Errors of a connection that can't be made at the moment. */
const unreached = ['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** Errors of a connection that was never made, so nothing was sent. A name that isn't found may be wrong for good. */
const notConnected = [...unreached, 'ENOTFOUND']

/** Errors of a connection that ended or fell silent. */
const cutOff = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

type Mask = (text: string) => string

/** Whether a fetch failed because the server can't be reached at the moment. */
export const isAway = (thrown: unknown): boolean => [...unreached, ...cutOff].includes(codeOf(thrown))

/**
 * What a failed call means: the server refused it, or nobody knows whether it was carried out. `endedBy`: the error
 * with which the connection has ended.
 */
export function callFailure(thrown: unknown, mask: Mask, endedBy?: Error): Failure {
  if (thrown instanceof McpError && !isLost(thrown))
    return new Failure('mcp_error', mcpWords.callRefused({ why: plain(thrown, mask) }), '')
  if (isUnauthorized(thrown)) return new Failure('mcp_login', mcpWords.wantsLogin(), mcpWords.wantsLoginRemedy())
  if (isTokenless(thrown)) return thrown
  if (thrown instanceof TemporarilyUnavailableError || thrown instanceof TooManyRequestsError) return tokenless(thrown)
  // Whoever gives the tokens is only asked once the server has refused the call.
  if (thrown instanceof OAuthError) return new Failure('mcp_refused', plain(thrown, mask), mcpWords.wantsLoginRemedy())
  const status = statusOf(thrown)
  // The session is over, or we aren't allowed to: either way, the server says that it did nothing.
  if (status !== undefined && status >= 400 && status < 500) return new Failure('mcp_refused', plain(thrown, mask), '')
  const fault = asUnavailable(thrown)
  // Not even a connection could be opened.
  if (fault?.code === 'too_many_files') return new Failure('mcp_unreachable', fault.message, mcpWords.tryLaterRemedy())
  if (notConnected.includes(codeOf(thrown)))
    return new Failure('mcp_unreachable', plain(thrown, mask), mcpWords.tryLaterRemedy())
  if (brokenIn(thrown) !== undefined) return new UnknownOutcome('mcp_bad_answer', plain(thrown, mask), '')
  return noAnswer(endedBy ?? thrown, mask)
}

/** Nobody waits for the server any more, or it is gone. */
export const noAnswer = (thrown: unknown, mask: Mask): Failure =>
  new UnknownOutcome('mcp_lost', `the server did not answer: ${plain(thrown, mask)}`, '')

/** The SDK's own errors, which gateways built with it pass on. Servers use their codes for errors of theirs. */
const isLost = ({ code, message }: McpError): boolean =>
  (code === ErrorCode.ConnectionClosed && /: Connection closed$/.test(message)) ||
  (code === ErrorCode.RequestTimeout && /: (Request timed out|Maximum total timeout exceeded)$/.test(message))

/** An answer that isn't a result, by a server that doesn't say that the session is gone (400 and 404 do). */
export const isOtherAnswer = (thrown: unknown): boolean =>
  thrown instanceof McpError ? !isLost(thrown) : ![undefined, 400, 404].includes(statusOf(thrown))

/** It requires a login. */
export const isUnauthorized = (thrown: unknown): boolean =>
  statusOf(thrown) === 401 ||
  (thrown instanceof Error && ['UnauthorizedError', 'InvalidGrantError'].includes(thrown.constructor.name)) ||
  (thrown instanceof Failure && thrown.code === 'mcp_login')

export const tokenless = (cause: unknown): Failure =>
  new Failure('mcp_tokenless', mcpWords.tokensUnanswered(), mcpWords.tryLaterRemedy(), { cause })

/** It gave us no answer because nobody gave us a new token for it. */
export const isTokenless = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && thrown.code === 'mcp_tokenless'

/** The status of an HTTP answer; undefined if it isn't one. */
function statusOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || thrown instanceof McpError) return undefined
  if ('code' in thrown) return typeof thrown.code === 'number' ? thrown.code : undefined
  // All that the SDK says over SSE.
  const [, status] = /^Error POSTing to endpoint \(HTTP (\d+)\)/.exec(thrown.message) ?? []
  return status === undefined ? undefined : Number(status)
}

function codeOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined
  return String(cause instanceof Error && 'code' in cause ? cause.code : '')
}

/** The server's words on one line, masked before they are cut: nobody would recognize a part of a secret. */
export function plain(thrown: unknown, mask: Mask): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ''
  const reason = brokenIn(thrown) ?? refusedIn(thrown) ?? reasonOf(thrown)
  return oneLine(mask(`${reason.replace(/^MCP error -?\d+: /, '')}${cause}`), 2_000)
}

/** Why the token server refused. It need not say more than a code. What isn't in OAuth's form may be anything. */
const refusedIn = (thrown: unknown): string | undefined =>
  thrown instanceof OAuthError && !(thrown instanceof ServerError)
    ? mcpWords.tokensRefused({ why: thrown.message || thrown.errorCode })
    : undefined

/** What is wrong with an answer that breaks the protocol: an error of Zod, whose message is a list in JSON. */
function brokenIn(thrown: unknown): string | undefined {
  const issues: unknown = thrown instanceof Error && 'issues' in thrown ? thrown.issues : undefined
  if (!Array.isArray(issues)) return undefined
  const faults = issues.slice(0, 3).map(({ path, message }) => `${path?.join('.') || 'all of it'}: ${message}`)
  return mcpWords.protocolBroken({ faults: faults.join('; ') })
}
