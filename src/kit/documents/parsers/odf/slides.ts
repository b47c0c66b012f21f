import type { DocumentPart } from '../../document.ts'
import { allOf, elementsOf, within, type XmlElement } from '../../xml.ts'
import { inReadingOrder } from '../pptx/shapes.ts'
import { BlockReader } from './blocks.ts'
import { altOf, commentOf, type InlineContext } from './inline.ts'
import { objectIn, objectText } from './objects.ts'

/** EMU in one of each unit. */
const units: ReadonlyMap<string, number> = new Map([
  ['cm', 360_000],
  ['mm', 36_000],
  ['in', 914_400],
  ['pt', 12_700],
  ['px', 9_525],
])

interface Shape {
  element: XmlElement
  top: number
  left: number
}

/** The slides of a presentation, or the pages of a drawing, and the numbers of hidden ones. */
export function slidesOf(body: XmlElement, context: InlineContext): { slides: DocumentPart[]; hidden: number[] } {
  const hidden: number[] = []
  const slides = allOf(body, 'draw:page').map((page, index): DocumentPart => {
    const isHidden = context.styles.text.get(page.attributes.get('draw:style-name') ?? '')?.isUnseen === true
    if (isHidden) hidden.push(index + 1)
    const { title, text } = slideText(page, context)
    const shown = isHidden ? `(hidden slide)\n\n${text}`.trim() : text
    return { unit: 'slide', number: index + 1, ...(title === '' ? {} : { name: title }), text: shown }
  })
  return { slides, hidden }
}

function slideText(page: XmlElement, context: InlineContext): { title: string; text: string } {
  const shapes = shapesOf(page)
  const isTitle = ({ element }: Shape): boolean => element.attributes.get('presentation:class') === 'title'
  const title = shapes
    .filter(isTitle)
    .map(({ element }) => shapeText(element, context))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  const blocks = inReadingOrder(shapes.filter((shape) => !isTitle(shape))).map(({ element }) =>
    shapeText(element, context),
  )
  const comments = allOf(page, 'office:annotation').map((annotation) => `> ${commentOf(annotation)}`)
  const notes = notesOf(within(page, 'presentation:notes'), context)
  const text = [title === '' ? '' : `# ${title}`, ...blocks, ...comments, notes].filter((block) => block !== '')
  return { title, text: text.join('\n\n') }
}

function shapesOf(page: XmlElement): Shape[] {
  const shapes: Shape[] = []
  const walk = (parent: XmlElement): void => {
    for (const element of elementsOf(parent)) {
      if (element.name === 'draw:g' || element.name === 'draw:a') walk(element)
      else if (element.name.startsWith('draw:') && element.name !== 'draw:layer-set')
        shapes.push({ element, top: lengthOf(element, 'svg:y'), left: lengthOf(element, 'svg:x') })
    }
  }
  walk(page)
  return shapes
}

const furniture = new Set(['date-time', 'footer', 'header', 'page-number', 'page'])

function shapeText(shape: XmlElement, context: InlineContext): string {
  if (furniture.has(shape.attributes.get('presentation:class') ?? '')) return ''
  if (shape.attributes.get('presentation:placeholder') === 'true') return ''
  const blocks = new BlockReader(context).read(shape)
  const lines = blocks.map(({ text, notes = [] }) => [text, ...notes].join('\n')).filter((text) => text !== '')
  if (lines.length > 0) return lines.join('\n')
  const object = objectIn(shape, context.objects)
  if (object !== undefined) return objectText(object)
  const isPicture = within(shape, 'draw:image') !== undefined || within(shape, 'draw:object') !== undefined
  return isPicture ? altOf(shape) : ''
}

function notesOf(notes: XmlElement | undefined, context: InlineContext): string {
  if (notes === undefined) return ''
  const text = shapesOf(notes)
    .map(({ element }) => shapeText(element, context))
    .filter((line) => line !== '')
    .join('\n')
  return text === '' ? '' : `Notes:\n${text}`
}

function lengthOf(element: XmlElement, name: string): number {
  const [, number, unit] = /^(-?[\d.]{1,20})(cm|mm|in|pt|px)$/.exec(element.attributes.get(name) ?? '') ?? []
  const length = Number(number) * (units.get(unit ?? '') ?? 0)
  return Number.isFinite(length) ? length : 0
}
