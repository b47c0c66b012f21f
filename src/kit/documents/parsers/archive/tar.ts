interface TarEntry {
  name: string
  size: number
  /** Its bytes. Undefined for links and devices, and for a file that isn't all there. */
  content?: Buffer
}

export interface TarListing {
  entries: TarEntry[]
  /** The number of files beyond the limit. */
  more: number
  /** False if it ends in the middle. */
  isWhole: boolean
}

const block = 512
const longestName = 4096

/** Plain files, of older and newer programs. */
const plainFiles = new Set(['0', '\0', '7'])

/** The files of a tar archive in memory, without folders. Undefined if it isn't one. */
export function listTar(bytes: Buffer, maxEntries: number): TarListing | undefined {
  if (bytes.length < block || !hasChecksum(bytes.subarray(0, block))) return undefined
  const listing: TarListing = { entries: [], more: 0, isWhole: true }
  let longName: string | undefined
  for (let at = 0; at + block <= bytes.length; ) {
    const header = bytes.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) return listing
    const size = sizeIn(header)
    if (!hasChecksum(header) || size === undefined) return { ...listing, isWhole: false }
    const type = String.fromCharCode(header[156] ?? 0)
    const start = at + block * (type === 'S' ? headersOf(bytes.subarray(at)) : 1)
    const content = bytes.subarray(start, start + Math.min(size, longestName))
    at = start + Math.ceil(size / block) * block
    if (type === 'L') longName = textIn(content)
    else if (type === 'x') longName = pathIn(bytes.subarray(start, start + size)) ?? longName
    else if (type !== 'g' && type !== 'K') {
      const name = longName ?? nameIn(header)
      longName = undefined
      if (type === '5' || name.endsWith('/')) continue
      const whole = plainFiles.has(type) && start + size <= bytes.length
      const entry = whole ? { name, size, content: bytes.subarray(start, start + size) } : { name, size }
      if (listing.entries.length < maxEntries) listing.entries.push(entry)
      else listing.more++
    }
    if (at > bytes.length) return { ...listing, isWhole: false }
  }
  return listing
}

/** The sum of all bytes of a header, counting its own field as spaces. */
function hasChecksum(header: Buffer): boolean {
  const stored = Number.parseInt(header.toString('latin1', 148, 156).replaceAll('\0', ' ').trim(), 8)
  const sum = header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
  return sum === stored
}

/** How many blocks say where the parts of a file with gaps belong. Each says whether another follows. */
function headersOf(file: Buffer): number {
  if (file[482] !== 1) return 1
  let count = 2
  while (file[count * block - 8] === 1) count++
  return count
}

/** Octal digits, or, for larger values, a number in base 256, marked by its first bit. */
function sizeIn(header: Buffer): number | undefined {
  const size =
    (header[124] ?? 0) >= 0x80
      ? Number(header.readBigUInt64BE(128))
      : Number.parseInt(textIn(header.subarray(124, 136)).trim() || '0', 8)
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined
}

const textIn = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

function nameIn(header: Buffer): string {
  const name = textIn(header.subarray(0, 100))
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textIn(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** The name among the records of the newer format, such as `13 path=a.md` and a line end, of which 13 is the length. */
function pathIn(records: Buffer): string | undefined {
  for (let at = 0; at < records.length; ) {
    const length = Number.parseInt(records.toString('latin1', at, at + 20), 10)
    if (!(length > 0)) return undefined
    const record = records.subarray(at, at + length - 1)
    const key = record.indexOf(' path=')
    if (key !== -1 && key === record.indexOf(' ')) return record.toString('utf8', key + 6, key + 6 + longestName)
    at += length
  }
  return undefined
}
