const delimiters = [',', ';', '\t', '|']

/** No text contains this character: a file of one column has no delimiter. */
export const noDelimiter = '\uFFFE'

const sampleCharacters = 65_536
const sampleRows = 200

/**
 * What separates the cells, judged by the text; `noDelimiter` for one column whose text contains commas or the like.
 */
export function delimiterOf(text: string): string {
  const sample = text.slice(0, sampleCharacters)
  const isCut = sample.length < text.length
  const present = delimiters.filter((delimiter) => sample.includes(delimiter))
  const scored = present.map((delimiter) => ({ delimiter, score: scoreOf(countRows(sample, delimiter, isCut)) }))
  const best = scored.reduce((best, one) => (one.score > best.score ? one : best), { delimiter: noDelimiter, score: 0 })
  return present.length === 0 ? ',' : best.delimiter
}

/** What one delimiter makes of a text. */
interface Counted {
  /** Cells of each row that isn't empty. */
  rows: number[]
  /** Rows with a quote that closes where no cell ends. */
  faulty: number
  /** How often it stands between cells; and of these, before a space, and as a comma between two digits. */
  times: number
  spaced: number
  decimal: number
}

/** Zero for something that can't be the delimiter. */
function scoreOf({ rows, faulty, times, spaced, decimal }: Counted): number {
  const [first = 0] = rows
  const split = rows.filter((cells) => cells > 1)
  if (split.length === 0) return 0
  const usual = mostCommon(split)
  const alike = rows.filter((cells) => cells === usual).length / rows.length
  const isProse = spaced * 2 >= times
  const hasHead = first > 1
  if (isProse && (!hasHead || alike < 0.8 || rows.length === 1)) return 0
  if (!hasHead && split.length * 2 < rows.length) return 0
  // One column of numbers with decimal commas, and a name above them.
  if (!hasHead && usual === 2 && decimal === times) return 0
  const isWeak = isProse || decimal * 2 >= times
  const fit = alike * (hasHead ? 1 : 0.7) * (isWeak ? 0.8 : 1) * (1 - faulty / rows.length)
  return fit + Math.min(usual, 20) / 1000
}

/** Of equally common ones, the larger. */
function mostCommon(counts: number[]): number {
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  const [best] = [...times].sort((a, b) => b[1] - a[1] || b[0] - a[0])
  return best?.[0] ?? 0
}

/** A quote that is never closed turns the rest into one cell: then quotes don't count as quotes. */
function countRows(sample: string, delimiter: string, isCut: boolean): Counted {
  const count = new Count(sample, delimiter, true)
  const isOpen = count.run()
  if (isOpen && (!isCut || count.counted.rows.length < 2)) {
    const plain = new Count(sample, delimiter, false)
    plain.run()
    return plain.counted
  }
  if (isCut && count.counted.rows.length > 1) count.counted.rows.pop()
  return count.counted
}

const quote = 0x22
const space = 0x20
const comma = 0x2c
const isLineEnd = (code: number): boolean => code === 0x0a || code === 0x0d
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

class Count {
  readonly counted: Counted = { rows: [], faulty: 0, times: 0, spaced: 0, decimal: 0 }
  readonly #text: string
  readonly #delimiter: number
  readonly #hasQuotes: boolean
  #isFaulty = false

  constructor(text: string, delimiter: string, hasQuotes: boolean) {
    this.#text = text
    this.#delimiter = delimiter.charCodeAt(0)
    this.#hasQuotes = hasQuotes
  }

  /** True if it ends within a quote. */
  run(): boolean {
    const text = this.#text
    let cells = 1
    let cellStart = 0
    let rowStart = 0
    for (let at = 0; at <= text.length && this.counted.rows.length < sampleRows; at++) {
      // Not a number at the end.
      const code = text.charCodeAt(at)
      if (code === quote && at === cellStart && this.#hasQuotes) {
        const end = this.#quoteEnd(at)
        if (end === -1) return true
        at = end
      } else if (code === this.#delimiter) {
        cells++
        cellStart = at + 1
        this.#separates(at)
      } else if (at === text.length || isLineEnd(code)) {
        if (at > rowStart) this.#row(cells)
        cells = 1
        cellStart = at + 1
        rowStart = at + 1
      }
    }
    return false
  }

  #row(cells: number): void {
    this.counted.rows.push(cells)
    if (this.#isFaulty) this.counted.faulty++
    this.#isFaulty = false
  }

  #separates(at: number): void {
    const after = this.#text.charCodeAt(at + 1)
    this.counted.times++
    if (after === space) this.counted.spaced++
    if (this.#delimiter === comma && isDigit(after) && isDigit(this.#text.charCodeAt(at - 1))) this.counted.decimal++
  }

  /** The position of the quote that closes a cell, -1 if there is none. */
  #quoteEnd(start: number): number {
    const text = this.#text
    for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
      if (text.charCodeAt(at + 1) === quote) {
        at++
        continue
      }
      let next = at + 1
      while (text.charCodeAt(next) === space) next++
      const code = text.charCodeAt(next)
      if (next >= text.length || code === this.#delimiter || isLineEnd(code)) return at
      this.#isFaulty = true
      at = next - 1
    }
    return -1
  }
}
