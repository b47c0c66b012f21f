import pLimit from 'p-limit'
import type { Workspace, WorkspaceEntry } from '../../../domain/workspace.ts'
import type { DocumentQuery, DocumentSearch, Documents, OpenDocument } from '../../../kit/documents/document.ts'
import { isCut } from '../../../kit/documents/parse.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import type { ScanOrder } from '../recognition/scans.ts'
import { failures } from '../recognition/words.ts'
import { type IndexDatabase, IndexRemade, isDatabaseError } from './database.ts'
import type { Entry } from './entries.ts'
import { openEntry } from './entry-text.ts'
import { checkPattern } from './find-pattern.ts'
import type { Keeper, SessionWorkspace } from './keeper.ts'
import { type Nearest, searchIndex } from './search.ts'
import { type SessionScans, withRecognized } from './session-scans.ts'
import type { Vectors } from './vectors.ts'

/** Failures that say nothing about the file. */
const mayMend = new Set(['stopping', 'changed', 'reader_failed'])

/** How many files of one search are read at the same time. */
const atOnce = 4

/** The documents of one workspace. */
export class SessionDocuments implements Documents {
  readonly #database: IndexDatabase
  readonly #keeper: Keeper
  readonly #place: SessionWorkspace
  readonly #report: (thrown: unknown) => void
  readonly #closing: AbortSignal
  readonly #vectors: Vectors | undefined
  readonly #scans: SessionScans | undefined

  constructor(
    database: IndexDatabase,
    keeper: Keeper,
    place: SessionWorkspace,
    report: (thrown: unknown) => void,
    closing: AbortSignal,
    vectors: Vectors | undefined,
    scans: SessionScans | undefined,
  ) {
    this.#database = database
    this.#keeper = keeper
    this.#place = place
    this.#report = report
    this.#closing = closing
    this.#vectors = vectors
    this.#scans = scans
  }

