import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { sheet, sheetParts, slideParts, word, wordParts, xml } from './packages.ts'
import { type NamedFile, openDocument, zipped } from './samples.ts'

type Make = () => NamedFile | Promise<NamedFile>

/** What somebody makes who wants the bot to fall over: each is small, and soon refused or read. */
export const cheap: Make[] = [
  () => ({ name: 'empty.pdf', bytes: new Uint8Array() }),
  () => ({ name: 'empty.docx', bytes: new Uint8Array() }),
  () => ({ name: 'only-a-head.pdf', bytes: Buffer.from('%PDF-1.7\n') }),
  () => ({ name: 'zeros.xlsx', bytes: Buffer.alloc(1_000_000) }),
  () => sameBytesManyTimes(),
  () => ({ name: 'deep-arrays.pdf', bytes: Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(500_000)}\nendobj\n`) }),
  () => circlePdf(),
  () => zipped('entities.docx', { ...wordParts, 'word/document.xml': laughs('w:document') }),
  () => zipped('entities.xlsx', { ...sheetParts, 'xl/worksheets/sheet1.xml': laughs('worksheet') }),
  () => zipped('entities.pptx', { ...slideParts, 'ppt/slides/slide1.xml': laughs('p:sld') }),
  () =>
    zipped('entities.odt', {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': laughs('office:document-content'),
    }),
  () => zipped('outside.docx', { ...wordParts, 'word/document.xml': outside('w:document') }),
  () =>
    zipped('deep.docx', {
      ...wordParts,
      'word/document.xml': word(nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 20_000)),
    }),
  () =>
    zipped('deep.odt', {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': openDocument(nested('<text:list><text:list-item>', '</text:list-item></text:list>', 50_000)),
    }),
  () =>
    zipped('deep.pptx', {
      ...slideParts,
      'ppt/slides/slide1.xml': `<p:sld xmlns:p="p">${nested('<p:grpSp>', '</p:grpSp>', 100_000)}</p:sld>`,
    }),
  () =>
    zipped('far.xlsx', {
      ...sheetParts,
      'xl/worksheets/sheet1.xml': sheet(
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>',
      ),
    }),
  () =>
    zipped('merged.xlsx', {
      ...sheetParts,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>`,
    }),
  () => ({ name: 'deep.rtf', bytes: Buffer.from(`{\\rtf1 ${'{'.repeat(1_000_000)}`) }),
  () => ({ name: 'binary.rtf', bytes: Buffer.from('{\\rtf1 \\bin99999999999 x}') }),
  () => ({ name: 'deep.eml', bytes: Buffer.from(parts(2_000)) }),
  () => ({ name: 'head.eml', bytes: Buffer.from(`Subject: ${'=?utf-8?B?QQ==?= '.repeat(200_000)}\n\nx`) }),
  () => ({
    name: 'large.png',
    bytes: Buffer.from('89504e470d0a1a0a0000000d49484452ffffffffffffffff0806000000', 'hex'),
  }),
  () => ({
    name: 'old.doc',
    bytes: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(50_000, 0xff)]),
  }),
  () =>
    zipped('__proto__.zip', {
      '__proto__/x': 'a',
      constructor: 'b',
      '../../etc/passwd': 'c',
      '/abs': 'd',
      'a\u202egpj.exe': 'e',
    }),
]

/** These are large, or take long. */
const costly: Make[] = [
  () => bomb('zeros.zip', 'zeros.bin', 500),
  () => bomb('zeros.docx', 'word/document.xml', 500, wordParts),
  () => bomb('zeros.xlsx', 'xl/worksheets/sheet1.xml', 500, sheetParts),
  () => bomb('zeros.pptx', 'ppt/slides/slide1.xml', 500, slideParts),
  () => bomb('zeros.odt', 'content.xml', 500),
  () => ({ name: 'zeros.tar.gz', bytes: gzipSync(Buffer.alloc(200_000_000)) }),
  () => pdfStream('zeros.pdf', Buffer.alloc(400_000_000, ' ')),
  () => pdfStream('endless-text.pdf', Buffer.from(`BT /F1 12 Tf ${'(word) Tj 1 0 Td '.repeat(400_000)} ET`)),
  () => pdfStream('deep-state.pdf', Buffer.from('q '.repeat(2_000_000))),
  () =>
    zipped('wide.ods', {
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': openDocument(
        '<office:spreadsheet><table:table table:name="A"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>',
      ),
    }),
  () =>
    zipped('paragraphs.docx', {
      ...wordParts,
      'word/document.xml': word('<w:p><w:r><w:t>word</w:t></w:r></w:p>'.repeat(400_000)),
    }),
  () => zipped('rows.xlsx', { ...sheetParts, 'xl/worksheets/sheet1.xml': sheet(rows(100_000, 10)) }),
  () => manySheets(2_000),
  () => ({ name: 'one-line.csv', bytes: Buffer.alloc(30_000_000, 'a,') }),
  () => ({ name: 'quotes.csv', bytes: Buffer.from(`a,b\n"${'"",'.repeat(2_000_000)}`) }),
  () => zipped('many.zip', Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`${index}.txt`, '']))),
]

