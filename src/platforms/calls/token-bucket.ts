/**
 * This many calls at once, and this many a minute in the long run: in any t minutes at most `burst + perMinute * t`.
 */
export interface Rate {
  perMinute: number
  burst: number
}

/** Tokens are fractions of calls, and their sums are never exact. */
const rounding = 1e-6

/** How much may be called, and when. Without a rate it only keeps the pauses that a server asked for. */
class TokenBucket {
  readonly #rate: Rate | undefined
  #tokens: number
  #filledAt: number
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(rate: Rate | undefined, now: number) {
    if (rate !== undefined && !(rate.burst >= 1 && rate.perMinute > 0)) {
      throw new RangeError(`no call fits into ${rate.perMinute} a minute, ${rate.burst} at once`)
    }
    this.#rate = rate
    this.#tokens = rate?.burst ?? 0
    this.#filledAt = now
  }

  /** The time until a call may be made by someone who may use this share of the bucket (0 to 1), in ms; 0 means now. */
  waitMs(now: number, part: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil - now
    if (this.#rate === undefined) return 0
    const { burst, perMinute } = this.#rate
    const needed = Math.min(burst, 1 + (1 - part) * burst)
    const missing = needed - this.#level(now)
    return missing <= rounding ? 0 : Math.ceil((missing * 60_000) / perMinute)
  }

  take(now: number): void {
    if (this.#rate === undefined) return
    this.#tokens = this.#level(now) - 1
    this.#filledAt = now
  }

  /** A call was refused for this long. It didn't count; afterwards one may be made, not all that were saved up. */
  pause(now: number, ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms)
    this.#tokens = 1
    this.#filledAt = this.#pausedUntil
  }

  /** It is in the same state as a new one. */
  isFull(now: number): boolean {
    return now >= this.#pausedUntil && (this.#rate === undefined || this.#level(now) >= this.#rate.burst)
  }

  #level(now: number): number {
    if (this.#rate === undefined) return 0
    const gained = (Math.max(0, now - this.#filledAt) / 60_000) * this.#rate.perMinute
    return Math.min(this.#rate.burst, this.#tokens + gained)
  }
}

interface Limits {
  limits(bucket: string): Rate | undefined
  spacing?(bucket: string): Rate | undefined
  overall?: Rate | undefined
}

interface CallTarget {
  bucket: string
  channel?: string
}

/** Above this many, those in their initial state are forgotten: channels come and go. */
const many = 256

/** The buckets that a call takes from: the global one, that of its method or route, and that of its channel. */
export class TokenBuckets {
  readonly #limits: Limits
  readonly #buckets = new Map<string, TokenBucket>()
  #tidyAbove = many

  constructor(limits: Limits) {
    this.#limits = limits
  }

  waitMs(call: CallTarget, now: number, part: number): number {
    return Math.max(...this.#of(call, now).map((bucket) => bucket.waitMs(now, part)))
  }

  take(call: CallTarget, now: number): void {
    for (const bucket of this.#of(call, now)) bucket.take(now)
  }

  pause(call: CallTarget, scope: 'channel' | 'bucket' | 'global', now: number, ms: number): void {
    const [all, bucket, channel = bucket] = this.#of(call, now)
    ;({ global: all, bucket, channel })[scope]?.pause(now, ms)
  }

  get size(): number {
    return this.#buckets.size
  }

  #of({ bucket, channel }: CallTarget, now: number): TokenBucket[] {
    this.#tidy(now)
    const limits = this.#limits
    const shared = [
      this.#open('', () => limits.overall, now),
      this.#open(JSON.stringify([bucket]), () => limits.limits(bucket), now),
    ]
    if (channel === undefined) return shared
    return [...shared, this.#open(JSON.stringify([bucket, channel]), () => limits.spacing?.(bucket), now)]
  }

  #open(key: string, rateOf: () => Rate | undefined, now: number): TokenBucket {
    const found = this.#buckets.get(key)
    if (found !== undefined) return found
    const opened = new TokenBucket(rateOf(), now)
    this.#buckets.set(key, opened)
    return opened
  }

  #tidy(now: number): void {
    if (this.#buckets.size <= this.#tidyAbove) return
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key)
    this.#tidyAbove = Math.max(many, 2 * this.#buckets.size)
  }
}
