import type { Workspace } from '../../../domain/workspace.ts'
import type {
  DocumentKind,
  DocumentQuery,
  DocumentSearch,
  Documents,
  OpenDocument,
  OpenOptions,
  SeenFile,
} from '../../../kit/documents/document.ts'
import { isCut } from '../../../kit/documents/parse.ts'
import { Failure } from '../../../kit/failure.ts'
import type { ScanOrder } from '../recognition/scans.ts'
import { failures } from '../recognition/words.ts'
import { documentsWords } from '../words.ts'
import { type IndexDatabase, IndexRemade, isDatabaseError } from './database.ts'
import type { SearchedDocument } from './entries.ts'
import { openEntry } from './entry-text.ts'
import { checkPattern } from './find-pattern.ts'
import type { Keeper, SessionWorkspace } from './keeper.ts'
import { entryOrBeginning } from './opening.ts'
import { Reading } from './reading.ts'
import { type Nearest, searchIndex } from './search.ts'
import { type SessionScans, withRecognized } from './session-scans.ts'
import type { Vectors } from './vectors.ts'

/** Failures that say nothing about the file. */
const mayMend = new Set(['stopping', 'changed', 'reader_failed', 'sandbox_failed'])

export interface SessionDocumentsOptions {
  report(thrown: unknown): void
  closing: AbortSignal
  vectors: Vectors | undefined
  scans: SessionScans | undefined
  /** A search answers after this long with what has been read so far, if it finds something there. */
  patienceMs: number
}

/** The documents of one workspace. */
export class SessionDocuments implements Documents {
  readonly #database: IndexDatabase
  readonly #keeper: Keeper
  readonly #place: SessionWorkspace
  readonly #options: SessionDocumentsOptions

  constructor(database: IndexDatabase, keeper: Keeper, place: SessionWorkspace, options: SessionDocumentsOptions) {
    this.#database = database
    this.#keeper = keeper
    this.#place = place
    this.#options = options
  }

  open(path: string, { password, signal, enough = () => false }: OpenOptions): Promise<OpenDocument> {
    return this.#told(async () => {
      const wanted = { path, password, enough }
      const { scans, ...options } = this.#options
      const entry = await entryOrBeginning(this.#database, this.#keeper, this.#place, wanted, options, signal)
      if (!('id' in entry)) return entry
      const scan = await scans?.known(path, entry, true)
      const document = openEntry(this.#database, entry)
      return scan === undefined ? document : withRecognized(document, scan)
    })
  }

  async search(paths: string[], query: DocumentQuery, signal: AbortSignal): Promise<DocumentSearch> {
    if (query.isPattern) checkPattern(query.query)
    return this.#told(() => this.#search(paths, query, this.#with(signal)))
  }

  kindsOf(seen: readonly SeenFile[]): Promise<ReadonlyMap<string, DocumentKind>> {
    return this.#told(async () => this.#keeper.kindsOf(this.#place, new Map(seen.map((file) => [file.path, file]))))
  }

