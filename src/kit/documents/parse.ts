import { Failure } from '../failure.ts'
import type { DocumentPiece, ParsedDocument } from './document.ts'

/** A file as a parser gets it. Its name may lie. */
export interface SourceFile {
  name: string
  bytes: Uint8Array
  password?: string
}

/** A web page as it arrived. */
export interface PageSource {
  html: Uint8Array
  /** According to the server. */
  charset: string | undefined
  /** Its URL, which its links are relative to. */
  url: string
}

/** From `config/bobbin.yaml`, section `documents`. */
export interface ParseLimits {
  /** Characters of all parts together; the rest is left out, with a note. */
  textCharacters: number
  /** The same for a table that is read row by row, if it is more. */
  tableCharacters?: number
  /** Pages, sheets, slides, sections. */
  parts: number
  /** Bytes of everything packed in a file. */
  unpackedBytes: number
  /** Files in an archive, and parts of an Office document. */
  archiveEntries: number
  /** The reader is ended after this many ms. Formats that are read page by page stop earlier, with a note. */
  parseMs?: number
  /** How many archives or messages this file lies in. */
  depth?: number
}

/** Characters of whatever document. */
export const mostCharactersOf = ({
  textCharacters,
  tableCharacters = 0,
}: Pick<ParseLimits, 'textCharacters' | 'tableCharacters'>): number => Math.max(textCharacters, tableCharacters)

/**
 * Extracts the text of one kind of file. Runs in a reader that is ended if it takes too long or too much memory. Throws
 * a Failure for what it can't read; anything else that it throws counts as `damaged`. Without `parseInner`, files in it
 * are listed only. With `hand`, it may hand over what it has read so far, which isn't part of its result then.
 */
export type Parser = (
  file: SourceFile,
  limits: ParseLimits,
  parseInner?: ParseInner,
  hand?: Hand,
) => Promise<ParsedDocument>

/** Takes what has been read of a document. `expected`: how many parts there will be. */
export type Hand = (pieces: DocumentPiece[], expected?: number) => Promise<void>

/** As much as is handed over at once: pages or other parts, and characters. */
const portionParts = 50
export const portionCharacters = 300_000

/** Reads a file that lies in another one, whatever it is. */
export type ParseInner = (file: SourceFile, limits: ParseLimits) => Promise<ParsedDocument>

export const damaged = (what: string, cause?: unknown): Failure =>
  new Failure('damaged', `It is damaged: ${what}.`, 'Ask for the file again, or for another format.', {
    cause,
  })

export const tooComplex = (what: string): Failure =>
  new Failure('too_complex', `It is too large to be read safely: ${what}.`, 'Ask for a smaller part of it.')

export const tooMuchMemory = (): Failure => tooComplex('reading it took too much memory')

/**
 * What Node says when the kernel gives it no more memory: for a buffer it is thrown, for the heap it is printed before
 * the end.
 */
export const isOutOfMemory = (reason: string): boolean =>
  /out of memory|allocation failed|(failed to|could not) allocate/i.test(reason)

export const passwordNeeded = (): Failure =>
  new Failure('password_needed', 'It is protected by a password.', 'Ask for it, and give it as `password`.')

/** Where a password is of no use. */
export const neverOpened = (): Failure =>
  new Failure(
    'password_needed',
    'It is protected by a password.',
    'It cannot be opened here even with the password: ask for a copy saved without one.',
  )

export const passwordWrong = (): Failure =>
  new Failure('password_wrong', 'The password does not open it.', 'Ask for the right one.')

/** `what`: "an old Word document (.doc)". */
export const notReadable = (what: string, convert: string): Failure =>
  new Failure('not_readable', `It is ${what}, which cannot be read here.`, convert)

/** Whether a note is about text that is missing: all of them end the same way. */
export const isAboutCut = (note: string): boolean => note.endsWith('was left out.')

/** Whether some of a document wasn't read. */
export const isCut = (notes: string[]): boolean => notes.some(isAboutCut)

/** About a file, or a part of it, without its end. */
export const endMissing = 'It ends in the middle: what followed was left out.'

/** Collects parts until the limits are reached, and notes what was left out. */
export class Parts {
  /** Those that weren't handed over. */
  list: DocumentPiece[] = []
  /** How many there were. */
  count = 0
  readonly #limits: ParseLimits
  #characters = 0
  #leftOut = 0
  #cut = false
  #hasText = false
  #waiting = 0

  constructor(limits: ParseLimits) {
    this.#limits = limits
  }

  /** False if there is no more room. */
  add(part: DocumentPiece): boolean {
    const room = this.#limits.textCharacters - this.#characters
    const isNew = part.continues === undefined
    if ((isNew && this.count >= this.#limits.parts) || room <= 0) {
      this.#leftOut++
      return false
    }
    const text = part.text.length > room ? part.text.slice(0, room).toWellFormed() : part.text
    if (text.length < part.text.length) this.#cut = true
    this.#characters += text.length + (part.formulas?.length ?? 0)
    this.list.push({ ...part, text })
    if (isNew) this.count++
    this.#waiting += text.length
    this.#hasText ||= text !== ''
    return true
  }

  /** The last one was cut before it was added. */
  cut(): void {
    this.#cut = true
  }

  get hasText(): boolean {
    return this.#hasText
  }

  /** Whether there is enough to be handed over. */
  get isPortion(): boolean {
    return this.list.length >= portionParts || this.#waiting >= portionCharacters
  }

  /** Hands over what there is. */
  async hand(hand: Hand, expected?: number): Promise<void> {
    const pieces = this.list
    this.list = []
    this.#waiting = 0
    await hand(pieces, expected)
  }

  /** A sentence if there is no text at all: an empty answer looks like an error. */
  emptiness(): string[] {
    return this.#hasText ? [] : ['No text was found in it.']
  }

  /** A sentence about what was left out, for the notes; see `isCut`. */
  notes(): string[] {
    if (this.#leftOut > 0) return ['It is too large to read completely: the rest was left out.']
    return this.#cut ? ['Its text is too long to read completely: the end was left out.'] : []
  }
}
