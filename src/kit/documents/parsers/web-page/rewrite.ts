import { strikesOut } from '../html/attributes.ts'
import { type Attributed, isHidden } from './hidden.ts'
import { partMark } from './tables.ts'

/** The parts of a parsed node that are used. */
export interface PageNode extends Attributed {
  nodeType: number
  localName: string
  parentNode: PageNode | null
  textContent: string | null
  childNodes: Iterable<PageNode> & { length: number }
}

export interface Rewritten {
  title: string
  /** Well-formed, with nothing but text, its structure, and http(s) addresses. */
  html: string
  elements: number
  isCut: boolean
}

/** Including their content. */
const dropped = new Set(
  'script style noscript template iframe frame frameset object embed applet svg canvas video audio map select datalist textarea input button link meta base'.split(
    ' ',
  ),
)
const kept = new Set(
  'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote pre code table tr th td caption a br hr b strong i em del s sub sup div section article main header footer nav aside figure figcaption span details summary address'.split(
    ' ',
  ),
)
const empty = new Set(['br', 'hr'])
/** Deeper elements only give their text: what reads the result takes time by depth. */
const mostNested = new Map([
  ['blockquote', 4],
  ['ul', 8],
  ['ol', 8],
  ['table', 1],
  ['pre', 1],
  ['a', 1],
])
const mostDepth = 100
const mostElements = 100_000
const mostCharacters = 4_000_000
const urlCharacters = 1500

/** One element after the other, without recursion: a page may be nested as deep as it likes. */
export function rewritePage(root: Iterable<PageNode>, address: string): Rewritten {
  const writer = new Writer(address)
  const stack: (PageNode | { end: string })[] = [...root].reverse()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (writer.isFull) break
    if ('end' in node) {
      writer.close(node.end)
      continue
    }
    if (node.nodeType === 3) writer.text(node.textContent ?? '')
    if (node.nodeType !== 1) continue
    const end = writer.open(node)
    if (end === undefined) continue
    stack.push({ end })
    const children = [...node.childNodes]
    for (let index = children.length - 1; index >= 0; index--) stack.push(children[index] as PageNode)
  }
  return writer.result()
}

class Writer {
  #base: string
  #hasBase = false
  #title: string | undefined
  #pieces: string[] = []
  #characters = 0
  #elements = 0
  #depth = 0
  #isCut = false
  #innerTables = 0
  /** What the last row was in. */
  #rows: PageNode | null = null
  readonly #open = new Map<string, number>()

  constructor(address: string) {
    this.#base = address
  }