export const hostile: Make[] = [...cheap, ...costly]

const rows = (count: number, columns: number): string =>
  Array.from({ length: count }, (_, row) => {
    const cells = Array.from(
      { length: columns },
      (_, at) => `<c r="${String.fromCharCode(65 + at)}${row + 1}"><v>${row * at}</v></c>`,
    )
    return `<row r="${row + 1}">${cells.join('')}</row>`
  }).join('')
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth)

function laughs(root: string): string {
  const entities = Array.from({ length: 12 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`)
  return `${xml}<!DOCTYPE ${root} [<!ENTITY l0 "laugh">${entities.join('')}]><${root}>&l12;</${root}>`
}

const outside = (root: string): string =>
  `${xml}<!DOCTYPE ${root} [<!ENTITY secret SYSTEM "file:///etc/passwd">]><${root}>&secret;</${root}>`

const parts = (depth: number): string => {
  const heads = Array.from(
    { length: depth },
    (_, index) => `Content-Type: multipart/mixed; boundary="b${index}"\n\n--b${index}\n`,
  )
  return `Subject: deep\nMIME-Version: 1.0\n${heads.join('')}\nx`
}

/** So many megabytes of zeros, packed small. */
function bomb(name: string, entry: string, megabytes: number, others: Record<string, string> = {}): Promise<NamedFile> {
  return zipped(name, { ...others, [entry]: new Uint8Array(megabytes * 1_000_000) })
}

/** A thousand entries of 10 MB that all point to the same packed bytes. */
function sameBytesManyTimes(): NamedFile {
  const size = 10_000_000
  const packed = deflateRawSync(Buffer.alloc(size))
  const fields = (signature: number, name: string): Buffer => {
    const head = Buffer.alloc(signature === 0x04034b50 ? 30 : 46)
    const at = signature === 0x04034b50 ? 4 : 6
    head.writeUInt32LE(signature, 0)
    head.writeUInt16LE(20, at)
    head.writeUInt16LE(8, at + 4)
    head.writeUInt32LE(packed.length, at + 14)
    head.writeUInt32LE(size, at + 18)
    head.writeUInt16LE(name.length, at + 22)
    return Buffer.concat([head, Buffer.from(name)])
  }
  const local = Buffer.concat([fields(0x04034b50, 'a'), packed])
  const central = Buffer.concat(Array.from({ length: 1000 }, (_, index) => fields(0x02014b50, `f${index}`)))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1000, 8)
  end.writeUInt16LE(1000, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return { name: 'overlapping.zip', bytes: Buffer.concat([local, central, end]) }
}

function pdfStream(name: string, content: Buffer): NamedFile {
  const packed = deflateSync(content)
  const head = `%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
4 0 obj <</Length ${packed.length}/Filter/FlateDecode>> stream
`
  return {
    name,
    bytes: Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R>>\n')]),
  }
}

/** A tree of pages that holds itself, and says that it has a billion. */
const circlePdf = (): NamedFile => ({
  name: 'circle.pdf',
  bytes: Buffer.from(`%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000000>> endobj
trailer <</Root 1 0 R>>
`),
})

function manySheets(count: number): Promise<NamedFile> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const list = numbers.map((number) => `<sheet name="S${number}" sheetId="${number}" r:id="rId${number}"/>`)
  const targets = numbers.map(
    (number) =>
      `<Relationship Id="rId${number}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  )
  return zipped('many-sheets.xlsx', {
    ...sheetParts,
    'xl/workbook.xml': `${xml}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.join('')}</Relationships>`,
    ...Object.fromEntries(numbers.map((number) => [`xl/worksheets/sheet${number}.xml`, sheet(rows(3, 3))])),
  })
}
