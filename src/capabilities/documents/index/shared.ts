import { unlessAborted } from '../../../kit/abort.ts'

interface Work<T> {
  promise: Promise<T>
  waiting: number
  ending: AbortController
}

/** Work that several callers want is done once. It ends early when none of them is waiting any more. */
export class Shared<T> {
  readonly #works = new Map<string, Work<T>>()

  get size(): number {
    return this.#works.size
  }

  async do(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const known = this.#works.get(key)
    const work = known === undefined || known.ending.signal.aborted ? this.#begin(key, begin, known?.promise) : known
    work.waiting++
    try {
      return await unlessAborted(signal, () => work.promise)
    } finally {
      work.waiting--
      if (work.waiting === 0) {
        work.ending.abort(new DOMException('Nobody waits for it any more.', 'AbortError'))
      }
    }
  }

  /** Wait for the abandoned attempt first: it may still have finished. */
  #begin(key: string, begin: (signal: AbortSignal) => Promise<T>, before?: Promise<T>): Work<T> {
    const ending = new AbortController()
    const start = () => begin(ending.signal)
    const promise = before === undefined ? start() : before.then(start, start)
    const work = { promise, waiting: 0, ending }
    this.#works.set(key, work)
    // Whoever is waiting gets the error.
    const forget = () => this.#forget(key, work)
    work.promise.then(forget, forget)
    return work
  }

  #forget(key: string, work: Work<T>): void {
    if (this.#works.get(key) === work) this.#works.delete(key)
  }
}