  get isFull(): boolean {
    if (this.#elements < mostElements && this.#characters < mostCharacters) return false
    this.#isCut = true
    return true
  }

  text(text: string): void {
    this.#write(escaped(text))
  }

  /** Which tag to close after its content; '' for none. Undefined if none of it is read. */
  open(node: PageNode): string | undefined {
    const name = nameOf(node)
    this.#elements++
    if (name === 'title') this.#title ??= (node.textContent ?? '').slice(0, 1000)
    if (name === 'base') this.#setBase(node.getAttribute('href'))
    if (name === 'title' || dropped.has(name) || isHidden(node)) return undefined
    if (name === 'dialog' && !node.hasAttribute('open')) return undefined
    if (name === 'img') return this.#image(node)
    if (empty.has(name)) {
      this.#write(`<${name}>`)
      return undefined
    }
    const open = this.#open.get(name) ?? 0
    const isPlain = !kept.has(name) || open >= (mostNested.get(name) ?? mostDepth) || this.#depth >= mostDepth
    // Code is text: its highlighting is left out.
    const isCode = (this.#open.get('pre') ?? 0) > 0
    const isInner = this.#innerTables > 0 && ofTables.has(name)
    if (name === 'table' && open > 0) {
      this.#innerTables++
      return innerTable
    }
    if (isPlain || isCode || isInner) {
      this.#write(blocks.has(name) && !isCode ? ' ' : '')
      return ''
    }
    const attributes = this.#attributes(name, node)
    if (name === 'a' && attributes === '') return ''
    this.#open.set(name, open + 1)
    this.#depth++
    this.#write(`<${name}${attributes}>${name === 'pre' ? '<code>' : ''}`)
    return name
  }

  close(name: string): void {
    if (name === '') return
    if (name === innerTable) {
      this.#innerTables--
      return
    }
    this.#open.set(name, (this.#open.get(name) ?? 1) - 1)
    this.#depth--
    this.#write(`${name === 'pre' ? '</code>' : ''}</${name}>`)
  }

  result(): Rewritten {
    return { title: this.#title ?? '', html: this.#pieces.join(''), elements: this.#elements, isCut: this.#isCut }
  }

  #attributes(name: string, node: PageNode): string {
    // What helps to find the main part.
    const told = ['class', 'id', 'role'].map((key) => attribute(key, node.getAttribute(key)?.slice(0, 200)))
    if (name === 'a') return attribute('href', this.#absolute(node.getAttribute('href')))
    if (name === 'th' || name === 'td') return ['colspan', 'rowspan'].map((key) => number(key, node)).join('')
    if (name === 'tr') told.push(this.#partOfTable(node))
    if (name === 'ol') told.push(number('start', node))
    return told.join('')
  }

  /** Parts only mark their first row: what finds the main part would take one of them for it, without the others. */
  #partOfTable(row: PageNode): string {
    const isFirst = row.parentNode !== this.#rows
    this.#rows = row.parentNode
    return isFirst ? attribute(partMark, 'first') : ''
  }

  #image(node: PageNode): undefined {
    const alt = (node.getAttribute('alt') ?? '').trim().slice(0, 500)
    const source = this.#absolute(node.getAttribute('src')) ?? this.#absolute(node.getAttribute('data-src'))
    if (alt === '') return
    if (source === undefined) this.#write(escaped(`Image: ${alt}`))
    else this.#write(`<img${attribute('alt', alt)}${attribute('src', source)}>`)
  }

  #setBase(href: string | null): void {
    if (this.#hasBase || href === null) return
    this.#hasBase = true
    this.#base = this.#absolute(href) ?? this.#base
  }

  /** Undefined for what isn't on the web, or says nothing: script, data, anchors on the same page. */
  #absolute(href: string | null): string | undefined {
    const given = href?.trim() ?? ''
    if (given === '' || given.startsWith('#') || given.length > urlCharacters) return undefined
    const url = URL.parse(given, this.#base)
    if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
      return undefined
    return url.href.length <= 2 * urlCharacters ? url.href : undefined
  }

  #write(piece: string): void {
    if (piece === '') return
    this.#characters += piece.length
    this.#pieces.push(piece)
  }
}

const blocks = new Set('p div table tr td th li pre blockquote ul ol dt dd'.split(' '))
/** Parts of a table within a table are text of its cell. */
const ofTables = new Set('tr th td caption'.split(' '))
const innerTable = 'table in a table'

const inLines = new Set(['span', 'font', 'b', 'strong', 'i', 'em', 'u'])

/** What finds the main part of a page removes a small table of links that has no `th`. */
function nameOf(node: PageNode): string {
  const name = node.localName.toLowerCase()
  const isHead = name === 'td' && /^(thead|tfoot)$/i.test(node.parentNode?.parentNode?.localName ?? '')
  if (name === 'strike' || (inLines.has(name) && strikesOut(node.getAttribute('style')?.slice(0, 2000) ?? '')))
    return 's'
  return isHead ? 'th' : name
}

const attribute = (name: string, value: string | undefined): string =>
  value === undefined || value === '' ? '' : ` ${name}="${escaped(value)}"`

function number(name: string, node: PageNode): string {
  const value = node.getAttribute(name)?.trim() ?? ''
  return /^\d{1,5}$/.test(value) ? attribute(name, value) : ''
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
