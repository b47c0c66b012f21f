import { codePoint } from 'dingbat-to-unicode'
import { textOfUtf16 } from '../../../text/utf16.ts'
import { changeText } from '../docx/changes.ts'
import { dayOf } from './day.ts'
import { byteOf, longOf, type Sprm, wordOf } from './properties.ts'
import type { WordFile } from './word-file.ts'

/** How characters look, as far as it matters. */
export interface CharacterFormat {
  isBold: boolean
  isItalic: boolean
  isStruck: boolean
  /** Undefined: as the paragraph's style says. */
  isHidden?: boolean
  isRaised: boolean
  /** Data of a form's field, not a picture. */
  isData: boolean
  inserted?: Change
  deleted?: Change
  /** A character of a font of symbols; empty if it is unknown. */
  symbol?: string
}

interface Change {
  author?: number
  day?: string | undefined
}

/** Each property of its own; 0x80 and 0x81 are as in the style, or the opposite. */
const isOn = (sprm: Sprm): boolean => (byteOf(sprm) & 1) === 1

/** `fonts`: their names, by number. */
export function formatOf(sprms: readonly Sprm[], fonts: readonly string[]): CharacterFormat {
  const format: CharacterFormat = { isBold: false, isItalic: false, isStruck: false, isRaised: false, isData: false }
  const inserted: Change = {}
  const deleted: Change = {}
  let [isInserted, isDeleted] = [false, false]
  for (const sprm of sprms) {
    if (sprm.code === 0x0835) format.isBold = isOn(sprm)
    else if (sprm.code === 0x0836) format.isItalic = isOn(sprm)
    // One line through it, or two.
    else if (sprm.code === 0x0837 || sprm.code === 0x2a53) format.isStruck = isOn(sprm)
    else if (sprm.code === 0x083c) format.isHidden = isOn(sprm)
    else if (sprm.code === 0x2a48) format.isRaised = byteOf(sprm) === 1
    else if (sprm.code === 0x0806 || sprm.code === 0x080a) format.isData ||= isOn(sprm)
    else if (sprm.code === 0x6a09 && sprm.operand.length >= 4) format.symbol = symbolOf(sprm.operand, fonts)
    else if (sprm.code === 0x0801) isInserted = isOn(sprm)
    else if (sprm.code === 0x0800) isDeleted = isOn(sprm)
    else if (sprm.code === 0x4804) inserted.author = wordOf(sprm)
    else if (sprm.code === 0x6805) inserted.day = dayOf(longOf(sprm))
    else if (sprm.code === 0x4863) deleted.author = wordOf(sprm)
    else if (sprm.code === 0x6864) deleted.day = dayOf(longOf(sprm))
  }
  return { ...format, ...(isInserted ? { inserted } : {}), ...(isDeleted ? { deleted } : {}) }
}

/** A font and a character of it; those of symbols begin at 0xf000. */
function symbolOf(operand: Buffer, fonts: readonly string[]): string {
  const character = operand.readUInt16LE(2)
  const known = codePoint(fonts[operand.readUInt16LE(0)] ?? '', character & 0xff)
  return known?.string ?? (character < 0xe000 ? String.fromCharCode(character) : '')
}

/** What is to be said about such text; `isGone`: nobody sees it on paper. */
export interface Remark {
  text: string
  isGone: boolean
}

export function remarkOf(
  { inserted, deleted, isHidden }: CharacterFormat,
  isHiddenByStyle: boolean,
  authors: readonly string[],
): Remark | undefined {
  const say = (kind: string, { author, day }: Change): string => changeText(kind, authors[author ?? -1] ?? '', day)
  if (deleted !== undefined) return { text: say('deleted', deleted), isGone: true }
  if (isHidden ?? isHiddenByStyle) return { text: 'hidden', isGone: true }
  return inserted === undefined ? undefined : { text: say('inserted', inserted), isGone: false }
}

/** Who changed something, by number. The first stands for nobody known. */
export function changeAuthors(file: WordFile): string[] {
  const bytes = file.block('changeAuthors')
  if (bytes.length < 6) return []
  return stringsIn(bytes.subarray(6), bytes.readUInt16LE(2)).map((name, index) => (index === 0 ? '' : name))
}

const fontNameAt = 39

/** Names of fonts, by number. */
export function fontsOf(file: WordFile): string[] {
  const bytes = file.block('fonts')
  const fonts: string[] = []
  for (let at = 4; at < bytes.length && fonts.length < bytes.readUInt16LE(0); ) {
    const end = at + 1 + (bytes[at] ?? 0)
    const name = textOfUtf16(bytes.subarray(at + 1 + fontNameAt, end))
    fonts.push(name.slice(0, Math.max(0, name.indexOf('\0'))))
    at = end
  }
  return fonts
}

/** Texts with their length before each. */
export function stringsIn(bytes: Buffer, most: number): string[] {
  const found: string[] = []
  for (let at = 0; at + 2 <= bytes.length && found.length < most; ) {
    const end = at + 2 + bytes.readUInt16LE(at) * 2
    found.push(textOfUtf16(bytes.subarray(at + 2, end)))
    at = end
  }
  return found
}
