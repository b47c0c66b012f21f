import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { unlessAborted } from '../abort.ts'
import { Failure } from '../failure.ts'
import type { Span } from '../text/span.ts'

/** For a whole search: backtracking may take exponential time. */
const totalMs = 5_000

const memory = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 }

/**
 * Runs one expression in a thread of its own, which is ended if it takes too long, needs too much memory, or nobody
 * waits for it.
 */
export class BackgroundSearch {
  readonly #source: string
  readonly #flags: string
  readonly #signal: AbortSignal
  #worker: Worker | undefined
  #leftMs = totalMs

  constructor(source: string, flags: string, signal: AbortSignal) {
    this.#source = source
    this.#flags = flags
    this.#signal = signal
  }

  /**
   * Where it matches in each of the texts, at most `most` times in each. Calls must not overlap. Throws `too_slow` if
   * all of them together take too long.
   */
  async find(texts: string[], most: number): Promise<Span[][]> {
    try {
      const worker = this.#worker ?? (await unlessAborted(this.#signal, () => this.#start()))
      const began = performance.now()
      const found = await unlessAborted(this.#signal, () => this.#ask(worker, { texts, most }))
      this.#leftMs -= performance.now() - began
      return found
    } catch (thrown) {
      this.end()
      throw thrown
    }
  }

  /** Resolves when it is ready: how long that takes says nothing about the expression. */
  async #start(): Promise<Worker> {
    const workerData = { source: this.#source, flags: this.#flags }
    const worker = new Worker(new URL('./search-thread.ts', import.meta.url), {
      workerData,
      resourceLimits: memory,
      env: {},
    })
    // Whoever waits hears of its end instead.
    worker.on('error', () => {})
    this.#worker = worker
    await Promise.race([once(worker, 'message'), once(worker, 'exit')])
    return worker
  }

  #ask(worker: Worker, question: { texts: string[]; most: number }): Promise<Span[][]> {
    return new Promise((resolve, reject) => {
      const found = (spans: Span[][]) => settle(() => resolve(spans))
      const failed = () => settle(() => reject(tooSlow()))
      const timer = setTimeout(failed, Math.max(0, this.#leftMs))
      const settle = (done: () => void) => {
        clearTimeout(timer)
        worker.off('message', found).off('exit', failed)
        done()
      }
      worker.on('message', found).on('exit', failed)
      worker.postMessage(question)
    })
  }

  end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

const tooSlow = () =>
  new Failure(
    'too_slow',
    `Looking for the pattern takes too long: one with look-around or back-references may take ${totalMs / 1000} s.`,
    'Write it without (?=, (?!, (?<=, (?<! and \\1, without one repetition inside another, or name fewer files.',
  )
