import JSZip from 'jszip'
import mammoth from 'mammoth'
import { damaged } from '../../parse.ts'
import { isElement, type XmlElement } from '../../xml.ts'
import type { Relationship } from '../pptx/package.ts'
import type { DocumentNode } from './model.ts'

/** A part that the converter gets: its tree, and its links. */
export interface PreparedPart {
  name: string
  root: XmlElement
  links?: readonly Relationship[]
}

const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
].join(' ')
const hyperlink = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink'
const known = new Set(['w', 'r', 'w14', 'xml'])

/** The converter's own model of a document. It gets a new package of these parts, never the original file. */
export async function convert(parts: readonly PreparedPart[]): Promise<DocumentNode> {
  const zip = new JSZip()
  for (const { name, root, links = [] } of parts) {
    zip.file(`word/${name}.xml`, written(root, ` ${namespaces}`))
    if (links.length > 0) zip.file(`word/_rels/${name}.xml.rels`, relationships(links))
  }
  const buffer = await zip.generateAsync({ type: 'nodebuffer', compression: 'STORE' })
  let found: DocumentNode | undefined
  await mammoth.convertToHtml(
    { buffer },
    {
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      transformDocument: (document: DocumentNode) => {
        found = document
        // Its own output isn't wanted.
        return { ...document, children: [] }
      },
    },
  )
  if (found === undefined) throw damaged('it has no text part')
  return found
}

const relationships = (links: readonly Relationship[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links
    .map(
      ({ id, target }) =>
        `<Relationship Id="${escaped(id)}" Type="${hyperlink}" Target="${escaped(target)}" TargetMode="External"/>`,
    )
    .join('')}</Relationships>`

/** Only names in the namespaces declared here are written. */
function written(element: XmlElement, declared = ''): string {
  const pieces: string[] = []
  write(element, declared, pieces)
  return pieces.join('')
}

function write(element: XmlElement, declared: string, pieces: string[]): void {
  const isKnown = isWritten(element.name)
  if (isKnown) pieces.push(`<${element.name}${declared}`)
  if (isKnown)
    for (const [name, value] of element.attributes)
      if (isWritten(name) && name !== 'xml:base' && !isTrace(name)) pieces.push(` ${name}="${escaped(value)}"`)
  if (isKnown) pieces.push('>')
  for (const child of element.children) {
    if (isElement(child)) write(child, '', pieces)
    else if (isKnown) pieces.push(escaped(child))
  }
  if (isKnown) pieces.push(`</${element.name}>`)
}

/** Which edit an element came from: present on nearly all of them, and useless here. */
const isTrace = (name: string): boolean => name.startsWith('w:rsid') || name === 'w14:paraId' || name === 'w14:textId'

const isWritten = (name: string): boolean =>
  known.has(name.slice(0, name.indexOf(':'))) && /^[a-z0-9]+:[A-Za-z]+$/.test(name)

/** What XML can't contain is left out. */
const escaped = (text: string): string =>
  needsEscape.test(text)
    ? text
        .replace(forbidden, '')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
    : text

const needsEscape = /[^\t\n\r\u0020\u0021\u0023-\u0025\u0027-\u003b\u003d\u003f-\ud7ff\ue000-\ufffd]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
