import { damaged, type Parser, Parts } from '../parse.ts'
import { encodingOfPage, pageOfCharset } from './rtf/charsets.ts'
import { headingMark, levelOf, Styles } from './rtf/headings.ts'
import { type Token, tokensOf } from './rtf/tokens.ts'

/**
 * The text of an RTF document: headings as Markdown, cells of a table between bars, a row on a line. What is hidden or
 * deleted is left out. Throws `damaged`.
 */
export const parseRtf: Parser = async ({ bytes }, limits) => {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const reading = new Reading(limits.textCharacters)
  for (const token of tokensOf(rtf)) if (!reading.take(token)) break
  const { text, isWhole, hasPictures } = reading.end()
  if (text === '' && !isWhole) throw damaged('it ends before its text begins')
  const parts = new Parts(limits)
  parts.add({ unit: 'section', number: 1, text })
  const notes = [
    hasPictures ? 'It holds pictures, which are not read.' : '',
    ...parts.emptiness(),
    isWhole ? '' : 'It ends in the middle: the file is damaged.',
    ...parts.notes(),
  ]
  return { kind: 'rtf', notes: notes.filter(Boolean), parts: parts.list }
}

/** Groups that are no text of the document. */
const unseen = new Set(
  'colortbl info pict object themedata datastore listtable listoverridetable rsidtbl generator'
    .concat(' xmlnstbl fldinst filetbl revtbl latentstyles bkmkstart bkmkend atnid atnauthor shpinst nonshppict')
    .split(' '),
)

