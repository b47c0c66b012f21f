import { textOfUtf16 } from '../../../text/utf16.ts'
import { type Links, type TextLink, textLink, withAddresses } from './links.ts'
import { type Rec, types } from './records.ts'

/** A text of a slide with what it is: 0 and 6 are titles, 1, 7 and 8 lists, 2 notes. */
export interface PptText {
  kind: number
  /** Paragraphs with their level and whether a bullet stands before them. */
  text: string
}

const titles = new Set([0, 6])
const lists = new Set([1, 7, 8])

export const isTitle = ({ kind }: PptText): boolean => titles.has(kind)

/** The texts among these records, each of which begins with its kind. */
export function textsIn(records: readonly Rec[], links: Links = new Map()): PptText[] {
  const texts: { kind: number; raw: string; style?: Buffer; links: TextLink[] }[] = []
  let info: Rec | undefined
  for (const record of records) {
    const { type, body } = record
    if (type === types.textHeader) texts.push({ kind: body.length >= 4 ? body.readUInt32LE(0) : 4, raw: '', links: [] })
    const last = texts.at(-1)
    if (last === undefined) continue
    if (type === types.textChars) last.raw = textOfUtf16(body)
    if (type === types.textBytes) last.raw = body.toString('latin1')
    if (type === types.textStyle) last.style = body
    const link = type === types.textRange && info !== undefined ? textLink(info, record, links) : undefined
    if (link !== undefined) last.links.push(link)
    info = type === types.interactive ? record : undefined
  }
  return texts.map(({ kind, raw, style, links }) => ({ kind, text: linesOf(raw, style, lists.has(kind), links) }))
}

function linesOf(raw: string, style: Buffer | undefined, isList: boolean, links: TextLink[]): string {
  const runs = style === undefined ? [] : paragraphRuns(style, raw.length + 1)
  const lines: string[] = []
  let [at, run, left] = [0, 0, runs[0]?.length ?? 0]
  for (const paragraph of raw.split('\r')) {
    while (left <= at && run + 1 < runs.length) left += runs[++run]?.length ?? 0
    const { level = 0, isBullet = isList } = runs[run] ?? {}
    const linked = links.filter(({ end }) => end > at && end <= at + paragraph.length + 1)
    const words = linked.length === 0 ? paragraph : withAddresses(paragraph, at, linked)
    at += paragraph.length + 1
    const line = words.replace(/[\v\n]+/g, ' ').trim()
    if (line !== '') lines.push(`${isBullet ? `${'  '.repeat(level)}- ` : ''}${line}`)
  }
  return lines.join('\n')
}

interface ParagraphRun {
  /** In characters. */
  length: number
  level: number
  /** Undefined: as all texts of its kind. */
  isBullet?: boolean
}

/** Which properties are stored, each by its bits, with its length in bytes, in their order. */
const stored: [bits: number, length: number][] = [
  [0x000f, 2],
  [0x0080, 2],
  [0x0010, 2],
  [0x0040, 2],
  [0x0020, 4],
  [0x0800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x0100, 2],
  [0x0400, 2],
  [0x8000, 2],
]

const tabStops = 0x100000
const afterTabs = [0x10000, 0xe0000, 0x200000]

/** `characters`: of the text, with its end. What can't be followed is left out. */
function paragraphRuns(style: Buffer, characters: number): ParagraphRun[] {
  const runs: ParagraphRun[] = []
  for (let [at, covered] = [0, 0]; covered < characters && at + 10 <= style.length; ) {
    const length = style.readUInt32LE(at)
    const level = Math.min(8, style.readUInt16LE(at + 4))
    const mask = style.readUInt32LE(at + 6)
    at += 10
    const hasFlag = (mask & 1) !== 0 && at + 2 <= style.length
    const isBullet = hasFlag ? (style.readUInt16LE(at) & 1) !== 0 : undefined
    runs.push({ length, level, ...(isBullet === undefined ? {} : { isBullet }) })
    for (const [bits, bytes] of stored) if ((mask & bits) !== 0) at += bytes
    if ((mask & tabStops) !== 0) at += 2 + 4 * (at + 2 <= style.length ? style.readUInt16LE(at) : 0)
    for (const bits of afterTabs) if ((mask & bits) !== 0) at += 2
    covered += Math.max(1, length)
  }
  return runs
}
