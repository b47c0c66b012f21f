import { KeptNote } from '../../gaps/kept-note.ts'
import type { Notes } from '../../platform.ts'

/**
 * Up to when everything was heard, ms: kept over restarts, written rarely. While there may be a gap it doesn't move,
 * whatever is heard after the gap.
 */
export class Cursor {
  readonly #notes: Notes
  readonly #name: string
  readonly #kept: KeptNote
  #at: number | undefined
  #heard = 0
  #held = true
  #gaps = 0

  constructor(notes: Notes, name: string, everyMs: number) {
    this.#notes = notes
    this.#name = name
    this.#kept = new KeptNote({ notes, name, everyMs, value: () => this.#at?.toString() })
  }

  /** Undefined before the bot has ever heard anything. */
  async read(): Promise<number | undefined> {
    if (this.#at !== undefined) return this.#at
    const kept = Number(await this.#kept.read())
    if (kept > 0) this.#at ??= kept
    return this.#at
  }

  /** At the very first start: from now on everything is heard, whatever happens to this process. */
  async begin(now: number): Promise<void> {
    if ((await this.read()) !== undefined) return
    await this.#keepBeginning(now)
    this.#at = now
    await this.flush()
  }

  /** Messages before this one aren't answered: the bot wasn't there yet. */
  async beginning(): Promise<number> {
    return Number(await this.#notes.get(`${this.#name}:from`)) || 0
  }

  /** Something said at this time was heard. */
  heard(at: number): void {
    this.#heard = Math.max(this.#heard, at)
    if (!this.#held) this.#moveTo(this.#heard)
  }

  /** Something may be missing. */
  get isHeld(): boolean {
    return this.#held
  }

  /** How many gaps there were. */
  get gaps(): number {
    return this.#gaps
  }

  /** From now on something may be missed. */
  hold(): void {
    this.#held = true
    this.#gaps++
  }

  /** Nothing is missing up to here, unless another gap has begun meanwhile. */
  release(at: number, gaps: number): void {
    if (gaps === this.#gaps) this.#held = false
    this.#moveTo(this.#held ? at : Math.max(at, this.#heard))
  }

  /** Never throws. */
  flush(): Promise<void> {
    return this.#kept.write()
  }

  /** Never throws: without it, the next start only reads from a little earlier. */
  async #keepBeginning(now: number): Promise<void> {
    await this.#notes.set(`${this.#name}:from`, String(now)).catch(() => {})
  }

  #moveTo(at: number): void {
    if (this.#at !== undefined && at <= this.#at) return
    this.#at = at
    this.#kept.writeSoon()
  }
}
