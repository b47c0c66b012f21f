import { allOf, within, type XmlElement } from '../../xml.ts'
import { levelNumber, wordValue } from './numbering.ts'

export interface Style {
  /** For a heading style, from 1; 0 is the document's title. */
  headingLevel?: number
  isHidden?: boolean
  list: ListPlace
}

/** What is written of a place in a list. The rest is inherited, part by part. */
export interface ListPlace {
  id?: string
  level?: number
}

/** How many styles may inherit from each other. */
const maxChain = 20

/** Properties of styles that the converter doesn't ask for: by id, including inherited ones. */
export function stylesOf(root: XmlElement | undefined): ReadonlyMap<string, Style> {
  const written = new Map<string, XmlElement>()
  for (const style of allOf(root, 'w:style')) {
    const id = style.attributes.get('w:styleId')
    if (id !== undefined) written.set(id, style)
  }
  const styles = new Map<string, Style>()
  for (const [id, style] of written) styles.set(id, resolve(style, written))
  return styles
}

function resolve(style: XmlElement, written: ReadonlyMap<string, XmlElement>): Style {
  let found: Style = { list: {} }
  let at: XmlElement | undefined = style
  for (let links = 0; at !== undefined && links < maxChain; links++) {
    const inherited = own(at)
    found = { ...inherited, ...found, list: { ...inherited.list, ...found.list } }
    at = written.get(wordValue(within(at, 'w:basedOn')) ?? '')
  }
  return found
}

function own(style: XmlElement): Style {
  const properties = within(style, 'w:pPr')
  const name = wordValue(within(style, 'w:name')) ?? ''
  const heading = /^heading ([1-9])$/i.exec(name)?.[1]
  const outline = outlineLevel(properties)
  const vanish = within(style, 'w:rPr', 'w:vanish')
  return {
    ...(/^title$/i.test(name) ? { headingLevel: 0 } : {}),
    ...(outline === undefined ? {} : { headingLevel: outline }),
    ...(heading === undefined ? {} : { headingLevel: Number(heading) }),
    ...(vanish === undefined ? {} : { isHidden: isOn(vanish) }),
    list: listOf(properties),
  }
}

/** A paragraph's own level in the outline, from 1; body text has none. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const level = wordValue(within(properties, 'w:outlineLvl'))
  return level !== undefined && /^[0-8]$/.test(level) ? Number(level) + 1 : undefined
}

export function listOf(properties: XmlElement | undefined): ListPlace {
  const numbers = within(properties, 'w:numPr')
  const id = wordValue(within(numbers, 'w:numId'))
  const level = wordValue(within(numbers, 'w:ilvl'))
  return { ...(id === undefined ? {} : { id }), ...(level === undefined ? {} : { level: levelNumber(level) }) }
}

export function isOn(element: XmlElement | undefined): boolean {
  if (element === undefined) return false
  const value = wordValue(element)
  return value !== 'false' && value !== '0' && value !== 'off'
}
