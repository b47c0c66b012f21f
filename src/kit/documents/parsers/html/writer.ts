import { raised } from '../text/marks.ts'
import { attributeOf, numberOf } from './attributes.ts'
import { Crossed } from './crossed.ts'
import { Lines } from './lines.ts'
import { OpenTable } from './table.ts'

/** Blocks that stand apart, and those that only have lines of their own. */
const apart = new Set('p blockquote pre dl hr article section header footer figure'.split(' '))
const onLines = new Set('div tr dt dd center address fieldset form caption main aside nav'.split(' '))

/** Elements within a line that may stand inside of `sup`; any other ends one that isn't closed. */
const inLines = new Set('a b i em strong span font small u s strike del'.split(' '))
const strikes = new Set(['s', 'strike', 'del'])

const maxNested = 50
/** Cells of all tables together; beyond that, cells become text between bars. */
const maxCells = 200_000
/** How many places cells of all tables may span: it costs a file nothing. */
const maxCovered = 50_000
/** A longer address tells readers nothing. */
const addressCharacters = 1000

/** Receives elements and texts in order; missing or extra tags do no harm. */
export class HtmlWriter {
  readonly #root = new Lines()
  readonly #tables: OpenTable[] = []
  #cells = 0
  #covered = 0
  #tooDeep = 0
  #preformatted = 0
  #isRaised = false
  #isStruck = false
  readonly #crossed = new Crossed()
  #link: { address: string; text: string } | undefined

  text(text: string): void {
    const shown = this.#isRaised ? raised(text) : text
    const isStruck = this.#isStruck || this.#crossed.isOpen
    if (this.#preformatted > 0) this.#lines.preformatted(shown, isStruck)
    else this.#lines.text(shown, isStruck)
    if (this.#link !== undefined && this.#link.text.length < addressCharacters) this.#link.text += text
  }

  open(element: string, tag: string): void {
    this.#mark(element, true)
    this.#crossed.open(element, tag)
    if (element === 'table') this.#openTable(tag)
    else if (element === 'tr') this.#tables.at(-1)?.row()
    else if (element === 'td' || element === 'th') this.#openCell(tag)
    else if (element === 'ul' || element === 'ol') this.#lines.list(element === 'ol', numberOf(tag, 'start') ?? 1)
    else if (element === 'li') this.#lines.item(numberOf(tag, 'value'))
    else if (/^h[1-6]$/.test(element)) this.#openHeading(Number(element[1]))
    else if (element === 'br') this.#lines.break()
    else if (element === 'a') this.#openLink(tag)
    else this.#block(element)
    if (element === 'pre') this.#preformatted++
  }

  close(element: string): void {
    this.#mark(element, false)
    this.#crossed.close(element)
    if (element === 'table') this.#closeTable()
    else if (element === 'tr') this.#tables.at(-1)?.endRow()
    else if (element === 'td' || element === 'th') this.#tables.at(-1)?.endCell()
    else if (element === 'ul' || element === 'ol') this.#lines.endList()
    else if (element === 'li') this.#lines.endItem()
    else if (/^h[1-6]$/.test(element)) this.#lines.endHeading()
    else if (element === 'a') this.#closeLink()
    else this.#block(element)
    if (element === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1)
  }

  end(): string {
    this.#closeLink()
    this.#tooDeep = 0
    while (this.#tables.length > 0) this.#closeTable()
    return this.#root.end().join('\n')
  }

  get #lines(): Lines {
    return this.#tables.at(-1)?.lines ?? this.#root
  }

  #mark(element: string, isOpen: boolean): void {
    if (element === 'sup') this.#isRaised = isOpen
    else if (!inLines.has(element)) this.#isRaised = false
    if (strikes.has(element)) this.#isStruck = isOpen
    else if (element === 'td' || element === 'th' || element === 'table') this.#isStruck = false
  }

  #block(element: string): void {
    if (apart.has(element)) this.#lines.gap()
    else if (onLines.has(element)) this.#lines.block()
  }

  #openTable(tag: string): void {
    this.#lines.gap()
    const outer = this.#tables.at(-1)
    outer?.isOfLayout()
    if (this.#tables.length >= maxNested) this.#tooDeep++
    else this.#tables.push(new OpenTable(this.#lines, /^(presentation|none)$/i.test(attributeOf(tag, 'role') ?? '')))
  }

  #closeTable(): void {
    if (this.#tooDeep > 0) this.#tooDeep--
    else this.#tables.pop()?.end()
  }

  #openCell(tag: string): void {
    this.#cells++
    const table = this.#tables.at(-1)
    if (table === undefined || this.#tooDeep > 0 || this.#cells > maxCells) this.#lines.text(' | ')
    else table.cell(...this.#spans(numberOf(tag, 'colspan') ?? 1, numberOf(tag, 'rowspan') ?? 1))
  }

  #spans(columns: number, rows: number): [columns: number, rows: number] {
    const covered = columns * rows - 1
    if (this.#covered + covered > maxCovered) return [1, 1]
    this.#covered += Math.max(0, covered)
    return [columns, rows]
  }

  #openHeading(level: number): void {
    this.#tables.at(-1)?.isOfLayout()
    this.#lines.heading(level)
  }

  #openLink(tag: string): void {
    this.#closeLink()
    const address = attributeOf(tag, 'href')?.trim() ?? ''
    const isUseful = /^(https?:|mailto:)\S+$/i.test(address) && address.length <= addressCharacters
    if (isUseful) this.#link = { address, text: '' }
  }

  /** The address follows the text, unless it is the text. */
  #closeLink(): void {
    const { address = '', text = '' } = this.#link ?? {}
    this.#link = undefined
    const words = text.trim()
    if (words === '' || words === address || words === bare(address)) return
    this.#lines.text(` (${address})`)
  }
}

const bare = (address: string): string => address.replace(/^(https?:\/\/|mailto:)/i, '').replace(/\/$/, '')
