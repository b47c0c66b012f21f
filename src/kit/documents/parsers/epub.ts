import { posix } from 'node:path'
import { oneLine } from '../../text/text.ts'
import { damaged, notReadable, type Parser, Parts } from '../parse.ts'
import { descendants, readXml, textOf, type XmlElement } from '../xml.ts'
import { openZip, type Zip } from '../zip.ts'
import { type Block, sectionsOf } from './docx/sections.ts'
import { decodedPage } from './html/decode.ts'
import { markdownOfHtml } from './html.ts'
import { blocksOfMarkdown } from './text/blocks.ts'

const prefixes = new Map([
  ['urn:oasis:names:tc:opendocument:xmlns:container', 'c'],
  ['http://www.idpf.org/2007/opf', 'opf'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://www.w3.org/2001/04/xmlenc#', 'enc'],
])

const read = async (zip: Zip, name: string): Promise<XmlElement> => readXml(await zip.read(name), { prefixes })

/**
 * A book (EPUB): its chapters in their order, divided at their headings. Throws `not_readable` if it is copy-protected.
 */
export const parseEpub: Parser = async ({ bytes }, limits) => {
  const zip = await openZip(bytes, limits)
  const root = [...descendants(await read(zip, 'META-INF/container.xml'), 'c:rootfile')][0]
  const path = root?.attributes.get('full-path')
  if (path === undefined) throw damaged('it doesn’t say where its content is')
  const book = await read(zip, path)
  const chapters = chaptersOf(book, posix.dirname(path))
  await refuseProtected(zip, chapters)
  const parts = new Parts(limits)
  const missing: string[] = []
  let number = 0
  for (const chapter of chapters) {
    if (!zip.has(chapter)) {
      missing.push(chapter)
      continue
    }
    const blocks: Block[] = blocksOfMarkdown(markdownOfHtml(decodedPage(await zip.read(chapter), 'utf-8')))
    const isRead = sectionsOf(blocks).every((section) => parts.add({ ...section, number: ++number }))
    if (!isRead) break
  }
  const factOf = (name: string) => oneLine([...descendants(book, name)].map(textOf).filter(Boolean).join(', '), 300)
  const [title, author] = [factOf('dc:title'), factOf('dc:creator')]
  const notes = [
    title === '' ? '' : `Its title is "${title}".`,
    author === '' ? '' : `Its author is ${author}.`,
    missing.length === 0
      ? ''
      : `${missing.length === 1 ? 'A chapter is' : `${missing.length} chapters are`} missing in it: the text was left out.`,
    ...parts.emptiness(),
    ...zip.notes,
    ...parts.notes(),
  ]
  return { kind: 'epub', notes: notes.filter(Boolean), parts: parts.list }
}

/** Paths of the chapters, in the order in which they are read. */
function chaptersOf(book: XmlElement, folder: string): string[] {
  const items = new Map<string, string>()
  for (const { attributes } of descendants(book, 'opf:item')) {
    const [id, href] = [attributes.get('id'), attributes.get('href')]
    if (id !== undefined && href !== undefined) items.set(id, href)
  }
  return [...descendants(book, 'opf:itemref')].flatMap(({ attributes }) => {
    const href = items.get(attributes.get('idref') ?? '')?.split('#')[0]
    return href === undefined ? [] : [posix.join(folder, decoded(href))]
  })
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    // It is no address, so it is the name itself.
    return address
  }
}

/** Fonts are often encrypted, chapters only where a shop protects its books. */
async function refuseProtected(zip: Zip, chapters: string[]): Promise<void> {
  if (!zip.has('META-INF/encryption.xml')) return
  const protectedFiles = [...descendants(await read(zip, 'META-INF/encryption.xml'), 'enc:CipherReference')]
  if (protectedFiles.some(({ attributes }) => chapters.includes(decoded(attributes.get('URI') ?? ''))))
    throw notReadable('a copy-protected book', 'Ask for a copy without protection (DRM), or as a PDF.')
}
