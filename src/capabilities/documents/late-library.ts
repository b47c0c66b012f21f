import { existsSync } from 'node:fs'
import type { SessionId } from '../../domain/ids.ts'
import type { Workspace } from '../../domain/workspace.ts'
import type { Documents } from '../../kit/documents/document.ts'
import type { VectorOptions } from './index/vectors.ts'
import type { Library, LibraryOptions } from './library.ts'

export interface LateOptions extends Omit<LibraryOptions, 'vectors'> {
  vectors?: Omit<VectorOptions, 'extension'> | undefined
}

/** The library, opened with the first document, because many bots never see one. */
export class LateLibrary {
  readonly #options: LateOptions
  #opening: Promise<Library> | undefined

  constructor(options: LateOptions) {
    this.#options = options
  }

  of(session: SessionId, workspace: Workspace): Documents {
    const documents = async () => (await this.#open()).of(session, workspace)
    return {
      open: async (path, options) => (await documents()).open(path, options),
      search: async (paths, query, signal) => (await documents()).search(paths, query, signal),
      kindsOf: async (seen) => (await documents()).kindsOf?.(seen) ?? new Map(),
      prepare: async (path, signal) => (await documents()).prepare(path, signal),
      makeVectors: async (path, signal) => (await documents()).makeVectors?.(path, signal),
      readScan: async (path, order, signal) => (await documents()).readScan?.(path, order, signal) ?? '',
    }
  }

  /** Makes a page findable that was just recognized. */
  async indexRecognized(...page: Parameters<Library['indexRecognized']>): Promise<void> {
    await (await this.#open()).indexRecognized(...page)
  }

  /** A workspace was removed. */
  forget(session: SessionId): void {
    if (!this.#isThere) return
    this.#open().then((library) => library.forget(session), this.#options.report)
  }

  /** Removes what was not used for long, and what exceeds the limit. */
  async clean(): Promise<void> {
    if (this.#isThere) await (await this.#open()).clean()
  }

  async close(): Promise<void> {
    const library = await this.#opening?.catch(() => undefined)
    library?.close()
  }

  get #isThere(): boolean {
    return this.#opening !== undefined || existsSync(this.#options.file)
  }

  /** If that fails, the next one who needs it tries again. */
  #open(): Promise<Library> {
    this.#opening ??= this.#load().catch((thrown) => {
      this.#opening = undefined
      throw thrown
    })
    return this.#opening
  }

  async #load(): Promise<Library> {
    const { openLibrary } = await import('./library.ts')
    return openLibrary({ ...this.#options, vectors: await this.#vectors() })
  }

  /** If sqlite-vec has no library for this machine, or it can't be loaded, documents are searched by words only. */
  async #vectors(): Promise<VectorOptions | undefined> {
    const { vectors, report } = this.#options
    if (vectors === undefined) return undefined
    try {
      const { vectorLibrary } = await import('./vector-library.ts')
      return { ...vectors, extension: await vectorLibrary() }
    } catch (thrown) {
      report(thrown)
      return undefined
    }
  }
}