const signs = new Map([
  ['par', '\n'],
  ['line', '\n'],
  ['sect', '\n\n'],
  ['page', '\n\n'],
  ['tab', '\t'],
  ['cell', ' | '],
  ['nestcell', ' | '],
  ['row', '\n'],
  ['nestrow', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
])

/** Cells stand before bars; a row begins with one too. */
const asRow = (line: string): string => (line.length > 1 && line.endsWith('|') ? `| ${line}` : line)

/** What holds within a group and ends with it. */
interface Group {
  isUnseen: boolean
  isFonts: boolean
  isStyles: boolean
  isHidden: boolean
  isDeleted: boolean
  /** Of the paragraph, as a heading. */
  level: number | undefined
  isInTable: boolean
  /** Characters that stand after `\u` for old programs. */
  substitutes: number
  font: number
}

const outermost: Group = {
  isUnseen: false,
  isFonts: false,
  isStyles: false,
  isHidden: false,
  isDeleted: false,
  level: undefined,
  isInTable: false,
  substitutes: 1,
  font: -1,
}

/** What ends a paragraph, and what a row. */
const ends = new Set(['par', 'sect', 'page', 'row', 'nestrow'])

/** Groups within each other; deeper ones share the last. */
const maxDepth = 10_000

class Reading {
  readonly #pieces: string[] = []
  readonly #groups: Group[] = []
  readonly #pages = new Map<number, number>()
  readonly #styles = new Styles()
  #group: Group = { ...outermost }
  #room: number
  #page = 1252
  #bytes: number[] = []
  #encoding = ''
  #substitutes = 0
  #tooDeep = 0
  #hasPictures = false
  /** Where the paragraph begins among the pieces. */
  #start = 0
  #hasText = false
  /** Of the text before. */
  #level: number | undefined
  #hasCells = false
  #isInRow = false
  /** Right behind a group's beginning. */
  #isFresh = false
  #isClosed = false

  constructor(room: number) {
    this.#room = room
  }

  /** False when there is room for no more, or the document is over. */
  take(token: Token): boolean {
    if (token.kind === 'byte') return this.#byte(token.byte)
    this.#flush()
    const wasOpening = token.kind === 'open'
    if (wasOpening) this.#open()
    else if (token.kind === 'close') this.#close()
    else if (token.kind === 'word') this.#word(token.word, token.value)
    else if (token.kind === 'symbol') this.#symbol(token.symbol)
    else this.#text(token.text)
    this.#isFresh = wasOpening
    return this.#room > 0 && !this.#isClosed
  }

  end(): { text: string; isWhole: boolean; hasPictures: boolean } {
    this.#flush()
    this.#endParagraph(this.#level)
    const lines = this.#pieces.join('').split('\n')
    const tidy = lines.map((line) => asRow(line.trim())).join('\n')
    return {
      text: tidy.replace(/\n{3,}/g, '\n\n').trim(),
      isWhole: this.#isClosed || this.#room <= 0,
      hasPictures: this.#hasPictures,
    }
  }

  #open(): void {
    this.#substitutes = 0
    if (this.#groups.length >= maxDepth) this.#tooDeep++
    else {
      this.#groups.push(this.#group)
      this.#group = { ...this.#group }
    }
  }

  #close(): void {
    this.#substitutes = 0
    if (this.#tooDeep > 0) this.#tooDeep--
    else this.#group = this.#groups.pop() ?? this.#group
    this.#isClosed = this.#groups.length === 0
  }

  #word(word: string, value: number | undefined): void {
    if (word === 'pict') this.#hasPictures = true
    if (unseen.has(word)) this.#group.isUnseen = true
    else if (word === 'fonttbl') this.#group = { ...this.#group, isUnseen: true, isFonts: true }
    else if (word === 'ansicpg') this.#page = value ?? 1252
    else if (word === 'mac') this.#page = 10000
    else if (word === 'uc') this.#group.substitutes = Math.min(100, Math.max(0, value ?? 1))
    else if (word === 'f' || word === 'deff') this.#group.font = value ?? -1
    else if (word === 'plain') this.#group = { ...this.#group, font: -1, isHidden: false, isDeleted: false }
    else if (word === 'fcharset' && this.#group.isFonts) this.#charset(value ?? 0)
    else if (word === 'u') this.#unicode(value ?? 0)
    else if (signs.has(word)) this.#sign(word)
    else if (word === 'stylesheet') this.#group = { ...this.#group, isUnseen: true, isStyles: true }
    else if (this.#group.isStyles) this.#styles.word(word, value)
    else this.#format(word, value)
  }

  #format(word: string, value: number | undefined): void {
    if (word === 'v') this.#group.isHidden = value !== 0
    else if (word === 'deleted') this.#group.isDeleted = value !== 0
    else if (word === 'pard') this.#group = { ...this.#group, level: undefined, isInTable: false }
    else if (word === 's') this.#group.level = this.#styles.levelOf(value ?? 0)
    else if (word === 'outlinelevel') this.#group.level = levelOf(value)
    else if (word === 'intbl') this.#group.isInTable = true
    else if (word === 'trowd') this.#isInRow = true
  }

  #sign(word: string): void {
    const { level, isInTable } = this.#group
    if (this.#isSilent()) return
    if (word === 'par' && isInTable && this.#isInRow) this.#put('<br>')
    else if (word === 'line' && level !== undefined) this.#put(' ')
    else {
      if (ends.has(word)) this.#endParagraph(level)
      if (word === 'row') this.#isInRow = false
      this.#put(signs.get(word) ?? '')
      if (ends.has(word)) this.#start = this.#pieces.length
      else this.#hasCells ||= word === 'cell' || word === 'nestcell'
    }
  }

  /** A heading is known when it is over: an empty one is none, nor is a table's cell. */
  #endParagraph(level: number | undefined): void {
    const first = this.#pieces[this.#start]
    if (level !== undefined && first !== undefined && this.#hasText && !this.#hasCells) {
      this.#pieces[this.#start] = headingMark(level) + first.trimStart()
    }
    this.#start = this.#pieces.length
    this.#hasText = false
    this.#hasCells = false
  }

  #charset(charset: number): void {
    const page = pageOfCharset(charset)
    if (page !== undefined && this.#pages.size < 10_000) this.#pages.set(this.#group.font, page)
  }

  /** Negative numbers are those above 32,767. */
  #unicode(value: number): void {
    this.#put(String.fromCharCode(value < 0 ? value + 65_536 : value))
    this.#substitutes = this.#group.substitutes
  }

  #symbol(symbol: string): void {
    // At a group's beginning only: what follows is for programs that know it.
    if (symbol === '*') this.#group.isUnseen ||= this.#isFresh
    else if (symbol === '~') this.#text('\u00a0')
    else if (symbol === '_') this.#text('-')
    else if (symbol === '\n' || symbol === '\r') this.#sign('par')
    else if (symbol === '\\' || symbol === '{' || symbol === '}') this.#text(symbol)
  }

  /** Plain characters above ASCII stand for bytes too. */
  #text(text: string): void {
    const skipped = Math.min(this.#substitutes, text.length)
    this.#substitutes -= skipped
    const rest = text.slice(skipped)
    if (/^\p{ASCII}*$/u.test(rest) || rest === '\u00a0') this.#put(rest)
    else this.#put(new TextDecoder(this.#encodingNow()).decode(Buffer.from(rest, 'latin1')))
  }

  #byte(byte: number): boolean {
    if (this.#substitutes > 0) this.#substitutes--
    else if (!this.#group.isUnseen) {
      this.#encoding = this.#encodingNow()
      this.#bytes.push(byte)
    }
    return this.#room > 0
  }

  /** Bytes in a row may be one character. */
  #flush(): void {
    if (this.#bytes.length === 0) return
    const bytes = Uint8Array.from(this.#bytes)
    this.#bytes = []
    this.#put(new TextDecoder(this.#encoding).decode(bytes))
  }

  #encodingNow(): string {
    return encodingOfPage(this.#pages.get(this.#group.font) ?? this.#page)
  }

  #put(text: string): void {
    if (this.#group.isStyles) this.#styles.text(text)
    if (this.#isSilent()) return
    this.#room -= text.length
    if (text.trim() !== '') {
      this.#hasText = true
      this.#level = this.#group.level
    }
    this.#pieces.push(text)
  }

  #isSilent(): boolean {
    return this.#group.isUnseen || this.#group.isHidden || this.#group.isDeleted
  }
}
