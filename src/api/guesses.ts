/** How many wrong tokens an address may send within the time, before it has to wait until it is over. */
const most = 10
const withinMs = 60_000

/** Addresses remembered at once. */
const mostAddresses = 10_000

/** Counts wrong tokens by the address they come from. */
export class Guesses {
  readonly #wrong = new Map<string, { count: number; until: number }>()

  /** Seconds until this address may try again; 0 if it may now. */
  waitFor(address: string): number {
    const known = this.#wrong.get(address)
    if (known === undefined || known.count < most) return 0
    return Math.max(0, Math.ceil((known.until - Date.now()) / 1000))
  }

  wrong(address: string): void {
    const known = this.#wrong.get(address)
    if (known !== undefined && known.until > Date.now()) {
      known.count += 1
      return
    }
    if (this.#wrong.size >= mostAddresses) this.#wrong.clear()
    this.#wrong.set(address, { count: 1, until: Date.now() + withinMs })
  }
}
