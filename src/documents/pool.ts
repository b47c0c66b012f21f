import { Worker } from 'node:worker_threads'
import { BobbinError } from '../domain/errors.ts'
import type { WebPage } from '../domain/web.ts'
import { type Batch, Gathering } from './index/batches.ts'
import type { Parsed } from './index/parsed.ts'
import { type PageSource, type ParseLimits, type SourceFile, tooComplex } from './parse.ts'
import { Turns } from './turns.ts'
import { watchMemory } from './watch-memory.ts'

export interface PoolOptions {
  workers: number
  /** One file may take so long. */
  timeoutMs: number
  /** Bytes of a worker's JavaScript heap. */
  heapBytes: number
  /** Bytes of a worker's buffers, which do not count as heap. */
  bufferBytes: number
  /** A worker without work ends after so long. */
  idleMs: number
  limits: ParseLimits
}

export type Job = { file: SourceFile; limits: ParseLimits } | { page: PageSource; mostCharacters: number }

export interface Failed {
  error: { code: string; message: string; remedy: string }
}

export interface Paged {
  webPage: WebPage
}

export type Outcome = Parsed | Failed | Paged

/** A heap limit is asked for in megabytes. */
const megabyte = 1024 * 1024

/** Reads documents in worker threads. A file that takes too long or too much takes only its worker along. */
export class ParserPool {
  readonly #options: PoolOptions
  readonly #turns: Turns
  readonly #idle: IdleWorker[] = []
  readonly #all = new Set<Worker>()
  #stopped = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#turns = new Turns(options.workers)
  }

  /** Threads that exist now. */
  get size(): number {
    return this.#all.size
  }

  /**
   * Throws a BobbinError for what cannot be read. A file's bytes are copied. Instead of a file, a function may be given:
   * it is asked for the file when its turn has come, and the bytes are handed over: they have to be the only ones on
   * their buffer. Owners take turns, however much one of them wants to be read.
   */
  parse(file: SourceFile | (() => Promise<SourceFile>), signal: AbortSignal, { owner = '' } = {}): Promise<Parsed> {
    return this.#turns.do(owner, async () => {
      const isOurs = typeof file === 'function'
      this.#checkGoing(signal)
      const source = isOurs ? await file() : file
      const handedOver = isOurs && source.bytes.buffer instanceof ArrayBuffer ? [source.bytes.buffer] : []
      const outcome = await this.#run({ file: source, limits: this.#options.limits }, handedOver, signal)
      if ('error' in outcome) throw new BobbinError(outcome.error.code, outcome.error.message, outcome.error.remedy)
      if ('webPage' in outcome) throw strange()
      return outcome
    })
  }

  /** A web page as Markdown of at most so many characters. Throws as `parse` does. */
  page(page: PageSource, mostCharacters: number, signal: AbortSignal, { owner = '' } = {}): Promise<WebPage> {
    return this.#turns.do(owner, async () => {
      this.#checkGoing(signal)
      const outcome = await this.#run({ page, mostCharacters }, [], signal)
      if ('error' in outcome) throw new BobbinError(outcome.error.code, outcome.error.message, outcome.error.remedy)
      if (!('webPage' in outcome)) throw strange()
      return plainPage(outcome.webPage, mostCharacters)
    })
  }

  #checkGoing(signal: AbortSignal): void {
    signal.throwIfAborted()
    if (this.#stopped) throw new BobbinError('stopping', 'The bot is stopping.', 'Try again in a moment.')
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const { timer } of this.#idle) clearTimeout(timer)
    await Promise.all([...this.#all].map((worker) => worker.terminate()))
  }

  async #run(job: Job, handedOver: ArrayBuffer[], signal: AbortSignal): Promise<Outcome> {
    const worker = this.#take()
    const ending = new AbortController()
    try {
      const outcome = await this.#outcomeOf(worker, () => worker.postMessage(job, handedOver), signal, ending.signal)
      this.#rest(worker)
      return outcome
    } catch (thrown) {
      await worker.terminate()
      throw thrown
    } finally {
      ending.abort()
      worker.removeAllListeners('message')
    }
  }

  #outcomeOf(worker: Worker, start: () => void, signal: AbortSignal, ended: AbortSignal): Promise<Outcome> {
    const { timeoutMs } = this.#options
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(tooComplex(`reading it took more than ${timeoutMs / 1000} s`)), timeoutMs)
      const watch = watchMemory(worker, this.#options, () => reject(tooComplex('reading it took too much memory')))
      const stop = () => reject(signal.reason)
      let failure: unknown
      const failed = (thrown: unknown) => {
        failure = thrown
      }
      const exited = () => reject(whyEnded(failure))
      signal.addEventListener('abort', stop)
      const gathering = new Gathering()
      worker.on('message', (message: Batch | Failed | Paged) => {
        try {
          if ('error' in message || 'webPage' in message) return resolve(message)
          gathering.add(message)
          if (message.isLast) resolve(gathering.parsed)
          else worker.postMessage('more')
        } catch (thrown) {
          // What it says is no batch: a file may have got hold of the thread.
          reject(thrown)
        }
      })
      worker.on('error', failed)
      worker.once('exit', exited)
      ended.addEventListener('abort', () => {
        clearTimeout(timer)
        watch.end()
        signal.removeEventListener('abort', stop)
        worker.off('error', failed)
        worker.off('exit', exited)
      })
      start()
    })
  }

  /**
   * V8 ends the whole process when one allocation goes far beyond this, so it is far away: the heap is looked at from
   * outside, and the thread ended before it gets there.
   */
  get #fatalMegabytes(): number {
    return Math.ceil((3 * this.#options.heapBytes) / megabyte)
  }

  #take(): Worker {
    const idle = this.#idle.pop()
    if (idle !== undefined) {
      clearTimeout(idle.timer)
      idle.worker.ref()
      return idle.worker
    }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#fatalMegabytes, stackSizeMb: 4 },
      // What a library prints is not ours to show, and what it could read of the environment not its own.
      stdout: true,
      stderr: true,
      env: {},
    })
    worker.stdout.resume()
    worker.stderr.resume()
    this.#all.add(worker)
    worker.once('exit', () => this.#forget(worker))
    // Running out of memory is an `error` and then an `exit`; the latter is listened to.
    worker.on('error', () => {})
    return worker
  }

  #rest(worker: Worker): void {
    if (this.#stopped || !this.#all.has(worker)) return
    worker.unref()
    const timer = setTimeout(() => void worker.terminate(), this.#options.idleMs).unref()
    this.#idle.push({ worker, timer })
  }

  #forget(worker: Worker): void {
    this.#all.delete(worker)
    const at = this.#idle.findIndex((idle) => idle.worker === worker)
    if (at !== -1) this.#idle.splice(at, 1)
  }
}

/**
 * Only memory is the file's own fault. Anything else may be what an earlier file left behind in the thread: that is not
 * kept as a fact about this one.
 */
function whyEnded(failure: unknown): Error {
  const isMemory = failure instanceof Error && 'code' in failure && failure.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory
    ? tooComplex('reading it took too much memory')
    : new Error('the thread that read it has ended', { cause: failure })
}

const strange = () => new Error('the thread answered something else than it was asked for')

/** What a thread says is looked at again: a page may have got hold of it. */
function plainPage({ title, markdown, isCut }: WebPage, mostCharacters: number): WebPage {
  if (typeof title !== 'string' || typeof markdown !== 'string') throw strange()
  return { title: title.slice(0, 500), markdown: markdown.slice(0, mostCharacters), isCut: isCut === true }
}

interface IdleWorker {
  worker: Worker
  timer: NodeJS.Timeout
}
