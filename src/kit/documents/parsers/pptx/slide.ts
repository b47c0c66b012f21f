import { descendants, elementsOf, textOf, within, type XmlElement } from '../../xml.ts'
import type { Zip } from '../../zip.ts'
import { resolvedMark } from '../text/marks.ts'
import { chartText, diagramText } from './chart.ts'
import { type Relationship, readPart, related, relationshipsOf } from './package.ts'
import {
  altTextOf,
  inReadingOrder,
  offsetOf,
  type Placed,
  type Placeholder,
  placeholderOf,
  shapesOf,
} from './shapes.ts'
import { bodyText, lineOf, tableText } from './text.ts'

export interface Slide {
  title: string
  text: string
  isHidden: boolean
  /** Something of another program is embedded in it, such as a table of Excel. */
  hasObject: boolean
}

/** The placeholders of a layout, or of its master, by kind and number. Kept for all slides that use it. */
export type Layouts = Map<string, ReadonlyMap<string, { top: number; left: number }>>

/** What is on every slide. */
const furniture = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'])
const lists = new Set(['body', 'obj'])

export async function readSlide(
  zip: Zip,
  part: string,
  layouts: Layouts,
  authors: ReadonlyMap<string, string>,
): Promise<Slide> {
  const root = await readPart(zip, part)
  const links = await relationshipsOf(zip, part)
  const places = await placesOf(zip, links, layouts)
  const inherited = ({ type, index }: Placeholder) => places.get(`#${index}`) ?? places.get(type)
  const shapes = shapesOf(within(root, 'p:cSld', 'p:spTree'), inherited)
  const isTitle = ({ element }: Placed): boolean => /^(title|ctrTitle)$/.test(placeholderOf(element)?.type ?? '')
  const titles = shapes.filter(isTitle).map(({ element }) => bodyText(within(element, 'p:txBody'), links, false))
  const title = titles.join(' ').replace(/\s+/g, ' ').trim()
  const blocks = title === '' ? [] : [`# ${title}`]
  for (const { element } of inReadingOrder(shapes.filter((shape) => !isTitle(shape))))
    blocks.push(await shapeText(zip, element, links))
  const remarks = [...(await commentsOf(zip, links, authors)), await notesOf(zip, links)]
  const text = [...blocks, ...remarks].filter((block) => block !== '').join('\n\n')
  const objects = shapes.map(({ element }) => objectIn(element)).filter((object) => object !== undefined)
  return {
    title,
    text,
    hasObject: objects.some((object) => !isInvisible(object)),
    isHidden: root.attributes.get('show') === '0' || root.attributes.get('show') === 'false',
  }
}

async function shapeText(zip: Zip, shape: XmlElement, links: ReadonlyMap<string, Relationship>): Promise<string> {
  const place = placeholderOf(shape)
  if (place !== undefined && furniture.has(place.type)) return ''
  const alt = altTextOf(shape)
  if (shape.name === 'p:pic') return alt === '' ? '[image]' : `[image: ${alt}]`
  if (shape.name !== 'p:graphicFrame') {
    const text = bodyText(within(shape, 'p:txBody'), links, place !== undefined && lists.has(place.type))
    const isPicture = within(shape, 'p:spPr', 'a:blipFill') !== undefined
    return text === '' && isPicture && alt !== '' ? `[image: ${alt}]` : text
  }
  const data = within(shape, 'a:graphic', 'a:graphicData')
  const table = within(data, 'a:tbl')
  if (table !== undefined) return tableText(table, links)
  const chart = within(data, 'c:chart') ?? within(data, 'cx:chart')
  const drawn = await linked(zip, links, chart?.attributes.get('r:id'))
  if (drawn !== undefined) return chartText(drawn)
  const diagram = await linked(zip, links, within(data, 'dgm:relIds')?.attributes.get('r:dm'))
  if (diagram !== undefined) return diagramText(diagram)
  const object = objectIn(shape)
  if (object !== undefined && isInvisible(object)) return ''
  const what = chart === undefined ? 'object' : 'chart'
  const name = alt || nameOf(object)
  return name === '' ? `[${what}]` : `[${what}: ${name}]`
}

