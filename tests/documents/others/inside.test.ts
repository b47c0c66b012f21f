import { gzipSync } from 'node:zlib'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { parseFile } from '../../../src/kit/documents/parse-file.ts'
import { odfFile, tc, tp, tr } from '../office/make-odf.ts'
import { makePdf } from '../pdf/make.ts'
import { limits, tar } from './make.ts'

const zip = (files: Record<string, string | Uint8Array>): Promise<Buffer> => {
  const archive = new JSZip()
  for (const [name, content] of Object.entries(files)) archive.file(name, content)
  return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
}

const read = (name: string, bytes: Uint8Array, more = {}) => parseFile({ name, bytes }, { ...limits, ...more })

const pdf = (...pages: string[]) =>
  makePdf({ pages: pages.map((text) => ({ texts: text === '' ? [] : [{ x: 50, y: 100, text }] })) })

test('files in a zip are read as files of their own, those of a zip in it too', async () => {
  const inner = await zip({ 'notes.txt': 'Deep inside.', 'sums.csv': 'a;b\n1;2\n' })
  const { parts, notes } = await read('all.zip', await zip({ 'x/offer.pdf': pdf('Page one.', ''), 'more.zip': inner }))
  expect(parts.map(({ unit, number, name }) => `${unit} ${number} ${name ?? ''}`)).toEqual([
    'section 1 ',
    'section 2 x/offer.pdf: page 1',
    'section 3 x/offer.pdf: page 2',
    'section 4 more.zip: section 1',
    'section 5 more.zip: notes.txt',
    'sheet 6 more.zip: sums.csv: sheet 1',
  ])
  expect(parts[1]?.text).toBe('Page one.')
  expect(notes.join(' ')).toContain('2 of them are read too')
  expect(notes.join(' ')).toContain('In x/offer.pdf: Page 2 has no text')
})

test('a table in an archive has no more room than other files', async () => {
  const room = { textCharacters: 2000, tableCharacters: 100_000 }
  const { notes } = await read('all.zip', await zip({ 'sums.csv': 'a;b\n1;2\n'.repeat(500) }), room)
  expect(notes).toContain('In sums.csv: It is too large to read completely: the rest was left out.')
})

test('what can’t be read says why and doesn’t stop the others', async () => {
  const { parts } = await read(
    'all.zip',
    await zip({ 'bad.pdf': '%PDF-1.4 \u0001junk', 'program.exe': 'MZ\u0000\u0001', 'good.txt': 'Good.' }),
  )
  expect(parts[0]?.text).toMatch(/- bad\.pdf \(14 bytes\): not read, It is damaged/)
  expect(parts[0]?.text).toMatch(/- program\.exe \(4 bytes\)$/m)
  expect(parts.map(({ name }) => name)).toEqual([undefined, 'good.txt'])
})

