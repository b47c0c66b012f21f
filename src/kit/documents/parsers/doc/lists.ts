import { textOfUtf16 } from '../../../text/utf16.ts'
import { type List, Numbering, type NumberingLevel } from '../docx/numbering.ts'
import type { WordFile } from './word-file.ts'

const listBytes = 28
const levelBytes = 28
const overrideBytes = 16
const levelsPerList = 9
/** A document that claims more lists than this is read without the rest. */
const maxLists = 10_000

/** The words for them in newer documents. Other scripts' numbers become digits. */
const formats = new Map([
  [1, 'upperRoman'],
  [2, 'lowerRoman'],
  [3, 'upperLetter'],
  [4, 'lowerLetter'],
  [22, 'decimalZero'],
  [23, 'bullet'],
  [255, 'none'],
])

/** The lists of a document, by the number that paragraphs use, from 1. */
export function numberingOf(file: WordFile): Numbering {
  const levels = levelsOf(file.from('lists'))
  const bytes = file.from('listOverrides')
  const count = bytes.length < 4 ? 0 : Math.min(maxLists, bytes.readUInt32LE(0))
  const lists = new Map<string, List>()
  let at = 4 + count * overrideBytes
  for (let index = 0; index < count && 4 + (index + 1) * overrideBytes <= bytes.length; index++) {
    const start = 4 + index * overrideBytes
    const id = bytes.readInt32LE(start)
    const list: List = { id: String(id), levels: [...(levels.get(id) ?? [])], restarts: new Map() }
    at = takeOverrides(bytes, at + 4, bytes[start + 12] ?? 0, list)
    lists.set(String(index + 1), list)
  }
  return new Numbering(lists)
}

/** Returns where the next list's overrides begin. */
function takeOverrides(bytes: Buffer, start: number, count: number, list: List): number {
  let at = start
  for (let index = 0; index < count && at + 8 <= bytes.length; index++) {
    const flags = bytes.readUInt32LE(at + 4)
    const number = Math.min(levelsPerList - 1, flags & 15)
    if ((flags & 16) !== 0) list.restarts.set(number, startOf(bytes.readInt32LE(at)))
    at += 8
    if ((flags & 32) === 0) continue
    const read = levelAt(bytes, at)
    if (read === undefined) break
    list.levels[number] = read.level
    at = read.end
  }
  return at
}

/** Levels of each list follow all lists: one of a simple list, nine of others. */
function levelsOf(bytes: Buffer): ReadonlyMap<number, NumberingLevel[]> {
  const count = bytes.length < 2 ? 0 : Math.min(maxLists, bytes.readUInt16LE(0))
  const lists = new Map<number, NumberingLevel[]>()
  let at = 2 + count * listBytes
  for (let index = 0; index < count && at < bytes.length; index++) {
    const start = 2 + index * listBytes
    const isSimple = ((bytes[start + 26] ?? 0) & 1) === 1
    const levels: NumberingLevel[] = []
    while (levels.length < (isSimple ? 1 : levelsPerList)) {
      const read = levelAt(bytes, at)
      if (read === undefined) return lists
      levels.push(read.level)
      at = read.end
    }
    lists.set(bytes.readInt32LE(start), levels)
  }
  return lists
}

function levelAt(bytes: Buffer, at: number): { level: NumberingLevel; end: number } | undefined {
  if (at + levelBytes + 2 > bytes.length) return undefined
  const textAt = at + levelBytes + (bytes[at + 24] ?? 0) + (bytes[at + 25] ?? 0)
  if (textAt + 2 > bytes.length) return undefined
  const end = textAt + 2 + bytes.readUInt16LE(textAt) * 2
  const text = textOfUtf16(bytes.subarray(textAt + 2, end))
  const level = {
    format: formats.get(bytes[at + 4] ?? 0) ?? 'decimal',
    // A level's number stands for that level.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: its number is a control character.
    text: text.replace(/[\0-\u0008]/g, (level) => `%${level.charCodeAt(0) + 1}`),
    isLegal: ((bytes[at + 5] ?? 0) & 4) !== 0,
    start: startOf(bytes.readInt32LE(at)),
    restartsAfter: ((bytes[at + 5] ?? 0) & 8) === 0 ? Number.POSITIVE_INFINITY : (bytes[at + 26] ?? 0),
  }
  return { level, end }
}

const startOf = (number: number): number => (number >= 0 && number <= 999_999 ? number : 1)
