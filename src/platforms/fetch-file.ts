import { setTimeout as sleep } from 'node:timers/promises'

const mostRedirects = 5
/** With the pauses between them, about 8 seconds, unless the server asks for longer ones. */
const attempts = 5
/** The longest pause that a server may ask for, and with so much waiting the next attempt is the last, ms. */
const longestWaitMs = 30_000
/** How long the server may take to begin its answer, ms. A large file itself may take longer. */
const headersWithinMs = 20_000

interface FileServer {
  /** Whether an address belongs to the platform. Nothing is sent anywhere else, least of all a token. */
  allows(url: URL): boolean
  headers?: Record<string, string>
}

/** The file, or a redirect to it, is not on the platform. */
export class ElsewhereError extends Error {
  readonly host: string

  constructor(host: string) {
    super(`it is on ${host}, not on the platform`)
    this.name = 'ElsewhereError'
    this.host = host
  }
}

/**
 * Asks a platform for a file. Follows redirects within the platform, and tries again while the server is busy; resolves
 * with its last answer, whatever the status. Throws ElsewhereError, or why the server can't be reached.
 */
export async function fetchFile(address: string, server: FileServer): Promise<Response> {
  let url = new URL(address)
  for (let redirect = 0; redirect <= mostRedirects; redirect++) {
    if (!server.allows(url)) throw new ElsewhereError(url.hostname)
    const response = await patiently(url, server)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) return response
    await response.body?.cancel()
    url = new URL(location, url)
  }
  throw new Error('it was redirected too often')
}

/** Another try may work. */
export const isServerBusy = ({ status }: Response): boolean => status === 429 || status >= 500

async function patiently(url: URL, server: FileServer): Promise<Response> {
  let waitedMs = 0
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === attempts || waitedMs >= longestWaitMs
    let askedMs = 0
    try {
      const response = await ask(url, server)
      if (isLast || !isServerBusy(response)) return response
      askedMs = retryAfterMs(response)
      await response.body?.cancel()
    } catch (thrown) {
      if (isLast) throw thrown
    }
    const waitMs = Math.max(250 * 2 ** attempt, askedMs)
    await sleep(waitMs, undefined, { ref: false })
    waitedMs += waitMs
  }
}

/** 0 if the server doesn't say, or not in seconds. */
function retryAfterMs({ headers }: Response): number {
  const ms = Number(headers.get('retry-after')) * 1_000
  return ms > 0 ? Math.min(ms, longestWaitMs) : 0
}

async function ask(url: URL, { headers = {} }: FileServer): Promise<Response> {
  const given = new AbortController()
  const timer = setTimeout(() => given.abort(new Error('the file server did not answer')), headersWithinMs)
  try {
    return await fetch(url, { headers, redirect: 'manual', signal: given.signal })
  } finally {
    clearTimeout(timer)
  }
}