test('archives in archives are read to a depth, and no more bytes than the limit', async () => {
  let nested = await zip({ 'a.txt': 'The innermost.' })
  for (let depth = 0; depth < 6; depth++) nested = await zip({ 'in.zip': nested })
  const deep = await read('deep.zip', nested)
  expect(deep.parts.some(({ text }) => text.includes('innermost'))).toBe(false)
  expect(deep.parts.at(-1)?.text).toContain('it lies too deep')

  const large = await read('large.zip', await zip({ 'a.txt': 'x'.repeat(5000), 'b.txt': 'small' }), {
    unpackedBytes: 4000,
  })
  expect(large.parts[0]?.text).toContain('- a.txt (5,000 bytes): not read, it is too large')
  expect(large.parts[1]).toMatchObject({ name: 'b.txt', text: 'small' })

  const many = await read(
    'many.zip',
    await zip(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.txt`, 'text']))),
    { parts: 1000 },
  )
  expect(many.parts).toHaveLength(201)
  expect(many.parts[0]?.text).toContain('- 250.txt (4 bytes): not read, there are too many files')
})

test('files in a tar, packed by gzip or not, are read, and what links lead to is not', async () => {
  const archive = tar([
    { name: 'x/offer.pdf', content: pdf('Page one.') },
    { name: '../../etc/passwd', content: 'Only a name.' },
    { name: 'link', content: '', type: '2' },
    { name: '/etc/hosts', content: 'secret', type: '1' },
    { name: 'more.tgz', content: gzipSync(tar([{ name: 'notes.txt', content: 'Deep inside.' }])) },
  ])
  for (const bytes of [archive, gzipSync(archive)]) {
    const { parts, notes } = await read('all.tgz', bytes)
    expect(parts.map(({ name, text }) => [name, text]).slice(1)).toEqual([
      ['x/offer.pdf', 'Page one.'],
      ['../../etc/passwd', 'Only a name.'],
      ['more.tgz: section 1', '- notes.txt (12 bytes)'],
      ['more.tgz: notes.txt', 'Deep inside.'],
    ])
    expect(notes[0]).toContain('with 5 files. 3 of them are read too')
  }
})

test('a file packed by gzip is read under its own name, and what it unpacks is counted', async () => {
  const { parts } = await read('uploads/sums.csv.gz', gzipSync(Buffer.from('a;b\n1;2\n')))
  expect(parts.map(({ name }) => name)).toEqual([undefined, 'sums.csv: sheet 1'])

  let nested = gzipSync(Buffer.alloc(3000, 97))
  for (let depth = 0; depth < 5; depth++) nested = gzipSync(nested)
  expect((await read('deep.gz', nested)).parts.at(-1)?.text).toContain('it lies too deep')
  const twice = gzipSync(gzipSync(Buffer.alloc(5000, 97), { level: 0 }))
  const { parts: small } = await read('a.txt.gz.gz', twice, { unpackedBytes: 7000 })
  expect(small[0]?.text).toContain('not read, It is too large to be read safely')
})

test('attachments of a message are read as files of their own', async () => {
  const message = [
    'From: ana@example.com',
    'Subject: Offer',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the offer.',
    '--b',
    'Content-Type: application/pdf; name="offer.pdf"',
    'Content-Disposition: attachment; filename="offer.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(pdf('We offer 12 chairs.')).toString('base64'),
    '--b--',
    '',
  ]
  const { parts, notes } = await read('mail.eml', Buffer.from(message.join('\r\n')))
  expect(parts.map(({ name }) => name)).toEqual(['Offer', 'offer.pdf'])
  expect(parts[1]?.text).toBe('We offer 12 chairs.')
  expect(notes[0]).toContain('Its attachment is read too')
})

test('messages in a message are read as files of their own, each with its date as it was written', async () => {
  const inner = (subject: string, ...more: string[]): string =>
    [
      '--b',
      'Content-Type: message/rfc822',
      ...more,
      '',
      'From: ben@example.com',
      `Subject: ${subject}`,
      'Date: Fri, 5 Jan 2024 23:30:00 -0500',
      '',
      `Text of ${subject}.`,
      '',
    ].join('\r\n')
  const head = 'From: ana@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
  const named = inner('third', 'Content-Disposition: attachment; filename="old"')
  const message = `${head}--b\r\nContent-Type: text/plain\r\n\r\nOuter.\r\n${inner('first')}${inner('second')}${named}--b--\r\n`
  const { parts } = await read('mail.eml', Buffer.from(message))
  expect(parts.map(({ name }) => name)).toEqual([undefined, 'message.eml', 'message 2.eml', 'old.eml'])
  expect(parts[0]?.text).toMatch(/Outer\.\n\nAttachments:\n- message\.eml \(message\/rfc822, /)
  expect(parts[1]?.text).toBe(
    'From: ben@example.com  \nDate: Fri, 5 Jan 2024 23:30:00 -0500  \nSubject: first\n\nText of first.',
  )
})

test('what a file in another one hides, and what stands on each of its pages, is said', async () => {
  const styles =
    '<style:style style:name="gone" style:family="table"><style:table-properties table:display="false"/></style:style>'
  const sheets = `<table:table table:name="New">${tr(tc('1'))}</table:table><table:table table:name="Old" table:style-name="gone">${tr(tc('2'))}</table:table>`
  const common = `<office:master-styles><style:master-page><style:footer>${tp('Invoice 4711')}</style:footer></style:master-page></office:master-styles>`
  const archived = await odfFile('text', tp('Body'), { common })
  const archive = await zip({ 'a.ods': await odfFile('spreadsheet', sheets, { styles }), 'b.odt': archived })
  const { notes } = await read('all.zip', archive)
  expect(notes.slice(1)).toEqual([
    'In a.ods: Sheet "Old" (hidden) has 1 row and 1 column with values, as far as A1.',
    'In b.odt: Page footer: Invoice 4711',
  ])
  const many = Array.from({ length: 31 }, (_, index) => [`${index}.odt`, archived] as const)
  const cut = await read('all.zip', await zip({ ...Object.fromEntries(many), 'z.rtf': '{\\rtf1 Half' }))
  expect(cut.notes.at(-1)).toBe('In z.rtf: It ends in the middle: what followed was left out.')
})
