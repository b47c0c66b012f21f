import { getCompileCacheDir } from 'node:module'
import { Failure } from '../failure.ts'
import { whenDescriptors } from '../unavailable.ts'
import type { WebPage } from '../web/port.ts'
import { type Intake, Whole } from './chunks/batches.ts'
import type { Parsed } from './chunks/parsed.ts'
import { CompiledReaders } from './compiled.ts'
import type { PageSource, SourceFile } from './parse.ts'
import { type PoolOptions, parsers } from './pool-options.ts'
import type { PictureOrder, ReadRequest, ReadResult, RecognizedPage } from './read-request.ts'
import type { Reader } from './reader.ts'
import { Turns } from './turns.ts'

/** The memory that Node and the libraries need for themselves. */
const ownBytes = 200 * 1024 ** 2

/** In its whole life, a reader may use this many times the time for one file, as processor time of all its threads. */
const processorShare = 10

/** Reads documents in child processes. A file that takes too long or too much memory ends only its own reader. */
export class ParserPool {
  readonly #options: PoolOptions
  readonly #turns: Turns
  readonly #compiled: CompiledReaders
  readonly #idle: IdleReader[] = []
  readonly #all = new Set<Reader>()
  #stopped = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#turns = new Turns(options.workers)
    this.#compiled = new CompiledReaders(options.containment, getCompileCacheDir())
  }

  /** How many processes exist now. */
  get size(): number {
    return this.#all.size
  }

  /** A whole document. Throws a Failure if it can't be read. */
  async parse(file: SourceFile | LateFile, signal: AbortSignal, { owner = '' } = {}): Promise<Parsed> {
    const whole = new Whole()
    await this.read(file, signal, { owner, into: whole })
    return whole.parsed
  }

  /**
   * A document, portion by portion. Throws a Failure if it can't be read, even if portions of it have been taken.
   * Owners take turns, however much one of them has to read.
   */
  read(
    file: SourceFile | LateFile,
    signal: AbortSignal,
    { owner = '', into }: { owner?: string; into: Intake },
  ): Promise<void> {
    return this.#turns.do(owner, async () => {
      this.#checkGoing(signal)
      const { bytes, ...about } = typeof file === 'function' ? await file() : file
      const request = { kind: 'file' as const, ...about, limits: this.#options.limits }
      const outcome = await this.#run(request, bytes, owner, signal, into)
      if (!('taken' in outcome)) throw failureOf(outcome)
    })
  }

  /** A web page as Markdown, with at most this many characters. Throws as `parse` does. */
  page(page: PageSource, mostCharacters: number, signal: AbortSignal, { owner = '' } = {}): Promise<WebPage> {
    return this.#turns.do(owner, async () => {
      this.#checkGoing(signal)
      const { html, ...about } = page
      const outcome = await this.#run({ kind: 'page', ...about, mostCharacters }, html, owner, signal, new Whole())
      if ('webPage' in outcome) return outcome.webPage
      throw failureOf(outcome)
    })
  }

  /** A page of a PDF, or an image, as a JPEG. Its readers have to be `painters`. Throws as `parse` does. */
  picture(bytes: Uint8Array, order: PictureOrder, signal: AbortSignal, { owner = '' } = {}): Promise<Uint8Array> {
    return this.#turns.do(owner, async () => {
      this.#checkGoing(signal)
      const outcome = await this.#run({ kind: 'picture', ...order }, bytes, owner, signal, new Whole())
      if ('picture' in outcome) return outcome.picture
      throw failureOf(outcome)
    })
  }

  /** A recognized text with everything that is kept of a document. */
  recognized(text: string, page: RecognizedPage, signal: AbortSignal, { owner = '' } = {}): Promise<Parsed> {
    return this.#turns.do(owner, async () => {
      this.#checkGoing(signal)
      const { limits } = this.#options
      const request = { kind: 'recognized' as const, ...page, limits }
      const whole = new Whole()
      const outcome = await this.#run(request, Buffer.from(text), owner, signal, whole)
      if ('taken' in outcome) return whole.parsed
      throw failureOf(outcome)
    })
  }

  #checkGoing(signal: AbortSignal): void {
    signal.throwIfAborted()
    if (this.#stopped) throw new Failure('stopping', 'The bot is stopping.', 'Try again in a moment.')
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const { timer } of this.#idle) clearTimeout(timer)
    await Promise.all([this.#compiled.stop(), ...[...this.#all].map((reader) => this.#end(reader))])
  }

  /** A reader that ended may have been ended by somebody else, so there is a second attempt in a new one. */
  async #run(
    request: ReadRequest,
    bytes: Uint8Array,
    owner: string,
    signal: AbortSignal,
    into: Intake,
  ): Promise<ReadResult> {
    const read = async (reader: Reader) => {
      await into.begin()
      return reader.read(request, bytes, signal, into)
    }
    try {
      return await this.#runIn(await this.#take(owner, signal), read)
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'crashed') throw thrown
      this.#checkGoing(signal)
      return this.#runIn(await this.#start(owner, signal), read)
    }
  }

  async #runIn(reader: Reader, read: (reader: Reader) => Promise<ReadResult>): Promise<ReadResult> {
    try {
      const outcome = await read(reader)
      await this.#rest(reader)
      return outcome
    } catch (thrown) {
      await this.#end(reader)
      throw thrown
    }
  }

  /** One that has read for this owner before, otherwise a new one; one that has read for others makes room for it. */
  async #take(owner: string, signal: AbortSignal): Promise<Reader> {
    const own = this.#idle.findLastIndex(({ reader }) => reader.owner === owner)
    const idle = own === -1 ? undefined : this.#idle.splice(own, 1)[0]
    if (idle !== undefined) {
      clearTimeout(idle.timer)
      return idle.reader
    }
    const other = this.#all.size < this.#options.workers ? undefined : this.#idle[0]
    if (other !== undefined) await this.#end(other.reader)
    return this.#start(owner, signal)
  }

  async #start(owner: string, signal: AbortSignal): Promise<Reader> {
    const { containment, timeoutMs, bufferBytes, program = parsers } = this.#options
    const heapBytes = 1.5 * this.#options.heapBytes
    const processorSeconds = Math.ceil((processorShare * timeoutMs) / 1000)
    const { Reader } = await import('./reader.ts')
    const compiled = this.#compiled.get()
    const limits = { heapBytes, bufferBytes, processorSeconds }
    const start = () => containment.start({ ...program, ...limits, ...(compiled && { compiled }) })
    const process = await whenDescriptors(start, { signal })
    const reader = new Reader(process, owner, { timeoutMs, residentBytes: heapBytes + bufferBytes + ownBytes })
    this.#all.add(reader)
    void process.ended.then(() => {
      this.#leave(reader)
      this.#all.delete(reader)
    })
    try {
      this.#checkGoing(signal)
      await reader.ready(signal)
    } catch (thrown) {
      await this.#end(reader)
      throw thrown
    }
    return reader
  }

  /** A reader that has worked for long is replaced before it reaches its limit of processor time. */
  async #rest(reader: Reader): Promise<void> {
    if (this.#stopped || reader.workedMs > this.#options.timeoutMs) return this.#end(reader)
    if (!this.#all.has(reader)) return
    const timer = setTimeout(() => void this.#end(reader), this.#options.idleMs).unref()
    this.#idle.push({ reader, timer })
  }

  async #end(reader: Reader): Promise<void> {
    this.#leave(reader)
    await reader.end()
    this.#all.delete(reader)
  }

  /** It gets no more work. */
  #leave(reader: Reader): void {
    const at = this.#idle.findIndex((idle) => idle.reader === reader)
    if (at !== -1) clearTimeout(this.#idle.splice(at, 1)[0]?.timer)
  }
}

/** Asked for the file when its turn has come. */
export type LateFile = () => Promise<SourceFile>

function failureOf(outcome: ReadResult): Error {
  if (!('error' in outcome)) return new Error('the reader answered something it wasn’t asked')
  const { code, message, remedy } = outcome.error
  return new Failure(code, message, remedy)
}

interface IdleReader {
  reader: Reader
  timer: NodeJS.Timeout
}
