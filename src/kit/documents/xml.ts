import { Failure } from '../failure.ts'
import { damaged, tooComplex } from './parse.ts'
import { type Attributes, scanXml, unescapeXml, type XmlListener } from './scan-xml.ts'

/** An element. Its name has the usual prefix of its namespace (`w:p`, `text:h`), whatever the file uses. */
export interface XmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: XmlNode[]
}

export type XmlNode = XmlElement | string

export interface XmlOptions {
  /** Namespace to prefix, for everything that is looked up by name. */
  prefixes: ReadonlyMap<string, string>
  /** Called at an element's end with the elements around it, outermost first; true: it is forgotten (streaming). */
  passes?: (element: XmlElement, around: readonly XmlElement[]) => boolean
}

/** More than any program writes, and few enough for recursive functions. */
const maxDepth = 256
const maxAttributes = 500
/** Kept at once: about 200 bytes each. */
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

const namePattern = /^[A-Za-z_:\u0080-\uffff][^\s/><="'&]*$/
const attributePattern = /\s*([A-Za-z_:\u0080-\uffff][^\s/><="'&]*)\s*=\s*("[^"<]*"|'[^'<]*')/y

/**
 * Reads XML without a DTD into a tree: it knows only XML's own five entities, and fetches nothing. Linear in the text's
 * length. (Our own, since the DOM libraries at hand take 0.5 s and 65 MB per megabyte.) Throws `damaged`,
 * `too_complex`.
 */
export function readXml(bytes: Uint8Array, options: XmlOptions): XmlElement {
  const tree = new Tree(options)
  const isWhole = scanXml(bytes, tree)
  return tree.end(isWhole)
}

class Tree implements XmlListener {
  readonly #options: XmlOptions
  readonly #root: XmlElement = { name: '', attributes: noAttributes, children: [] }
  readonly #frames: Frame[] = [{ element: this.#root, written: '', scope: undefined, held: 0 }]
  readonly #around: XmlElement[] = []
  readonly #names = new Set<string>()
  #held = 0

  constructor(options: XmlOptions) {
    this.#options = options
  }

  open(_: string, { source }: Attributes, written: string): void {
    this.#checkName(written)
    const { prefixes } = this.#options
    const attributes = readAttributes(source)
    const scope = scopeOf(attributes, this.#innermost().scope)
    const named = attributes.size === 0 ? noAttributes : nameAttributes(attributes, scope, prefixes)
    const element = { name: nameIn(scope, written, prefixes, true), attributes: named, children: [] }
    const held = this.#held
    this.#add(element)
    this.#around.push(element)
    this.#frames.push({ element, written, scope, held })
    if (this.#frames.length > maxDepth) throw tooComplex(`its XML is nested more than ${maxDepth} deep`)
  }

  text(text: string): void {
    if (this.#frames.length > 1) this.#add(text)
  }

  close(_: string, written: string): undefined {
    const frame = this.#frames.pop()
    if (frame === undefined || this.#frames.length === 0 || frame.written !== written)
      throw damaged(`its XML ends an element that is not open (${written.slice(0, 50)})`)
    this.#around.pop()
    if (this.#options.passes?.(frame.element, this.#around) !== true) return
    this.#innermost().element.children.pop()
    this.#held = frame.held
  }

  /** Old files name a DTD, which isn't fetched. One that brings its own definitions is refused. */
  doctype(text: string): void {
    if (text.includes('[')) throw definesEntities()
  }

  end(isWhole: boolean): XmlElement {
    const top = this.#root.children.find(isElement)
    if (!isWhole || this.#frames.length > 1 || top === undefined) throw damaged('its XML is cut off')
    return top
  }

  #innermost(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame // The root's frame is never taken away.
  }

  #add(node: XmlNode): void {
    if (++this.#held > maxNodes) throw tooComplex(`its XML has more than ${maxNodes} elements`)
    this.#innermost().element.children.push(node)
  }

  #checkName(written: string): void {
    if (this.#names.has(written)) return
    if (!namePattern.test(written)) throw damaged('its XML has a tag without a name')
    this.#names.add(written)
  }
}

const definesEntities = (): Failure =>
  new Failure(
    'too_complex',
    'It cannot be read safely: its XML defines abbreviations of its own (entities).',
    'Ask for it to be saved again, or as a PDF.',
  )

function readAttributes(source: string): ReadonlyMap<string, string> {
  if (source === '') return noAttributes
  const attributes = new Map<string, string>()
  for (let end = 0; ; end = attributePattern.lastIndex) {
    attributePattern.lastIndex = end
    const found = attributePattern.exec(source)
    if (found === null) {
      if (/\S/.test(source.slice(end))) throw damaged('its XML has an incomplete tag')
      return attributes
    }
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

/** All of that name at any depth, in order; it doesn't search inside the ones it finds. */
export function* descendants(element: XmlElement, ...names: string[]): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (names.includes(child.name)) yield child
    else yield* descendants(child, ...names)
  }
}

/** All text inside, as it is. */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return ''
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}
