import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { badType, TooLarge } from './failures.ts'

/** The content encodings that we accept. */
export const acceptedEncodings = 'gzip, br, deflate'

/** A body, unpacked, of at most this many bytes: never keeps more than that and one chunk, whatever is packed in it. */
export async function readBody(
  body: Readable,
  encoding: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  await pipeline(
    body,
    (source: AsyncIterable<Uint8Array>) => unpacked(bounded(source, mostBytes), encoding),
    async (source: AsyncIterable<Uint8Array>) => {
      for await (const chunk of bounded(source, mostBytes)) chunks.push(chunk)
    },
    { signal },
  )
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

async function* bounded(source: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new TooLarge(mostBytes)
    yield chunk
  }
}

async function* unpacked(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  if (encoding === '' || encoding === 'identity') return yield* source
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const unpack = unpackerFor(encoding, first.value)
  if (unpack === undefined) throw badType('It is compressed in a way we didn’t ask for.')
  const all = Readable.from(joined(first.value, chunks), { objectMode: false })
  all.on('error', (thrown) => unpack.destroy(thrown))
  yield* all.pipe(unpack)
}

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

function unpackerFor(encoding: string, first: Uint8Array) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'br') return createBrotliDecompress()
  // Some servers leave out the header that the standard requires.
  if (encoding === 'deflate') return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()
  return undefined
}
