/** How many bytes from the end are searched for the end of an archive: a long comment, or appended data. */
const tailBytes = 1_000_000

const endMark = Buffer.from('PK\x05\x06', 'latin1')
const entryMark = Buffer.from('PK\x03\x04', 'latin1')
const listMark = Buffer.from('PK\x01\x02', 'latin1')

const endBytes = 22
const localBytes = 30
const listedBytes = 46
/** Stands for a number that is too large for its field. */
const elsewhere = 0xffffffff

/**
 * The archive without what a mail program or a download put before or after it. The same bytes if there is nothing to
 * repair, or nothing that can be.
 */
export function trimmedZip(bytes: Buffer): Buffer {
  const from = Math.max(0, bytes.length - tailBytes)
  const at = bytes.subarray(from).lastIndexOf(endMark) + from
  if (at < from || at + endBytes > bytes.length) return bytes
  const [size, offset] = [bytes.readUInt32LE(at + 12), bytes.readUInt32LE(at + 16)]
  const start = at - size - offset
  const isShifted = offset !== elsewhere && start > 0 && bytes.subarray(at - size).indexOf(listMark) === 0
  const end = at + endBytes + bytes.readUInt16LE(at + 20)
  if (!isShifted && end === bytes.length) return bytes
  const trimmed = bytes.subarray(isShifted ? start : 0, Math.min(end, bytes.length))
  if (end <= bytes.length) return trimmed
  const copy = Buffer.from(trimmed)
  copy.writeUInt16LE(bytes.length - at - endBytes, copy.length - (bytes.length - at) + 20)
  return copy
}

/**
 * An archive whose list of files is lost, as when its end is missing: with a new list, made from the headers before
 * each file. Undefined if it contains no file. `most`: how many files are listed.
 */
export function relistedZip(bytes: Buffer, most: number): Buffer | undefined {
  const list: Buffer[] = []
  for (let at = bytes.indexOf(entryMark); at !== -1 && list.length < most; ) {
    if (at + localBytes > bytes.length) break
    const nameBytes = bytes.readUInt16LE(at + 26)
    const start = at + localBytes + nameBytes + bytes.readUInt16LE(at + 28)
    if (nameBytes === 0 || start > bytes.length) break
    const next = endOf(bytes, at, start)
    list.push(listed(bytes, at, nameBytes, next - start))
    at = bytes.indexOf(entryMark, next)
  }
  if (list.length === 0) return undefined
  const listBytes = list.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(endBytes)
  endMark.copy(end)
  end.writeUInt16LE(Math.min(list.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(list.length, 0xffff), 10)
  end.writeUInt32LE(listBytes, 12)
  end.writeUInt32LE(bytes.length, 16)
  return Buffer.concat([bytes, ...list, end])
}

/**
 * Where a file's packed bytes end: where its header says, if something follows there, otherwise before the next file.
 */
function endOf(bytes: Buffer, at: number, start: number): number {
  const said = bytes.readUInt32LE(at + 18)
  if (said > 0 && start + said <= bytes.length) return start + said
  const next = bytes.indexOf(entryMark, start)
  const list = next === -1 ? bytes.indexOf(listMark, start) : next
  return list === -1 ? bytes.length : list
}

/** The fields that both headers have are in the same order. */
function listed(bytes: Buffer, at: number, nameBytes: number, packedBytes: number): Buffer {
  const entry = Buffer.alloc(listedBytes + nameBytes)
  listMark.copy(entry)
  bytes.copy(entry, 6, at + 4, at + 30)
  entry.writeUInt32LE(packedBytes, 20)
  entry.writeUInt16LE(0, 30)
  entry.writeUInt32LE(at, 42)
  bytes.copy(entry, listedBytes, at + localBytes, at + localBytes + nameBytes)
  return entry
}
