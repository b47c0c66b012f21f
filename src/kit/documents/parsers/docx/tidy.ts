import { allOf, descendants, elementsOf, isElement, within, type XmlElement, type XmlNode } from '../../xml.ts'
import { changeOf, hasWords, isDeleted, joinChanges, undelete } from './changes.ts'
import { mathOf } from './math.ts'
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
  /** The paragraph's style hides its text. */
  isHidden?: boolean
  /** A cell above covers the one that it is in. */
  isCovered?: boolean
}

const noAttributes: ReadonlyMap<string, string> = new Map()

const make = (name: string, children: XmlNode[], attributes: Record<string, string> = {}): XmlElement => ({
  name,
  attributes: Object.keys(attributes).length === 0 ? noAttributes : new Map(Object.entries(attributes)),
  children,
})

const wordsOf = (text: string): XmlElement => make('w:r', [make('w:t', [text], { 'xml:space': 'preserve' })])

/** Of no use to a reader. */
const dropped = new Set(['w:bookmarkStart', 'w:bookmarkEnd', 'w:proofErr', 'w:sectPr', 'w:tblGrid', 'w:rt', 'w:rubyPr'])
/** The converter would leave out the content of these. */
const transparent = new Set(['w:fldSimple', 'w:dir', 'w:bdo', 'w:ruby', 'w:rubyBase', 'w:subDoc'])
const drawn = new Set(['w:drawing', 'w:pict', 'w:object'])
/** What stays of a hidden run: fields begin and end in runs. */
const fields = new Set(['w:fldChar', 'w:instrText'])
/** Fonts whose symbols the converter knows. */
const symbolFonts = new Set(['Symbol', 'Webdings', 'Wingdings', 'Wingdings 2', 'Wingdings 3'])

/**
 * Prepares a part for the converter, in place: says in brackets what is deleted, inserted or hidden, takes text out of
 * drawings, and marks headings and list items, which the converter recognises only by the names of styles.
 */
export function tidy(element: XmlElement, context: TidyContext): void {
  if (element.name === 'w:t' || element.name === 'w:instrText') {
    element.children = element.children.filter((child) => !isElement(child))
    return
  }
  const kept: XmlNode[] = []
  let hidden: XmlElement[] = []
  const show = (): void => {
    if (hidden.length > 0) kept.push(...shownHidden(hidden, context))
    hidden = []
  }
  for (const child of joinChanges(element.children)) {
    if (!isElement(child)) continue
    if (child.name === 'w:r' && isHiddenRun(child, context)) {
      hidden.push(child)
      continue
    }
    if (!dropped.has(child.name)) show()
    kept.push(...tidied(child, context))
  }
  show()
  element.children = kept
}

function shownHidden(runs: XmlElement[], context: TidyContext): XmlNode[] {
  if (hasWords(runs)) return [wordsOf('[hidden: '), ...runs.flatMap((run) => tidied(run, context)), wordsOf(']')]
  for (const run of runs) run.children = run.children.filter((child) => isElement(child) && fields.has(child.name))
  return runs
}

/** Deletions become text again. */
function changed(element: XmlElement, what: string, context: TidyContext): XmlNode[] {
  const isGone = element.name === 'w:del' || element.name === 'w:moveFrom'
  const isShown = hasWords(element.children)
  if (isGone && !isShown) return []
  if (isGone) undelete(element)
  tidy(element, context)
  return isShown ? [wordsOf(`[${what}: `), ...element.children, wordsOf(']')] : element.children
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
  if (name === 'w:ptab') return [make('w:tab', [])]
  if (name === 'w:cr') return [make('w:br', [])]
  if (name === 'w:fldChar') return [element, ...chosenOf(element)]
  const what = changeOf(element)
  if (what !== undefined) return changed(element, what, context)
  if (name === 'w:trPr') return [element]
  if (name === 'w:tr') return row(element, context)
  if (name === 'w:p') return paragraph(element, context)
  const link = name === 'w:hyperlink' ? element.attributes.get('r:id') : undefined
  if (link !== undefined && !context.links.has(link))
    return elementsOf(element).flatMap((child) => tidied(child, context))
  if (name === 'w:tc') tidy(element, { ...context, isCovered: context.isCovered === true || isCovered(element) })
  else if (/^w:[prt](bl)?Pr$/.test(name)) element.children = properties(element, context)
  else tidy(element, context)
  return [element]
}

/** What is chosen in a list of a form: the field has no text of its own. The first entry is, if nothing else. */
function chosenOf(field: XmlElement): XmlNode[] {
  const list = within(field, 'w:ffData', 'w:ddList')
  if (list === undefined) return []
  const place = Number(wordValue(within(list, 'w:result')) ?? wordValue(within(list, 'w:default')) ?? 0)
  const entry = wordValue(allOf(list, 'w:listEntry')[place])
  return entry === undefined ? [] : [make('w:t', [entry], { 'xml:space': 'preserve' })]
}

