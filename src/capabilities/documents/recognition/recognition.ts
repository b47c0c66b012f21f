import type { ScannedFile } from '../../../domain/scan.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { ParserPool } from '../../../kit/documents/pool.ts'
import { Failure } from '../../../kit/failure.ts'
import { readJob, startJob } from '../../../store/jobs.ts'
import { recognizedIn } from '../../../store/recognized.ts'
import { recognizing, type StoredText } from '../../../store/recognized-row.ts'
import type { Store } from '../../../store/store.ts'
import type { KnownScan, ScanOrder, Scans } from './scans.ts'
import { mostTries, pagesLeft, pauseMs, type Recognized } from './tries.ts'
import type { Way } from './ways.ts'
import { failures, said } from './words.ts'

export interface RecognitionOptions {
  store: Store
  clock: Pick<Clock, 'now'>
  way(): Promise<Way | undefined>
  painter: Pick<ParserPool, 'picture'>
  /** Pages of one document that are read. */
  mostPages: number
  /** So many pages or more are only read by a model after a person agreed to what that costs. */
  askFrom: number
}

/** Failures of one page; the others may be readable. */
const ofPage = new Set(['too_complex', 'crashed', 'damaged', 'not_readable'])

/** Of these, those that say something about the page and nothing about the machine. */
const final = new Set(['damaged', 'not_readable'])

const keyOf = ({ session, content }: ScannedFile): string => `${session} ${content}`

/** Knows what was recognized in scans and photos, and has the rest read in the background. */
export class Recognition implements Scans {
  readonly #options: RecognitionOptions

  constructor(options: RecognitionOptions) {
    this.#options = options
  }

  async known(file: ScannedFile, isNamed: boolean): Promise<KnownScan> {
    const { store, clock, mostPages } = this.#options
    const texts = await recognizedIn(store.db, file.session, file.content)
    const left = leftOf(file, texts, mostPages, clock.now())
    const beyond = file.pages.slice(mostPages)
    const notes = [
      ...unreadable(file, texts, left),
      ...(left.length === 0 ? [] : [await this.#standing(file, left, isNamed)]),
      ...(beyond.length === 0 ? [] : [said.beyond(mostPages)]),
    ]
    return { texts, notes, blank: blankNotes(file, texts) }
  }

  async order(file: ScannedFile, { pages, usd }: ScanOrder): Promise<string> {
    const { store, clock, mostPages } = this.#options
    const texts = await recognizedIn(store.db, file.session, file.content)
    const left = leftOf(file, texts, mostPages, clock.now())
    if (left.length === 0) return said.done
    const way = await this.#options.way()
    if (way === undefined) throw failures.noWay(nameOf(file, left))
    const most = costOf(way, left.length)
    if (left.length > pages || (most ?? 0) > usd) throw failures.notAgreed(left.length, most)
    await this.#start(file)
    return said.begun(nameOf(file, left), way.name)
  }

  /** Throws if another try may help. */
  async read({ session }: ScannedFile, page: number, bytes: Uint8Array, signal: AbortSignal): Promise<Recognized> {
    const way = await this.#options.way()
    if (way === undefined) throw failures.noWay(`page ${page}`)
    const { kind, mostPixels } = way
    try {
      const order = { page, mostPixels }
      const picture = await this.#options.painter.picture(bytes, order, signal, { owner: session })
      return { page, way: kind, text: await way.read(session, picture, signal) }
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof Failure) || !ofPage.has(thrown.code)) throw thrown
      return { page, way: kind, text: null, ...(final.has(thrown.code) ? { isFinal: true } : {}) }
    }
  }

  async #standing(file: ScannedFile, left: number[], isNamed: boolean): Promise<string> {
    const { store, clock, askFrom } = this.#options
    const what = nameOf(file, left)
    const way = await this.#options.way()
    if (way === undefined) return said.noWay(what)
    const job = await readJob(store.db, recognizing, keyOf(file))
    const readNow = said.being(what, left.length === 1, way.name)
    if (job?.state === 'open') return readNow
    if (job !== undefined && clock.now() - job.updatedAt < pauseMs)
      return said.failed(what, job.reason ?? 'the reason is unknown')
    if (way.kind === 'model' && left.length >= askFrom) {
      const most = costOf(way, left.length)
      const input = JSON.stringify({ path: file.path, pages: left.length, usd: most ?? 0 })
      return said.ask(what, way.name, said.cost(most), input)
    }
    if (way.kind === 'model' && file.kind === 'image' && !isNamed) return said.named
    await this.#start(file)
    return readNow
  }

  async #start({ session, path, content, kind, pages }: ScannedFile): Promise<void> {
    const input = { session, path, content, kind, pages: pages.slice(0, this.#options.mostPages) }
    const key = `${session} ${content}`
    await this.#options.store.transaction((tx) => startJob(tx, { kind: recognizing, key, owner: session, input }))
  }
}

const leftOf = ({ pages }: ScannedFile, texts: StoredText[], most: number, now: number): number[] =>
  pagesLeft(pages.slice(0, most), new Map(texts.map((one) => [one.page, one])), now)

function unreadable(file: ScannedFile, texts: StoredText[], left: number[]): string[] {
  const failed = texts.filter(({ text, page }) => text === null && !left.includes(page))
  const [never, later] = [
    failed.filter(({ tries }) => tries >= mostTries).map(({ page }) => page),
    failed.filter(({ tries }) => tries < mostTries).map(({ page }) => page),
  ]
  return [
    ...(never.length === 0 ? [] : [said.unreadable(nameOf(file, never))]),
    ...(later.length === 0 ? [] : [said.triedAgain(nameOf(file, later))]),
  ]
}

/** Handwriting isn't an empty page, but nothing else tells them apart. */
function blankNotes(file: ScannedFile, texts: StoredText[]): string[] {
  const pages = texts.filter(({ text }) => text === '').map(({ page }) => page)
  return pages.length === 0 ? [] : [said.blank(`${file.kind === 'image' ? 'in' : 'on'} ${nameOf(file, pages)}`)]
}

function nameOf({ kind }: ScannedFile, pages: number[]): string {
  if (kind === 'image') return 'the image'
  const [first, last] = [pages[0], pages.at(-1)]
  if (pages.length === 1) return `page ${first}`
  const isRow = last === (first ?? 0) + pages.length - 1
  return isRow ? `pages ${first} to ${last}` : `${pages.length} pages between ${first} and ${last}`
}

/** To the cent, upwards. */
const costOf = ({ pageUsd }: Way, pages: number): number | undefined =>
  pageUsd === undefined ? undefined : Math.ceil(Number((pageUsd * pages * 100).toFixed(6))) / 100
