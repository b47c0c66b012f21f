import { numberAs } from '../docx/numbering.ts'
import type { ListLevel } from './styles.ts'

const formats: ReadonlyMap<string, string> = new Map([
  ['1', 'decimal'],
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
])

/** Counts the items of a list, or headings, through their levels (from 1). */
export class Counter {
  readonly #counts: (number | undefined)[] = []
  readonly #levels: ReadonlyMap<number, ListLevel>

  constructor(levels: ReadonlyMap<number, ListLevel>) {
    this.#levels = levels
  }

  /** The label of the next item there; undefined where items are not numbered. */
  next(at: number): string | undefined {
    const level = this.#levels.get(at)
    this.#counts.length = Math.min(this.#counts.length, at + 1)
    this.#counts[at] = (this.#counts[at] ?? (level?.start ?? 1) - 1) + 1
    if (level === undefined) return undefined
    const numbers: string[] = []
    for (let place = Math.max(1, at - Math.min(level.shown, 10) + 1); place <= at; place++) {
      const { format = '', start = 1 } = this.#levels.get(place) ?? {}
      if (format !== '') numbers.push(numberAs(formats.get(format) ?? format, this.#counts[place] ?? start))
    }
    return level.prefix + numbers.join('.') + level.suffix
  }
}
