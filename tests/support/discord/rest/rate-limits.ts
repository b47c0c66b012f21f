import { createHash } from 'node:crypto'

interface Bucket {
  id: string
  limit: number
  windowMs: number
  /** When the requests of this window were made. */
  made: number[]
}

export interface Refusal {
  retryAfterMs: number
  global: boolean
}

const globalPerSecond = 50

/** Requests per window, by the first route that matches. Renaming has a limit in addition to its route's. */
const known: [RegExp, number, number][] = [
  [/^(POST|PATCH) \/channels\/.*\/messages(\/\{message_id\})?$/, 5, 5_000],
  [/\/webhooks\//, 5, 2_000],
  [/\/reactions\//, 1, 250],
  [/ rename$/, 2, 600_000],
]

/** Discord's limits, by route and channel. */
export class RateLimits {
  readonly #buckets = new Map<string, Bucket>()
  #global: number[] = []

  /** Counts a request. It can be refused only if `enforced`. */
  take(route: string, major: string, enforced: boolean): { bucket: Bucket; refusal?: Refusal } {
    const now = Date.now()
    const bucket = this.#bucket(route, major)
    bucket.made = bucket.made.filter((at) => at > now - bucket.windowMs)
    const [first] = bucket.made
    if (enforced && bucket.made.length >= bucket.limit && first !== undefined) {
      return { bucket, refusal: { retryAfterMs: first + bucket.windowMs - now, global: false } }
    }
    // Responses to interactions aren't counted.
    if (!/interactions|webhooks/.test(route)) {
      this.#global = this.#global.filter((at) => at > now - 1_000)
      const oldest = this.#global[0]
      if (enforced && this.#global.length >= globalPerSecond && oldest !== undefined) {
        return { bucket, refusal: { retryAfterMs: oldest + 1_000 - now, global: true } }
      }
      this.#global.push(now)
    }
    bucket.made.push(now)
    return { bucket }
  }

  #bucket(route: string, major: string): Bucket {
    const key = `${route} ${major}`
    const made = this.#buckets.get(key)
    if (made) return made
    const id = createHash('md5').update(route).digest('hex')
    const [, limit, windowMs] = known.find(([pattern]) => pattern.test(route)) ?? [route, 50, 1_000]
    const bucket = { id, limit, windowMs, made: [] }
    this.#buckets.set(key, bucket)
    return bucket
  }
}

/** With limits off, some requests always remain, so that a client that follows the headers doesn't wait. */
export function rateLimitHeaders({ id, limit, windowMs, made }: Bucket, enforced: boolean): Record<string, string> {
  const now = Date.now()
  const resetMs = (made[0] ?? now) + windowMs - now
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(enforced ? Math.max(0, limit - made.length) : limit - 1),
    'x-ratelimit-reset': ((now + resetMs) / 1_000).toFixed(3),
    'x-ratelimit-reset-after': (resetMs / 1_000).toFixed(3),
    'x-ratelimit-bucket': id,
  }
}
