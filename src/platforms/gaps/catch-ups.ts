/** Catches up with each thread once while a gap lasts; what failed is tried again. */
export class CatchUps {
  readonly #done = new Map<string, Promise<void>>()

  run(gap: number, thread: string, read: () => Promise<void>): Promise<void> {
    const key = `${gap}:${thread}`
    const known = this.#done.get(key)
    if (known !== undefined) return known
    const catching = read()
    this.#done.set(key, catching)
    catching.catch(() => this.#done.delete(key))
    return catching
  }

  /** The gap is closed. */
  clear(): void {
    this.#done.clear()
  }
}
