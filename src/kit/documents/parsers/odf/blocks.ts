import { elementsOf, type XmlElement } from '../../xml.ts'
import type { Block } from '../docx/sections.ts'
import { markdownTable, type TableCell } from '../docx/tables.ts'
import { markOf } from './changes.ts'
import { Counter } from './counter.ts'
import { altOf, commentOf, type InlineContext, odfInline } from './inline.ts'
import { timesOf } from './names.ts'
import { objectIn, objectText } from './objects.ts'
import { cellsOf, rowsOf } from './rows.ts'
import { type ListLevel, small, startOf } from './styles.ts'

/** Rows and columns that are repeated and contain text: some are meant, a million isn't. */
const maxRepeats = 50
/** And only short ones, this many in all. */
const repeatedCharacters = 200
const maxRepeatedCells = 20_000

/** The content of these is text like any other. */
const skipped = new Set([
  'text:tracked-changes',
  'office:forms',
  'text:sequence-decls',
  'text:variable-decls',
  'svg:title',
  'svg:desc',
])

/** What a frame may hold besides pictures and objects. */
const holders = new Set(['draw:text-box', 'table:table'])

interface ListPlace {
  counter: Counter
  level: number
  style: string
}

/** Text, text boxes, cells and notes of an OpenDocument file as Markdown blocks. */
export class BlockReader {
  readonly #context: InlineContext
  readonly #headings = new Counter()
  #repeatsLeft = maxRepeatedCells
  #lastList: { style: string; counter: Counter } | undefined
  /** Of lists that others may continue, by their ids. */
  readonly #counters = new Map<string, Counter>()
  /** Within a section that isn't shown. */
  #isHidden = false

  constructor(context: InlineContext) {
    this.#context = context
  }

  read(parent: XmlElement, isPlain = false): Block[] {
    return elementsOf(parent).flatMap((child) => this.#element(child, isPlain))
  }

  #element(element: XmlElement, isPlain: boolean): Block[] {
    if (skipped.has(element.name)) return []
    if (element.name === 'text:change') return [{ text: markOf(element, this.#context.changes ?? new Map()) }]
    if (element.name === 'text:h') return this.#paragraph(element, true)
    if (element.name === 'text:p') return this.#paragraph(element, isPlain)
    if (element.name === 'text:list') return this.#list(element, isPlain)
    if (element.name === 'table:table') return this.table(element)
    if (element.name === 'text:section') return this.#section(element, isPlain)
    if (element.name === 'office:annotation') return [{ text: `> ${commentOf(element)}` }]
    const isObject = element.name === 'draw:frame' && elementsOf(element).every(({ name }) => !holders.has(name))
    if (!isObject) return this.read(element, isPlain)
    const object = objectIn(element, this.#context.objects)
    return [{ text: object === undefined ? altOf(element) : objectText(object) }]
  }

  #section(section: XmlElement, isPlain: boolean): Block[] {
    const { attributes } = section
    const display = attributes.get('text:display')
    const around = this.#isHidden
    this.#isHidden ||= display === 'none' || (display === 'condition' && attributes.get('text:is-hidden') === 'true')
    const blocks = this.read(section, isPlain)
    this.#isHidden = around
    return blocks
  }

  #paragraph(element: XmlElement, isPlain: boolean): Block[] {
    const style = this.#context.styles.text.get(element.attributes.get('text:style-name') ?? '')
    const isHidden = this.#isHidden || style?.isHidden === true
    const context = isHidden ? { ...this.#context, isHidden } : this.#context
    const { text: shown, notes, comments, boxes } = odfInline(element, context, isPlain)
    const text = isHidden && shown !== '' ? `[hidden: ${shown}]`.replaceAll(/\[hidden: *\]/g, '') : shown
    const referring = notes.length > 0 ? { notes } : {}
    const blocks: Block[] = []
    if (element.name === 'text:h' && text !== '') {
      const level = Math.min(6, small(element.attributes.get('text:outline-level')))
      const label = this.#headingLabel(element, level)
      const name = `${label ? `${label} ` : ''}${text.replaceAll('\n', ' ')}`
      blocks.push({
        text: `${'#'.repeat(level)} ${name}`,
        level,
        name: name.replace(/\[\^\d+\]/g, '').trim(),
        ...referring,
      })
    } else if (text !== '') blocks.push({ text, ...referring })
    for (const comment of comments) blocks.push({ text: `> ${comment}` })
    return [...blocks, ...boxes.flatMap((box) => this.read(box, isPlain))]
  }

  #headingLabel({ attributes }: XmlElement, level: number): string | undefined {
    if (attributes.get('text:is-list-header') === 'true') return undefined
    const levels = this.#context.styles.outline
    const restarts = attributes.get('text:restart-numbering') === 'true'
    const start = restarts ? (startOf(attributes.get('text:start-value')) ?? levels.get(level)?.start ?? 1) : undefined
    return this.#headings.next(levels, level, start)?.trim()
  }

  #list(list: XmlElement, isPlain: boolean, outer?: ListPlace): Block[] {
    const style = list.attributes.get('text:style-name') ?? outer?.style ?? ''
    const place: ListPlace = {
      counter: outer?.counter ?? this.#counterOf(list, style),
      level: (outer?.level ?? 0) + 1,
      style,
    }
    return elementsOf(list).flatMap((item) => this.#item(item, place, isPlain))
  }

  /** A list may continue where another has ended: the one that it names, or the one before. */
  #counterOf({ attributes }: XmlElement, style: string): Counter {
    const named = attributes.get('text:continue-list')
    const last = this.#lastList?.style === style ? this.#lastList.counter : undefined
    const goesOn = named !== undefined || attributes.get('text:continue-numbering') === 'true'
    const counter = this.#counters.get(named ?? '') ?? (goesOn ? last : undefined) ?? new Counter()
    this.#lastList = { style, counter }
    const id = attributes.get('xml:id')
    if (id !== undefined) this.#counters.set(id, counter)
    return counter
  }

  #levelsOf(style: string): ReadonlyMap<number, ListLevel> {
    return this.#context.styles.lists.get(style) ?? new Map()
  }

