import { decodeText } from '../../../text/encoding.ts'
import { descendants, type XmlElement, type XmlNode } from '../../xml.ts'
import type { Zip } from '../../zip.ts'
import { markdownOfHtml } from '../html.ts'
import type { Relationship } from '../pptx/package.ts'

const element = (name: string, children: XmlNode[]): XmlElement => ({ name, attributes: new Map(), children })

const unread = '(Another document is embedded here; it is not read.)'

/** Inserts the text of pages and texts that Word would include (`altChunk`), in place. */
export async function takeIn(
  root: XmlElement,
  zip: Zip,
  relationships: ReadonlyMap<string, Relationship>,
): Promise<void> {
  for (const chunk of descendants(root, 'w:altChunk')) {
    const link = relationships.get(chunk.attributes.get('r:id') ?? '')
    const text =
      link === undefined || link.isExternal || !zip.has(link.target) ? unread : await textIn(zip, link.target)
    chunk.name = 'w:sdt'
    chunk.children = [element('w:sdtContent', text.split('\n').map(paragraph))]
  }
}

async function textIn(zip: Zip, part: string): Promise<string> {
  const { text } = decodeText(await zip.read(part))
  if (/\.(x?html?)$/i.test(part)) return markdownOfHtml(text)
  return /\.txt$/i.test(part) ? text : unread
}

const paragraph = (line: string): XmlElement => element('w:p', [element('w:r', [element('w:t', [line])])])
