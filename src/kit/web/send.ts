import { errors, request } from 'undici'
import { Failure } from '../failure.ts'
import { acceptedEncodings, readBody } from './body.ts'
import { pinnedAgent } from './connect.ts'
import { codeOf, notReachedWithin, TooLarge, unsendable } from './failures.ts'
import type { Reach } from './fetch.ts'
import { headerOf, withinTime } from './hop.ts'
import { placesOf } from './places.ts'
import type { Answered, SendOptions } from './port.ts'
import { claimOf, isPage, isReadable } from './type.ts'

/** One request, to a checked address. A redirect is an answer like any other: nothing goes anywhere else. */
export async function sendTo(url: URL, reach: Reach, options: SendOptions): Promise<Answered> {
  let isConnected = false
  const connected = () => {
    isConnected = true
  }
  try {
    return await withinTime(options, (signal) => sent(url, reach, { ...options, signal }, connected))
  } catch (thrown) {
    const isLate = thrown instanceof Failure && thrown.code === 'timed_out'
    throw isLate && !isConnected ? notReachedWithin(options.timeoutMs, url.hostname) : thrown
  }
}

async function sent(url: URL, reach: Reach, options: SendOptions, connected: () => void): Promise<Answered> {
  const { resolve, isAllowed, dialling, userAgent } = reach
  const { method, headers, body, timeoutMs, signal } = options
  const addresses = await placesOf(url, resolve, isAllowed, signal)
  const agent = pinnedAgent({ addresses, isAllowed, dialling, connected, timeoutMs, signal })
  try {
    const answer = await request(url, {
      dispatcher: agent,
      signal,
      method,
      headers: { 'user-agent': userAgent, accept: '*/*', ...headers, 'accept-encoding': acceptedEncodings },
      ...(body !== undefined && { body }),
    })
    answer.body.on('error', () => {})
    return await answered(answer, options)
  } catch (thrown) {
    signal.throwIfAborted()
    throw withoutAnswer(url, thrown)
  } finally {
    await agent.destroy()
  }
}

/** The status counts, even when what comes with it can't be read. */
async function answered(
  { statusCode: status, headers, body }: Awaited<ReturnType<typeof request>>,
  { method, pageBytes, downloadBytes, signal }: SendOptions,
): Promise<Answered> {
  const claim = claimOf(headerOf(headers, 'content-type') ?? '')
  const about = { status, headers, type: claim.type, charset: claim.charset }
  const mostBytes = isPage(claim) ? pageBytes : downloadBytes
  try {
    // That is how long an answer to GET would be.
    const length = method === 'HEAD' ? 0 : Number(headerOf(headers, 'content-length') ?? 0)
    if (length > mostBytes) throw new TooLarge(mostBytes)
    const encoding = (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase()
    const bytes = await readBody(body, encoding, mostBytes, signal)
    // All of a text is searched for secrets in one go, and nothing else runs meanwhile.
    if (bytes.length > pageBytes && isReadable(bytes, claim.charset)) throw new TooLarge(pageBytes)
    return { ...about, bytes }
  } catch (thrown) {
    const fact = thrown instanceof Failure ? thrown.message : `It broke off (${codeOf(thrown)}).`
    return { ...about, bytes: undefined, unread: fact }
  }
}

/**
 * A failure to connect says so itself, and a request that can’t be sent is refused before that. Otherwise, the server
 * may have read the request.
 */
function withoutAnswer(url: URL, thrown: unknown): Failure {
  const inner = thrown instanceof Error && thrown.cause instanceof Failure ? thrown.cause : thrown
  if (inner instanceof Failure) return inner
  if (thrown instanceof errors.InvalidArgumentError) return unsendable(thrown)
  return new Failure('no_answer', `${url.hostname} did not answer (${codeOf(thrown)})`, '', { cause: thrown })
}