  #item(item: XmlElement, place: ListPlace, isPlain: boolean): Block[] {
    const blocks: Block[] = []
    const indent = '  '.repeat(Math.min(9, place.level) - 1)
    const start = startOf(item.attributes.get('text:start-value'))
    const nextLabel = (): string =>
      `${place.counter.next(this.#levelsOf(place.style), place.level, start)?.trim() ?? '-'} `
    let label = item.name === 'text:list-item' ? undefined : ''
    for (const child of elementsOf(item)) {
      // An empty item has its number too.
      if (child.name === 'text:p') label ??= nextLabel()
      if (child.name === 'text:list') {
        blocks.push(...this.#list(child, isPlain, place))
        continue
      }
      for (const block of this.#element(child, isPlain)) {
        if (block.level !== undefined || block.text.startsWith('> comment') || block.text.startsWith('|')) {
          blocks.push(block)
          continue
        }
        label ??= nextLabel()
        blocks.push({
          ...block,
          text: `${indent}${label}${block.text.replaceAll('\n', `\n${indent}  `)}`,
          isItem: true,
        })
        label = '  '
      }
    }
    return blocks
  }

  table(table: XmlElement): Block[] {
    const notes: string[] = []
    const comments: Block[] = []
    const rows: TableCell[][] = []
    for (const row of rowsOf(table)) {
      const cells = cellsOf(row).flatMap((cell) => this.#cell(cell, notes, comments))
      const hasText = cells.some(({ text }) => text !== '')
      const length = cells.reduce((sum, { text }) => sum + text.length, 0)
      const isShort = hasText && length <= repeatedCharacters * cells.length
      const times = this.#repeats(isShort, row.attributes.get('table:number-rows-repeated'), cells.length)
      for (let time = 0; time < times; time++) rows.push(cells)
    }
    return [{ text: markdownTable(rows), ...(notes.length > 0 ? { notes } : {}) }, ...comments]
  }

  /** Covered cells are left to the cell that covers them. */
  #cell(cell: XmlElement, notes: string[], comments: Block[]): TableCell[] {
    if (cell.name === 'table:covered-table-cell') return []
    const blocks = this.#inCell(cell)
    notes.push(...blocks.flatMap((block) => block.notes ?? []))
    comments.push(...blocks.filter(({ text }) => text.startsWith('> comment (')))
    const text = blocks.flatMap((block) => (block.text.startsWith('> comment (') ? [] : [block.text])).join('\n')
    const columns = small(cell.attributes.get('table:number-columns-spanned'))
    const rows = small(cell.attributes.get('table:number-rows-spanned'))
    const times = this.#repeats(
      text.length <= repeatedCharacters,
      cell.attributes.get('table:number-columns-repeated'),
      1,
    )
    return new Array<TableCell>(times).fill({ text, columns, rows })
  }

  #repeats(isWanted: boolean, written: string | undefined, cells: number): number {
    const times = Math.min(maxRepeats, timesOf(written))
    if (!isWanted || times === 1 || this.#repeatsLeft < times * cells) return 1
    this.#repeatsLeft -= times * cells
    return times
  }

  #inCell(cell: XmlElement): Block[] {
    return elementsOf(cell).flatMap((child): Block[] => {
      if (child.name !== 'table:table') return this.#element(child, true)
      const lines = [...rowsOf(child)].map((row) =>
        cellsOf(row)
          .map((inner) =>
            this.#inCell(inner)
              .map(({ text }) => text)
              .join(' '),
          )
          .join(', '),
      )
      return [{ text: lines.join('\n') }]
    })
  }
}
