interface Waiting {
  owner: string
  begin: () => void
}

/** Runs some tasks at the same time. Owners take turns: whoever has much waits behind whoever has little. */
export class Turns {
  readonly #atOnce: number
  readonly #waiting: Waiting[] = []
  /** By owner, how many of theirs are running, and in which turn they were served last. */
  readonly #served = new Map<string, { running: number; turn: number }>()
  #running = 0
  #turn = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  async do<T>(owner: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ owner, begin })
      this.#next()
    })
    try {
      return await work()
    } finally {
      this.#end(owner)
    }
  }

  #next(): void {
    if (this.#running >= this.#atOnce) return
    const place = this.#best()
    const [next] = place === -1 ? [] : this.#waiting.splice(place, 1)
    if (next === undefined) return
    const served = this.#served.get(next.owner) ?? { running: 0, turn: 0 }
    this.#served.set(next.owner, { running: served.running + 1, turn: ++this.#turn })
    this.#running++
    next.begin()
  }

  /** The owner with the fewest running tasks, then the one served longest ago, then the one who came first. */
  #best(): number {
    const rank = ({ owner }: Waiting) => this.#served.get(owner) ?? { running: 0, turn: 0 }
    let best = 0
    for (let place = 1; place < this.#waiting.length; place++) {
      const [one, other] = [this.#waiting[best], this.#waiting[place]]
      if (one === undefined || other === undefined) break
      const [a, b] = [rank(one), rank(other)]
      if (b.running < a.running || (b.running === a.running && b.turn < a.turn)) best = place
    }
    return this.#waiting.length === 0 ? -1 : best
  }

  #end(owner: string): void {
    this.#running--
    const served = this.#served.get(owner)
    if (served !== undefined) served.running--
    // An owner with nothing here is forgotten.
    if (served?.running === 0 && !this.#waiting.some((one) => one.owner === owner)) this.#served.delete(owner)
    this.#next()
  }
}
