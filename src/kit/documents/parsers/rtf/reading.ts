import { decoderOf } from '../../../text/decoder.ts'
import { raised } from '../text/marks.ts'
import { encodingOfPage, isHalf, pageOfCharset } from './charsets.ts'
import { Field } from './fields.ts'
import { framed, frames, type Group, outermost, plain, unseen } from './group.ts'
import { levelOf, Styles } from './headings.ts'
import { Paragraphs, signs } from './paragraphs.ts'
import { Revisions, revisedBy } from './revisions.ts'
import type { Token } from './tokens.ts'

/** Groups that aren't text of the document, but say something about it. */
const kinds = new Map<string, Group['kind']>([
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['revtbl', 'authors'],
  ['atnauthor', 'author'],
  ['fldinst', 'code'],
])

const longestName = 100

/** Nested groups; deeper ones share the last. */
const maxDepth = 10_000

/** Follows the groups and control words of a document, and writes what a reader of it would see. */
export class Reading {
  readonly #groups: Group[] = []
  readonly #pages = new Map<number, number>()
  readonly #styles = new Styles()
  readonly #revisions = new Revisions()
  readonly #paragraphs: Paragraphs
  #group: Group = { ...outermost }
  #page = 1252
  #bytes: number[] = []
  #encoding = ''
  #substitutes = 0
  #tooDeep = 0
  #hasPictures = false
  /** Right after a group's beginning. */
  #isFresh = false
  #isClosed = false
  /** Of the text before: the brackets that it stands in. */
  #remark = ''
  /** Of the next comment. */
  #author = ''

  constructor(room: number) {
    this.#paragraphs = new Paragraphs(room)
  }

  /** False if there is no more room, or the document is over. */
  take(next: Token): boolean {
    if (next.kind === 'byte') return this.#byte(next.byte)
    const token = this.#rest(next)
    this.#flush()
    const wasOpening = token.kind === 'open'
    if (wasOpening) this.#open()
    else if (token.kind === 'close') this.#close()
    else if (token.kind === 'word') this.#word(token.word, token.value)
    else if (token.kind === 'symbol') this.#symbol(token.symbol)
    else this.#text(token.text)
    this.#isFresh = wasOpening
    return this.#paragraphs.hasRoom && !this.#isClosed
  }

