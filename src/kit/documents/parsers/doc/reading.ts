import type { Node } from '../docx/model.ts'
import { type CharacterFormat, changeAuthors, fontsOf, formatOf } from './characters.ts'
import { fieldsIn } from './fields.ts'
import { Inline, type Run } from './inline.ts'
import { numberingOf } from './lists.ts'
import { PropertyPages, type Stored, sprmsIn } from './properties.ts'
import { applyTo, type ParagraphFormat, stylesOf } from './styles.ts'
import { Body, type End } from './tables.ts'
import { textOf } from './text.ts'
import type { Range, WordFile } from './word-file.ts'

const none = Buffer.alloc(0)

const cellMark = '\x07'
// biome-ignore lint/suspicious/noControlCharactersInRegex: Word ends cells with a control character.
const paragraphMarks = /[\r\x07\f]/g
/** Of no list, although its style is of one. */
const noLists = new Set([0, 0xf801])
/** Properties in another stream, since they are many. */
const elsewhere = new Set([0x6645, 0x6646])

/** What a mark in the text refers to. */
export interface References {
  /** What stands in place of the mark. */
  inline: ReadonlyMap<number, Node>
  /** What follows its paragraph. */
  after: ReadonlyMap<number, () => Node[]>
}

const nothing: References = { inline: new Map(), after: new Map() }

/** Makes paragraphs, tables and lists of the text's parts. */
export class Reading {
  readonly text: string
  readonly #file: WordFile
  readonly #placeOf: ReturnType<typeof textOf>['placeOf']
  readonly #paragraphs: PropertyPages
  readonly #characters: PropertyPages
  readonly #styles: ReturnType<typeof stylesOf>
  readonly #numbering: ReturnType<typeof numberingOf>
  readonly #authors: readonly string[]
  readonly #fonts: readonly string[]

  /** Throws `damaged`. */
  constructor(file: WordFile) {
    this.#file = file
    const { text, placeOf } = textOf(file)
    this.text = text
    this.#placeOf = placeOf
    this.#paragraphs = new PropertyPages(file, 'paragraphPages')
    this.#characters = new PropertyPages(file, 'characterPages')
    this.#styles = stylesOf(file)
    this.#numbering = numberingOf(file)
    this.#authors = changeAuthors(file)
    this.#fonts = fontsOf(file)
  }

  nodesOf(range: Range, { inline, after }: References = nothing): Node[] {
    const part = { from: Math.min(range.from, this.text.length), to: Math.min(range.to, this.text.length) }
    const contents = new Inline(this.text, { fields: fieldsIn(this.text, part), references: inline }, this.#authors)
    const body = new Body()
    const marks = new RegExp(paragraphMarks)
    for (let from = part.from; from < part.to; ) {
      marks.lastIndex = from
      const to = Math.min(part.to, marks.exec(this.text)?.index ?? part.to)
      const format = this.#paragraphAt(to)
      const children = contents.nodesOf(this.#runs(from, to), format.isHidden === true)
      const beside = after.size === 0 ? [] : Array.from({ length: to - from }, (_, index) => after.get(from + index))
      const end = endOf(this.text[to], format)
      const isSeen = children.length > 0 || (end !== 'row' && this.#isEmptyLine(to, format))
      const nodes = [this.#paragraph(children, format, isSeen), ...beside.flatMap((make) => make?.() ?? [])]
      body.add(nodes, format, end)
      from = to + 1
    }
    return body.end()
  }

  /** Whether a paragraph without text, which ends there, stands on a line of its own, with its number. */
  #isEmptyLine(to: number, { isHidden = false }: ParagraphFormat): boolean {
    // A page break stands in the middle of a paragraph.
    if (this.text[to] === '\f' || this.text[to - 1] === '\f') return false
    const [mark] = this.#runs(to, to + 1)
    return mark?.format.deleted === undefined && mark?.format.isHidden !== true && !isHidden
  }

  #paragraph(children: Node[], { headingLevel, list, listLevel = 0 }: ParagraphFormat, isSeen: boolean): Node {
    const isListed = list !== undefined && !noLists.has(list) && isSeen
    const label = isListed ? this.#numbering.next(String(list), listLevel) : undefined
    if (headingLevel === undefined && label === undefined) return { type: 'paragraph', children }
    const item = label === undefined ? {} : { item: { level: listLevel, label } }
    const mark = { ...(headingLevel === undefined ? {} : { headingLevel }), ...item }
    return { type: 'paragraph', children: [{ type: 'bookmarkStart', name: JSON.stringify(mark) }, ...children] }
  }

  /** The properties of the paragraph whose mark is there. */
  #paragraphAt(position: number): ParagraphFormat {
    const place = this.#placeOf(position)
    if (place === undefined) return {}
    const stored = this.#paragraphs.at(place.at)?.bytes ?? none
    const style = stored.length >= 2 ? stored.readUInt16LE(0) : 0
    const format = { ...this.#styles.get(style) }
    const own = sprmsIn(stored.subarray(2))
    applyTo(
      format,
      own.flatMap((sprm) => (elsewhere.has(sprm.code) ? this.#many(sprm.operand) : [sprm])),
    )
    applyTo(format, sprmsIn(place.properties))
    return format
  }

  #many(operand: Buffer): ReturnType<typeof sprmsIn> {
    const at = operand.length >= 4 ? operand.readUInt32LE(0) : 0
    const { data } = this.#file
    return at + 2 > data.length ? [] : sprmsIn(data.subarray(at + 2, at + 2 + data.readUInt16LE(at)))
  }

  #runs(from: number, to: number): Run[] {
    const runs: Run[] = []
    for (let at = from; at < to; ) {
      const place = this.#placeOf(at)
      const stored = place === undefined ? undefined : this.#characters.at(place.at)
      const left = place === undefined ? to - at : place.left
      const same =
        place === undefined || stored === undefined ? 1 : Math.ceil((stored.end - place.at) / place.bytesEach)
      const end = Math.min(to, at + Math.min(left, Math.max(1, same)))
      runs.push({ from: at, to: end, format: this.#formatOf(stored, place?.properties) })
      at = end
    }
    return runs
  }

  #formatOf(stored: Stored | undefined, added: Buffer | undefined): CharacterFormat {
    const sprms = [...sprmsIn(stored?.bytes ?? none), ...sprmsIn(added ?? none)]
    return formatOf(sprms, this.#fonts)
  }
}

function endOf(mark: string | undefined, { isInTable, depth = 1, isRowEnd, isInnerCellEnd }: ParagraphFormat): End {
  if (!isInTable) return undefined
  if (isRowEnd) return 'row'
  return mark === cellMark || (depth > 1 && isInnerCellEnd) ? 'cell' : undefined
}
