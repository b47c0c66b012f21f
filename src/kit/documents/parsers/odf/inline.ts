import { isElement, textOf, within, type XmlElement } from '../../xml.ts'
import { Words } from '../docx/inline.ts'
import { raised, resolvedMark } from '../text/marks.ts'
import { markOf, type TrackedChanges } from './changes.ts'
import { linesOf } from './lines.ts'
import { timesOf } from './names.ts'
import { type Objects, objectIn, objectText } from './objects.ts'
import type { OdfStyles, TextStyle } from './styles.ts'

/** A paragraph's text, and related texts from elsewhere. */
export interface OdfInline {
  text: string
  notes: string[]
  comments: string[]
  /** Text boxes that are anchored in it. */
  boxes: XmlElement[]
}

export interface InlineContext {
  styles: OdfStyles
  /** Notes so far. */
  count: { notes: number }
  changes?: TrackedChanges
  objects?: Objects
  /** The paragraph's style hides its text. */
  isHidden?: boolean
  /** The cell's style strikes its text out. */
  isStruck?: boolean
}

const maxSpaces = 100

const noChanges: TrackedChanges = new Map()

/** Change marks, helpers of fields, and hidden content. */
const silent = new Set([
  'text:tracked-changes',
  'text:note-citation',
  'text:hidden-text',
  'text:ruby-text',
  'svg:title',
  'svg:desc',
])

/** `isPlain`: without bold and italics, as in headings and cells. */
export function odfInline(paragraph: XmlElement, context: InlineContext, isPlain: boolean): OdfInline {
  const inline: OdfInline = { text: '', notes: [], comments: [], boxes: [] }
  const words = new Words()
  const say = (text: string, place: Place): void => words.say(place.isRaised ? raised(text) : text, place)
  const walk = (element: XmlElement, place: Place): void => {
    for (const child of element.children) {
      // Line ends in the file are only its layout; spaces that count are elements.
      if (!isElement(child)) say(child.replace(/[ \t\n]+/g, ' '), place)
      else if (!silent.has(child.name)) special(child, place)
    }
  }
  const special = (child: XmlElement, place: Place): void => {
    const { name, attributes } = child
    if (name === 'text:s') words.say(' '.repeat(Math.min(maxSpaces, timesOf(attributes.get('text:c')))), place)
    else if (name === 'text:tab') words.say('\t', place)
    else if (name === 'text:line-break') words.say('\n', place)
    else if (/^text:change(-start|-end)?$/.test(name)) words.say(markOf(child, context.changes ?? noChanges), plain)
    else if (name === 'text:note') {
      inline.notes.push(`[^${++context.count.notes}]: ${linesOf(within(child, 'text:note-body')).join(' ')}`)
      words.say(`[^${context.count.notes}]`, plain)
    } else if (name === 'office:annotation') inline.comments.push(commentOf(child))
    else if (name === 'draw:custom-shape' || name === 'draw:g') inline.boxes.push(child)
    else if (name === 'text:span') span(child, place)
    else if (name === 'text:a') walk(child, { ...place, href: addressOf(child) })
    else if (name !== 'draw:frame') walk(child, place)
    else if (within(child, 'draw:text-box') !== undefined) inline.boxes.push(child)
    else shown(child)
  }
  const shown = (frame: XmlElement): void => {
    const object = objectIn(frame, context.objects)
    // Its table doesn't fit into a line.
    if (object !== undefined && 'chart' in object) inline.boxes.push({ ...frame, name: '', children: [frame] })
    else words.say(object === undefined ? ` ${altOf(frame)} ` : objectText(object), plain)
  }
  const span = (child: XmlElement, place: Place): void => {
    const style = context.styles.text.get(child.attributes.get('text:style-name') ?? '')
    const hasText = textOf(child).trim() !== ''
    const isHidden = style?.isHidden === true && context.isHidden !== true && hasText
    const isShown = style?.isHidden === false && context.isHidden === true && hasText
    if (isHidden) words.say('[hidden: ', plain)
    if (isShown) words.say(']', plain)
    walk(child, styled(place, style, isPlain))
    if (isHidden) words.say(']', plain)
    if (isShown) words.say('[hidden: ', plain)
  }
  const style = context.styles.text.get(paragraph.attributes.get('text:style-name') ?? '')
  walk(paragraph, styled(plain, { isStruck: style?.isStruck ?? context.isStruck === true }, isPlain))
  inline.text = words.text()
  return inline
}

interface Place {
  marks: string
  isRaised: boolean
  href: string
}

const plain: Place = { marks: '', isRaised: false, href: '' }

function styled(place: Place, style: TextStyle | undefined, isPlain: boolean): Place {
  const looks = isPlain ? '' : `${style?.isBold === true ? '**' : ''}${style?.isItalic === true ? '*' : ''}`
  const isStruck = style?.isStruck ?? place.marks.endsWith('~~')
  const marks = `${looks || place.marks.replace('~~', '')}${isStruck ? '~~' : ''}`
  return { ...place, marks, isRaised: style?.isRaised ?? place.isRaised }
}

/** Links within the same file have none. */
function addressOf(link: XmlElement): string {
  const address = link.attributes.get('xlink:href') ?? ''
  return address.startsWith('#') ? '' : address
}

/** `[image: what it shows]` */
export function altOf(frame: XmlElement): string {
  const alt = (textOf(within(frame, 'svg:desc')) || textOf(within(frame, 'svg:title'))).replace(/\s+/g, ' ').trim()
  const kind =
    within(frame, 'draw:image') !== undefined && within(frame, 'draw:object') === undefined ? 'image' : 'object'
  return alt === '' ? `[${kind}]` : `[${kind}: ${alt}]`
}

export const commentOf = (annotation: XmlElement): string =>
  `comment (${authorOf(annotation) || 'unknown'}${resolvedIn(annotation)}): ${linesOf(annotation).join(' ')}`

const resolvedIn = ({ attributes }: XmlElement): string =>
  attributes.get('loext:resolved') === 'true' ? resolvedMark : ''

export const authorOf = (annotation: XmlElement): string => textOf(within(annotation, 'dc:creator')).trim()
