import { byteOf, longOf, type Sprm, sprmsIn, wordOf } from './properties.ts'
import type { WordFile } from './word-file.ts'

/** What is known of a paragraph besides its text. */
export interface ParagraphFormat {
  /** Of a heading, from 1; 0 is the document's title. */
  headingLevel?: number | undefined
  isHidden?: boolean
  /** Number of the list's entry, 0 for none, and the item's level in it. */
  list?: number
  listLevel?: number
  isInTable?: boolean
  /** Tables in tables count from 1. */
  depth?: number
  isRowEnd?: boolean
  isInnerCellEnd?: boolean
  /** Of a row: what describes its cells. */
  row?: Sprm[]
}

/** How many styles may inherit from each other. */
const maxChain = 20
const paragraphKind = 1
const noStyle = 0xfff
const titleStyle = 62
const rowCodes = new Set([0xd608, 0x5624, 0xd62b])

/** Formats of paragraphs by their style's number, with what styles inherit. */
export function stylesOf(file: WordFile): ReadonlyMap<number, ParagraphFormat> {
  const own = ownStyles(file.block('styles'))
  const styles = new Map<number, ParagraphFormat>()
  for (const number of own.keys()) {
    let found: ParagraphFormat = {}
    let at: number | undefined = number
    for (let links = 0; at !== undefined && links < maxChain; links++) {
      const style: OwnStyle | undefined = own.get(at)
      found = { ...style?.format, ...found }
      at = style?.basedOn
    }
    styles.set(number, found)
  }
  return styles
}

interface OwnStyle {
  basedOn: number
  format: ParagraphFormat
}

function ownStyles(bytes: Buffer): ReadonlyMap<number, OwnStyle> {
  const styles = new Map<number, OwnStyle>()
  if (bytes.length < 6) return styles
  const fixedBytes = bytes.readUInt16LE(4)
  let at = 2 + bytes.readUInt16LE(0)
  for (let number = 0; number < bytes.readUInt16LE(2) && at + 2 <= bytes.length; number++) {
    const length = bytes.readUInt16LE(at)
    const style = bytes.subarray(at + 2, at + 2 + length)
    at += 2 + length
    if (style.length >= 12 && (style.readUInt16LE(2) & 15) === paragraphKind)
      styles.set(number, { basedOn: style.readUInt16LE(2) >> 4, format: ownFormat(style, fixedBytes) })
  }
  return styles
}

/** A name, then properties of paragraphs, then of characters: each with its length before it, at even places. */
function ownFormat(style: Buffer, fixedBytes: number): ParagraphFormat {
  const known = style.readUInt16LE(0) & noStyle
  const format: ParagraphFormat = {}
  const isHeading = known >= 1 && known <= 9
  if (fixedBytes + 2 > style.length) return isHeading ? { headingLevel: known } : format
  let at = fixedBytes + 2 + (style.readUInt16LE(fixedBytes) + 1) * 2
  const next = (): Buffer => {
    const length = at + 2 <= style.length ? style.readUInt16LE(at) : 0
    const bytes = style.subarray(at + 2, at + 2 + length)
    at += 2 + length + (length % 2)
    return bytes
  }
  applyTo(format, sprmsIn(next().subarray(2)))
  for (const sprm of sprmsIn(next())) if (sprm.code === 0x083c) format.isHidden = byteOf(sprm) === 1
  if (isHeading) format.headingLevel = known
  if (known === titleStyle) format.headingLevel = 0
  return format
}

/** Changes `format`; codes of other properties are left out. */
export function applyTo(format: ParagraphFormat, sprms: readonly Sprm[]): void {
  const row: Sprm[] = []
  for (const sprm of sprms) {
    if (sprm.code === 0x2640) format.headingLevel = byteOf(sprm) < 9 ? byteOf(sprm) + 1 : undefined
    else if (sprm.code === 0x260a) format.listLevel = Math.min(8, byteOf(sprm))
    else if (sprm.code === 0x460b) format.list = wordOf(sprm)
    else if (sprm.code === 0x2416) format.isInTable = byteOf(sprm) !== 0
    else if (sprm.code === 0x2417 || sprm.code === 0x244c) format.isRowEnd = byteOf(sprm) !== 0
    else if (sprm.code === 0x244b) format.isInnerCellEnd = byteOf(sprm) !== 0
    else if (sprm.code === 0x6649) format.depth = longOf(sprm)
    else if (rowCodes.has(sprm.code)) row.push(sprm)
  }
  if (row.length > 0) format.row = row
}
