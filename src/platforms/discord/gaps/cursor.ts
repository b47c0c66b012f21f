import { reasonOf } from '../../../kit/failure.ts'
import { KeptNote } from '../../gaps/kept-note.ts'
import type { Notes, PlatformDeps } from '../../platform.ts'
import { byAge, firstIdAt, isNewer } from '../api/snowflakes.ts'
import { Behind } from './behind.ts'
import { inTwoNotes } from './two-notes.ts'

const noteName = 'discord.cursor'

/** Nobody waits any more for answers to what was said longer ago, ms. */
const mostBackMs = 14 * 86_400_000

/** Older than any message. */
const nothing = '0'

interface CursorDeps extends Pick<PlatformDeps, 'clock' | 'log'> {
  notes: Notes
  /** Told whether nothing may be missing, except in these servers. */
  settled(is: boolean, except: string[]): void
}

/**
 * Up to where everything was heard: one message id for all channels, since ids are times, and one for each server that
 * is behind. Kept in the notes.
 */
export class Cursor {
  readonly #kept: KeptNote
  /** Messages that are being heard, or have to be heard again. */
  readonly #open = new Set<string>()
  #newest = nothing
  /** Messages before this one aren't answered: the bot wasn't there yet. */
  #beginning = nothing
  #held: string | undefined
  readonly #behind = new Behind()
  readonly #clock: CursorDeps['clock']
  readonly #settled: CursorDeps['settled']

  constructor({ notes, log, clock, settled }: CursorDeps, everyMs: number) {
    this.#clock = clock
    this.#settled = settled
    this.#kept = new KeptNote({
      notes: inTwoNotes(notes),
      name: noteName,
      everyMs,
      value: () => (this.position === nothing ? undefined : `${this.position}${this.#behind}`),
      failed: (thrown) => log.warn({ error: reasonOf(thrown) }, 'how far Discord was read could not be kept'),
    })
  }

  /** How far an earlier process got; undefined at the very first start. */
  async load(): Promise<string | undefined> {
    const text = await this.#kept.read()
    const [, position, behind = ''] = text?.match(/^(\d{1,20})((?: \d{1,20}=\d{1,20})*)$/) ?? []
    if (position === undefined) return undefined
    this.#newest = position
    this.#behind.load(behind)
    return position
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

  /** Whether something may be missing in this server. */
  isOpen(server: string): boolean {
    return this.#held !== undefined || this.#behind.has(server)
  }

  /** What is said in this server isn't sent to us from now on. */
  away(server: string): void {
    this.#behind.add(server, this.position)
    this.#tell()
  }

  /** The servers that are behind, of those that are there. */
  behind(isThere: (server: string) => boolean): ReturnType<Behind['among']> {
    return this.#behind.among(isThere)
  }

  /** Up to where this server was heard, or direct messages if there is none; `others` if it isn't behind. */
  since(server: string | undefined, others = this.position): string {
    const heard = (server === undefined ? undefined : this.#behind.since(server)) ?? others
    const oldest = firstIdAt(this.#clock.now() - mostBackMs)
    return isNewer(heard, oldest) ? heard : oldest
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
    if (this.#held !== undefined) return this.#held
    this.#held = this.position
    this.#tell()
    return this.#held
  }

  release(): void {
    this.#held = undefined
    this.#tell()
  }

  #tell(): void {
    this.#settled(this.#held === undefined, this.#behind.servers)
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