  open(path: string, { password, signal }: { password?: string; signal: AbortSignal }): Promise<OpenDocument> {
    return this.#told(async () => {
      const entry = await this.#keeper.entry(this.#place, path, password, this.#with(signal))
      const scan = await this.#scans?.known(path, entry, true)
      const document = openEntry(this.#database, entry)
      return scan === undefined ? document : withRecognized(document, scan)
    })
  }

  async search(paths: string[], query: DocumentQuery, signal: AbortSignal): Promise<DocumentSearch> {
    if (query.isPattern) checkPattern(query.query)
    return this.#told(() => this.#search(paths, query, this.#with(signal)))
  }

  async prepare(path: string, signal: AbortSignal): Promise<void> {
    try {
      const entry = await again(() => this.#keeper.entry(this.#place, path, undefined, this.#with(signal)))
      await this.#scans?.known(path, entry, false)
    } catch (thrown) {
      if (!(thrown instanceof Failure) || mayMend.has(thrown.code)) throw thrown
    }
  }

  async makeVectors(path: string, signal: AbortSignal): Promise<void> {
    if (this.#vectors === undefined) return
    const all = this.#with(signal)
    try {
      const entry = await again(() => this.#keeper.entry(this.#place, path, undefined, all))
      await this.#vectors.complete(this.#place.session, entry, all)
    } catch (thrown) {
      if (!(thrown instanceof Failure) || mayMend.has(thrown.code)) throw thrown
    }
  }

  /** Has the pages read that are pictures, as a person agreed. */
  readScan(path: string, order: ScanOrder, signal: AbortSignal): Promise<string> {
    return this.#told(async () => {
      if (this.#scans === undefined) throw failures.noScan()
      return this.#scans.order(path, await this.#keeper.entry(this.#place, path, undefined, this.#with(signal)), order)
    })
  }

  async #search(paths: string[], query: DocumentQuery, signal: AbortSignal): Promise<DocumentSearch> {
    const limit = pLimit(atOnce)
    const failures: DocumentSearch['failures'] = []
    const seen = await filesAt(this.#place.workspace, paths)
    const entries = await Promise.all(
      paths.map((path) => limit(() => this.#entryOrFailure(path, query.password, signal, failures, seen.get(path)))),
    )
    // The same content under two names is shown once.
    const searched = new Map<number, { path: string; entry: Entry }>()
    for (const [index, entry] of entries.entries()) {
      const path = paths[index]
      if (entry !== undefined && path !== undefined && !searched.has(entry.id)) searched.set(entry.id, { path, entry })
    }
    const notes = await this.#addRecognized(searched, paths.length === 1, signal)
    const found = await searchIndex(this.#database, [...searched.values()], query, signal, this.#nearest())
    const lacking = [...searched.values()].map(({ entry }) => entry)
    void this.#vectors?.completeLater(this.#place.session, lacking, this.#closing)
    const cut = [...searched.values()].flatMap(({ path, entry }) => (isCut(entry.notes) ? [path] : []))
    return { ...found, failures, cut, ...(notes.length === 0 ? {} : { notes }) }
  }

  /** Adds the recognized pages of what is searched. Returns what isn't read yet, or can't be. */
  async #addRecognized(
    searched: Map<number, { path: string; entry: Entry }>,
    isNamed: boolean,
    signal: AbortSignal,
  ): Promise<string[]> {
    const notes: string[] = []
    for (const { path, entry } of this.#scans === undefined ? [] : [...searched.values()]) {
      const scan = await this.#scans?.known(path, entry, isNamed)
      if (scan === undefined) continue
      notes.push(...scan.notes.map((note) => `${path}: ${note}`))
      for (const page of (await this.#scans?.entries(path, entry, scan, signal)) ?? [])
        searched.set(page.id, { path, entry: page })
    }
    return notes
  }

  #nearest(): Nearest | undefined {
    const vectors = this.#vectors
    return vectors && ((...asked) => vectors.nearest(this.#place.session, ...asked))
  }

  async #entryOrFailure(
    path: string,
    password: string | undefined,
    signal: AbortSignal,
    failures: DocumentSearch['failures'],
    seen: WorkspaceEntry | undefined,
  ): Promise<Entry | undefined> {
    try {
      return await this.#keeper.entry(this.#place, path, password, signal, seen)
    } catch (thrown) {
      signal.throwIfAborted()
      if (thrown instanceof IndexRemade) throw thrown
      const isKnown = thrown instanceof Failure
      if (!isKnown) this.#report(thrown)
      failures.push({
        path,
        reason: isKnown ? `${thrown.message} ${thrown.remedy}` : `It could not be read: ${reasonOf(thrown)}`,
      })
      return undefined
    }
  }

  /** Errors of the database itself are for the operator: a full disk, a file that can't be written. */
  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await again(work)
    } catch (thrown) {
      if (!isDatabaseError(thrown) && !(thrown instanceof IndexRemade)) throw thrown
      this.#report(thrown)
      const remedy = 'Try again. If it keeps failing, the operator should check the disk: it may be full.'
      throw new Failure('index_failed', 'The document index can’t be used right now.', remedy)
    }
  }

  #with(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closing])
  }
}

/** Up to this many files of one folder are checked one by one; for more, the folder is listed. */
const fewFiles = 3

/** Files as they are now. Those that are missing here are checked one by one. */
async function filesAt(workspace: Workspace, paths: string[]): Promise<Map<string, WorkspaceEntry>> {
  const found = new Map<string, WorkspaceEntry>()
  const folders = Map.groupBy(paths, (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.')
  for (const [folder, ofFolder] of folders) {
    if (ofFolder.length <= fewFiles) continue
    const wanted = new Set(ofFolder)
    // If a folder can't be listed, each of its files reports that.
    const listed = await workspace.list(folder).catch(() => [])
    for (const entry of listed) if (wanted.has(entry.path)) found.set(entry.path, entry)
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
