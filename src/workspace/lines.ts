import { isAscii } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import type { Workspace } from '../domain/workspace.ts'
import { decoderOf } from '../kit/text/decoder.ts'
import { encodingOf, wholeCharacters } from '../kit/text/plain-text.ts'
import { type Line, LineSplitter } from '../kit/text/splitter.ts'

const pageBytes = 1024 * 1024

/** Split in pieces, with the event loop in between, because it may consist only of line ends. */
const pieceBytes = 64 * 1024

export interface LineOptions {
  /** The first wanted line, from 1. Earlier lines are only counted. */
  from?: number
  /** How many bytes of a line are kept. */
  keepBytes: number
  signal: AbortSignal
}

/** The lines of a piece of a file. `count` lines have been seen so far; `ended` says there are no more. */
export interface LinePage {
  lines: Line[]
  count: number
  ended: boolean
  /** As `TextDecoder` calls it, or `ibm850`; undefined as long as everything is ASCII. */
  encoding: string | undefined
}

/** Reads a text file of any size page by page, in whatever encoding it is. */
export async function* readLines(
  workspace: Workspace,
  path: string,
  { from = 1, keepBytes, signal }: LineOptions,
): AsyncGenerator<LinePage> {
  const splitter = new LineSplitter(from, keepBytes)
  let encoding: string | undefined
  let toUtf8 = (piece: Buffer): Buffer => piece
  for (let offset = 0; ; offset += pageBytes) {
    signal.throwIfAborted()
    const page = await workspace.readRange(path, offset, pageBytes)
    if (encoding === undefined) {
      encoding = await encodingIn(page, offset === 0)
      if (encoding !== undefined && encoding !== 'utf-8') toUtf8 = transcoder(encoding)
    }
    for (let at = offset === 0 ? encodingOf(page).markBytes : 0; at < page.length; at += pieceBytes) {
      const lines = splitter.push(toUtf8(page.subarray(at, at + pieceBytes)))
      yield { lines, count: splitter.count, ended: false, encoding }
      await setImmediate(undefined, { signal })
    }
    if (page.length === pageBytes) continue
    const lines = splitter.finish()
    yield { lines, count: splitter.count, ended: true, encoding }
    return
  }
}

/** The first page that isn't ASCII decides for the rest, unless there is a byte order mark. */
async function encodingIn(page: Buffer, isFirst: boolean): Promise<string | undefined> {
  const { encoding, markBytes } = encodingOf(page)
  if (isFirst && markBytes > 0) return encoding
  if (isAscii(page) && !page.includes(0) && !page.includes(27)) return undefined
  const { decodeText } = await import('../kit/text/encoding.ts')
  return decodeText(wholeCharacters(page)).encoding
}

function transcoder(encoding: string): (piece: Buffer) => Buffer {
  const decoder = decoderOf(encoding, { ignoreBOM: true })
  return (piece) => Buffer.from(decoder.decode(piece, { stream: true }))
}
