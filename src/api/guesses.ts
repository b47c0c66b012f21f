/** How many different wrong tokens an address may send within the time, before it has to wait until it is over. */
const most = 10
const withinMs = 60_000

/** Addresses remembered at once. */
const mostAddresses = 10_000

/** Counts different wrong tokens by the address they come from. */
export class Guesses {
  readonly #wrong = new Map<string, { hashes: Set<string>; until: number }>()

  /** Whoever sends the same again learns nothing new: a page that was left open goes on sending its old token. */
  isKnown(address: string, hash: string): boolean {
    return this.#wrong.get(address)?.hashes.has(hash) ?? false
  }

  /** Seconds until this address may try again; 0 if it may now. */
  waitFor(address: string): number {
    const known = this.#wrong.get(address)
    if (known === undefined || known.hashes.size < most) return 0
    return Math.max(0, Math.ceil((known.until - Date.now()) / 1000))
  }

  wrong(address: string, hash: string): void {
    const known = this.#wrong.get(address)
    if (known !== undefined && known.until > Date.now()) {
      known.hashes.add(hash)
      return
    }
    if (this.#wrong.size >= mostAddresses) this.#wrong.clear()
    this.#wrong.set(address, { hashes: new Set([hash]), until: Date.now() + withinMs })
  }
}
