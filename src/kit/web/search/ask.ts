import { Agent, request } from 'undici'
import { Failure } from '../../failure.ts'
import { acceptedEncodings, readBody } from '../body.ts'
import { codeOf, waitOf } from '../failures.ts'
import { headerOf, withinTime } from '../hop.ts'
import type { WebResult } from '../port.ts'
import type { Asking } from './providers.ts'
import { foundIn, silentIn } from './results.ts'
import type { Searcher } from './searcher.ts'

export interface Query {
  query: string
  most: number
  userAgent: string
  signal: AbortSignal
}

/** The most bytes of an answer. */
const answerBytes = 4_000_000
const headerBytes = 16_384
const mostRedirects = 3

/** The endpoint is the operator's: it may be in their own network, but redirects nowhere else. */
export async function askProvider(searcher: Searcher, query: Query): Promise<WebResult[]> {
  const most = Math.max(1, Math.min(20, Math.trunc(query.most)))
  const { provider, url, key, timeoutMs } = searcher
  return withinTime({ timeoutMs, signal: query.signal }, async (signal) => {
    const agent = new Agent({
      connections: 1,
      pipelining: 0,
      allowH2: false,
      maxHeaderSize: headerBytes,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    try {
      const asking = provider.asking(url, query.query, most, key)
      const text = await answerTo(asking, searcher, { agent, userAgent: query.userAgent, signal })
      const answer = parsed(text, searcher)
      const found = foundIn(answer, provider, most)
      const silent = found.length === 0 ? silentIn(answer, provider) : []
      if (silent.length > 0) throw unanswered(searcher, silent)
      return found
    } catch (thrown) {
      signal.throwIfAborted()
      // The request contains the key, and a failure may quote it: only its code is kept.
      throw thrown instanceof Failure ? thrown : failed(searcher, `cannot be reached (${codeOf(thrown)})`)
    } finally {
      await agent.destroy()
    }
  })
}

interface Way {
  agent: Agent
  userAgent: string
  signal: AbortSignal
}

async function answerTo(asking: Asking, searcher: Searcher, { agent, userAgent, signal }: Way): Promise<string> {
  let url = asking.url
  for (let redirects = 0; ; redirects++) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal,
      method: asking.body === undefined ? 'GET' : 'POST',
      headers: {
        ...asking.headers,
        'user-agent': userAgent,
        accept: 'application/json',
        'accept-encoding': acceptedEncodings,
        ...(asking.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: asking.body === undefined ? null : JSON.stringify(asking.body),
    })
    body.on('error', () => {})
    const nothing = statusCode === 422 ? searcher.provider.nothing : undefined
    if ((statusCode >= 200 && statusCode < 300) || nothing !== undefined) {
      const encoding = (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase()
      const text = new TextDecoder().decode(await readBody(body, encoding, answerBytes, signal))
      if (nothing?.test(text) ?? true) return text
    }
    const next = URL.parse(headerOf(headers, 'location') ?? '', url.href)
    if (statusCode < 300 || statusCode > 399) throw refused(searcher, statusCode, headerOf(headers, 'retry-after'))
    // Only these repeat the request with its body.
    const isSame = asking.body === undefined || statusCode === 307 || statusCode === 308
    if (next?.origin !== url.origin || !isSame || redirects === mostRedirects)
      throw failed(searcher, 'leads elsewhere, which is not followed')
    url = next
    await body.dump()
  }
}

function parsed(answer: string, searcher: Searcher): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    throw failed(searcher, 'gave no JSON')
  }
}

function refused(searcher: Searcher, status: number, retryAfter: string | undefined): Failure {
  const { name } = searcher
  if (status === 401 || status === 403)
    return new Failure(
      'search_refused',
      `The web search by ${name} refuses us (${status}).`,
      name === 'searxng'
        ? 'Whoever runs the bot has to allow `json` in `search.formats` of its settings.yml, or set WEB_SEARCH_API_KEY.'
        : 'Whoever runs the bot has to check WEB_SEARCH_API_KEY.',
      { isOurs: true },
    )
  const wait = waitOf(retryAfter)
  if (status === 402 || status === 429 || status === 432 || status === 433)
    return new Failure(
      'search_limit',
      `The web search by ${name} allows no more for now (${status}).`,
      wait === undefined ? 'Try again later, or ask a person for an address.' : `Try again in ${wait} s, not before.`,
      { isOurs: true },
    )
  return failed(searcher, `answered ${status}`)
}

const failed = ({ name }: Searcher, what: string): Failure =>
  new Failure(
    'search_failed',
    `The web search by ${name} ${what}.`,
    'Try again later; whoever runs the bot can check `web.search` in config/bobbin.yaml.',
    { isOurs: true },
  )

/** Nobody can tell whether there is nothing to find. The names and reasons aren't our words. */
const unanswered = ({ name }: Searcher, silent: string[]): Failure =>
  new Failure(
    'search_failed',
    `The web search by ${name} found nothing, but some of its engines did not answer: ${silent.join(', ')}.`,
    'Try other words, or again later; whoever runs the bot can check the engines in its settings.yml.',
  )
