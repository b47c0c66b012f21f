import type { Readable } from 'node:stream'
import { request } from 'undici'
import { Failure } from '../failure.ts'
import type { Resolve } from '../net/foreign-names.ts'
import { acceptedEncodings, readBody } from './body.ts'
import { pinnedAgent } from './connect.ts'
import { badRedirect, badStatus, codeOf, notReached, ofTheirAddress, TooLarge } from './failures.ts'
import { headerOf, withinTime } from './hop.ts'
import { type IsAllowed, placesOf } from './places.ts'
import { type Fetched, type FetchOptions, webAddress } from './port.ts'
import { checkClaim, claimOf, isPage, typeOf } from './type.ts'

/** How to reach the network. */
export interface Reach {
  userAgent: string
  resolve: Resolve
  isAllowed: IsAllowed
  dialling?: ((address: string, port: number) => void) | undefined
}

const mostRedirects = 5

/** Follows redirects by hand: every hop is looked up, checked and pinned anew. */
export const fetchFrom = (address: string, reach: Reach, options: FetchOptions): Promise<Fetched> =>
  withinTime(options, async (signal) => {
    let url = webAddress(address)
    for (let redirects = 0; ; redirects++) {
      const answer = await hop(url, reach, options, signal).catch((thrown) => {
        throw redirects === 0 ? thrown : ofTheirAddress(thrown)
      })
      if (!(answer instanceof URL)) return answer
      if (redirects === mostRedirects)
        throw badRedirect(`It redirects more than ${mostRedirects} times.`, 'Look for another address.')
      if (url.protocol === 'https:' && answer.protocol === 'http:')
        throw badRedirect(
          `It redirects from https to ${answer.href.slice(0, 500)}, which isn’t encrypted.`,
          'Fetch that address itself, if it is worth it.',
        )
      if ((await options.mayFollow?.(url, answer)) === false)
        throw badRedirect(
          `It redirects to ${answer.href.slice(0, 500)}, which the rules don’t allow without a call of its own.`,
          'Fetch that address itself, if it is worth it.',
        )
      url = answer
    }
  })

/** One request: where it redirects to, or what came. */
async function hop(url: URL, reach: Reach, options: FetchOptions, signal: AbortSignal): Promise<URL | Fetched> {
  const { resolve, isAllowed, dialling, userAgent } = reach
  const addresses = await placesOf(url, resolve, isAllowed, signal)
  const agent = pinnedAgent({ addresses, isAllowed, dialling, timeoutMs: options.timeoutMs, signal })
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal,
      headers: {
        'user-agent': userAgent,
        accept: 'text/html, text/*;q=0.9, application/json;q=0.9, application/pdf;q=0.9, */*;q=0.5',
        'accept-encoding': acceptedEncodings,
      },
    })
    // It ends with an error when the agent is destroyed; the pipeline tells whoever reads it.
    body.on('error', () => {})
    const location = headerOf(headers, 'location')
    if ([301, 302, 303, 307, 308].includes(statusCode) && location !== undefined) return nextOf(location, url)
    if (statusCode < 200 || statusCode > 299) throw badStatus(statusCode, headerOf(headers, 'retry-after'))
    return await fetched(url, statusCode, headers, body, options, signal)
  } catch (thrown) {
    signal.throwIfAborted()
    throw thrown instanceof Failure ? thrown : unreached(url, thrown)
  } finally {
    await agent.destroy()
  }
}

async function fetched(
  url: URL,
  status: number,
  headers: Record<string, string | string[] | undefined>,
  body: Readable,
  { pageBytes, downloadBytes }: FetchOptions,
  signal: AbortSignal,
): Promise<Fetched> {
  const claim = claimOf(headerOf(headers, 'content-type') ?? '')
  checkClaim(claim)
  const mostBytes = isPage(claim) ? pageBytes : downloadBytes
  if (Number(headerOf(headers, 'content-length') ?? 0) > mostBytes) throw new TooLarge(mostBytes)
  const encoding = (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase()
  const bytes = await readBody(body, encoding, mostBytes, signal)
  const type = await typeOf(claim, bytes, url.pathname)
  if (isPage({ ...claim, type }) && bytes.length > pageBytes) throw new TooLarge(pageBytes)
  return { url: url.href, status, type, charset: claim.charset, bytes }
}

function nextOf(location: string, from: URL): URL {
  // Headers are Latin-1, but many servers write UTF-8 into them.
  const url = URL.parse(Buffer.from(location, 'latin1').toString(), from.href)
  if (url === null) throw badRedirect('It redirects to an invalid address.', 'Look for another address.')
  return webAddress(url.href)
}

function unreached(url: URL, thrown: unknown): Failure {
  const inner = thrown instanceof Error && thrown.cause instanceof Failure ? thrown.cause : undefined
  return inner ?? notReached(`${url.hostname} didn’t answer completely (${codeOf(thrown)}).`, thrown)
}
