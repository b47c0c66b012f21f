import JSZip from 'jszip'
import { makeCollection } from '../../../bench/search/collection.ts'
import { fileOf } from '../../../bench/search/write.ts'

export interface NamedFile {
  name: string
  bytes: Uint8Array
}

const text = (name: string, content: string): NamedFile => ({ name, bytes: Buffer.from(content) })

export async function zipped(name: string, entries: Record<string, string | Uint8Array>): Promise<NamedFile> {
  const zip = new JSZip()
  for (const [path, content] of Object.entries(entries)) zip.file(path, content)
  return { name, bytes: await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' }) }
}

const openDocument = (body: string): string =>
  `<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body>${body}</office:body></office:document-content>`

/** One sound, small file of each kind. */
export async function samples(): Promise<NamedFile[]> {
  const { documents } = makeCollection(3)
  const shortened = ['en-1.pdf', 'zh-1.pdf', 'de-1.docx', 'en-1.xlsx', 'ja-1.pptx'].flatMap((name) => {
    const document = documents.find((one) => one.name === name)
    return document ? [{ ...document, sections: document.sections.slice(0, 3) }] : []
  })
  const office = await Promise.all(
    shortened.map(async (document) => ({ name: document.name, bytes: await fileOf(document) })),
  )
  const rows = Array.from({ length: 40 }, (_, index) => `${index};"name ${index}";${index * 1.5}`)
  return [
    ...office,
    text('table.csv', `number;name;value\n${rows.join('\n')}\n`),
    text(
      'mail.eml',
      [
        'From: Ana <ana@example.com>',
        'To: ben@example.com',
        'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="b"',
        '',
        '--b',
        'Content-Type: text/plain; charset=utf-8',
        '',
        'Hello.',
        '--b',
        'Content-Type: application/octet-stream; name="a.bin"',
        'Content-Transfer-Encoding: base64',
        '',
        'AAECAwQ=',
        '--b--',
        '',
      ].join('\r\n'),
    ),
    text(
      'letter.rtf',
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl\\f0 Arial;}\\f0 Gr\\'fc\\'dfe \\u9731?\\par {\\b bold} end.}",
    ),
    await zipped('letter.odt', {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': openDocument(
        '<office:text><text:h text:outline-level="1">Head</text:h><text:p>Body.</text:p></office:text>',
      ),
    }),
    await zipped('folder.zip', { 'a.txt': 'one', 'b/c.txt': 'two' }),
    {
      name: 'dot.png',
      bytes: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    },
  ]
}

export { openDocument }
