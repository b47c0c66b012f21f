import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { SessionId } from '../../domain/ids.ts'
import type { ScannedFile } from '../../domain/scan.ts'
import type { Workspace } from '../../domain/workspace.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Documents } from '../../kit/documents/document.ts'
import type { ParserPool } from '../../kit/documents/pool.ts'
import type { RecognizedText } from '../../store/recognized-row.ts'
import { IndexDatabase, IndexRemade } from './index/database.ts'
import {
  brokenEntries,
  excessEntries,
  forgetFiles,
  forgetUnchecked,
  sessionsWithFiles,
  unownedEntries,
  unusedEntries,
} from './index/files.ts'
import { Keeper, type SessionWorkspace } from './index/keeper.ts'
import { RecognizedPages } from './index/recognized-pages.ts'
import { removeEntry } from './index/remove-entry.ts'
import { SessionScans } from './index/session-scans.ts'
import { type VectorOptions, Vectors } from './index/vectors.ts'
import type { Scans } from './recognition/scans.ts'

export interface LibraryOptions {
  /** Path of index.db. It can always be deleted: its content is made again. */
  file: string
  pool: Pick<ParserPool, 'read'>
  /** Larger files are not read. */
  fileBytes: number
  /** Entries that nobody has asked for in this long are removed. */
  unusedMs: number
  /** For all texts together; the least recently used are removed first. */
  mostCharacters: number
  /** A file that looks unchanged is compared again after this long. */
  checkMs: number
  /** A search answers after this long with what has been read so far, if it finds something there. */
  patienceMs: number
  clock: Clock
  /** When a session's files were last removed, if ever; another process may have done that. */
  removedAt(session: SessionId): Promise<number | undefined>
  /** Undefined: documents are found by their words only. */
  vectors?: VectorOptions | undefined
  /** Undefined: scans and photos aren't read. */
  recognition?: { scans: Scans; pool: Pick<ParserPool, 'recognized'> } | undefined
  /** Hears of what nobody waits for: a damaged index, a failure in the background. */
  report(thrown: unknown): void
}

/** For one cleaning, some 16 pages each. */
const mergeSteps = 200

/** Opens the index, or rebuilds it if it is missing, damaged or of another version. */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  await mkdir(dirname(options.file), { recursive: true })
  return new Library(options)
}

/** The text and index of all documents, stored once for each content, whoever has it. */
export class Library {
  readonly #options: LibraryOptions
  readonly #database: IndexDatabase
  readonly #keeper: Keeper
  readonly #closing = new AbortController()
  readonly #vectors: Vectors | undefined
  readonly #pages: RecognizedPages | undefined
  #background: Promise<void> = Promise.resolve()

  constructor(options: LibraryOptions) {
    this.#options = options
    const { vectors } = options
    this.#database = new IndexDatabase(options.file, options.report, vectors?.extension)
    this.#vectors = vectors && new Vectors(this.#database, vectors, options.report)
    const { recognition, clock } = options
    this.#pages = recognition && new RecognizedPages(this.#database, recognition.pool, () => clock.now())
    this.#keeper = new Keeper(this.#database, options, () => this.#remove(() => unownedEntries(this.#database)))
    const broken = this.#broken()
    this.#remove(() => broken)
  }

  /** How many contents are kept. */
  get size(): number {
    return (
      this.#database.first<{ count: number }>("SELECT count(*) count FROM documents WHERE state <> 'making'")?.count ??
      0
    )
  }

  /** The documents of one workspace; it sees no others. */
  of(session: SessionId, workspace: Workspace): Documents {
    const opened = async () => {
      const { SessionDocuments } = await import('./index/session-documents.ts')
      const { report, patienceMs } = this.#options
      const place = { session, workspace }
      const [closing, scans] = [this.#closing.signal, this.#scansOf(place)]
      const options = { report, closing, vectors: this.#vectors, scans, patienceMs }
      return new SessionDocuments(this.#database, this.#keeper, place, options)
    }
    return {
      open: async (path, options) => (await opened()).open(path, options),
      search: async (paths, query, signal) => (await opened()).search(paths, query, signal),
      kindsOf: async (seen) => (await opened()).kindsOf(seen),
      prepare: async (path, signal) => (await opened()).prepare(path, signal),
      makeVectors: async (path, signal) => (await opened()).makeVectors(path, signal),
      readScan: async (path, order, signal) => (await opened()).readScan(path, order, signal),
    }
  }

  /** Makes a page findable that was just recognized. */
  async indexRecognized(file: ScannedFile, text: RecognizedText, signal: AbortSignal): Promise<void> {
    await this.#pages?.entry(file, text, AbortSignal.any([signal, this.#closing.signal]))
  }

  #scansOf(place: SessionWorkspace): SessionScans | undefined {
    const { recognition } = this.#options
    if (recognition === undefined || this.#pages === undefined) return undefined
    return new SessionScans(this.#database, recognition.scans, this.#pages, place)
  }

  /** A workspace was removed: what nobody else has is removed, too. */
  forget(session: SessionId): void {
    this.#later(async () => forgetFiles(this.#database, session))
    this.#remove(() => unownedEntries(this.#database))
  }

  /**
   * Removes what other processes have removed from the workspaces, what was not used for long, and what exceeds the
   * limit. Resolves when that is done.
   */
  clean(): Promise<void> {
    const since = this.#options.clock.now() - this.#options.unusedMs
    this.#later(() => this.#forgetRemoved())
    this.#remove(() => unownedEntries(this.#database))
    this.#remove(() => unusedEntries(this.#database, since))
    this.#remove(() => excessEntries(this.#database, this.#options.mostCharacters))
    this.#later(async () => {
      forgetUnchecked(this.#database, since)
      await this.#shrink()
    })
    return this.#background
  }

  async #forgetRemoved(): Promise<void> {
    for (const session of sessionsWithFiles(this.#database)) {
      const at = await this.#options.removedAt(session)
      if (at !== undefined && !this.#closing.signal.aborted) forgetFiles(this.#database, session, at)
    }
  }

  /** Resolves when the background work is done. */
  settled(): Promise<void> {
    return this.#background
  }

  close(): void {
    this.#closing.abort(new DOMException('The bot is stopping.', 'AbortError'))
    this.#database.close()
  }

  #broken(): number[] {
    try {
      return brokenEntries(this.#database)
    } catch (thrown) {
      if (thrown instanceof IndexRemade) return []
      throw thrown
    }
  }

  #remove(ids: () => number[]): void {
    this.#later(async () => {
      for (const id of ids()) await removeEntry(this.#database, id)
    })
  }

  /**
   * Returns free space, a little at a time. That includes removed words, which are only marked until they are merged.
   */
  async #shrink(): Promise<void> {
    for (let step = 0; step < mergeSteps && !this.#closing.signal.aborted; step++) {
      await setImmediate()
      this.#database.run("INSERT INTO terms (terms, rank) VALUES ('merge', 16)")
    }
    for (let left = true; left; ) {
      await setImmediate()
      const before = this.#database.first<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0
      this.#database.shrink(200)
      left = before > 200 && !this.#closing.signal.aborted
    }
  }

  /** One after the other. */
  #later(work: () => Promise<void>): void {
    this.#background = this.#background.then(setImmediate).then(async () => {
      if (this.#closing.signal.aborted) return
      try {
        await work()
      } catch (thrown) {
        if (!this.#closing.signal.aborted) this.#options.report(thrown)
      }
    })
  }
}
