/** What can be read as a document. An `archive` is listed; `image` and `legacy` are described. */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'csv'
  | 'odf'
  | 'rtf'
  | 'email'
  | 'html'
  | 'notebook'
  | 'contact'
  | 'calendar'
  | 'epub'
  | 'archive'
  | 'image'
  | 'legacy'

/** What a document is counted in: places in it are named by unit and number. */
export type PartUnit = 'page' | 'sheet' | 'slide' | 'section'

/** One page, sheet, slide or section. Its number counts from 1, as the document does. */
export interface DocumentPart {
  unit: PartUnit
  number: number
  /** A sheet's name, a slide's title, a section's heading. */
  name?: string
  /**
   * Markdown. A sheet is one table: the first column holds row numbers, the header the column letters, so that cells
   * can be quoted.
   */
  text: string
  /** For a sheet: one `B4: =SUM(B2:B3)` per line. */
  formulas?: string
  /** For a page with text: not all that is seen on it is in the text, as where pictures cover much of it. */
  isPictured?: true
  /** For a sheet: whoever opens the file doesn't see it. */
  isHidden?: true
}

/** A part, or more text for the last one: a sheet that is long comes in several pieces. */
export interface DocumentPiece extends DocumentPart {
  continues?: true
}

/** A document as text. */
export interface ParsedDocument {
  kind: DocumentKind
  /** Facts about it, each a sentence: hidden sheets, scanned pages, an outline, what was left out. */
  notes: string[]
  parts: DocumentPart[]
}

/** A part without its text; `characters` is its length. */
export interface PartEntry extends Omit<DocumentPart, 'text' | 'formulas'> {
  characters: number
  hasFormulas: boolean
}

/** A document whose parts are fetched one by one. `index` counts from 0. */
export interface OpenDocument {
  kind: DocumentKind
  notes: string[]
  parts: PartEntry[]
  /** Only its first parts are there: the rest is still being read. `expected`: how many there will be. */
  reading?: { expected?: number }
  /** A part's lines, some at a time: a part may have 128 million characters. */
  lines(index: number): AsyncIterable<string[]>
  formulas(index: number): string
}

export interface DocumentQuery {
  query: string
  /** The same in other words or languages: what fits any of them best is found. */
  others?: readonly string[]
  /** `query` is a regular expression (RE2 syntax) instead of words. */
  isPattern: boolean
  maxResults: number
  /** How many characters around a match are shown. */
  contextCharacters: number
  /** Characters of all passages together. */
  mostCharacters?: number
  /** For protected documents. */
  password?: string
  /** Takes secrets out of a text before it is cut. */
  mask?: (text: string) => string
  /** Whoever asks can search these paths without the index, so nothing waits until they are read. */
  notAwaited?: ReadonlySet<string>
  /** The files of these paths as they were just found. Those that are missing are looked at. */
  seen?: readonly SeenFile[]
}

/** A file as it is found in its folder. */
export interface SeenFile {
  path: string
  size: number
  /** Milliseconds since 1970. */
  modifiedAt: number
}

/** A passage that was found. */
export interface DocumentMatch {
  path: string
  kind: DocumentKind
  unit: PartUnit
  number: number
  name?: string
  /** In a sheet: the cell or rows, `C14` or `20:39`. */
  cells?: string
  /** The matched words are in `**`; the text around them comes from the same part. */
  passage: string
  /** It was recognized in a picture. */
  isRecognized?: true
  /** It stands in a sheet that isn't shown. */
  isHidden?: true
  /** 1 is the best of this search. */
  score: number
}

export interface DocumentSearch {
  matches: DocumentMatch[]
  /** True if no word was found as it is written, so that similar ones were used: `forgiven` names them. */
  forgiven: string[]
  /** Paths of documents of which only the beginning was searched, because they are too large. */
  cut: string[]
  /** Documents that are still being read: what was read of them so far was searched. */
  reading?: { path: string; unit: PartUnit; done: number; expected?: number }[]
  /** Why nothing was found by its meaning, although there is an embedding model: a sentence. */
  byWordsOnly?: string
  /** Scans that aren't read yet or can't be, in sentences. */
  notes?: string[]
  /** Documents that could not be searched, each with its reason. */
  failures: { path: string; reason: string }[]
}

export interface OpenOptions {
  password?: string
  signal: AbortSignal
  enough?(beginning: OpenDocument): boolean
}

/** The documents of one workspace. Every error is a Failure that says what to do. */
export interface Documents {
  /**
   * Parses it, or returns what was kept. Where that takes long, the first pages of a PDF may be returned that are
   * `enough`. Throws `password_needed`, `damaged`, `too_complex`, `not_readable`, …
   */
  open(path: string, options: OpenOptions): Promise<OpenDocument>
  /** Only these paths are searched. Files that aren't in the index yet are added first. */
  search(paths: string[], query: DocumentQuery, signal: AbortSignal): Promise<DocumentSearch>
  /**
   * Parses and indexes it for whoever will ask. If it can't be read, the reason is kept for them. Throws if another try
   * may help.
   */
  prepare(path: string, signal: AbortSignal): Promise<void>
  /** Makes its vectors, if an embedding model is set up. Throws if another try may help. */
  makeVectors?(path: string, signal: AbortSignal): Promise<void>
  /** What those of these files are that are in the index as they are now. */
  kindsOf?(seen: readonly SeenFile[]): Promise<ReadonlyMap<string, DocumentKind>>
  /** Has its pages read that are pictures, as a person agreed. Returns what to tell the model. */
  readScan?(path: string, order: { pages: number; usd: number }, signal: AbortSignal): Promise<string>
}

/** How much of a document is shown at once: parts and characters. */
export interface ReadBudgets {
  pdfPages: number
  /** Once a PDF has more pages. */
  pdfCharacters: number
  docxCharacters: number
  xlsxSheets: number
  xlsxCharacters: number
  pptxSlides: number
  pptxCharacters: number
}
