import { textOfUtf16 } from '../../../text/utf16.ts'
import { damaged } from '../../parse.ts'
import { lastFrom, plcOf, type WordFile } from './word-file.ts'

/** A stretch of the text that is stored in one go. */
interface Piece {
  from: number
  to: number
  /** Where it is stored. */
  at: number
  bytesEach: 1 | 2
  /** Properties for all of it, from a quick save. */
  properties: Buffer
}

export interface WordText {
  /** All parts, one after another: an index is what the format calls a character position. */
  text: string
  /** Where the character is stored, up to where its piece goes on, and what its piece adds. */
  placeOf(position: number): { at: number; bytesEach: number; left: number; properties: Buffer } | undefined
}

const pieceList = 2
const propertyList = 1
const isSmallFlag = 0x40000000
const none = Buffer.alloc(0)

/** Throws `damaged`. */
export function textOf(file: WordFile): WordText {
  const pieces = piecesOf(file)
  const bytes = pieces.reduce((sum, { from, to, bytesEach }) => sum + (to - from) * bytesEach, 0)
  // Pieces share nothing, so more of them is a lie, and might be a very long one.
  if (bytes > file.main.length) throw damaged('it names more text than it has')
  const text = pieces.map((piece) => decoded(file.main, piece)).join('')
  return {
    text,
    placeOf(position) {
      const piece = pieces[lastFrom(pieces.length, (index) => pieces[index]?.from ?? 0, position)]
      if (piece === undefined || position >= piece.to) return undefined
      const { from, to, bytesEach, properties } = piece
      return { at: piece.at + (position - from) * bytesEach, bytesEach, left: to - position, properties }
    },
  }
}

const ansi = new TextDecoder('windows-1252')

function decoded(main: Buffer, { from, to, at, bytesEach }: Piece): string {
  const bytes = main.subarray(at, at + (to - from) * bytesEach)
  if (bytes.length < (to - from) * bytesEach) throw damaged('the end of its text is missing')
  return bytesEach === 1 ? ansi.decode(bytes) : textOfUtf16(bytes)
}

/** Lists of properties come first, then the pieces. */
function piecesOf(file: WordFile): Piece[] {
  const bytes = file.block('pieces')
  const lists: Buffer[] = []
  let at = 0
  while (bytes[at] === propertyList && at + 3 <= bytes.length) {
    const length = bytes.readUInt16LE(at + 1)
    lists.push(bytes.subarray(at + 3, at + 3 + length))
    at += 3 + length
  }
  if (bytes[at] !== pieceList || at + 5 > bytes.length) throw damaged('its text cannot be found')
  const pieces: Piece[] = []
  for (const { from, to, value } of plcOf(bytes.subarray(at + 5, at + 5 + bytes.readUInt32LE(at + 1)), 8)) {
    if (from !== (pieces.at(-1)?.to ?? 0) || to < from) throw damaged('its text is out of order')
    const place = value.readUInt32LE(2)
    const isSmall = (place & isSmallFlag) !== 0
    const start = place & 0x3fffffff
    const added = value.readUInt16LE(6)
    pieces.push({
      from,
      to,
      at: isSmall ? start >>> 1 : start,
      bytesEach: isSmall ? 1 : 2,
      properties: (added & 1) === 1 ? (lists[added >> 1] ?? none) : none,
    })
  }
  return pieces
}
