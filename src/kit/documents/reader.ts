import { Failure } from '../failure.ts'
import type { ContainedEnd, ContainedProcess } from '../sandbox/containment.ts'
import { answerToFile, answerToPage, answerToPicture } from './answers.ts'
import { type Batch, Gathering, type Intake, mostOf } from './chunks/batches.ts'
import { type Frame, frameOf, framesIn } from './frames.ts'
import { isOutOfMemory, type ParseLimits, tooComplex, tooMuchMemory } from './parse.ts'
import type { ReadRequest, ReadResult } from './read-request.ts'

export interface ReaderLimits {
  /** How long one file may take. */
  timeoutMs: number
  /** Bytes of resident memory of the whole process. */
  residentBytes: number
}

/** How often its memory is checked: the kernel's limit is on data, not on all kinds of memory. */
const lookMs = 50

/** A start is slow on a busy machine. */
const startMs = 60_000

/** Bytes of one message: a batch has some 250,000 characters, of up to six bytes each. */
const messageBytes = 8 * 1024 ** 2

/** Of a drawn page: a JPEG has fewer bytes than pixels. */
const mostPictureBytes = 32 * 1024 ** 2

/** One child process that reads documents, one after the other. Whatever goes wrong with one ends it. */
export class Reader {
  /** It reads for one owner only, so that a hostile document never meets another owner's documents. */
  readonly owner: string
  /** Milliseconds of work. */
  workedMs = 0
  readonly #process: ContainedProcess
  readonly #frames: AsyncGenerator<Frame, undefined>
  readonly #limits: ReaderLimits
  readonly #started: Promise<unknown>
  #mostBytes = messageBytes
  #pictureBytes = 0
  #waited = new Waited()
  #exchanging: Promise<unknown> = Promise.resolve()
  #isEnded = false

  constructor(process: ContainedProcess, owner: string, limits: ReaderLimits) {
    this.#process = process
    this.owner = owner
    this.#limits = limits
    this.#frames = framesIn(process.output, () => ({ message: this.#mostBytes, bytes: this.#pictureBytes }))
    this.#started = this.#heard().catch((thrown: unknown) => thrown)
  }

  /** Resolves when it is ready for work. Throws `reader_failed`. */
  async ready(signal: AbortSignal): Promise<void> {
    const first = await this.#within(startMs, signal, this.#started, () => didNotStart('it took too long'))
    if (first === 'ready') return
    const { stderr, exitCode } = await this.end()
    throw didNotStart(stderr.trim().split('\n')[0]?.slice(0, 300) || `it ended with ${exitCode}`)
  }

