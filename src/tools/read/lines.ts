import { setImmediate } from 'node:timers/promises'
import type { Workspace } from '../../domain/workspace.ts'
import { encodingOf } from '../../workspace/text.ts'
import { type Line, LineSplitter } from './splitter.ts'

const pageBytes = 1024 * 1024

export interface LineOptions {
  /** The first line that is wanted, from 1. Those before it are only counted. */
  from?: number
  /** Bytes of a line that are kept. */
  keepBytes: number
  signal: AbortSignal
}

/** The lines of one page of a file. `count` lines have been seen up to here; `ended` says that no more come. */
export interface LinePage {
  lines: Line[]
  count: number
  ended: boolean
}

/** Reads a text file of any size page by page. UTF-16 is told by its byte order mark. */
export async function* readLines(
  workspace: Workspace,
  path: string,
  { from = 1, keepBytes, signal }: LineOptions,
): AsyncGenerator<LinePage> {
  const splitter = new LineSplitter(from, keepBytes)
  let toUtf8 = (piece: Buffer): Buffer => piece
  for (let offset = 0; ; offset += pageBytes) {
    signal.throwIfAborted()
    const page = await workspace.readRange(path, offset, pageBytes)
    const { encoding, markBytes } = encodingOf(page)
    if (offset === 0 && encoding !== 'utf-8') toUtf8 = transcoder(encoding)
    const lines = splitter.push(toUtf8(offset === 0 ? page.subarray(markBytes) : page))
    const ended = page.length < pageBytes
    if (ended) lines.push(...splitter.finish())
    yield { lines, count: splitter.count, ended }
    if (ended) return
    await setImmediate()
  }
}

function transcoder(encoding: string): (piece: Buffer) => Buffer {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  return (piece) => Buffer.from(decoder.decode(piece, { stream: true }))
}
