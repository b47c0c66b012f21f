import type { Notes } from '../platform.ts'

export interface KeptNoteOptions {
  notes: Notes
  name: string
  /** The shortest time between two writes, ms. */
  everyMs: number
  /** The current value; undefined while there is nothing worth keeping. */
  value(): string | undefined
  failed?(thrown: unknown): void
}

/** A note of something that changes all the time, such as how far a platform was heard: written rarely. */
export class KeptNote {
  readonly #options: KeptNoteOptions
  #written: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: KeptNoteOptions) {
    this.#options = options
  }

  /** What an earlier process kept. */
  async read(): Promise<string | undefined> {
    const { notes, name } = this.#options
    const kept = await notes.get(name)
    this.#written = kept
    return kept
  }

  writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.write(), this.#options.everyMs).unref()
  }

  /** Never throws: what isn't kept is read from the platform again. */
  async write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { notes, name, value, failed } = this.#options
    const now = value()
    if (now === undefined || now === this.#written) return
    try {
      await notes.set(name, now)
      this.#written = now
    } catch (thrown) {
      this.#written = undefined
      failed?.(thrown)
    }
  }
}
