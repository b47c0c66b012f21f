import { allOf, elementsOf, textOf, within, type XmlElement } from '../../xml.ts'

type Form = (part: (name: string) => string, element: XmlElement) => string

/** A formula (`m:oMath`) on one line: `(a+b)/2`, `y_1^2`, `∑_(i=1)^n x`. */
export function mathOf(element: XmlElement): string {
  if (element.name === 'm:t') return textOf(element)
  const form = forms.get(element.name)
  return form === undefined ? inside(element) : form((name) => partOf(element, name), element)
}

const inside = (element: XmlElement): string => elementsOf(element).map(mathOf).join('')

function partOf(element: XmlElement, name: string): string {
  const part = within(element, name)
  return part === undefined ? '' : inside(part)
}

/** A property of a formula's piece, by its element: `m:chr` in `m:naryPr`. Undefined if it isn't written. */
const property = (element: XmlElement, name: string): string | undefined =>
  within(element, `${element.name}Pr`, name)?.attributes.get('m:val')

const isOn = (value: string | undefined): boolean => value === '1' || value === 'on' || value === 'true'

const grouped = (text: string): string => (text.length > 1 && !/^\([^()]*\)$/.test(text) ? `(${text})` : text)
const below = (text: string): string => (text === '' ? '' : `_${grouped(text)}`)
const above = (text: string): string => (text === '' ? '' : `^${grouped(text)}`)

const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['m:f', fraction],
  ['m:sSup', (part) => part('m:e') + above(part('m:sup'))],
  ['m:sSub', (part) => part('m:e') + below(part('m:sub'))],
  ['m:sSubSup', (part) => part('m:e') + below(part('m:sub')) + above(part('m:sup'))],
  ['m:sPre', (part) => below(part('m:sub')) + above(part('m:sup')) + part('m:e')],
  ['m:limLow', (part) => part('m:e') + below(part('m:lim'))],
  ['m:limUpp', (part) => part('m:e') + above(part('m:lim'))],
  ['m:nary', sum],
  ['m:rad', root],
  ['m:d', delimited],
  ['m:func', (part) => `${part('m:fName')}${/^\(/.test(part('m:e')) ? '' : ' '}${part('m:e')}`],
  ['m:m', (_, element) => `[${allOf(element, 'm:mr').map(rowOf).join('; ')}]`],
  [
    'm:eqArr',
    (_, element) =>
      allOf(element, 'm:e')
        .map((line) => inside(line).replaceAll('&', ''))
        .join('; '),
  ],
  ['m:acc', (part, element) => part('m:e') + (property(element, 'm:chr') ?? '\u0302')],
  ['m:bar', (part, element) => part('m:e') + (property(element, 'm:pos') === 'top' ? '\u0305' : '\u0332')],
])

const rowOf = (row: XmlElement): string => allOf(row, 'm:e').map(inside).join(', ')

function fraction(part: (name: string) => string, element: XmlElement): string {
  const [top, bottom] = [part('m:num'), part('m:den')]
  return property(element, 'm:type') === 'noBar' ? `${top} ¦ ${bottom}` : `${grouped(top)}/${grouped(bottom)}`
}

/** Without a sign of its own it is an integral. */
function sum(part: (name: string) => string, element: XmlElement): string {
  const sign = property(element, 'm:chr') ?? '∫'
  const limits = below(part('m:sub')) + above(part('m:sup'))
  return `${sign}${limits}${limits === '' ? '' : ' '}${part('m:e')}`
}

function root(part: (name: string) => string, element: XmlElement): string {
  const degree = isOn(property(element, 'm:degHide')) ? '' : part('m:deg')
  return `√${degree === '' ? '' : `[${degree}]`}${grouped(part('m:e'))}`
}

function delimited(_: (name: string) => string, element: XmlElement): string {
  const inner = allOf(element, 'm:e').map(inside)
  const [begin, end] = [property(element, 'm:begChr') ?? '(', property(element, 'm:endChr') ?? ')']
  return `${begin}${inner.join(property(element, 'm:sepChr') ?? '|')}${end}`
}
