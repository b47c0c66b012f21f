import { lastFrom, type WordFile } from './word-file.ts'

/** A change of one property. */
export interface Sprm {
  code: number
  operand: Buffer
}

const tableCode = 0xd608
const tabsCode = 0xc615
/** Bytes of an operand by the highest three bits of its code; 0 if its first byte says it. */
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3]

/** What can't be followed is left out. */
export function sprmsIn(bytes: Buffer): Sprm[] {
  const found: Sprm[] = []
  for (let at = 0; at + 3 <= bytes.length; ) {
    const code = bytes.readUInt16LE(at)
    at += 2
    const fixed = operandBytes[code >> 13] ?? 0
    const skipped = fixed > 0 ? 0 : code === tableCode ? 2 : 1
    const length = fixed > 0 ? fixed : lengthAt(bytes, at, code)
    found.push({ code, operand: bytes.subarray(at + skipped, at + skipped + length) })
    at += skipped + length
  }
  return found
}

function lengthAt(bytes: Buffer, at: number, code: number): number {
  if (code === tableCode) return at + 2 <= bytes.length ? Math.max(0, bytes.readUInt16LE(at) - 1) : 0
  const length = bytes[at] ?? 0
  if (code !== tabsCode || length < 255) return length
  const deleted = 1 + 4 * (bytes[at + 1] ?? 0)
  return deleted + 1 + 3 * (bytes[at + 1 + deleted] ?? 0)
}

/** Numbers of an operand that is cut are 0. */
export const byteOf = ({ operand }: Sprm): number => operand[0] ?? 0
export const wordOf = ({ operand }: Sprm): number => (operand.length >= 2 ? operand.readUInt16LE(0) : 0)
export const longOf = ({ operand }: Sprm): number => (operand.length >= 4 ? operand.readUInt32LE(0) : 0)

const pageBytes = 512

/** Properties that are stored with a stretch of the main stream, which ends at `end`. */
export interface Stored {
  bytes: Buffer
  end: number
}

/** The pages of the main stream that hold properties, and a list of what they are about. */
export class PropertyPages {
  readonly #main: Buffer
  readonly #list: Buffer
  readonly #count: number
  readonly #find: (page: Buffer, count: number, index: number) => Buffer

  /** `block`: pages of paragraphs or of characters, which store them in two ways. */
  constructor(file: WordFile, block: 'paragraphPages' | 'characterPages') {
    this.#main = file.main
    this.#list = file.block(block)
    this.#count = Math.max(0, Math.floor((this.#list.length - 4) / 8))
    this.#find = block === 'paragraphPages' ? paragraphBytes : characterBytes
  }

  /** Undefined if nothing is stored there. */
  at(place: number): Stored | undefined {
    const index = lastFrom(this.#count, (one) => this.#list.readUInt32LE(one * 4), place)
    if (index < 0) return undefined
    const start = (this.#list.readUInt32LE((this.#count + 1) * 4 + index * 4) & 0x3fffff) * pageBytes
    const page = this.#main.subarray(start, start + pageBytes)
    const count = page[pageBytes - 1] ?? 0
    if (page.length < pageBytes || (count + 1) * 4 > pageBytes) return undefined
    const entry = lastFrom(count, (one) => page.readUInt32LE(one * 4), place)
    const end = entry < 0 ? 0 : page.readUInt32LE(entry * 4 + 4)
    return place < end ? { bytes: this.#find(page, count, entry), end } : undefined
  }
}

const none = Buffer.alloc(0)

/** Their length counts words; where it is odd, a byte less. They begin with the style's number. */
function paragraphBytes(page: Buffer, count: number, index: number): Buffer {
  const at = (page[(count + 1) * 4 + index * 13] ?? 0) * 2
  if (at === 0) return none
  const length = page[at] ?? 0
  if (length > 0) return page.subarray(at + 1, at + 2 * length)
  return page.subarray(at + 2, at + 2 + 2 * (page[at + 1] ?? 0))
}

function characterBytes(page: Buffer, count: number, index: number): Buffer {
  const at = (page[(count + 1) * 4 + index] ?? 0) * 2
  return at === 0 ? none : page.subarray(at + 1, at + 1 + (page[at] ?? 0))
}