  async prepare(path: string, signal: AbortSignal): Promise<void> {
    try {
      const entry = await again(() => this.#keeper.entry(this.#place, path, undefined, this.#with(signal)))
      await this.#options.scans?.known(path, entry, false)
    } catch (thrown) {
      if (!(thrown instanceof Failure) || mayMend.has(thrown.code)) throw thrown
    }
  }

  async makeVectors(path: string, signal: AbortSignal): Promise<void> {
    if (this.#options.vectors === undefined) return
    const all = this.#with(signal)
    try {
      const entry = await again(() => this.#keeper.entry(this.#place, path, undefined, all))
      await this.#options.vectors.complete(this.#place.session, entry, all)
    } catch (thrown) {
      if (!(thrown instanceof Failure) || mayMend.has(thrown.code)) throw thrown
    }
  }

  /** Has the pages read that are pictures, as a person agreed. */
  readScan(path: string, order: ScanOrder, signal: AbortSignal): Promise<string> {
    return this.#told(async () => {
      if (this.#options.scans === undefined) throw failures.noScan()
      return this.#options.scans.order(
        path,
        await this.#keeper.entry(this.#place, path, undefined, this.#with(signal)),
        order,
      )
    })
  }

  async #search(paths: string[], query: DocumentQuery, signal: AbortSignal): Promise<DocumentSearch> {
    const { session, workspace } = this.#place
    const { patienceMs, vectors, closing } = this.#options
    const reading = new Reading(this.#keeper, this.#place, this.#options)
    try {
      const seen = await filesAt(workspace, paths, query.seen)
      await reading.begin(paths, seen, query.password, patienceMs, signal)
      for (;;) {
        const { whole, partial, version, isWaiting } = reading.now(query.notAwaited)
        // The same content under two names is shown once.
        const known = new Map([...whole, ...partial].toReversed().map((one) => [one.entry.id, one]))
        const read = whole.filter((one) => known.get(one.entry.id) === one)
        const notes = await this.#addRecognized(read, paths.length === 1, signal)
        const begun = partial.filter((one) => known.get(one.entry.id) === one)
        const searched = [...read, ...begun]
        const found = await searchIndex(this.#database, searched, query, signal, this.#nearest())
        const isFound = found.matches.length > 0 && found.forgiven.length === 0
        if (!isFound && isWaiting) {
          await reading.after(version, signal)
          continue
        }
        const lacking = read.map(({ entry }) => entry)
        void vectors?.completeLater(session, lacking, closing)
        const cut = whole.flatMap(({ path, entry }) => (isCut(entry.notes) ? [path] : []))
        const left = reading.left(partial)
        return {
          ...found,
          failures: reading.failures,
          cut,
          ...(left.length > 0 ? { reading: left } : {}),
          ...(notes.length === 0 ? {} : { notes }),
        }
      }
    } finally {
      if (signal.aborted) reading.stop(signal.reason)
    }
  }

  /** Adds the recognized pages of what is searched. Returns what isn't read yet, or can't be. */
  async #addRecognized(searched: SearchedDocument[], isNamed: boolean, signal: AbortSignal): Promise<string[]> {
    const notes: string[] = []
    for (const { path, entry } of this.#options.scans === undefined ? [] : [...searched]) {
      const scan = await this.#options.scans?.known(path, entry, isNamed)
      if (scan === undefined) continue
      const said = isNamed ? [...scan.notes, ...scan.blank] : scan.notes
      notes.push(...said.map((note) => `${path}: ${note}`))
      for (const page of (await this.#options.scans?.entries(scan, signal)) ?? []) searched.push({ path, entry: page })
    }
    return notes
  }

  #nearest(): Nearest | undefined {
    const vectors = this.#options.vectors
    return vectors && ((...asked) => vectors.nearest(this.#place.session, ...asked))
  }

  /** Errors of the database itself are for the operator: a full disk, a file that can't be written. */
  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await again(work)
    } catch (thrown) {
      if (!isDatabaseError(thrown) && !(thrown instanceof IndexRemade)) throw thrown
      this.#options.report(thrown)
      throw new Failure('index_failed', documentsWords.indexFailed(), documentsWords.indexFailedRemedy())
    }
  }

  #with(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#options.closing])
  }
}

/** Up to this many files of one folder are checked one by one; for more, the folder is listed. */
const fewFiles = 3

/** Files as they are now. Those that are missing here are checked one by one. */
async function filesAt(
  workspace: Workspace,
  paths: string[],
  seen: readonly SeenFile[] = [],
): Promise<Map<string, SeenFile>> {
  const found = new Map(seen.map((file) => [file.path, file]))
  const missing = paths.filter((path) => !found.has(path))
  const folders = Map.groupBy(missing, (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.')
  for (const [folder, ofFolder] of folders) {
    if (ofFolder.length <= fewFiles) continue
    const wanted = new Set(ofFolder)
    // If a folder can't be listed, each of its files reports that.
    const listed = await workspace.list(folder).catch(() => [])
    for (const entry of listed) if (wanted.has(entry.path) && entry.kind === 'file') found.set(entry.path, entry)
  }
  return found
}

/** Starts over if the index turned out to be damaged and is empty now. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof IndexRemade)) throw thrown
    return await work()
  }
}
