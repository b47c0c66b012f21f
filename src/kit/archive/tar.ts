import { Failure } from '../failure.ts'

// The part of the tar format that Bobbin's own archives need: regular files, with long names in pax records. Any other
// tool can read them; of archives that others made, this refuses whatever isn't a regular file.

const block = 512
const mostNameBytes = 100
/** Larger sizes don't fit the header's field. */
const mostOctal = 8 ** 11
/** Of a pax record: a path has at most 4,096 bytes. */
const mostRecord = 8_192

export interface TarHeader {
  path: string
  size: number
  /** Permissions. */
  mode: number
  /** ms */
  modifiedAt: number
}

export interface TarEntry extends TarHeader {
  /** To be read before the next entry, or not at all. */
  content: AsyncGenerator<Buffer>
}

/** What stands in front of a file's content. */
export function headerOf(header: TarHeader): Buffer {
  const { path, size } = header
  const records = [
    ...(Buffer.byteLength(path) > mostNameBytes ? [record('path', path)] : []),
    ...(size >= mostOctal ? [record('size', String(size))] : []),
  ]
  if (records.length === 0) return plain(path, header, '0')
  const long = Buffer.from(records.join(''))
  const inside = { ...header, size: long.length }
  return Buffer.concat([
    plain('pax', inside, 'x'),
    long,
    paddingAfter(long.length),
    plain(path, { ...header, size: size >= mostOctal ? 0 : size }, '0'),
  ])
}

export const paddingAfter = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block)

/** What stands at the end of an archive. */
export const tarEnd = Buffer.alloc(2 * block)

/** `27 path=…`, where the number counts the whole line, itself included. */
function record(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`
  let length = Buffer.byteLength(rest)
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest)
  return `${length}${rest}`
}

function plain(path: string, { size, mode, modifiedAt }: Omit<TarHeader, 'path'>, type: string): Buffer {
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    header.write(
      `${Math.max(0, Math.floor(value))
        .toString(8)
        .padStart(length - 1, '0')}\0`,
      at,
      'latin1',
    )
  Buffer.from(path).subarray(0, mostNameBytes).copy(header)
  octal(mode & 0o777, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(modifiedAt / 1000, 136, 12)
  header.write(' '.repeat(8), 148, 'latin1')
  header.write(type, 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** The sum of a header's bytes, its own field counted as spaces. */
const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)

/** The files of an archive, in order. Throws `bad_archive`. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new Bytes(source)
  let long: Map<string, string> | undefined
  for (;;) {
    const header = await bytes.exactly(block)
    if (header.every((byte) => byte === 0)) return
    if (sumOf(header) !== numberIn(header, 148, 8)) throw badArchive('it isn’t a tar archive, or it is damaged')
    const type = String.fromCharCode(header[156] ?? 0)
    const size = sizeOf(header, long)
    if (type === 'x') {
      if (size > mostRecord) throw badArchive('a name in it is too long')
      long = recordsIn(await bytes.exactly(size))
      await bytes.exactly(paddingAfter(size).length)
      continue
    }
    const path = long?.get('path') ?? textIn(header.subarray(0, mostNameBytes))
    long = undefined
    if (type !== '0' && type !== '\0') throw badArchive(`${JSON.stringify(path)} isn’t a regular file`)
    const content = bytes.part(size)
    yield { path, size, mode: numberIn(header, 100, 8), modifiedAt: numberIn(header, 136, 12) * 1000, content }
    for await (const _ of content);
    await bytes.exactly(paddingAfter(size).length)
  }
}

export const badArchive = (why: string): Failure =>
  new Failure('bad_archive', `This archive can’t be used: ${why}.`, 'Use another backup. Nothing was changed.')

const textIn = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

const numberIn = (header: Buffer, at: number, length: number): number =>
  Number.parseInt(textIn(header.subarray(at, at + length)).trim() || '0', 8)

function sizeOf(header: Buffer, long: Map<string, string> | undefined): number {
  const size = long?.has('size') ? Number(long.get('size')) : numberIn(header, 124, 12)
  if (!Number.isSafeInteger(size) || size < 0) throw badArchive('a size in it makes no sense')
  return size
}

function recordsIn(content: Buffer): Map<string, string> {
  const found = new Map<string, string>()
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(' ', at)
    const length = space === -1 ? Number.NaN : Number(content.toString('latin1', at, space))
    if (!Number.isSafeInteger(length) || length <= space - at) throw badArchive('a name in it makes no sense')
    const text = content.toString('utf8', space + 1, at + length - 1)
    const equals = text.indexOf('=')
    found.set(text.slice(0, equals), text.slice(equals + 1))
    at += length
  }
  return found
}

class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async #some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next()
      if (done) throw badArchive('it ends in the middle')
      this.#rest = value
    }
    const some = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(some.length)
    return some
  }

  async exactly(length: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.part(length)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async *part(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const piece = await this.#some(left)
      left -= piece.length
      yield piece
    }
  }
}
