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

  /** The label of the next item there; undefined where items are not numbered. `start`: its number, if it is set. */
  next(levels: ReadonlyMap<number, ListLevel>, at: number, start?: number): string | undefined {
    const level = levels.get(at)
    this.#counts.length = Math.min(this.#counts.length, at + 1)
    this.#counts[at] = start ?? (this.#counts[at] ?? (level?.start ?? 1) - 1) + 1
    if (level === undefined) return undefined
    const numbers: string[] = []
    for (let place = Math.max(1, at - Math.min(level.shown, 10) + 1); place <= at; place++) {
      const { format = '', start = 1 } = levels.get(place) ?? {}
      if (format !== '') numbers.push(numberAs(formats.get(format) ?? format, this.#counts[place] ?? start))
    }
    return level.prefix + numbers.join('.') + level.suffix
  }
}
