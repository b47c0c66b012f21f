import type { WrittenSoFar } from './entries.ts'

/** Of which documents, by their keys, a part can be searched while the rest is being read. */
export class Progress {
  readonly #soFar = new Map<string, WrittenSoFar>()
  #changed = Promise.withResolvers<void>()

  of(key: string): WrittenSoFar | undefined {
    return this.#soFar.get(key)
  }

  put(key: string, soFar: WrittenSoFar | undefined): void {
    if (soFar === undefined) this.#soFar.delete(key)
    else this.#soFar.set(key, soFar)
    this.tell()
  }

  /** Whoever waits looks again. */
  tell(): void {
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers<void>()
    resolve()
  }

  /** Resolves when more of any document can be searched. */
  changed(): Promise<void> {
    return this.#changed.promise
  }
}
