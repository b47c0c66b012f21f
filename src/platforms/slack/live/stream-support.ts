import type { Clock } from '../../../kit/clock.ts'
import { BoundedMap } from '../../bounded-map.ts'
import { refusalIn } from '../api/errors.ts'

/** Where streams aren't available, none is tried again for this long, ms. */
const everywhereMs = 60 * 60_000
const thereMs = 60 * 60_000
/** There was no room for one, or it failed this time, ms. */
const nowMs = 10_000

const unknown = new Set([
  'feature_not_enabled',
  'method_deprecated',
  'missing_scope',
  'not_allowed_token_type',
  'unknown_method',
])

/** Where native streams are available. Elsewhere messages are edited. */
export class StreamSupport {
  readonly #clock: Clock
  readonly #until = new BoundedMap<number>(1_000)
  #everywhereUntil = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  mayStream(channel: string): boolean {
    const now = this.#clock.now()
    return now >= this.#everywhereUntil && now >= (this.#until.get(channel) ?? 0)
  }

  /** A stream was refused there, or found no room. */
  failed(channel: string, why: unknown): void {
    const now = this.#clock.now()
    const refusal = refusalIn(why)
    if (refusal !== undefined && unknown.has(refusal)) this.#everywhereUntil = now + everywhereMs
    else this.#until.set(channel, now + (refusal === 'channel_type_not_supported' ? thereMs : nowMs))
  }
}
