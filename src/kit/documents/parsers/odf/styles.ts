import { elementsOf, within, type XmlElement } from '../../xml.ts'

export interface TextStyle {
  isBold?: boolean
  isItalic?: boolean
  isHidden?: boolean
  isStruck?: boolean
  isRaised?: boolean
  /** For a table or a slide. */
  isUnseen?: boolean
}

export interface OdfStyles {
  text: ReadonlyMap<string, TextStyle>
  /** Which levels of a list, from 1, are numbered, and how. */
  lists: ReadonlyMap<string, ReadonlyMap<number, ListLevel>>
  /** How headings are numbered. */
  outline: ReadonlyMap<number, ListLevel>
}

export interface ListLevel {
  format: string
  prefix: string
  suffix: string
  start: number
  /** How many levels of numbers are shown. */
  shown: number
}

/** How many styles may inherit from each other. */
const maxChain = 20

/** The styles of `content.xml` and `styles.xml`. */
export function odfStylesOf(roots: readonly (XmlElement | undefined)[]): OdfStyles {
  const written = new Map<string, XmlElement>()
  const lists = new Map<string, ReadonlyMap<number, ListLevel>>()
  let outline: ReadonlyMap<number, ListLevel> = new Map()
  for (const root of roots) {
    for (const name of ['office:automatic-styles', 'office:styles']) {
      for (const style of elementsOf(within(root, name))) {
        const id = style.attributes.get('style:name') ?? ''
        if (style.name === 'style:style' && !written.has(id)) written.set(id, style)
        if (style.name === 'text:list-style' && !lists.has(id)) lists.set(id, levelsOf(style))
        if (style.name === 'text:outline-style') outline = levelsOf(style)
      }
    }
  }
  const text = new Map<string, TextStyle>()
  for (const [id, style] of written) text.set(id, resolve(style, written))
  return { text, lists, outline }
}

function resolve(style: XmlElement, written: ReadonlyMap<string, XmlElement>): TextStyle {
  let found: TextStyle = {}
  let at: XmlElement | undefined = style
  for (let links = 0; at !== undefined && links < maxChain; links++) {
    found = { ...own(at), ...found }
    at = written.get(at.attributes.get('style:parent-style-name') ?? '')
  }
  return found
}

function own(style: XmlElement): TextStyle {
  const text = within(style, 'style:text-properties')?.attributes
  const weight = text?.get('fo:font-weight')
  const slope = text?.get('fo:font-style')
  const struck = text?.get('style:text-line-through-style') ?? text?.get('style:text-line-through-type')
  const position = text?.get('style:text-position')
  const display = text?.get('text:display')
  const table = within(style, 'style:table-properties')?.attributes.get('table:display')
  const slide = within(style, 'style:drawing-page-properties')?.attributes.get('presentation:visibility')
  return {
    ...(weight === undefined ? {} : { isBold: weight === 'bold' || Number(weight) >= 600 }),
    ...(slope === undefined ? {} : { isItalic: slope === 'italic' || slope === 'oblique' }),
    ...(struck === undefined ? {} : { isStruck: struck !== 'none' }),
    // `super 58%` or `33% 58%`: how high, and how large.
    ...(position === undefined ? {} : { isRaised: /^\s*(super|0*[1-9])/.test(position) }),
    ...(display === undefined ? {} : { isHidden: display === 'none' }),
    ...(table === 'false' || slide === 'hidden' ? { isUnseen: true } : {}),
  }
}

function levelsOf(style: XmlElement): ReadonlyMap<number, ListLevel> {
  const levels = new Map<number, ListLevel>()
  for (const { name, attributes } of elementsOf(style)) {
    const format = attributes.get('style:num-format') ?? ''
    if (!/^text:(list-level-style-number|outline-level-style)$/.test(name) || format === '') continue
    levels.set(small(attributes.get('text:level')), {
      format,
      prefix: (attributes.get('style:num-prefix') ?? '').slice(0, 10),
      suffix: (attributes.get('style:num-suffix') ?? '').slice(0, 10),
      start: startOf(attributes.get('text:start-value')) ?? 1,
      shown: small(attributes.get('text:display-levels')),
    })
  }
  return levels
}

/** Numbers may begin at zero. */
export const startOf = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,4}$/.test(value) ? Number(value) : undefined

export const small = (value: string | undefined): number => Math.max(1, startOf(value) ?? 1)
