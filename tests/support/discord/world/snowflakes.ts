/** The first millisecond of 2015, from which Discord counts. */
const epoch = 1_420_070_400_000

/** Ids that rise even within a millisecond. */
export class Snowflakes {
  #last = 0n
  /** So far is Discord's clock ahead of the machine's: a test need not sit through an outage. */
  aheadMs = 0

  next(at = Date.now() + this.aheadMs): string {
    const wanted = BigInt(at - epoch) << 22n
    this.#last = wanted > this.#last ? wanted : this.#last + 1n
    return String(this.#last)
  }
}

export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + epoch

/** As Discord writes times: microseconds and an offset. */
export const isoTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00')
