import { all, attribute, child, children, partAt, relationsOf } from './package.mjs'

const presentation = 'ppt/presentation.xml'

/** The slides in their order, with their entry in the presentation's list. */
export async function slidesOf(file) {
  const xml = await file.xml(presentation)
  const relations = await relationsOf(file, presentation)
  const list = all(xml, 'sldIdLst')[0]
  const slides = []
  for (const entry of list === undefined ? [] : children(list, 'sldId')) {
    const id = Array.from(entry.attributes).find(({ name }) => name.includes(':') && name.endsWith(':id'))?.value
    const relation = relations.find((one) => one.getAttribute('Id') === id)
    if (relation === undefined) continue
    const part = partAt(presentation, relation.getAttribute('Target'))
    slides.push({ part, entry, relation, xml: await file.xml(part) })
  }
  return { list, slides }
}

/** Shapes with text, pictures, tables and charts, also in groups. */
export const shapesOf = (xml) =>
  all(xml, 'cNvPr').flatMap((about) => {
    const shape = about.parentNode.parentNode
    return ['sp', 'pic', 'graphicFrame'].includes(shape.localName)
      ? { id: attribute(about, 'id'), name: attribute(about, 'name') ?? '', shape }
      : []
  })

export const paragraphsOf = (node) =>
  all(node, 'p').filter(({ prefix, namespaceURI }) => prefix === 'a' || /drawingml/.test(namespaceURI))

const runsOf = (paragraph) => children(paragraph).filter(({ localName }) => localName === 'r' || localName === 'fld')
const words = (run) => child(run, 't')?.textContent ?? ''
export const textOf = (paragraph) =>
  children(paragraph)
    .map((one) => (one.localName === 'br' ? '\n' : words(one)))
    .join('')

export const shapeText = (shape) => paragraphsOf(shape).map(textOf).join('\n')

/** What the speaker says on a slide, as paragraphs. */
export async function notesOf(file, part) {
  const [notes] = (await relationsOf(file, part)).filter((one) => one.getAttribute('Type').endsWith('/notesSlide'))
  if (notes === undefined) return []
  return shapesOf(await file.xml(partAt(part, notes.getAttribute('Target'))))
    .filter(({ shape }) => all(shape, 'ph').some((one) => one.getAttribute('type') === 'body'))
    .flatMap(({ shape }) => paragraphsOf(shape))
}

/** Puts `text` in the place of a part of a paragraph, formatted like its beginning. Returns whether it could. */
export function put(paragraph, start, end, text) {
  let at = 0
  let isPut = false
  for (const one of children(paragraph)) {
    const own = one.localName === 'br' ? '\n' : words(one)
    const [from, to] = [Math.max(0, start - at), Math.min(own.length, end - at)]
    at += own.length
    if (from >= to && !(start === end && from === to)) continue
    const run = child(one, 't')
    if (run === undefined) paragraph.removeChild(one)
    else {
      run.textContent = own.slice(0, from) + (isPut ? '' : text) + own.slice(to)
      isPut = true
    }
  }
  return isPut
}

/** Gives a shape these lines, each formatted like its first. */
export function setLines(shape, lines) {
  const body = all(shape, 'txBody')[0]
  if (body === undefined) throw new Error('This shape has no text')
  const [first, ...others] = children(body, 'p')
  const format = runsOf(first)[0]
  for (const other of others) body.removeChild(other)
  // A text without paragraphs is no valid one.
  for (const text of lines.length === 0 ? [''] : lines.toReversed()) {
    const paragraph = first.cloneNode(false)
    const properties = child(first, 'pPr')
    if (properties !== undefined) paragraph.appendChild(properties.cloneNode(true))
    const create = (name) => body.ownerDocument.createElementNS(first.namespaceURI, `${first.prefix ?? 'a'}:${name}`)
    const run = create('r')
    const look = format && child(format, 'rPr')
    if (look !== undefined) run.appendChild(look.cloneNode(true))
    const said = create('t')
    said.textContent = String(text)
    run.appendChild(said)
    paragraph.appendChild(run)
    body.insertBefore(paragraph, first.nextSibling)
  }
  body.removeChild(first)
}
