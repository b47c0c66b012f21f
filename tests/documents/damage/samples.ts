import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { read, write } from '@e965/xlsx'
import JSZip from 'jszip'
import { makeCollection } from '../../../bench/search/collection.ts'
import { fileOf } from '../../../bench/search/write.ts'
import { tar } from '../others/make.ts'
import { outlookMessage } from '../others/make-msg.ts'

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

/** A book of two chapters. */
export const bookParts = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml':
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
  'OPS/book.opf':
    '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Tides</dc:title><dc:creator>Ana Lee</dc:creator></metadata><manifest><item id="a" href="text/a.xhtml"/><item id="b" href="text/b%20two.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
  'OPS/text/a.xhtml': '<html><body><h1>Ebb</h1><p>The water falls.</p></body></html>',
  'OPS/text/b two.xhtml': '<html><body><h1>Flood</h1><p>The water rises.</p></body></html>',
}

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/office/${name}`, import.meta.url))

/** Files of older programs, and binary ones, with what is read in them. */
export function olderFiles(): { file: NamedFile; says: RegExp }[] {
  const workbook = fixture('costs.xls')
  const message = outlookMessage({
    properties: [
      [0x0037, 'Note'],
      [0x1000, 'See below.'],
    ],
    attachments: [
      [
        [0x3705, 1],
        [0x3707, 'a.txt'],
        [0x3701, Buffer.from('inside')],
      ],
    ],
  })
  const binary: Buffer = write(read(workbook), { bookType: 'xlsb', type: 'buffer' })
  return [
    { file: { name: 'costs.xls', bytes: workbook }, says: /Größe[\s\S]*Secret" \(hidden\)/ },
    { file: { name: 'costs.xlsb', bytes: binary }, says: /Größe[\s\S]*hidden words/ },
    { file: { name: 'tides.ppt', bytes: gunzipSync(fixture('tides.ppt.gz')) }, says: /First point[\s\S]*1,200/ },
    { file: { name: 'harbour.doc', bytes: gunzipSync(fixture('harbour.doc.gz')) }, says: /# Fees[\s\S]*120\.50/ },
    { file: { name: 'note.msg', bytes: message }, says: /See below\.[\s\S]*inside/ },
    { file: { name: 'all.tgz', bytes: gzipSync(tar([{ name: 'a.txt', content: 'packed' }])) }, says: /packed/ },
  ]
}

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
    text('page.html', '<!doctype html><title>T</title><h1>One</h1><p>Text</p><table><tr><td>1<td>2</table>'),
    text(
      'study.ipynb',
      '{"cells":[{"cell_type":"code","source":["print(1)\\n"],"outputs":[{"text":["1\\n"]}]}],"nbformat":4}',
    ),
    text('ana.vcf', 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nTEL;TYPE=cell:1\r\nEND:VCARD\r\n'),
    text(
      'team.ics',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\nDTSTART:20250314T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ),
    ...olderFiles().map(({ file }) => file),
    await zipped('book.epub', bookParts),
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
