import { type FileBytes, viewOf } from './file-bytes.ts'

/** How much of the file's end is read: the record itself and the longest comment after it. */
const endBytes = 22 + 65_535
/** How much of the list of entries is read: thousands of names. */
const listBytes = 1024 * 1024

/** Names of the entries of a zip archive. `all` is false if the list was cut, damaged, or missing. */
export interface ZipNames {
  names: string[]
  all: boolean
}

/** From the list at the end of the file; nothing is unpacked. */
export async function zipNames(file: FileBytes): Promise<ZipNames> {
  const from = Math.max(0, file.size - endBytes)
  const tail = viewOf(await file.range(from, file.size - from))
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end === -1 || end + 22 > tail.length) return { names: [], all: false }
  const list = await listPlace(tail, end, file)
  const names = await namesAt(list.offset, list.size, file)
  // If something stands in front of the archive, its offsets count from where it begins.
  const found = names.length > 0 ? names : await namesAt(Math.max(0, from + end - list.size), list.size, file)
  return { names: found, all: found.length === list.entries }
}

interface ListPlace {
  entries: number
  size: number
  offset: number
}

async function listPlace(tail: Buffer, end: number, file: FileBytes): Promise<ListPlace> {
  const place = {
    entries: tail.readUInt16LE(end + 10),
    size: tail.readUInt32LE(end + 12),
    offset: tail.readUInt32LE(end + 16),
  }
  const isLarge = place.entries === 0xffff || place.size === 0xffffffff || place.offset === 0xffffffff
  if (!isLarge || end < 20 || tail.toString('latin1', end - 20, end - 16) !== 'PK\x06\x07') return inFile(place, file)
  const record = viewOf(await file.range(ofFile(tail.readBigUInt64LE(end - 12), file), 56))
  if (record.length < 56 || record.toString('latin1', 0, 4) !== 'PK\x06\x06') return inFile(place, file)
  return {
    entries: Number(record.readBigUInt64LE(32)),
    size: ofFile(record.readBigUInt64LE(40), file),
    offset: ofFile(record.readBigUInt64LE(48), file),
  }
}

const inFile = ({ entries, size, offset }: ListPlace, file: FileBytes): ListPlace => ({
  entries,
  size: Math.min(size, file.size),
  offset: Math.min(offset, file.size),
})

const ofFile = (figure: bigint, file: FileBytes): number => (figure > BigInt(file.size) ? file.size : Number(figure))

async function namesAt(offset: number, size: number, file: FileBytes): Promise<string[]> {
  const bytes = viewOf(await file.range(offset, Math.min(size, listBytes)))
  const names: string[] = []
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50; ) {
    const length = bytes.readUInt16LE(at + 28)
    if (at + 46 + length > bytes.length) break
    names.push(bytes.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return names
}

/** Names at the beginning of an archive, as far as the lengths of their entries are given there. */
export function namesInHead(head: Uint8Array): string[] {
  const bytes = viewOf(head)
  const names: string[] = []
  let at = bytes.indexOf('PK\x03\x04', 0, 'latin1')
  while (at !== -1 && at + 30 <= bytes.length) {
    const end = at + 30 + bytes.readUInt16LE(at + 26)
    if (end > bytes.length) break
    names.push(bytes.toString('utf8', at + 30, end))
    at = bytes.indexOf('PK\x03\x04', Math.max(end, at + 4), 'latin1')
  }
  return names
}

/** What a first entry called `mimetype` says, as in OpenDocument and EPUB. */
export function mimetypeOf(head: Uint8Array): string | undefined {
  const bytes = viewOf(head)
  if (bytes.length < 38 || bytes.toString('latin1', 30, 38) !== 'mimetype' || bytes.readUInt16LE(26) !== 8)
    return undefined
  const start = 38 + bytes.readUInt16LE(28)
  const length = bytes.readUInt32LE(18) || bytes.subarray(start).indexOf('PK', 0, 'latin1')
  return length > 0 && length < 100 ? bytes.toString('latin1', start, start + length).trim() : undefined
}
