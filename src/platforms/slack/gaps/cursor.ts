import { KeptNote } from '../../gaps/kept-note.ts'
import type { SharedNotes } from '../../platform.ts'

/** Written behind the time by a process that has ended with nothing missing. */
const finished = ' finished'

const isOpen = (value: string): boolean => !value.endsWith(finished)

/**
 * From when on something may be missing, as several processes have left it behind. Whoever has finished leaves nothing
 * to the others, who hear what is said later.
 */
export function earliest(values: readonly string[]): string {
  const times = (which: readonly string[]) => which.map((value) => Number.parseInt(value, 10))
  const open = values.filter(isOpen)
  return String(open.length > 0 ? Math.min(...times(open)) : Math.max(...times(values)))
}

/**
 * Up to when everything was heard that was sent to this process, ms: kept over restarts, written rarely. While there
 * may be a gap it doesn't move, whatever is heard after the gap. Each of several processes has its own, and takes over
 * those of processes that are gone.
 */
export class Cursor {
  readonly #notes: SharedNotes
  readonly #name: string
  readonly #kept: KeptNote
  #at: number | undefined
  #heard = 0
  #held = true
  #gaps = 0
  #hasFinished = false

  constructor(notes: SharedNotes, name: string, everyMs: number) {
    this.#notes = notes
    this.#name = name
    const value = () => this.#at && `${this.#at}${this.#hasFinished ? finished : ''}`
    this.#kept = new KeptNote({ notes, name: notes.own(name), everyMs, value: () => value() || undefined })
  }

  /** Undefined before the bot has ever heard anything. */
  async read(): Promise<number | undefined> {
    if (this.#at !== undefined) return this.#at
    await this.#notes.inherit(this.#name, (theirs, ours) => earliest(ours === undefined ? theirs : [ours, ...theirs]))
    const kept = Number.parseInt((await this.#kept.read()) ?? '', 10)
    if (kept > 0) this.#at ??= kept
    return this.#at
  }

  /** Other processes are gone. True if they may have missed something. */
  async inherit(): Promise<boolean> {
    const at = this.#at
    if (at === undefined) return false
    let left: string[] = []
    const from = await this.#notes.inherit(this.#name, (theirs) => {
      left = theirs
      return earliest([String(at), ...theirs])
    })
    // However much they heard, what was sent to them last may not be stored.
    if (from === undefined || !left.some(isOpen)) return false
    this.#at = Number(from)
    this.hold()
    return true
  }

  /** At the very first start: from now on everything is heard, whatever happens to this process. */
  async begin(now: number): Promise<void> {
    if ((await this.read()) !== undefined) return
    // Others may be there already.
    if ((await this.beginning()) === 0) await this.#keepBeginning(now)
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

  /** This process hears nothing any more. Never throws. */
  end(): Promise<void> {
    this.#hasFinished = !this.#held && this.#notes.own(this.#name) !== this.#name
    return this.flush()
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
