import { textOfUtf16 } from '../../../text/utf16.ts'
import { markdownTable } from '../docx/tables.ts'
import { inReadingOrder } from '../pptx/shapes.ts'
import type { Links } from './links.ts'
import { allWithin, first, type Rec, recordsIn, types } from './records.ts'
import { isTitle, type PptText, textsIn } from './text.ts'

/** English Metric Units, in which newer presentations measure. */
const unit = 914_400 / 576

/** What is on every slide: date, number, footer and header. */
const furniture = new Set([7, 8, 9, 10])

/** Placeholders of titles: plain, centred, vertical. */
const titlePlaces = new Set([13, 15, 17])

const pictureFrame = 75
const tableBits = 1
const tableProperties = 0x039f
const deepest = 50

/** Texts of the slide that are stored apart from it, and where its links lead. */
interface Texts {
  outline: readonly PptText[]
  links: Links
}

interface Shape {
  top: number
  left: number
  title: string
  text: string
}

export interface PptSlide {
  title: string
  text: string
  isHidden: boolean
}

/** `outline`: texts of the slide that are stored apart from it, and are referred to by their number. */
export function slideOf(slide: Buffer, outline: readonly PptText[], notes: Buffer | undefined, links: Links): PptSlide {
  const shapes = shapesOf(slide, { outline, links })
  const title = shapes
    .map((shape) => shape.title)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  const blocks = [
    title === '' ? '' : `# ${title}`,
    ...inReadingOrder(shapes).map(({ text }) => text),
    ...commentsOf(slide),
    notes === undefined ? '' : notesOf(notes),
  ]
  const show = first(slide, types.slideShowInfo)?.body
  const isHidden = show !== undefined && show.length >= 12 && (show.readUInt16LE(10) & 4) !== 0
  return { title, text: blocks.filter(Boolean).join('\n\n'), isHidden }
}

/** The shapes of a page lie in one group, whose first shape is the group itself. */
function shapesOf(page: Buffer, texts: Texts): Shape[] {
  const drawing = first(page, types.drawing)
  const groups = drawing === undefined ? [] : allWithin(drawing.body, types.shapeGroup)
  return groups.flatMap(({ body }) => groupShapes(body, texts, 0))
}

function groupShapes(group: Buffer, texts: Texts, depth: number): Shape[] {
  if (depth > deepest) return []
  return recordsIn(group)
    .slice(1)
    .flatMap(({ type, body }): Shape[] => {
      if (type === types.shape) return [shapeOf(body, texts)]
      if (type !== types.shapeGroup) return []
      const head = first(body, types.shape)
      if (head === undefined || !isTable(head.body)) return groupShapes(body, texts, depth + 1)
      return [{ ...placeOf(head.body), title: '', text: tableOf(groupShapes(body, texts, depth + 1)) }]
    })
}

function shapeOf(shape: Buffer, known: Texts): Shape {
  const place = placeOf(shape)
  const [placeholder] = allWithin(shape, types.placeholder)
  const purpose = placeholder?.body[4] ?? 0
  if (furniture.has(purpose)) return { ...place, title: '', text: '' }
  const texts = shapeTexts(shape, known)
  if (titlePlaces.has(purpose)) return { ...place, title: texts.map(({ text }) => text).join(' '), text: '' }
  const isPicture = first(shape, types.shapeKind)?.instance === pictureFrame
  const words = texts.filter((text) => !isTitle(text)).map(({ text }) => text)
  const text = words.join('\n') || (isPicture && texts.length === 0 ? '[image]' : '')
  return { ...place, title: texts.find(isTitle)?.text ?? '', text }
}

function shapeTexts(shape: Buffer, { outline, links }: Texts): PptText[] {
  const textbox = first(shape, types.textbox)
  if (textbox === undefined) return []
  const records = recordsIn(textbox.body)
  const reference = records.find(({ type }) => type === types.outlineText)
  if (reference === undefined || reference.body.length < 4) return textsIn(records, links)
  return outline.slice(reference.body.readUInt32LE(0)).slice(0, 1)
}

function placeOf(shape: Buffer): { top: number; left: number } {
  const anchor = first(shape, types.anchor)?.body
  if (anchor !== undefined && anchor.length >= 16) return at(anchor.readInt32LE(0), anchor.readInt32LE(4))
  if (anchor !== undefined && anchor.length >= 4) return at(anchor.readInt16LE(0), anchor.readInt16LE(2))
  const inner = first(shape, types.innerAnchor)?.body
  return inner !== undefined && inner.length >= 8 ? at(inner.readInt32LE(4), inner.readInt32LE(0)) : at(0, 0)
}

const at = (top: number, left: number): { top: number; left: number } => ({ top: top * unit, left: left * unit })

function isTable(shape: Buffer): boolean {
  const options = first(shape, types.moreOptions)
  for (let index = 0; index < (options?.instance ?? 0); index++) {
    const body = options?.body.subarray(index * 6, index * 6 + 6)
    if (body === undefined || body.length < 6) return false
    if ((body.readUInt16LE(0) & 0x3fff) === tableProperties) return (body.readUInt32LE(2) & tableBits) !== 0
  }
  return false
}

/** Cells are shapes with places of their own. The lines between them are shapes without text, in the same places. */
function tableOf(shapes: readonly Shape[]): string {
  const cells = shapes.filter(({ text }) => text !== '')
  const tops = [...new Set(cells.map(({ top }) => top))].sort((a, b) => a - b)
  const lefts = [...new Set(cells.map(({ left }) => left))].sort((a, b) => a - b)
  const rows = tops.map((top) => {
    const inRow = new Map(cells.filter((cell) => cell.top === top).map((cell) => [cell.left, cell.text]))
    return lefts.map((left) => ({ text: inRow.get(left) ?? '' }))
  })
  return markdownTable(rows)
}

const stringOf = (record: Rec | undefined): string =>
  record === undefined ? '' : textOfUtf16(record.body).replace(/\s+/g, ' ').trim()

function commentsOf(slide: Buffer): string[] {
  return allWithin(slide, types.comment).flatMap(({ body }) => {
    const strings = recordsIn(body).filter(({ type }) => type === types.cString)
    const text = stringOf(strings.find(({ instance }) => instance === 1))
    const author = stringOf(strings.find(({ instance }) => instance === 0)) || 'unknown'
    return text === '' ? [] : [`> comment (${author}): ${text}`]
  })
}

const notesKind = 2

/** Some programs don't mark the words of notes as such; an asterisk stands for a page's number. */
function notesOf(notes: Buffer): string {
  const texts = allWithin(notes, types.textbox)
    .flatMap(({ body }) => textsIn(recordsIn(body)))
    .filter(({ text }) => text !== '' && text !== '*')
  const marked = texts.filter(({ kind }) => kind === notesKind)
  const words = (marked.length > 0 ? marked : texts).map(({ text }) => text).join('\n')
  return words === '' ? '' : `Notes:\n${words}`
}
