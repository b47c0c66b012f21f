import type { ScannedFile } from '../../../domain/scan.ts'
import type { OpenDocument } from '../../../kit/documents/document.ts'
import type { KnownScan, ScanOrder, Scans } from '../recognition/scans.ts'
import { failures, recognizedMark } from '../recognition/words.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry } from './entries.ts'
import { fileOf } from './files.ts'
import type { SessionWorkspace } from './keeper.ts'
import { type RecognizedPages, scannedPages } from './recognized-pages.ts'

/** What is known of a document's pictures, and where they are. */
export interface DocumentScan extends KnownScan {
  file: ScannedFile
}

/** The scans and photos among the documents of one workspace. */
export class SessionScans {
  readonly #database: IndexDatabase
  readonly #scans: Scans
  readonly #pages: RecognizedPages
  readonly #place: SessionWorkspace

  constructor(database: IndexDatabase, scans: Scans, pages: RecognizedPages, place: SessionWorkspace) {
    this.#database = database
    this.#scans = scans
    this.#pages = pages
    this.#place = place
  }

  /** What is known of a document's pictures; undefined if it has none. Whatever is left is begun, if that may be. */
  async known(path: string, entry: Entry, isNamed: boolean): Promise<DocumentScan | undefined> {
    const file = this.#fileOf(path, entry)
    return file && { ...(await this.#scans.known(file, isNamed)), file }
  }

  /** Entries of its recognized pages, to be searched with it. */
  async entries({ file, texts }: DocumentScan, signal: AbortSignal): Promise<Entry[]> {
    const entries: Entry[] = []
    for (const text of texts) {
      const made = await this.#pages.entry(file, text, signal)
      if (made !== undefined) entries.push(made)
    }
    return entries
  }

  /** As a person agreed. */
  async order(path: string, entry: Entry, order: ScanOrder): Promise<string> {
    const file = this.#fileOf(path, entry)
    if (file === undefined) throw failures.noScan()
    return this.#scans.order(file, order)
  }

  /** A file that a password opens isn't kept in a form that could be drawn. */
  #fileOf(path: string, entry: Entry): ScannedFile | undefined {
    const { kind } = entry
    if (kind !== 'pdf' && kind !== 'image') return undefined
    const pages = scannedPages(this.#database, entry)
    if (pages.length === 0) return undefined
    const { session, workspace } = this.#place
    const name = workspace.normalize(path)
    const isOpen = fileOf(this.#database, session, name)?.content === entry.key
    return isOpen ? { session, path: name, content: entry.key, kind, pages } : undefined
  }
}

/** Sentences of parsers that no longer hold once all pages were read. */
const overcome =
  /(^What it shows is not read here\.|: (it is|they are) probably scanned\.|in (it|them) was not read\.)$/

/** The document with its recognized texts in their places. */
export function withRecognized(document: OpenDocument, { texts, notes, blank }: KnownScan): OpenDocument {
  const byPage = new Map(
    texts.flatMap(({ page, text }) => (text ? [[page, `${recognizedMark}\n\n${text}`] as const] : [])),
  )
  const parts = document.parts.map((part) => {
    const added = byPage.get(part.number)
    return added === undefined ? part : { ...part, characters: part.characters + added.length }
  })
  const said = notes.length === 0 ? document.notes.filter((note) => !overcome.test(note)) : document.notes
  return {
    ...document,
    parts,
    notes: [...said, ...notes, ...blank],
    async *lines(index) {
      yield* document.lines(index)
      const { number, characters, isPictured } = document.parts[index] ?? { number: 0, characters: 0 }
      const added = byPage.get(number)
      // A page that had no text when it was recognized may have been read better since.
      if (added === undefined || (characters > 0 && document.kind === 'pdf' && !isPictured)) return
      yield [...(characters > 0 ? [''] : []), ...added.split('\n')]
    },
  }
}
