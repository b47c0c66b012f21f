/** Servers that were heard only up to some message, because they were away. They hold up no other one. */
export class Behind {
  readonly #since = new Map<string, { id: string }>()

  get servers(): string[] {
    return [...this.#since.keys()]
  }

  has(server: string): boolean {
    return this.#since.has(server)
  }

  /** What is said in this server isn't sent to us from now on; `heard` counts if it isn't behind already. */
  add(server: string, heard: string): void {
    this.#since.set(server, { id: this.#since.get(server)?.id ?? heard })
  }

  /** Up to where this server was heard; undefined if it isn't behind. */
  since(server: string): string | undefined {
    return this.#since.get(server)?.id
  }

  /** Those that are there. `caughtUp` is for when they were read back: who was away again meanwhile stays behind. */
  among(isThere: (server: string) => boolean): { servers: string[]; caughtUp(): void } {
    const those = [...this.#since].filter(([server]) => isThere(server))
    return {
      servers: those.map(([server]) => server),
      caughtUp: () => {
        for (const [server, since] of those) if (this.#since.get(server) === since) this.#since.delete(server)
      },
    }
  }

  /** For the notes. */
  toString(): string {
    return [...this.#since].map(([server, { id }]) => ` ${server}=${id}`).join('')
  }

  /** What `toString` gave. */
  load(text: string): void {
    this.#since.clear()
    for (const [, server = '', id = ''] of text.matchAll(/(\d+)=(\d+)/g)) this.#since.set(server, { id })
  }
}
