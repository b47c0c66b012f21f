/** Catches up with each thread once while a gap lasts. */
export class CatchUps {
  readonly #done = new Map<string, Promise<void>>()

  run(gap: number, thread: string, read: () => Promise<void>): Promise<void> {
    const key = `${gap}:${thread}`
    const catching = this.#done.get(key) ?? read()
    this.#done.set(key, catching)
    return catching
  }

  /** The gap is closed. */
  clear(): void {
    this.#done.clear()
  }
}
