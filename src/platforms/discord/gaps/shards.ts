/** Which servers are there. Each shard has a session of its own, which says at once whose servers it has. */
export class Shards {
  /** How many there are, as each session says. */
  #count = 1
  readonly #sessions = new Map<number, { isConnected: boolean; isKnown: boolean }>()
  /** Servers that are away, or that haven't been heard of in this session yet, with their shard. */
  readonly #away = new Map<string, number>()

  /** New messages are being sent to us by all, and we know which servers are there. */
  get isReady(): boolean {
    const sessions = [...this.#sessions.values()]
    return sessions.length === this.#count && sessions.every(({ isConnected, isKnown }) => isConnected && isKnown)
  }

  /** Meaningful once all are ready: a server that no session has is there, too, but has nothing to read. */
  readonly isThere = (server: string): boolean => !this.#away.has(server)

  begin([shard, count]: [number, number], servers: string[]): void {
    this.#count = count
    this.#sessions.set(shard, { isConnected: true, isKnown: false })
    for (const server of this.#awayFrom(shard)) this.#away.delete(server)
    for (const server of servers) this.#away.set(server, shard)
  }

  /** No other server is waited for. Returns those that haven't come. */
  known(shard: number): string[] {
    const session = this.#sessions.get(shard)
    if (session !== undefined) session.isKnown = true
    return this.#awayFrom(shard)
  }

  /** Without a shard, all of them are gone for good. False if nothing was connected. */
  lost(shard?: number): boolean {
    const those = shard === undefined ? [...this.#sessions.values()] : [this.#sessions.get(shard)]
    const wasConnected = those.some((session) => session?.isConnected)
    for (const session of those) if (session !== undefined) session.isConnected = false
    if (shard === undefined) {
      this.#sessions.clear()
      this.#away.clear()
    }
    return wasConnected
  }

  resumed(shard: number): void {
    const session = this.#sessions.get(shard)
    if (session !== undefined) session.isConnected = true
  }

  leave(server: string, shard: number): void {
    this.#away.set(server, shard)
  }

  /** The server is there, or was left for good. False if it wasn't away. */
  back(server: string): boolean {
    const shard = this.#away.get(server)
    if (shard === undefined) return false
    this.#away.delete(server)
    // The library doesn't count those that come while a session resumes.
    if (this.#awayFrom(shard).length === 0) this.known(shard)
    return true
  }

  #awayFrom(shard: number): string[] {
    return [...this.#away].filter(([, its]) => its === shard).map(([server]) => server)
  }
}