  /** `isCut`: there was no more room. `isWhole` is false if the file itself ends too early. */
  end(): { text: string; isCut: boolean; isWhole: boolean; hasPictures: boolean } {
    this.#flush()
    const isCut = !this.#isClosed && !this.#paragraphs.hasRoom
    this.#setRemark('')
    return {
      text: this.#paragraphs.end(),
      isCut,
      isWhole: this.#isClosed || isCut,
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
    const { field, note } = this.#group
    if (this.#tooDeep > 0) this.#tooDeep--
    else this.#group = this.#groups.pop() ?? this.#group
    this.#isClosed = this.#groups.length === 0
    if (field !== undefined && field !== this.#group.field) this.#put(field.address())
    // What follows may be another one of its kind.
    if (note !== '' && this.#group.note === '' && this.#remark === note) this.#setRemark('')
  }

  #word(word: string, value: number | undefined): void {
    if (word === 'pict') this.#hasPictures = true
    if (unseen.has(word)) this.#hide(word)
    else if (framed.has(word) && this.#group.isFrame) this.#reveal(word)
    else if (kinds.has(word)) this.#group = { ...this.#group, isUnseen: true, kind: kinds.get(word) ?? '' }
    else if (word === 'field') this.#group.field = new Field()
    else if (word === 'ansicpg') this.#page = value ?? 1252
    else if (word === 'mac') this.#page = 10000
    else if (word === 'uc') this.#group.substitutes = Math.min(100, Math.max(0, value ?? 1))
    else if (word === 'f' || word === 'deff') this.#group.font = value ?? -1
    else if (word === 'plain') this.#group = { ...this.#group, ...plain }
    else if (word === 'footnote') this.#note('note')
    else if (word === 'annotation') this.#comment()
    else if (word === 'fcharset' && this.#group.kind === 'fonts') this.#charset(value ?? 0)
    else if (word === 'u') this.#unicode(value ?? 0)
    else if (signs.has(word)) this.#sign(word)
    else if (this.#group.kind === 'styles') this.#styles.word(word, value)
    else this.#format(word, value)
  }

  #hide(word: string): void {
    const around = this.#groups.at(-1)
    const isFrame = frames.has(word) && (!around?.isUnseen || around.isFrame)
    this.#group = { ...this.#group, isUnseen: true, isFrame }
  }

  #reveal(word: string): void {
    this.#group = { ...this.#group, isUnseen: false, isFrame: false, isFramed: true, level: undefined }
    if (word !== 'result') this.#put(' ')
  }

  #format(word: string, value: number | undefined): void {
    if (word === 'v') this.#group.isHidden = value !== 0
    else if (word === 'strike' || word === 'striked') this.#group.isStruck = value !== 0
    else if (word === 'super') this.#group.isRaised = value !== 0
    else if (word === 'nosupersub' || word === 'sub') this.#group.isRaised = false
    else if (word === 'pard')
      this.#group = { ...this.#group, level: undefined, isInTable: this.#group.isFramed && this.#group.isInTable }
    else if (word === 's') this.#group.level = this.#styles.levelOf(value ?? 0)
    else if (word === 'outlinelevel') this.#group.level = levelOf(value)
    else if (word === 'intbl') this.#group.isInTable = true
    else if (word === 'trowd') this.#paragraphs.startRow()
    else this.#group.revised = revisedBy(this.#group.revised, word, value) ?? this.#group.revised
  }

  /** Some programs mark it as for those that know it. */
  #note(note: string): void {
    const isUnseen = this.#groups.at(-1)?.isUnseen ?? false
    this.#group = { ...this.#group, isUnseen, note, isRaised: false, isStruck: false }
  }

  #comment(): void {
    const author = this.#author
      .slice(0, longestName)
      .toWellFormed()
      .replace(/[\s[\]:]+/g, ' ')
      .trim()
    this.#author = ''
    this.#note(`comment (${author || 'unknown'})`)
  }

  #sign(word: string): void {
    if (this.#group.isUnseen) return
    // A note stays in the line where it is referred to.
    if (this.#isGone || this.#group.note !== '') {
      if (this.#remark !== '') this.#paragraphs.put(' ', this.#group)
      return
    }
    this.#setRemark('')
    this.#paragraphs.sign(word, this.#group)
  }

  /** Whether a reader of the document doesn't see it. */
  get #isGone(): boolean {
    return this.#group.revised.deleted.isOn || this.#group.isHidden
  }

  #remarkNow(): string {
    const { deleted, inserted } = this.#group.revised
    if (deleted.isOn) return this.#revisions.text('deleted', deleted)
    if (this.#group.isHidden) return 'hidden'
    if (this.#group.note !== '') return this.#group.note
    return inserted.isOn ? this.#revisions.text('inserted', inserted) : ''
  }

  #setRemark(remark: string): void {
    if (remark === this.#remark) return
    const [before, after] = [this.#remark === '' ? '' : ']', remark === '' ? '' : `[${remark}: `]
    this.#remark = remark
    this.#paragraphs.put(before + after, { ...this.#group, isStruck: false })
  }

  #charset(charset: number): void {
    const page = pageOfCharset(charset)
    if (page !== undefined && this.#pages.size < 10_000) this.#pages.set(this.#group.font, page)
  }

  /** Negative numbers stand for those above 32,767. */
  #unicode(value: number): void {
    this.#put(String.fromCharCode(value < 0 ? value + 65_536 : value))
    this.#substitutes = this.#group.substitutes
  }

  #symbol(symbol: string): void {
    // Only at a group's beginning: what follows is for programs that know it.
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
    else this.#put(decoderOf(this.#encodingNow()).decode(Buffer.from(rest, 'latin1')))
  }

  #byte(byte: number): boolean {
    if (this.#substitutes > 0) this.#substitutes--
    else if (!this.#group.isUnseen || this.#group.kind !== '') {
      this.#encoding = this.#encodingNow()
      this.#bytes.push(byte)
    }
    return this.#paragraphs.hasRoom
  }

  /**
   * Without what is the second half of a character: some programs write it as the letter or sign that it looks like.
   */
  #rest(token: Exclude<Token, { kind: 'byte' }>): Exclude<Token, { kind: 'byte' }> {
    const written = token.kind === 'text' ? token.text : token.kind === 'symbol' ? token.symbol : ''
    const isText = token.kind === 'text' || /^[\\{}]$/.test(written)
    if (!isText || !isHalf(this.#bytes, this.#encoding)) return token
    this.#bytes.push(written.charCodeAt(0))
    return { kind: 'text', text: written.slice(1) }
  }

  /** Bytes in a row may be one character. */
  #flush(): void {
    if (this.#bytes.length === 0) return
    const bytes = Uint8Array.from(this.#bytes)
    this.#bytes = []
    this.#put(decoderOf(this.#encoding).decode(bytes))
  }

  #encodingNow(): string {
    return encodingOfPage(this.#pages.get(this.#group.font) ?? this.#page)
  }

  #put(text: string): void {
    const { kind, field, note, isUnseen } = this.#group
    if (kind === 'styles') this.#styles.text(text)
    if (kind === 'authors') this.#revisions.authors(text)
    if (kind === 'author' && this.#author.length < longestName) this.#author += text
    if (kind === 'code') field?.code(text)
    if (isUnseen || text === '') return
    field?.words(text)
    const remark = this.#remarkNow()
    const isNew = remark !== this.#remark
    if (remark === '' || text.trim() !== '') this.#setRemark(remark)
    if (remark !== this.#remark && (this.#isGone || note !== '')) return
    const shown = isNew && note !== '' ? text.trimStart() : text
    this.#paragraphs.put(this.#group.isRaised ? raised(shown) : shown, this.#group)
  }
}