/** Undefined styles are left out: the converter keeps a warning for each, and compares them all. */
function properties(element: XmlElement, { styles }: TidyContext): XmlNode[] {
  const kept = element.children.filter((child) => {
    if (!isElement(child)) return false
    const isStyle = child.name === 'w:pStyle' || child.name === 'w:rStyle' || child.name === 'w:tblStyle'
    return !isStyle || styles.has(wordValue(child) ?? '')
  })
  // The converter knows only one line through a text, not two.
  const twice = within(element, 'w:dstrike')
  return twice !== undefined && isOn(twice) ? [...kept, make('w:strike', [])] : kept
}

/** A style of characters that hides shows what the paragraph's style hides: each turns the other around. */
function isHiddenRun(run: XmlElement, { styles, isHidden = false }: TidyContext): boolean {
  const own = within(run, 'w:rPr', 'w:vanish')
  if (own !== undefined) return isOn(own)
  return (styles.get(wordValue(within(run, 'w:rPr', 'w:rStyle')) ?? '')?.isHidden === true) !== isHidden
}

/** The converter would leave out a row that was deleted, and the columns that a row begins after. */
function row(element: XmlElement, context: TidyContext): XmlNode[] {
  const properties = within(element, 'w:trPr')
  const change = within(properties, 'w:del') ?? within(properties, 'w:ins')
  if (properties !== undefined) properties.children = properties.children.filter((child) => child !== change)
  const isMarked = [...descendants(element, 'w:del', 'w:ins')].length > 0
  tidy(element, context)
  const before = Number(wordValue(within(properties, 'w:gridBefore')) ?? 0)
  if (before > 0) {
    const span = make('w:tcPr', [make('w:gridSpan', [], { 'w:val': String(before) })])
    element.children.splice(element.children.indexOf(properties ?? '') + 1, 0, make('w:tc', [span, make('w:p', [])]))
  }
  const paragraph = change === undefined || isMarked ? undefined : [...descendants(element, 'w:p')][0]
  if (change !== undefined) paragraph?.children.push(wordsOf(` [row ${changeOf(change)}]`))
  return [element]
}

function isCovered(cell: XmlElement): boolean {
  const merge = within(cell, 'w:tcPr', 'w:vMerge')
  return merge !== undefined && wordValue(merge) !== 'restart'
}

/** Whether a paragraph without text stands on a line of its own, with its number. */
function isEmptyLine(element: XmlElement, end: XmlElement | undefined): boolean {
  const isGone = ['w:del', 'w:moveFrom', 'w:vanish'].some((name) => within(end, name) !== undefined)
  return !isGone && descendants(element, 'w:delText').next().done === true
}

function paragraph(element: XmlElement, context: TidyContext): XmlNode[] {
  const own = within(element, 'w:pPr')
  const style = context.styles.get(wordValue(within(own, 'w:pStyle')) ?? '')
  const hasText = [...descendants(element, 'w:t', 'w:drawing', 'w:pict', 'm:t')].length > 0
  const { id, level = 0 } = { ...style?.list, ...listOf(own) }
  const end = within(own, 'w:rPr')
  const isHidden = style?.isHidden === true
  const isSeen = hasText || (!isHidden && context.isCovered !== true && isEmptyLine(element, end))
  const label = id === undefined || !isSeen ? undefined : context.numbering.next(id, level)
  const headingLevel = outlineLevel(own) ?? style?.headingLevel
  // The converter joins a paragraph whose end is deleted to the next one.
  if (end !== undefined && isDeleted(element))
    end.children = end.children.filter((child) => child !== within(end, 'w:del'))
  tidy(element, { ...context, isHidden })
  const mark: ParagraphMark = {
    ...(headingLevel === undefined ? {} : { headingLevel }),
    ...(label === undefined ? {} : { item: { level, label } }),
  }
  if (headingLevel !== undefined || label !== undefined)
    element.children.push(make('w:bookmarkStart', [], { 'w:id': '0', 'w:name': JSON.stringify(mark) }))
  return [element]
}

/** A drawing has two forms. The older one is used if the newer one has no text of its own. */
export function alternative(element: XmlElement): XmlElement[] {
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
  ['cx:chart', 'chart'],
  ['dgm:relIds', 'diagram'],
])

function collect(element: XmlElement, boxes: XmlElement[], labels: string[], alt = ''): void {
  const named = within(element, 'wp:docPr')?.attributes
  const known = named?.get('descr') || named?.get('title') || element.attributes.get('o:title') || alt
  for (const child of elementsOf(element)) {
    const kind = kinds.get(child.name)
    const text = (child.attributes.get('o:title') || known).replace(/\s+/g, ' ').trim()
    if (child.name === 'w:txbxContent') boxes.push(child)
    else if (child.name === 'v:textpath') labels.push((child.attributes.get('string') ?? '').replace(/\s+/g, ' '))
    else if (kind !== undefined) labels.push(text === '' ? `[${kind}]` : `[${kind}: ${text}]`)
    else if (child.name === 'mc:AlternateContent')
      for (const one of alternative(child)) collect(make('w:drawing', [one]), boxes, labels, known)
    else collect(child, boxes, labels, known)
  }
}
