import { damaged, notReadable } from '../../parse.ts'

/** Blocks of the table stream, by their place in the header's list of them. */
const blocks = {
  styles: 1,
  footnotePlaces: 2,
  footnoteTexts: 3,
  commentPlaces: 4,
  commentTexts: 5,
  headerTexts: 11,
  characterPages: 12,
  paragraphPages: 13,
  fonts: 15,
  pieces: 33,
  commentAuthors: 36,
  shapePlaces: 40,
  endnotePlaces: 46,
  endnoteTexts: 47,
  changeAuthors: 51,
  boxTexts: 56,
  lists: 73,
  listOverrides: 74,
} as const

/** Where a part of the text begins and ends, in characters. */
export interface Range {
  from: number
  to: number
}

type PartName = 'main' | 'footnotes' | 'headers' | 'macros' | 'comments' | 'endnotes' | 'boxes'

/** Their lengths follow each other in the header in this order, and so do their texts. */
const partNames: PartName[] = ['main', 'footnotes', 'headers', 'macros', 'comments', 'endnotes', 'boxes']

const headBytes = 154
const blockList = headBytes
const partLengths = 76
const encryptedFlag = 0x0100
const secondTableFlag = 0x0200

/** The streams of a Word document (97 to 2003), and what its header says about them. */
export interface WordFile {
  main: Buffer
  /** Pictures, and properties that are too long for the main stream. */
  data: Buffer
  parts: Record<PartName, Range>
  /** Bytes of the table stream; empty if there are none. */
  block(name: keyof typeof blocks): Buffer
  /** The same, with what follows. */
  from(name: keyof typeof blocks): Buffer
}

export const isEncrypted = (main: Buffer): boolean => main.length >= 12 && (main.readUInt16LE(10) & encryptedFlag) !== 0

/** Throws `damaged`, `not_readable`. */
export function openWord(read: (stream: string) => Buffer | undefined): WordFile {
  const main = read('WordDocument') ?? Buffer.alloc(0)
  if (main.length < headBytes) throw damaged('its beginning is missing')
  const magic = main.readUInt16LE(0)
  if (magic === 0xa5dc || magic === 0xa5db || (magic >= 0xa697 && magic <= 0xa699))
    throw notReadable('a Word document from before 1997', 'Ask for it as .docx: in Word, File, Save As.')
  if (magic !== 0xa5ec) throw damaged('its text cannot be found')
  const name = (main.readUInt16LE(10) & secondTableFlag) === 0 ? '0Table' : '1Table'
  const table = read(name) ?? Buffer.alloc(0)
  const pairs = main.readUInt16LE(152)
  const place = (index: number): { start: number; length: number } => {
    const at = blockList + index * 8
    if (index >= pairs || at + 8 > main.length) return { start: 0, length: 0 }
    return { start: main.readUInt32LE(at), length: main.readUInt32LE(at + 4) }
  }
  return {
    main,
    data: read('Data') ?? Buffer.alloc(0),
    parts: partsOf(main),
    block(name) {
      const { start, length } = place(blocks[name])
      return table.subarray(start, start + length)
    },
    from(name) {
      const { start, length } = place(blocks[name])
      return length === 0 ? table.subarray(0, 0) : table.subarray(start)
    },
  }
}

function partsOf(main: Buffer): WordFile['parts'] {
  let from = 0
  const ranges = partNames.map((name, index): [PartName, Range] => {
    const to = from + Math.max(0, main.readInt32LE(partLengths + index * 4))
    const range = { from, to }
    from = to
    return [name, range]
  })
  return Object.fromEntries(ranges) as Record<PartName, Range>
}

/** Positions that are followed by a value for each but the last: `[position, next, value]`. */
export function plcOf(bytes: Buffer, valueBytes: number): { from: number; to: number; value: Buffer }[] {
  const count = Math.floor((bytes.length - 4) / (4 + valueBytes))
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const at = (count + 1) * 4 + index * valueBytes
    return {
      from: bytes.readUInt32LE(index * 4),
      to: bytes.readUInt32LE(index * 4 + 4),
      value: bytes.subarray(at, at + valueBytes),
    }
  })
}

/** The last of `count` whose start isn't after `value`; -1 if there is none. Starts ascend. */
export function lastFrom(count: number, startOf: (index: number) => number, value: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (startOf(middle) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
