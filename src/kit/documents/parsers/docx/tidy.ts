import { allOf, descendants, elementsOf, isElement, textOf, within, type XmlElement, type XmlNode } from '../../xml.ts'
import { type Numbering, wordValue } from './numbering.ts'
import { isOn, listOf, outlineLevel, type Style } from './styles.ts'

/** What a paragraph is, as its first bookmark's name carries it through the converter. */
interface ParagraphMark {
  headingLevel?: number
  item?: { level: number; label: string }
}

export interface TidyContext {
  styles: ReadonlyMap<string, Style>
  numbering: Numbering
  /** Ids of links that lead somewhere. */
  links: ReadonlySet<string>
}

const noAttributes: ReadonlyMap<string, string> = new Map()

const make = (name: string, children: XmlNode[], attributes: Record<string, string> = {}): XmlElement => ({
  name,
  attributes: Object.keys(attributes).length === 0 ? noAttributes : new Map(Object.entries(attributes)),
  children,
})

const wordsOf = (text: string): XmlElement => make('w:r', [make('w:t', [text], { 'xml:space': 'preserve' })])

/** Deleted, moved away, or of no use to a reader. */
const dropped = new Set([
  'w:del',
  'w:moveFrom',
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:proofErr',
  'w:sectPr',
  'w:tblGrid',
  'w:rt',
  'w:rubyPr',
])
/** The converter would leave out the content of these. */
const transparent = new Set(['w:fldSimple', 'w:dir', 'w:bdo', 'w:ruby', 'w:rubyBase', 'w:subDoc'])
const drawn = new Set(['w:drawing', 'w:pict', 'w:object'])
/** What stays of a hidden run: fields begin and end in runs. */
const fields = new Set(['w:fldChar', 'w:instrText'])
/** Fonts whose symbols the converter knows. */
const symbolFonts = new Set(['Symbol', 'Webdings', 'Wingdings', 'Wingdings 2', 'Wingdings 3'])

/**
 * Prepares a part for the converter, in place: leaves out what is deleted or hidden, takes text out of drawings, and
 * marks headings and list items, which the converter recognises only by the names of styles.
 */
export function tidy(element: XmlElement, context: TidyContext): void {
  const kept: XmlNode[] = []
  for (const child of element.children) if (isElement(child)) kept.push(...tidied(child, context))
  if (element.name === 'w:t' || element.name === 'w:instrText') return
  element.children = kept
}

function tidied(element: XmlElement, context: TidyContext): XmlNode[] {
  const { name } = element
  if (dropped.has(name)) return []
  if (name === 'mc:AlternateContent') return alternative(element).flatMap((child) => tidied(child, context))
  if (drawn.has(name)) return drawing(element, context)
  if (name === 'm:oMath') return [wordsOf(mathOf(element))]
  if (name === 'm:oMathPara') return allOf(element, 'm:oMath').map((math) => wordsOf(`${mathOf(math)} `))
  if (transparent.has(name)) return elementsOf(element).flatMap((child) => tidied(child, context))
  if (name === 'w:sym' && !symbolFonts.has(element.attributes.get('w:font') ?? '')) return []
  if (name === 'w:r' && isHiddenRun(element, context))
    element.children = element.children.filter((child) => isElement(child) && fields.has(child.name))
  if (name === 'w:p') return paragraph(element, context)
  const link = name === 'w:hyperlink' ? element.attributes.get('r:id') : undefined
  if (link !== undefined && !context.links.has(link))
    return elementsOf(element).flatMap((child) => tidied(child, context))
  if (/^w:[prt](bl)?Pr$/.test(name)) element.children = properties(element, context)
  else tidy(element, context)
  return [element]
}

/** Undefined styles are left out: the converter keeps a warning for each, and compares them all. */
function properties(element: XmlElement, { styles }: TidyContext): XmlNode[] {
  return element.children.filter((child) => {
    if (!isElement(child)) return false
    const isStyle = child.name === 'w:pStyle' || child.name === 'w:rStyle' || child.name === 'w:tblStyle'
    return !isStyle || styles.has(wordValue(child) ?? '')
  })
}

