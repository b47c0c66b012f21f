/** What distinguishes series. A label has few different values, or there would be too many series. */
export type Labels = Readonly<Record<string, string>>

/** Anything beyond this is counted in one series for the rest. */
const mostSeries = 500
const rest: Labels = { other: 'true' }

/** The values of one instrument by their labels. */
class Series<Value> {
  readonly #all = new Map<string, { labels: Labels; value: Value }>()
  readonly #start: () => Value

  constructor(start: () => Value) {
    this.#start = start
  }

  of(labels: Labels): { labels: Labels; value: Value } {
    const key = JSON.stringify(labels)
    const known = this.#all.get(key)
    if (known !== undefined) return known
    if (this.#all.size >= mostSeries && labels !== rest) return this.of(rest)
    const one = { labels, value: this.#start() }
    this.#all.set(key, one)
    return one
  }

  list(): { labels: Labels; value: Value }[] {
    return [...this.#all.values()]
  }
}

export interface About {
  name: string
  description: string
  unit: string
}

/** A sum that only grows. */
export class Counter {
  readonly about: About
  readonly #series = new Series(() => 0)

  constructor(about: About) {
    this.about = about
  }

  add(value: number, labels: Labels): void {
    if (value > 0) this.#series.of(labels).value += value
  }

  list(): { labels: Labels; value: number }[] {
    return this.#series.list()
  }
}

export interface Spread {
  /** By bucket; the last one is above all bounds. */
  counts: number[]
  count: number
  sum: number
}

/** How values are spread over buckets, each up to and including its bound. */
export class Histogram {
  readonly about: About
  readonly bounds: readonly number[]
  readonly #series: Series<Spread>

  constructor(about: About, bounds: readonly number[]) {
    this.about = about
    this.bounds = bounds
    this.#series = new Series(() => ({ counts: Array(bounds.length + 1).fill(0), count: 0, sum: 0 }))
  }

  record(value: number, labels: Labels): void {
    const { value: spread } = this.#series.of(labels)
    const place = this.bounds.findIndex((bound) => value <= bound)
    const bucket = place === -1 ? this.bounds.length : place
    spread.counts[bucket] = (spread.counts[bucket] ?? 0) + 1
    spread.count++
    spread.sum += value
  }

  list(): { labels: Labels; value: Spread }[] {
    return this.#series.list()
  }
}
