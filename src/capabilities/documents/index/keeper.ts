import type { SessionId } from '../../../domain/ids.ts'
import type { Workspace, WorkspaceEntry } from '../../../domain/workspace.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { DocumentKind, SeenFile } from '../../../kit/documents/document.ts'
import type { SourceFile } from '../../../kit/documents/parse.ts'
import type { ParserPool } from '../../../kit/documents/pool.ts'
import { Failure } from '../../../kit/failure.ts'
import { namedSuffix } from '../../../kit/files/document-kind.ts'
import { documentsWords } from '../words.ts'
import { hashOf, keyOf, stillChanging } from './content.ts'
import { type IndexDatabase, IndexRemade } from './database.ts'
import {
  type Entry,
  type EntryKey,
  entryOf,
  type IndexedFile,
  indexedFiles,
  indexedKinds,
  type PartialEntry,
  partialOf,
  touch,
} from './entries.ts'
import { fileOf, forgetFile, putFile } from './files.ts'
import { Progress } from './progress.ts'
import { Shared } from './shared.ts'
import { EntryWriter, putFailure } from './write-entry.ts'

export interface KeeperOptions {
  pool: Pick<ParserPool, 'read'>
  fileBytes: number
  checkMs: number
  clock: Clock
}

export interface SessionWorkspace {
  session: SessionId
  workspace: Workspace
}

/** Failures that don't depend on the content: the next attempt may succeed. */
const passing = new Set(['password_needed', 'password_wrong', 'stopping', 'changed', 'reader_failed', 'sandbox_failed'])

/** Failures that may have been the machine's fault, and are retried after a while. */
const busyPerhaps = new Set(['too_complex', 'crashed'])

/** How exact file times are at worst, and how precisely an entry's last use is stored. */
const timeMs = 2000
const useMs = 3_600_000

/** Keeps an entry for each content, and remembers which content each file has. */
export class Keeper {
  readonly #database: IndexDatabase
  readonly #options: KeeperOptions
  readonly #replaced: () => void
  readonly #making = new Shared<Entry>()
  readonly #progress = new Progress()

  /** `replaced`: a content may have lost its last file. */
  constructor(database: IndexDatabase, options: KeeperOptions, replaced: () => void) {
    this.#database = database
    this.#options = options
    this.#replaced = replaced
  }

