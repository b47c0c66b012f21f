import { allOf, within, type XmlElement } from '../../xml.ts'

export interface NumberingLevel {
  format: string
  /** `%1.%2`: placeholders for each level's number. */
  text: string
  /** All its numbers are shown as digits. */
  isLegal: boolean
  start: number
  /** It restarts only after levels above this one, and above itself: never if it is 0. */
  restartsAfter: number
}

const maxLabelCharacters = 60

export interface List {
  /** Lists with the same one count on together. */
  id: string
  levels: NumberingLevel[]
  /** Levels that restart with this list. */
  restarts: Map<number, number>
}

/** The lists of a document, and how far each has counted. */
export class Numbering {
  readonly #lists: ReadonlyMap<string, List>
  readonly #counts = new Map<string, (number | undefined)[]>()
  readonly #begun = new Set<string>()

  /** By the number that paragraphs use. */
  constructor(lists: ReadonlyMap<string, List>) {
    this.#lists = lists
  }

  /**
   * Counts on, and returns the label of the next item (`4.1`, `b)`), `-` for a bullet. Undefined if there is no such
   * list.
   */
  next(listId: string, at: number): string | undefined {
    const list = this.#lists.get(listId)
    const level = list?.levels[at]
    if (list === undefined || level === undefined) return undefined
    const counts = this.#counts.get(list.id) ?? []
    this.#counts.set(list.id, counts)
    if (!this.#begun.has(listId)) {
      this.#begun.add(listId)
      for (const [restarted, start] of list.restarts) counts[restarted] = start - 1
    }
    counts[at] = (counts[at] ?? level.start - 1) + 1
    for (let lower = at + 1; lower < counts.length; lower++)
      if (at < (list.levels[lower]?.restartsAfter ?? lower)) counts[lower] = undefined
    if (level.format === 'bullet') return '-'
    const label = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const place = Number(digit) - 1
      const { format = 'decimal', start = 1 } = list.levels[place] ?? {}
      return numberAs(level.isLegal ? 'decimal' : format, counts[place] ?? start)
    })
    return label.slice(0, maxLabelCharacters)
  }
}

/** The lists of a part with numbering. */
export function numberingIn(root: XmlElement | undefined): Numbering {
  const lists = new Map<string, List>()
  const abstracts = allOf(root, 'w:abstractNum').map((one) => ({
    id: one.attributes.get('w:abstractNumId'),
    levels: levelsOf(one),
    /** The list style that it defines, or that it takes its levels from. */
    defines: wordValue(within(one, 'w:styleLink')),
    takes: wordValue(within(one, 'w:numStyleLink')),
  }))
  const byId = new Map(abstracts.map((one) => [one.id, one]))
  const byStyle = new Map(abstracts.map((one) => [one.defines, one]))
  for (const one of allOf(root, 'w:num')) {
    const number = one.attributes.get('w:numId')
    const written = byId.get(wordValue(within(one, 'w:abstractNumId')))
    // Lists of one style count on together.
    const { id, levels: known = [] } =
      (written?.takes === undefined ? undefined : byStyle.get(written.takes)) ?? written ?? {}
    if (number === undefined || id === undefined) continue
    const levels = [...known]
    const restarts = new Map<number, number>()
    for (const override of allOf(one, 'w:lvlOverride')) {
      const at = levelNumber(override.attributes.get('w:ilvl'))
      const level = within(override, 'w:lvl')
      if (level !== undefined) levels[at] = levelOf(level)
      const start = wordValue(within(override, 'w:startOverride'))
      if (start !== undefined) restarts.set(at, wholeNumber(start, 1))
    }
    lists.set(number, { id, levels, restarts })
  }
  return new Numbering(lists)
}

function levelsOf(abstract: XmlElement): NumberingLevel[] {
  const levels: NumberingLevel[] = []
  for (const level of allOf(abstract, 'w:lvl')) levels[levelNumber(level.attributes.get('w:ilvl'))] = levelOf(level)
  return levels
}

const levelOf = (level: XmlElement): NumberingLevel => ({
  format: wordValue(within(level, 'w:numFmt')) ?? 'decimal',
  text: (wordValue(within(level, 'w:lvlText')) ?? '').slice(0, maxLabelCharacters),
  isLegal: within(level, 'w:isLgl') !== undefined,
  start: wholeNumber(wordValue(within(level, 'w:start')), 1),
  restartsAfter: wholeNumber(wordValue(within(level, 'w:lvlRestart')), Number.POSITIVE_INFINITY),
})

export const wordValue = (element: XmlElement | undefined): string | undefined => element?.attributes.get('w:val')

/** A level from 0 to 8, as Word has them. */
export const levelNumber = (written: string | undefined): number => Math.min(8, wholeNumber(written, 0))

const wholeNumber = (written: string | undefined, otherwise: number): number =>
  written !== undefined && /^\d{1,6}$/.test(written) ? Number(written) : otherwise

const romans: readonly [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

/** `number` as a list writes it; formats of other scripts become digits. */
export function numberAs(format: string, number: number): string {
  if (format === 'none') return ''
  if (format === 'decimalZero') return String(number).padStart(2, '0')
  if (number < 1 || number > 3999) return String(number)
  if (format === 'lowerLetter') return lettersOf(number)
  if (format === 'upperLetter') return lettersOf(number).toUpperCase()
  if (format === 'lowerRoman') return romanOf(number)
  return format === 'upperRoman' ? romanOf(number).toUpperCase() : String(number)
}

/** After z comes aa, then bb, as in Word. */
const lettersOf = (number: number): string =>
  String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))

function romanOf(number: number): string {
  let rest = number
  let roman = ''
  for (const [value, letters] of romans) {
    while (rest >= value) {
      roman += letters
      rest -= value
    }
  }
  return roman
}
