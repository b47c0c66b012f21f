import type { ScannedFile } from '../../../domain/scan.ts'
import type { OpenDocument } from '../../../kit/documents/document.ts'
import type { KnownScan, ScanOrder, Scans } from '../recognition/scans.ts'
import { failures, recognizedMark } from '../recognition/words.ts'
import type { IndexDatabase } from './database.ts'
import type { Entry } from './entries.ts'
import { fileOf } from './files.ts'
import type { SessionWorkspace } from './keeper.ts'
import { type RecognizedPages, scannedPages } from './recognized-pages.ts'

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
  async known(path: string, entry: Entry, isNamed: boolean): Promise<KnownScan | undefined> {
    const file = this.#fileOf(path, entry)
    return file && this.#scans.known(file, isNamed)
  }

  /** Entries of its recognized pages, to be searched with it. */
  async entries(path: string, entry: Entry, { texts }: KnownScan, signal: AbortSignal): Promise<Entry[]> {
    const file = this.#fileOf(path, entry)
    const entries: Entry[] = []
    for (const text of file === undefined ? [] : texts) {
      const made = file && (await this.#pages.entry(file, text, signal))
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
    const { session, workspace } = this.#place
    const name = workspace.normalize(path)
    const isOpen = fileOf(this.#database, session, name)?.content === entry.key
    return pages.length === 0 || !isOpen ? undefined : { session, path: name, content: entry.key, kind, pages }
  }
}

/** Sentences of parsers that no longer hold once all pages were read. */
const overcome = /(^What it shows is not read here\.|: (it is|they are) probably scanned\.)$/

/** The document with its recognized texts in their places. */
export function withRecognized(document: OpenDocument, { texts, notes }: KnownScan): OpenDocument {
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
    notes: [...said, ...notes],
    text(index) {
      const own = document.text(index)
      const added = byPage.get(document.parts[index]?.number ?? 0)
      // A page with text of its own isn't a scan.
      if (added === undefined || (own !== '' && document.kind === 'pdf')) return own
      return own === '' ? added : `${own}\n\n${added}`
    },
  }
}
