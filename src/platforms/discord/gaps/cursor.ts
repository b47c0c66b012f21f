import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { KeptNote } from '../../gaps/kept-note.ts'
import type { Notes } from '../../platform.ts'
import { byAge, isNewer } from '../api/snowflakes.ts'

const noteName = 'discord.cursor'

/** Older than any message. */
const nothing = '0'

/** Up to where everything was heard: one message id for all channels, since ids are times. Kept in the notes. */
export class Cursor {
  readonly #kept: KeptNote
  /** Messages that are being heard, or have to be heard again. */
  readonly #open = new Set<string>()
  #newest = nothing
  /** Messages before this one aren't answered: the bot wasn't there yet. */
  #beginning = nothing
  #held: string | undefined
  readonly #settled: (is: boolean) => void

  /** `settled` is told whether something may be missing. */
  constructor({ notes, log, settled }: { notes: Notes; log: Log; settled(is: boolean): void }, everyMs: number) {
    this.#settled = settled
    this.#kept = new KeptNote({
      notes,
      name: noteName,
      everyMs,
      value: () => (this.position === nothing ? undefined : this.position),
      failed: (thrown) => log.warn({ error: reasonOf(thrown) }, 'how far Discord was read could not be kept'),
    })
  }

  /** How far an earlier process got; undefined at the very first start. */
  async load(): Promise<string | undefined> {
    const text = await this.#kept.read()
    if (text === undefined || !/^\d{1,20}$/.test(text)) return undefined
    this.#newest = text
    return text
  }

  /** What was said since somebody wrote it down last may be unknown, whatever this process has heard of it. */
  async follow(): Promise<void> {
    await this.load()
    this.#held = undefined
    this.#held = this.position
  }

  /** At the very first start: from now on everything is heard, whatever happens to this process. */
  async first(id: string): Promise<void> {
    this.#newest = id
    this.#beginning = id
    await this.flush()
  }

  get beginning(): string {
    return this.#beginning
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  begin(id: string): void {
    this.#open.add(id)
  }

  /** It is stored, or doesn't have to be. */
  done(id: string): void {
    this.#open.delete(id)
    if (isNewer(id, this.#newest)) this.#newest = id
    this.#kept.writeSoon()
  }

  /** Everything said after it may be unknown until `release`, so the cursor doesn't move. */
  hold(): string {
    if (this.#held === undefined) this.#settled(false)
    this.#held ??= this.position
    return this.#held
  }

  release(): void {
    this.#held = undefined
    this.#settled(true)
    this.#kept.writeSoon()
  }

  get position(): string {
    const before = [...this.#open].map((id) => String(BigInt(id) - 1n))
    return [this.#newest, ...(this.#held === undefined ? [] : [this.#held]), ...before].toSorted(byAge)[0] as string
  }

  /** Never throws. */
  flush(): Promise<void> {
    return this.#kept.write()
  }
}