  /**
   * Throws Failure, or what `into` throws; after that it has to be ended. `crashed` means that the reader ended, or
   * sent nonsense.
   */
  async read(request: ReadRequest, bytes: Uint8Array, signal: AbortSignal, into: Intake): Promise<ReadResult> {
    this.#waited = new Waited()
    const { timeoutMs, residentBytes } = this.#limits
    const startedAt = performance.now()
    const { promise: tooMuch, reject } = Promise.withResolvers<never>()
    let isLooking = false
    const look = setInterval(async () => {
      if (isLooking) return
      isLooking = true
      try {
        if ((await this.#process.residentBytes()) > residentBytes) reject(tooMuchMemory())
      } catch {
        // Without a free descriptor it can't be told; the next look may find one.
      } finally {
        isLooking = false
      }
    }, lookMs)
    try {
      const late = () => tooComplex(`reading it took more than ${timeoutMs / 1000} s`)
      const exchanging = this.#exchange(request, bytes, into)
      this.#exchanging = exchanging.catch(() => {})
      return await this.#within(timeoutMs, signal, Promise.race([exchanging, tooMuch]), late)
    } finally {
      clearInterval(look)
      this.workedMs += performance.now() - startedAt
    }
  }

  /**
   * Resolves when nothing of it is left, and nothing of what it has read is being taken any more. If it is just
   * starting, waits for that: bubblewrap that is killed before it has tied its child to itself leaves that child behind
   * for ever.
   */
  async end(): Promise<ContainedEnd> {
    this.#isEnded = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, startMs)
    await Promise.race([this.#started, late])
    clearTimeout(timer)
    this.#process.kill()
    await this.#exchanging
    return this.#process.ended
  }

  async #within<T>(ms: number, signal: AbortSignal, work: Promise<T>, late: () => Error): Promise<T> {
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    const { ms: before } = this.#waited
    let allowed = ms
    const look = () => {
      // While what was read is being taken, the reader waits.
      const more = ms + this.#waited.ms - before - allowed
      if (more < 1) return reject(late())
      allowed += more
      timer = setTimeout(look, more)
    }
    let timer = setTimeout(look, ms)
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    // When it ends, its work fails; that is noticed only here.
    work.catch(() => {})
    try {
      return await Promise.race([work, stopped])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  async #exchange(request: ReadRequest, bytes: Uint8Array, into: Intake): Promise<ReadResult> {
    this.#mostBytes = request.kind === 'page' ? messageBytes + 6 * request.mostCharacters : messageBytes
    this.#pictureBytes = request.kind === 'picture' ? mostPictureBytes : 0
    this.#process.send(frameOf(request, bytes.length))
    this.#process.send(bytes)
    if (request.kind === 'picture') {
      const { message, bytes: picture } = await this.#frame()
      return this.#sound(answerToPicture, message, picture)
    }
    if (request.kind === 'page') return this.#sound(answerToPage, await this.#heard(), request.mostCharacters)
    const taking = { portion: Promise.resolve() }
    try {
      return await this.#portions(request.limits, into, taking)
    } finally {
      // Whoever hears of an error may begin anew, or drop what was taken so far.
      await this.#waited.during(taking.portion.catch(() => {}))
    }
  }

  /** `taking.portion`: the portion that is being taken while the next one is read. */
  async #portions(limits: ParseLimits, into: Intake, taking: { portion: Promise<void> }): Promise<ReadResult> {
    const gathering = new Gathering(mostOf(limits))
    for (;;) {
      const answer = this.#sound(answerToFile, await this.#heard())
      if ('error' in answer) {
        await this.#waited.during(taking.portion)
        return answer
      }
      const portion = this.#sound(() => gathering.add(answer))
      if (portion !== undefined) {
        this.#waited.grant(this.#limits.timeoutMs * shareOf(portion, limits))
        await this.#waited.during(taking.portion)
        if (this.#isEnded) throw crashed('its reader was ended')
        taking.portion = into.take(portion)
        // It is heard of with the next portion.
        taking.portion.catch(() => {})
      }
      if (answer.isLast) {
        await this.#waited.during(taking.portion)
        return { taken: true }
      }
      this.#process.send(frameOf('more', 0))
    }
  }

  async #heard(): Promise<unknown> {
    return (await this.#frame()).message
  }

  async #frame(): Promise<Frame> {
    const next = await this.#frames.next().catch((thrown: unknown) => {
      throw crashed('its reader sent nonsense', thrown)
    })
    if (next.value !== undefined) return next.value
    const { stderr, signal, exitCode } = await this.#process.ended
    if (isOutOfMemory(stderr)) throw tooMuchMemory()
    throw crashed(`its reader ended with ${signal ?? exitCode}`)
  }

  #sound<In extends unknown[], Out>(check: (...input: In) => Out, ...input: In): Out {
    try {
      return check(...input)
    } catch (thrown) {
      throw crashed('its reader sent nonsense', thrown)
    }
  }
}

/** How much of the text of a usual document it is. A larger one may take longer, as long as it keeps coming. */
const shareOf = ({ texts }: Batch, { textCharacters }: ParseLimits): number =>
  texts.reduce((sum, { text }) => sum + text.length, 0) / textCharacters

/** How long was waited in all, and what was granted beyond that. */
class Waited {
  #ms = 0
  #since: number | undefined

  get ms(): number {
    return this.#ms + (this.#since === undefined ? 0 : performance.now() - this.#since)
  }

  /** More time for what has come. */
  grant(ms: number): void {
    this.#ms += ms
  }

  async during(work: Promise<void>): Promise<void> {
    this.#since = performance.now()
    try {
      await work
    } finally {
      this.#ms = this.ms
      this.#since = undefined
    }
  }
}

const crashed = (what: string, cause?: unknown): Failure =>
  new Failure('crashed', `It cannot be read safely: ${what}.`, 'Ask for it in another format.', { cause })

const didNotStart = (why: string): Failure =>
  new Failure(
    'reader_failed',
    `The process that reads documents did not start: ${why}.`,
    'Try again later. Whoever runs the bot can run `bobbin doctor` to see what is missing.',
  )
