import { execFile } from 'node:child_process'
import { access, constants, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../../failure.ts'
import type { Containment } from '../../sandbox/containment.ts'
import { whenDescriptors } from '../../unavailable.ts'
import { tooComplex } from '../parse.ts'
import { textOfTable } from './words.ts'

export interface TesseractOptions {
  containment: Containment
  /** A name in a folder of programs, or an absolute path. */
  program: string
  /** Such as `deu`. None: those that are installed. */
  languages: readonly string[]
  /** For one page. */
  timeoutMs: number
  memoryBytes: number
  /** In ms, from any beginning. */
  now?: () => number
}

export interface FoundTesseract {
  /** Absolute. */
  program: string
  languages: string[]
  /** It can tell how a page is turned. */
  turns: boolean
}

/** Each language takes as long as the others together. */
const mostLanguages = 3

/**
 * Without dots per inch it guesses them from the letters, and takes pages of similar lines for columns. This says what
 * it is made for: with the true figure it lost digits in tables.
 */
const density = ['--dpi', '300']

/** Of what it prints about one page. */
const mostOutputBytes = 8 * 1024 ** 2

/** The OCR of the machine, run with the limits of a reader. */
export class Tesseract {
  readonly #options: TesseractOptions
  readonly #now: () => number
  #found: Promise<FoundTesseract | undefined> | undefined
  #lookAgainAt = Number.POSITIVE_INFINITY

  constructor(options: TesseractOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Looked up once; as long as it isn't installed, again, since somebody may do so. */
  found(): Promise<FoundTesseract | undefined> {
    if (this.#now() >= this.#lookAgainAt) {
      this.#found = undefined
      this.#lookAgainAt = Number.POSITIVE_INFINITY
    }
    this.#found ??= this.#find()
    return this.#found
  }

  /** The text in a picture, line by line. Throws a Failure. */
  async read(picture: Uint8Array, signal: AbortSignal): Promise<string> {
    const found = await this.found()
    if (found === undefined) throw new Failure('no_ocr', 'Tesseract isn’t installed.', 'Install tesseract-ocr.')
    const { containment, timeoutMs, memoryBytes } = this.#options
    const { program, languages, turns } = found
    signal.throwIfAborted()
    const contained = {
      command: [program, 'stdin', 'stdout', '-l', languages.join('+'), '--psm', turns ? '1' : '3', ...density, 'tsv'],
      reads: isOfSystem(program) ? [] : [dirname(program)],
      heapBytes: memoryBytes / 2,
      bufferBytes: memoryBytes / 2,
      processorSeconds: Math.ceil(timeoutMs / 1000) + 1,
    }
    const process = await whenDescriptors(() => containment.start(contained), { signal })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      process.kill()
    }, timeoutMs)
    const stop = () => process.kill()
    signal.addEventListener('abort', stop, { once: true })
    try {
      process.send(picture)
      process.finish()
      const printed = await gathered(process.output)
      if (printed === undefined) process.kill()
      const { exitCode, stderr } = await process.ended
      signal.throwIfAborted()
      if (isLate) throw tooComplex(`recognizing its text took more than ${timeoutMs / 1000} s`)
      if (printed === undefined) throw tooComplex('Tesseract printed too much about it')
      if (exitCode !== 0) throw failed(stderr, exitCode)
      return textOfTable(printed)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      process.kill()
    }
  }

  async #find(): Promise<FoundTesseract | undefined> {
    const { program, languages } = this.#options
    const found = await programAt(program)
    if (found === undefined) {
      // To look whether it is there costs next to nothing.
      this.#lookAgainAt = this.#now()
      return undefined
    }
    const list = () => promisify(execFile)(found, ['--list-langs'], { timeout: listMs })
    const printed = await whenDescriptors(list).catch(() => undefined)
    const installed =
      printed?.stdout
        .split('\n')
        .slice(1)
        .map((line) => line.trim()) ?? []
    const known = installed.filter((one) => /^[\w/-]+$/.test(one) && one !== 'osd')
    const wanted = languages.length > 0 ? languages.filter((one) => known.includes(one)) : known.slice(0, mostLanguages)
    if (wanted.length > 0) return { program: found, languages: wanted, turns: installed.includes('osd') }
    this.#lookAgainAt = this.#now() + pauseMs
    return undefined
  }
}

/** After it didn't say them: a busy machine may be the reason, or a language may be installed. */
const pauseMs = 60_000

/** To say which languages it has. */
const listMs = 10_000

const isOfSystem = (path: string): boolean => path.startsWith('/usr/')

/** What a shell says when a program is missing, or isn't one. */
const notStarted = [126, 127]

const failed = (stderr: string, exitCode: number | undefined): Failure => {
  const why = stderr.trim().split('\n').at(-1)?.slice(0, 200) || 'it ended without a word'
  if (exitCode !== undefined && notStarted.includes(exitCode))
    return new Failure('no_ocr', `Tesseract doesn’t start: ${why}.`, 'Install tesseract-ocr.')
  return new Failure('crashed', `Its text could not be recognized: ${why}.`, 'Ask for it in another format.')
}

/** Undefined if it is too much. */
async function gathered(output: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of output) {
      bytes += piece.length
      if (bytes > mostOutputBytes) return undefined
      pieces.push(piece)
    }
  } catch {
    // It was ended.
  }
  return Buffer.concat(pieces).toString()
}

const folders = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin']

async function programAt(name: string): Promise<string | undefined> {
  const places = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))
  for (const place of places) {
    try {
      await access(place, constants.X_OK)
      return await realpath(place)
    } catch {
      // It isn't there.
    }
  }
  return undefined
}