/** What another program has embedded there. */
const objectIn = (shape: XmlElement): XmlElement | undefined => [...descendants(shape, 'p:oleObj')][0]

/** think-cell keeps its own data so, on each slide. */
const isInvisible = (object: XmlElement): boolean => /^TCLayout\b/.test(object.attributes.get('progId') ?? '')

/** What its program calls it, such as `Worksheet`. */
const nameOf = (object: XmlElement | undefined): string =>
  (object?.attributes.get('name') ?? '').replace(/\s+/g, ' ').trim()

async function linked(
  zip: Zip,
  links: ReadonlyMap<string, Relationship>,
  id: string | undefined,
): Promise<XmlElement | undefined> {
  const link = links.get(id ?? '')
  return link === undefined || link.isExternal || !zip.has(link.target) ? undefined : readPart(zip, link.target)
}

async function placesOf(zip: Zip, links: ReadonlyMap<string, Relationship>, layouts: Layouts) {
  const layout = related(zip, links, 'slideLayout')
  if (layout === undefined) return new Map<string, { top: number; left: number }>()
  const known = layouts.get(layout)
  if (known !== undefined) return known
  const places = new Map<string, { top: number; left: number }>()
  const master = related(zip, await relationshipsOf(zip, layout), 'slideMaster')
  for (const part of master === undefined ? [layout] : [master, layout]) {
    const tree = within(await readPart(zip, part), 'p:cSld', 'p:spTree')
    for (const shape of elementsOf(tree)) {
      const place = placeholderOf(shape)
      const offset = offsetOf(shape)
      if (place === undefined || offset === undefined) continue
      places.set(place.type, offset)
      if (part === layout) places.set(`#${place.index}`, offset)
    }
  }
  layouts.set(layout, places)
  return places
}

async function notesOf(zip: Zip, links: ReadonlyMap<string, Relationship>): Promise<string> {
  const part = related(zip, links, 'notesSlide')
  if (part === undefined) return ''
  const own = await relationshipsOf(zip, part)
  const shapes = shapesOf(within(await readPart(zip, part), 'p:cSld', 'p:spTree'), () => undefined)
  const texts = shapes
    .filter(({ element }) => !furniture.has(placeholderOf(element)?.type ?? ''))
    .map(({ element }) => bodyText(within(element, 'p:txBody'), own, false))
    .filter((text) => text !== '')
  return texts.length === 0 ? '' : `Notes:\n${texts.join('\n')}`
}

/** Comments in both formats that PowerPoint has used, with their replies. */
async function commentsOf(
  zip: Zip,
  links: ReadonlyMap<string, Relationship>,
  authors: ReadonlyMap<string, string>,
): Promise<string[]> {
  const lines: string[] = []
  for (const { kind, target, isExternal } of links.values()) {
    if (kind !== 'comments' || isExternal || !zip.has(target)) continue
    const walk = (element: XmlElement, isInResolved: boolean): void => {
      for (const child of elementsOf(element)) {
        const author = authors.get(child.attributes.get('authorId') ?? '') ?? 'unknown'
        const body = within(child, 'p188:txBody')
        const text =
          body === undefined
            ? textOf(within(child, 'p:text'))
            : [...descendants(body, 'a:p')].map((paragraph) => lineOf(paragraph, new Map())).join(' ')
        const isResolved = isInResolved || child.attributes.get('status') === 'resolved'
        const about = `${author}${isResolved ? resolvedMark : ''}`
        if (text.trim() !== '') lines.push(`> comment (${about}): ${text.replace(/\s+/g, ' ').trim()}`)
        if (child.name === 'p188:cm' || child.name === 'p188:replyLst') walk(child, isResolved)
      }
    }
    walk(await readPart(zip, target), false)
  }
  return lines
}

/** Who wrote comments, by id. */
export async function authorsOf(
  zip: Zip,
  links: ReadonlyMap<string, Relationship>,
): Promise<ReadonlyMap<string, string>> {
  const authors = new Map<string, string>()
  for (const kind of ['commentAuthors', 'authors']) {
    const part = related(zip, links, kind)
    if (part === undefined) continue
    for (const { attributes } of elementsOf(await readPart(zip, part)))
      authors.set(attributes.get('id') ?? '', attributes.get('name') ?? '')
  }
  return authors
}
