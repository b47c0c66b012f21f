import { Failure } from '../failure.ts'
import { damaged, tooComplex } from './parse.ts'

/** An element. Its name has the usual prefix of its namespace (`w:p`, `text:h`), whatever the file calls it. */
export interface XmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: XmlNode[]
}

export type XmlNode = XmlElement | string

export interface XmlOptions {
  /** Namespace to prefix, for all that is looked for by name. */
  prefixes: ReadonlyMap<string, string>
  /** Called at an element's end with the elements around it, outermost first; true: it is forgotten (read in passing). */
  passes?: (element: XmlElement, around: readonly XmlElement[]) => boolean
}

/** More than any program writes, and few enough for functions that call themselves. */
const maxDepth = 256
const maxAttributes = 500
/** Held at once: about 200 bytes each. */
const maxNodes = 1_500_000

interface Scope {
  parent: Scope | undefined
  bindings: ReadonlyMap<string, string>
  /** Names that were looked up here. */
  names: Map<string, string>
}

interface Frame {
  element: XmlElement
  written: string
  scope: Scope | undefined
  held: number
}

const noAttributes: ReadonlyMap<string, string> = new Map()

const namePattern = /[A-Za-z_:\u0080-\uffff][^\s/><="'&]*/y
const attributePattern = /\s*([A-Za-z_:\u0080-\uffff][^\s/><="'&]*)\s*=\s*("[^"<]*"|'[^'<]*')/y
const tagEnd = /\s*(\/?)>/y

/**
 * Reads XML without a DTD: no entity but the five of XML is known, nothing is fetched. Linear in the text's length. (An own
 * reading: the DOM libraries at hand take 0.5 s and 65 MB per megabyte.) Throws `damaged`, `too_complex`.
 */
export function readXml(bytes: Uint8Array, options: XmlOptions): XmlElement {
  const xml = decodeXml(bytes)
  const root: XmlElement = { name: '', attributes: noAttributes, children: [] }
  const frames: Frame[] = [{ element: root, written: '', scope: undefined, held: 0 }]
  const around: XmlElement[] = []
  const state = { held: 0, at: 0 }

  const innermost = (): Frame => frames[frames.length - 1] as Frame // The root's frame is never taken away.

  function add(node: XmlNode): void {
    if (++state.held > maxNodes) throw tooComplex(`its XML has more than ${maxNodes} elements`)
    innermost().element.children.push(node)
  }

  function addText(from: number, to: number, isRaw: boolean): void {
    if (from >= to || frames.length === 1) return
    const text = xml.slice(from, to)
    const plain = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
    add(isRaw ? plain : unescapeXml(plain))
  }

  function open(): void {
    namePattern.lastIndex = state.at + 1
    const written = namePattern.exec(xml)?.[0]
    if (written === undefined) throw damaged('its XML has a tag without a name')
    const { attributes, end } = readAttributes(xml, namePattern.lastIndex)
    tagEnd.lastIndex = end
    const ending = tagEnd.exec(xml)
    if (ending === null) throw damaged('its XML has a tag that is not whole')
    const scope = scopeOf(attributes, innermost().scope)
    const named = attributes.size === 0 ? noAttributes : nameAttributes(attributes, scope, options.prefixes)
    const element = { name: nameIn(scope, written, options.prefixes, true), attributes: named, children: [] }
    const held = state.held
    add(element)
    around.push(element)
    frames.push({ element, written, scope, held })
    if (frames.length > maxDepth) throw tooComplex(`its XML is nested more than ${maxDepth} deep`)
    if (ending[1] === '/') close(written)
    state.at = tagEnd.lastIndex
  }

  function close(written: string): void {
    const frame = frames.pop()
    if (frame === undefined || frames.length === 0 || frame.written !== written)
      throw damaged(`its XML ends an element that is not open (${written.slice(0, 50)})`)
    around.pop()
    if (options.passes?.(frame.element, around) !== true) return
    innermost().element.children.pop()
    state.held = frame.held
  }

  function closing(): void {
    const end = endOf(xml, '>', state.at)
    close(xml.slice(state.at + 2, end).trimEnd())
    state.at = end + 1
  }

  while (state.at < xml.length) {
    const start = xml.indexOf('<', state.at)
    addText(state.at, start === -1 ? xml.length : start, false)
    if (start === -1) break
    state.at = start
    const second = xml[start + 1]
    if (second === '/') closing()
    else if (second === '?') state.at = endOf(xml, '?>', start) + 2
    else if (second !== '!') open()
    else if (xml.startsWith('<!--', start)) state.at = endOf(xml, '-->', start + 4) + 3
    else if (xml.startsWith('<![CDATA[', start)) {
      const end = endOf(xml, ']]>', start)
      addText(start + 9, end, true)
      state.at = end + 3
    } else state.at = afterDoctype(xml, start)
  }
  const top = root.children.find((node) => typeof node !== 'string')
  if (frames.length > 1 || top === undefined || typeof top === 'string') throw damaged('its XML is cut off')
  return top
}

function endOf(xml: string, mark: string, from: number): number {
  const end = xml.indexOf(mark, from)
  if (end === -1) throw damaged('its XML is cut off')
  return end
}

/** Old files name a DTD, which is not fetched. One that brings its own definitions is refused. */
function afterDoctype(xml: string, start: number): number {
  const end = endOf(xml, '>', start)
  if (xml.slice(start, end).includes('[')) throw definesEntities()
  return end + 1
}

const definesEntities = (): Failure =>
  new Failure(
    'too_complex',
    'It cannot be read safely: its XML defines abbreviations of its own (entities).',
    'Ask for it saved anew, or as a PDF.',
  )

function readAttributes(xml: string, from: number): { attributes: ReadonlyMap<string, string>; end: number } {
  if (xml[from] === '>' || xml[from] === '/') return { attributes: noAttributes, end: from }
  const attributes = new Map<string, string>()
  for (let end = from; ; end = attributePattern.lastIndex) {
    attributePattern.lastIndex = end
    const found = attributePattern.exec(xml)
    if (found === null) return { attributes, end }
    const [, name = '', quoted = ''] = found
    attributes.set(name, unescapeXml(spaced(quoted.slice(1, -1))))
    if (attributes.size > maxAttributes)
      throw tooComplex(`its XML has more than ${maxAttributes} attributes in one place`)
  }
}

/** Line ends and tabs in a value count as spaces. */
const spaced = (value: string): string => (/[\t\n\r]/.test(value) ? value.replace(/\r\n|[\t\n\r]/g, ' ') : value)

function scopeOf(attributes: ReadonlyMap<string, string>, parent: Scope | undefined): Scope | undefined {
  if (attributes.size === 0) return parent
  let bindings: Map<string, string> | undefined
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    bindings ??= new Map()
    bindings.set(name.slice(6), value)
  }
  return bindings === undefined ? parent : { parent, bindings, names: new Map() }
}

function nameAttributes(
  attributes: ReadonlyMap<string, string>,
  scope: Scope | undefined,
  prefixes: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const [name, value] of attributes) named.set(nameIn(scope, name, prefixes, false), value)
  return named
}

function nameIn(
  scope: Scope | undefined,
  written: string,
  prefixes: ReadonlyMap<string, string>,
  isElement: boolean,
): string {
  const colon = written.indexOf(':')
  if (scope === undefined || (colon === -1 && !isElement)) return written
  const known = scope.names.get(written)
  if (known !== undefined) return known
  const own = colon === -1 ? '' : written.slice(0, colon)
  const namespace = namespaceOf(scope, own)
  const prefix = namespace === undefined ? undefined : prefixes.get(namespace)
  const name = prefix === undefined ? written : `${prefix}:${written.slice(colon + 1)}`
  scope.names.set(written, name)
  return name
}

function namespaceOf(scope: Scope, prefix: string): string | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const namespace = at.bindings.get(prefix)
    if (namespace !== undefined) return namespace
  }
  return undefined
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities.get(name) ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    const isText =
      code > 31 ? code < 0xd800 || (code > 0xdfff && code < 0x110000) : code === 9 || code === 10 || code === 13
    return isText ? String.fromCodePoint(code) : '\ufffd'
  })
}

/** By its byte order mark, its first bytes or its declaration; UTF-8 otherwise. What is no text becomes U+FFFD. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return decode(bytes, 'utf-16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return decode(bytes, 'utf-16be')
  const head = decode(bytes.subarray(0, 200), 'latin1')
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1] ?? 'utf-8'
  return decode(bytes, declared)
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch (thrown) {
    if (thrown instanceof RangeError) return new TextDecoder().decode(bytes)
    throw tooComplex('its XML is too long')
  }
}

export const isElement = (node: XmlNode | undefined): node is XmlElement =>
  node !== undefined && typeof node !== 'string'

export const elementsOf = (element: XmlElement | undefined): XmlElement[] => element?.children.filter(isElement) ?? []

export const allOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  elementsOf(element).filter((child) => child.name === name)

/** The element at the end of a path of names, first of each. */
export function within(element: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  let at = element
  for (const name of names)
    at = at?.children.find((child): child is XmlElement => isElement(child) && child.name === name)
  return at
}

/** All of that name at any depth, in order; it does not look inside of those that it finds. */
export function* descendants(element: XmlElement, ...names: string[]): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (names.includes(child.name)) yield child
    else yield* descendants(child, ...names)
  }
}

/** All text inside, as it stands. */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return ''
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}
