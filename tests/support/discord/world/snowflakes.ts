/** The first millisecond of 2015, from which Discord counts. */
const epoch = 1_420_070_400_000

/** Ids that increase even within a millisecond. */
export class Snowflakes {
  #last = 0n
  /** How far Discord's clock is ahead of the machine's, so that a test needn't wait out an outage. */
  aheadMs = 0

  next(at = Date.now() + this.aheadMs): string {
    const wanted = BigInt(at - epoch) << 22n
    this.#last = wanted > this.#last ? wanted : this.#last + 1n
    return String(this.#last)
  }
}

export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + epoch

/** Discord's time format, with microseconds and an offset. */
export const isoTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00')
