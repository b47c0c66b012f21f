import type { Config } from '../../../config/config.ts'
import type { SessionId } from '../../../domain/ids.ts'
import { Tesseract } from '../../../kit/documents/pictures/tesseract.ts'
import { nanosOf } from '../../../kit/model/cost.ts'
import { CutShort } from '../../../kit/model/model.ts'
import type { Containment } from '../../../kit/sandbox/containment.ts'
import type { RecognizedBy } from '../../../store/recognized-row.ts'
import type { AsideOrder } from '../../../turn/port/aside.ts'
import type { RecognitionSettings } from '../settings.ts'
import { failures, pageOrder, said } from './words.ts'

/** What recognizes text in pictures. */
export interface Way {
  kind: RecognizedBy
  /** For people: the model, or Tesseract and its languages. */
  name: string
  /** Pictures with more pixels are made smaller. */
  mostPixels: number
  /** US dollars for a page; undefined if nobody knows. Tesseract costs nothing. */
  pageUsd: number | undefined
  read(session: SessionId, picture: Uint8Array, signal: AbortSignal): Promise<string>
}

type Write = (session: SessionId, order: AsideOrder, signal: AbortSignal) => Promise<string>

/** Models make pictures smaller than this anyway. */
const mostPixelsForModel = 2_200_000

/** Of a dense page, tokens: a picture, what is asked, and the text that comes back. */
const pageTokens = { input: 1_800, output: 1_200, cached: 0 }

/** Of a page with too much text for one reply. */
function beginningOf(thrown: unknown): string {
  if (!(thrown instanceof CutShort)) throw thrown
  if (thrown.text === '') throw failures.nothingSaid(thrown.message)
  return `${thrown.text}\n\n${said.restLeft}`
}

const dollar = 1_000_000_000

/** The model for images where one is set, or else Tesseract; undefined if there is neither. */
export function waysOf(
  settings: RecognitionSettings,
  { model: { vision } }: Pick<Config, 'model'>,
  write: Write,
  containment: Containment,
): () => Promise<Way | undefined> {
  const byModel: Way | undefined = vision && {
    kind: 'model',
    name: vision.id,
    mostPixels: mostPixelsForModel,
    pageUsd: vision.price && nanosOf(pageTokens, vision.price) / dollar,
    async read(session, picture, signal) {
      const images = [{ type: 'image/jpeg' as const, base64: Buffer.from(picture).toString('base64') }]
      const text = await write(session, { ...pageOrder, tool: 'read_scan', images }, signal).catch(beginningOf)
      return /^\(no text\)\.?$/i.test(text) ? '' : text
    },
  }
  const { by, tesseract: program, languages, pageMs: timeoutMs, memoryBytes, pixels } = settings
  const options = { containment, program, languages, timeoutMs, memoryBytes }
  const tesseract = new Tesseract(options)
  return async () => {
    if (byModel !== undefined && (by === 'auto' || by === 'model')) return byModel
    if (by !== 'auto' && by !== 'tesseract') return undefined
    const found = await tesseract.found()
    if (found === undefined) return undefined
    return {
      kind: 'tesseract',
      name: `Tesseract (${found.languages.join(', ')})`,
      mostPixels: pixels,
      pageUsd: 0,
      read: (_, picture, signal) => tesseract.read(picture, signal),
    }
  }
}