function isHiddenRun(run: XmlElement, { styles }: TidyContext): boolean {
  const own = within(run, 'w:rPr', 'w:vanish')
  if (own !== undefined) return isOn(own)
  return styles.get(wordValue(within(run, 'w:rPr', 'w:rStyle')) ?? '')?.isHidden === true
}

function paragraph(element: XmlElement, context: TidyContext): XmlNode[] {
  const own = within(element, 'w:pPr')
  const style = context.styles.get(wordValue(within(own, 'w:pStyle')) ?? '')
  const hasText = [...descendants(element, 'w:t', 'w:drawing', 'w:pict', 'm:t')].length > 0
  const list = listOf(own) ?? style?.list
  const label = list === undefined || !hasText ? undefined : context.numbering.next(list.id, list.level)
  const headingLevel = outlineLevel(own) ?? style?.headingLevel
  tidy(element, context)
  if (style?.isHidden === true) element.children = element.children.filter((child) => child === own)
  const mark: ParagraphMark = {
    ...(headingLevel === undefined ? {} : { headingLevel }),
    ...(label === undefined || list === undefined ? {} : { item: { level: list.level, label } }),
  }
  if (headingLevel !== undefined || label !== undefined)
    element.children.push(make('w:bookmarkStart', [], { 'w:id': '0', 'w:name': JSON.stringify(mark) }))
  return [element]
}

/** A drawing has two forms. The older one is used if the newer one has no text of its own. */
function alternative(element: XmlElement): XmlElement[] {
  const choice = within(element, 'mc:Choice')
  const fallback = within(element, 'mc:Fallback')
  return elementsOf(choice === undefined || choice.children.length === 0 ? fallback : choice)
}

function drawing(element: XmlElement, context: TidyContext): XmlNode[] {
  const boxes: XmlElement[] = []
  const labels: string[] = []
  collect(element, boxes, labels)
  for (const box of boxes) tidy(box, context)
  const texts = labels.map((label) => make('w:t', [` ${label} `], { 'xml:space': 'preserve' }))
  return boxes.length === 0 ? texts : [...texts, make('w:pict', boxes)]
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['pic:pic', 'image'],
  ['v:imagedata', 'image'],
  ['c:chart', 'chart'],
  ['dgm:relIds', 'diagram'],
])

function collect(element: XmlElement, boxes: XmlElement[], labels: string[], alt = ''): void {
  const named = within(element, 'wp:docPr')?.attributes
  const known = named?.get('descr') || named?.get('title') || element.attributes.get('o:title') || alt
  for (const child of elementsOf(element)) {
    const kind = kinds.get(child.name)
    const text = (child.attributes.get('o:title') || known).replace(/\s+/g, ' ').trim()
    if (child.name === 'w:txbxContent') boxes.push(child)
    else if (kind !== undefined) labels.push(text === '' ? `[${kind}]` : `[${kind}: ${text}]`)
    else if (child.name === 'mc:AlternateContent')
      for (const one of alternative(child)) collect(make('w:drawing', [one]), boxes, labels, known)
    else collect(child, boxes, labels, known)
  }
}

/** A formula on one line: `(a)/(b)`, `x^2`. */
function mathOf(element: XmlElement): string {
  const part = (name: string): string => {
    const inner = within(element, name)
    return inner === undefined ? '' : mathOf(inner)
  }
  const grouped = (text: string): string => (text.length > 1 ? `(${text})` : text)
  if (element.name === 'm:t') return textOf(element)
  if (element.name === 'm:f') return `${grouped(part('m:num'))}/${grouped(part('m:den'))}`
  if (element.name === 'm:sSup') return `${part('m:e')}^${grouped(part('m:sup'))}`
  if (element.name === 'm:sSub') return `${part('m:e')}_${grouped(part('m:sub'))}`
  if (element.name === 'm:rad') return `√${grouped(part('m:e'))}`
  if (element.name === 'm:d') return `(${elementsOf(element).map(mathOf).join('')})`
  const sign = element.name === 'm:nary' ? (wordValue(within(element, 'm:naryPr', 'm:chr')) ?? '∫') : ''
  return sign + elementsOf(element).map(mathOf).join('')
}
