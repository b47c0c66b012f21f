/** Selects requests, including file downloads, by method, path (a part or a pattern) and body. What is left out matches all. */
export interface RequestMatch {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path?: string | RegExp
  body?: (body: unknown) => boolean
}

/**
 * What happens to a request. `stored`: Discord carried it out, although the caller never learns that.
 * `cut`: a download ends in the middle. `first` runs before the request is handled; `answer` replies in its place. A 429
 * of scope `cloudflare` has no JSON; `retryAfterMs` is sent as fractional seconds.
 */
export type Fault =
  | { kind: 'rate-limited'; retryAfterMs: number; scope?: 'user' | 'global' | 'shared' | 'cloudflare' }
  | { kind: 'status'; status: number; stored?: boolean }
  | { kind: 'reset'; stored?: boolean }
  | { kind: 'hang'; stored?: boolean }
  | { kind: 'slow'; ms: number }
  | { kind: 'cut' }
  | { kind: 'first'; run: () => unknown }
  | { kind: 'answer'; status: number; text: string; contentType?: string }

interface Planned {
  match: RequestMatch
  fault: Fault
  times: number
  /** Dropped after this time, on `Date.now()`'s clock. */
  until: number
}

/**
 * How a RESUME ends: with the missed events, without them although RESUMED is sent, with Invalid Session (d: false, or
 * once d: true).
 */
export type ResumeManner = 'replay' | 'lose' | 'refuse' | 'again'

/** The server's current problems. */
export class Faults {
  readonly #planned: Planned[] = []
  /** How often every MESSAGE_CREATE is delivered. */
  copies = 1
  resume: ResumeManner = 'replay'
  /** Events are neither dispatched nor kept for a RESUME; only the REST history has them. */
  dropping = false
  readyDelayMs = 0
  /** How a new session is told of the guild: at once, at once but as unavailable, or only by the end of an outage. */
  guild: 'there' | 'unavailable' | 'late' = 'there'
  /** Ids of people who accept no direct messages from the bot. */
  readonly closedDirect = new Set<string>()
  /** Discord's own rate limits. */
  limits: boolean

  constructor(limits: boolean) {
    this.limits = limits
  }

  plan(match: RequestMatch, fault: Fault, times: number, forMs: number): void {
    this.#planned.push({ match, fault, times, until: Date.now() + forMs })
  }

  take(method: string, path: string, body: unknown): Fault | undefined {
    const now = Date.now()
    const planned = this.#planned.find(
      ({ match, times, until }) => times > 0 && until > now && matches(match, method, path, body),
    )
    if (planned) planned.times--
    return planned?.fault
  }

  clear(): void {
    this.#planned.length = 0
    this.closedDirect.clear()
    Object.assign(this, { copies: 1, resume: 'replay', dropping: false, readyDelayMs: 0, guild: 'there' })
  }
}

const matches = (match: RequestMatch, method: string, path: string, body: unknown): boolean =>
  (match.method === undefined || match.method === method) &&
  (match.path === undefined || (typeof match.path === 'string' ? path.includes(match.path) : match.path.test(path))) &&
  (match.body === undefined || match.body(body))
