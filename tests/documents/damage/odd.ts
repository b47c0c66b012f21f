import JSZip from 'jszip'
import { makePdf } from '../pdf/make.ts'
import { relations, sheetParts, slideParts, types, word, wordParts, xml } from './packages.ts'
import { type NamedFile, olderFiles, zipped } from './samples.ts'

const text = (name: string, content: string, encoding: BufferEncoding = 'utf8'): NamedFile => ({
  name,
  bytes: Buffer.from(content, encoding),
})

const strictWord = (body: string): string =>
  `${xml}<x:document xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:body>${body}</x:body></x:document>`

const cells = (inner: string, prefix = ''): string =>
  `${xml}<${prefix}worksheet xmlns${prefix && ':x'}="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><${prefix}sheetData>${inner}</${prefix}sheetData></${prefix}worksheet>`

const paragraph = (words: string): string => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`

const slide = (words: string): string =>
  `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`

/** A PDF with one page; its table of objects is wrong, or there is none. */
const pdf = (content: string, { before = '%PDF-1.4\n', kids = '3 0 R' } = {}): string =>
  `${before}1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[${kids}]/Count ${kids.split(' R').length - 1}>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj
4 0 obj <</Length ${content.length}>> stream
${content}
endstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
trailer <</Root 1 0 R>>
startxref
99999
%%EOF
`

const hello = 'BT /F1 12 Tf 72 700 Td (Hello page) Tj ET'

const message = (subject: string, body: string): string =>
  `From: a@example.com\nSubject: ${subject}\nContent-Type: message/rfc822\n\nSubject: within\n\n${body}\n`

const wordFile = (body: string, others: Record<string, string> = {}): Promise<NamedFile> =>
  zipped('odd.docx', { ...wordParts, 'word/document.xml': body, ...others })

const sheetFile = (inner: string, others: Record<string, string> = {}): Promise<NamedFile> =>
  zipped('odd.xlsx', { ...sheetParts, 'xl/worksheets/sheet1.xml': inner, ...others })

/** The bytes of an archive, changed. */
const changed = async (make: Promise<NamedFile>, change: (bytes: Buffer) => Uint8Array): Promise<NamedFile> => {
  const { name, bytes } = await make
  return { name, bytes: change(Buffer.from(bytes)) }
}

const small = (): Promise<NamedFile> => wordFile(word(paragraph('Hello words')))

async function streamed(): Promise<NamedFile> {
  const zip = new JSZip()
  zip.file('a.txt', 'one').file('b.txt', 'two')
  return {
    name: 'streamed.zip',
    bytes: await zip.generateAsync({ type: 'uint8array', streamFiles: true, comment: 'c' }),
  }
}

/** What real collections hold, and what must be found in the text, the notes or the error. */
export const odd: [says: RegExp, make: () => NamedFile | Promise<NamedFile>][] = [
  [/Hello page/, () => text('wrong-table.pdf', pdf(hello))],
  [
    /Hello page/,
    () => text('junk-in-front.pdf', pdf(hello, { before: 'Content-Type: application/pdf\n\n%PDF-1.4\n' })),
  ],
  [/Hello page/, () => text('no-beginning.pdf', pdf(hello, { before: '%\xe2\xe3\xcf\xd3\n' }), 'latin1')],
  [/Hello page/, () => text('missing-kid.pdf', pdf(hello, { kids: '3 0 R 9 0 R' }))],
  [/probably scanned/, () => text('no-text.pdf', pdf('0 0 m 100 100 l S'))],
  [
    /password/,
    () => ({
      name: 'locked.pdf',
      bytes: makePdf({ pages: [{ texts: [] }], protection: { method: 'rc4', user: 'a', owner: 'b' } }),
    }),
  ],
  [/plain text/, () => text('page.pdf', '<html><body>Not here</body></html>')],
  [/empty file/, () => text('empty.docx', '')],
  [/Hello words/, () => wordFile(strictWord('<x:p><x:r><x:t>Hello words</x:t></x:r></x:p>'))],
  [
    /Hello words/,
    () => wordFile(word('<w:p><w:fldSimple w:instr="X"><w:r><w:t>Hello words</w:t></w:r></w:fldSimple></w:p>')),
  ],
  [/No text was found/, () => wordFile(word('<w:p/>'))],
  [
    /Hello words/,
    () =>
      wordFile(
        word('<w:altChunk r:id="c" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>'),
        {
          'word/_rels/document.xml.rels': relations('c.html', 'aFChunk').replace('rId1', 'c'),
          'word/c.html': '<p>Hello words</p>',
        },
      ),
  ],
  [
    /Hello words/,
    () =>
      zipped('other-name.docm', {
        '[Content_Types].xml': types('/word/document2.xml', 'wordprocessingml.document'),
        '_rels/.rels': relations('/word/document2.xml', 'officeDocument'),
        'word/document2.xml': word(paragraph('Hello words')),
      }),
  ],
  [
    /Hello words/,
    () => zipped('capitals.docx', { '[content_types].xml': '', 'Word/Document.xml': word(paragraph('Hello words')) }),
  ],
  [/Hello words/, () => zipped('backslashes.docx', { 'word\\document.xml': word(paragraph('Hello words')) })],
  [/Hello words/, () => changed(small(), (bytes) => Buffer.concat([bytes, Buffer.from('\r\n--boundary--\r\n')]))],
  [/Hello words/, () => changed(small(), (bytes) => bytes.subarray(0, bytes.length - 10))],
  [
    /Hello words[\s\S]*could not be found was left out\.$/,
    () => changed(small(), (bytes) => bytes.subarray(0, bytes.indexOf('PK\x01\x02'))),
  ],
  [/\| 1 \| seven \|/, () => sheetFile(cells('<row><c t="inlineStr"><is><t>seven</t></is></c></row>'))],
  [/\| 1 \| 7 \|/, () => sheetFile(cells('<x:row><x:c><x:v>7</x:v></x:c></x:row>', 'x:'))],
  [/\| 1 \| 7 \|/, () => sheetFile(cells('<row r="1"><c r="A1"><v>7</v></c><c r="B1" t="s"><v>4</v></c></row>'))],
  [/is empty/, () => sheetFile(cells(''))],
  [
    /Slide 2 is missing/,
    () =>
      zipped('dangling.pptx', {
        ...slideParts,
        'ppt/presentation.xml': slideParts['ppt/presentation.xml'].replace(
          '</p:sldIdLst>',
          '<p:sldId id="300" r:id="rId9"/></p:sldIdLst>',
        ),
        'ppt/slides/slide1.xml': slide('Hello slide'),
      }),
  ],
  [/\| 2 \| 1 \| 2 \|/, () => text('nul.csv', 'a,b\r\n1,2\n3\0,4\r5,6')],
  [/\| 1 \| a \| b \|/, () => text('no-mark.csv', 'a,b\r\n1,2\r\n', 'utf16le')],
  [/\| 1 \| name \|/, () => text('head.csv', 'name\n')],
  [/Subject: outside[\s\S]*within/, () => text('nested.eml', message('outside', 'Hello mail'))],
  [
    /Hello mail/,
    () => text('page.mht', 'From: x\nSubject: page\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>Hello mail</p>'),
  ],
  [/a\.txt \(3 bytes\)[\s\S]*b\.txt/, streamed],
  [/etc\/passwd/, () => zipped('outside.zip', { '../../etc/passwd': 'x' })],
  [
    /\| Größe \| 5 \|/,
    () =>
      text(
        'export.xls',
        '<html><body><table><tr><td>what</td><td>cm</td></tr><tr><td>Größe</td><td>5</td></tr></table></body></html>',
      ),
  ],
  [/\| 2 \| Größe \| 5 \|/, () => text('export.xls', 'name\tvalue\nGröße\t5\n', 'latin1')],
  [/Subject: Grüße[\s\S]*Schön/, () => text('old.eml', 'From: a@b.c\nSubject: Grüße\n\nSchön\n', 'latin1')],
  [/Hello rich/, () => text('letter.doc', '{\\rtf1\\ansi Hello {\\b\\*\\cs7 rich} text}')],
  // Their libraries work within a reader, too.
  ...olderFiles().map(({ file, says }): [RegExp, () => NamedFile] => [says, () => file]),
]
