import { randomBytes } from 'node:crypto'

/** Ids and timestamps in Slack's forms, never the same twice. */
export class Ids {
  readonly #salt = randomBytes(2).toString('hex').toUpperCase()
  #count = 0
  #lastMicros = 0
  /** How far Slack's clock is ahead of the machine's, so that a test needn't wait out an outage. */
  aheadMs = 0

  /** Like `F1A2B000001`. */
  next(prefix: string): string {
    this.#count++
    return `${prefix}${this.#salt}${this.#count.toString(36).toUpperCase().padStart(6, '0')}`
  }

  /** Like `1732212000.000100`: seconds and six digits, later than all before. */
  ts(): string {
    const micros = Math.max((Date.now() + this.aheadMs) * 1_000, this.#lastMicros + 1)
    this.#lastMicros = micros
    return `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`
  }
}

export const seconds = (): number => Math.floor(Date.now() / 1_000)