  /**
   * The entry for a file's current content; `seen` is the file as it was just found. Throws the reason if it can't be
   * read. `keyed` is called with the key under which it is made.
   */
  async entry(
    place: SessionWorkspace,
    path: string,
    password: string | undefined,
    signal: AbortSignal,
    seen?: SeenFile,
    keyed: (key: string) => void = () => {},
  ): Promise<Entry> {
    const isKnown = seen !== undefined && seen.size <= this.#options.fileBytes
    const file = isKnown ? seen : await this.#stat(place, place.workspace.normalize(path))
    const content = await this.#contentOf(place, file, signal)
    const known = this.#known(content)
    if (known !== undefined && known.failure === undefined) return known
    const key = { content, key: await keyOf(content, password) }
    keyed(key.key)
    // Somebody else may already be making it. Whoever has just learnt the key can use what there is, without waiting
    // for the next part.
    this.#progress.tell()
    const entry =
      this.#known(key.key) ??
      (await this.#making.do(key.key, signal, (ending) => this.#make(place, file, key, password, ending)))
    if (entry.failure === undefined) return entry
    const { code, message, remedy } = entry.failure
    throw new Failure(code, message, remedy)
  }

  /** The entries of files that look as they did when their content was last read; `seen`: as they were just found. */
  unchanged({ session }: SessionWorkspace, seen: ReadonlyMap<string, SeenFile>): Map<string, Entry> {
    const now = this.#options.clock.now()
    const found = new Map<string, Entry>()
    for (const { entry, ...file } of indexedFiles(this.#database, session)) {
      if (!this.#isUnchanged(file, seen, now)) continue
      if (now - entry.usedAt > useMs) touch(this.#database, entry, now)
      found.set(file.path, entry)
    }
    return found
  }

  /** What they are. */
  kindsOf({ session }: SessionWorkspace, seen: ReadonlyMap<string, SeenFile>): Map<string, DocumentKind> {
    const now = this.#options.clock.now()
    const files = indexedKinds(this.#database, session).filter((file) => this.#isUnchanged(file, seen, now))
    return new Map(files.map(({ path, kind }) => [path, kind]))
  }

  #isUnchanged({ path, size, modifiedAt, checkedAt }: IndexedFile, seen: ReadonlyMap<string, SeenFile>, now: number) {
    const file = seen.get(path)
    return file?.size === size && file.modifiedAt === modifiedAt && now - checkedAt < this.#options.checkMs
  }

  /** What can be searched of an entry that is being made. */
  soFar(key: string): PartialEntry | undefined {
    const soFar = this.#progress.of(key)
    return soFar && partialOf(this.#database, key, soFar)
  }

  /** Resolves when more can be searched of anything that is being made. */
  progressed(): Promise<void> {
    return this.#progress.changed()
  }

  async #stat(place: SessionWorkspace, path: string): Promise<WorkspaceEntry> {
    const { fileBytes } = this.#options
    const file = await place.workspace.stat(path)
    if (file?.kind === 'file' && file.size <= fileBytes) return file
    if (file === undefined) {
      if (forgetFile(this.#database, place.session, path)) this.#replaced()
      throw new Failure('not_found', documentsWords.notThere(), documentsWords.notThereRemedy())
    }
    if (file.kind !== 'file')
      throw new Failure('not_a_file', documentsWords.isAFolder(), documentsWords.isAFolderRemedy())
    const inMegabytes = (bytes: number) => Math.ceil(bytes / 1_048_576)
    const sizes = { has: inMegabytes(file.size), most: inMegabytes(fileBytes) }
    throw new Failure('too_large', documentsWords.tooLarge(sizes), documentsWords.tooLargeRemedy())
  }

  /** Hashes a file that is new, has changed, or hasn't been checked for long. */
  async #contentOf({ session, workspace }: SessionWorkspace, file: SeenFile, signal: AbortSignal): Promise<string> {
    const { path, size, modifiedAt } = file
    const now = this.#options.clock.now()
    const known = fileOf(this.#database, session, path)
    const isSame = known?.size === size && known.modifiedAt === modifiedAt
    if (known !== undefined && isSame && now - known.checkedAt < this.#options.checkMs) return known.content
    const content = (await hashOf(workspace, path, size, signal)) + namedSuffix(path)
    // A file written just now may be written again without its time changing.
    const checkedAt = Math.abs(Date.now() - modifiedAt) < timeMs ? 0 : now
    putFile(this.#database, { session, path, size, modifiedAt, content, checkedAt })
    if (known !== undefined && known.content !== content) this.#replaced()
    return content
  }

  #known(key: string): Entry | undefined {
    const { clock, checkMs } = this.#options
    const entry = entryOf(this.#database, key)
    if (entry === undefined) return undefined
    const now = clock.now()
    if (busyPerhaps.has(entry.failure?.code ?? '') && now - entry.madeAt >= checkMs) return undefined
    if (now - entry.usedAt > useMs) touch(this.#database, entry, now)
    return entry
  }

  async #make(
    { session, workspace }: SessionWorkspace,
    { path, size }: SeenFile,
    key: EntryKey,
    password: string | undefined,
    signal: AbortSignal,
  ): Promise<Entry> {
    const known = this.#known(key.key)
    if (known !== undefined) return known
    const load = async (): Promise<SourceFile> => {
      const bytes = new Uint8Array(size)
      if ((await hashOf(workspace, path, size, signal, bytes)) + namedSuffix(path) !== key.content)
        throw stillChanging()
      return { name: path.split('/').at(-1) ?? path, bytes, ...(password === undefined ? {} : { password }) }
    }
    const now = this.#options.clock.now()
    const into = new EntryWriter(this.#database, key, now, (soFar) => this.#progress.put(key.key, soFar))
    try {
      await this.#options.pool.read(load, signal, { owner: session, into })
    } catch (thrown) {
      // If it couldn't be read to the end, nothing of it is kept.
      if (!(thrown instanceof IndexRemade) && this.#database.isOpen) await into.begin()
      if (!(thrown instanceof Failure) || passing.has(thrown.code)) throw thrown
      putFailure(this.#database, key, thrown, now)
    } finally {
      this.#progress.put(key.key, undefined)
    }
    const made = entryOf(this.#database, key.key)
    if (made === undefined) throw new IndexRemade()
    return made
  }
}
