import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { unlessAborted } from '../../../kit/abort.ts'
import type { DocumentSearch, SeenFile } from '../../../kit/documents/document.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import { documentsWords } from '../words.ts'
import { IndexRemade } from './database.ts'
import type { Entry, PartialEntry, SearchedDocument } from './entries.ts'
import type { Keeper, SessionWorkspace } from './keeper.ts'

/** How many files of one search are read at the same time. */
const atOnce = 4

/** For more, what is known of all of the session's files is read at once. */
const fewFiles = 3

/** Part of a document that is still being read. */
interface SearchedSoFar extends SearchedDocument, PartialEntry {}

interface ReadingOptions {
  report(thrown: unknown): void
  closing: AbortSignal
}

/** The documents of one search, as far as they have been read. Reading goes on when the search has been answered. */
export class Reading {
  readonly failures: DocumentSearch['failures'] = []
  readonly #keeper: Keeper
  readonly #place: SessionWorkspace
  readonly #options: ReadingOptions
  readonly #stopping = new AbortController()
  #paths: string[] = []
  readonly #whole = new Map<string, Entry>()
  /** Those that aren't whole, with their keys once these are known. */
  readonly #pending = new Map<string, string | undefined>()
  #all: Promise<unknown> = Promise.resolve()

  constructor(keeper: Keeper, place: SessionWorkspace, options: ReadingOptions) {
    this.#keeper = keeper
    this.#place = place
    this.#options = options
  }

  /** Resolves when all of them are read, or when the search has waited long enough. */
  async begin(
    paths: string[],
    seen: ReadonlyMap<string, SeenFile>,
    password: string | undefined,
    patienceMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const limit = pLimit(atOnce)
    this.#paths = paths
    const unchanged = paths.length <= fewFiles ? undefined : this.#keeper.unchanged(this.#place, seen)
    for (const path of paths) {
      const entry = unchanged?.get(path)
      if (entry === undefined) this.#pending.set(path, undefined)
      else this.#whole.set(path, entry)
    }
    const left = [...this.#pending.keys()]
    this.#all = Promise.all(left.map((path) => limit(() => this.#read(path, password, seen.get(path)))))
    const waiting = new AbortController()
    try {
      const patience = pause(patienceMs, undefined, { signal: waiting.signal }).catch(() => {})
      await unlessAborted(signal, () => Promise.race([this.#all, patience]))
    } finally {
      waiting.abort()
      // Whoever waits for it gets the error.
      this.#all.catch(() => {})
    }
  }

  get isDone(): boolean {
    return this.#pending.size === 0
  }

  /**
   * What can be searched now. `version` changes when there is more; `isWaiting` unless all that's left is `notAwaited`.
   */
  now(notAwaited?: ReadonlySet<string>): {
    whole: SearchedDocument[]
    partial: SearchedSoFar[]
    version: string
    isWaiting: boolean
  } {
    const whole = this.#paths.flatMap((path) => {
      const entry = this.#whole.get(path)
      return entry === undefined ? [] : [{ path, entry }]
    })
    const partial = [...this.#pending].flatMap(([path, key]) => {
      const soFar = key === undefined ? undefined : this.#keeper.soFar(key)
      return soFar === undefined ? [] : [{ path, ...soFar }]
    })
    const version = [this.#pending.size, ...partial.map(({ entry }) => entry.lastChunk)].join()
    const isWaiting = [...this.#pending.keys()].some((path) => notAwaited?.has(path) !== true)
    return { whole, partial, version, isWaiting }
  }

  /** Resolves when more can be searched than in this version. */
  async after(version: string, signal: AbortSignal): Promise<void> {
    while (!this.isDone && this.now().version === version) {
      const changed = this.#keeper.progressed()
      await unlessAborted(signal, () => Promise.race([this.#all, changed]))
    }
    // Whatever ended it is for the search.
    if (this.isDone) await this.#all
  }

  /** What isn't whole. */
  left(partial: SearchedSoFar[]): NonNullable<DocumentSearch['reading']> {
    return [...this.#pending.keys()].map((path) => {
      const soFar = partial.find((one) => one.path === path)
      if (soFar === undefined) return { path, done: 0, unit: 'page' }
      const { parts, expected, entry } = soFar
      const unit = entry.kind === 'pdf' ? 'page' : entry.kind === 'xlsx' || entry.kind === 'csv' ? 'sheet' : 'section'
      return { path, done: parts, unit, ...(expected === undefined ? {} : { expected }) }
    })
  }

  stop(reason: unknown): void {
    this.#stopping.abort(reason)
  }

  async #read(path: string, password: string | undefined, seen: SeenFile | undefined): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, this.#options.closing])
    const keyed = (key: string) => void this.#pending.set(path, key)
    try {
      this.#whole.set(path, await this.#keeper.entry(this.#place, path, password, signal, seen, keyed))
    } catch (thrown) {
      signal.throwIfAborted()
      if (thrown instanceof IndexRemade) throw thrown
      const isKnown = thrown instanceof Failure
      if (!isKnown) this.#options.report(thrown)
      const reason = isKnown
        ? `${thrown.message} ${thrown.remedy}`
        : documentsWords.unreadable({ reason: reasonOf(thrown) })
      this.failures.push({ path, reason })
    } finally {
      this.#pending.delete(path)
    }
  }
}
