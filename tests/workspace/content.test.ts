import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileType, isText, typeByName } from '../../src/kit/files/type.ts'
import { decode, encode } from '../../src/kit/text/plain-text.ts'
import { cutUtf8 } from '../../src/kit/text/text.ts'
import { noise } from '../support/noise.ts'

test('UTF-8 and both kinds of UTF-16 are read, with their line ends', () => {
  expect(decode(Buffer.from('zwölf\r\nx\r\ny\n'))).toEqual({
    text: 'zwölf\r\nx\r\ny\n',
    encoding: 'utf-8',
    mark: false,
    lossy: false,
    badBytes: 0,
    newline: 'CRLF',
  })
  const little = Buffer.from('\uFEFFzwölf\n', 'utf16le')
  expect(decode(little)).toMatchObject({
    text: 'zwölf\n',
    encoding: 'utf-16le',
    mark: true,
    lossy: false,
    newline: 'LF',
  })
  expect(decode(Buffer.from(little).swap16())).toMatchObject({ text: 'zwölf\n', encoding: 'utf-16be', lossy: false })
  expect(decode(Buffer.from('\uFEFFa'))).toMatchObject({ text: 'a', mark: true })
})

test('lost bytes are counted, but a � in the text is not one', () => {
  expect(decode(Buffer.from('caf\xe9 na\xefve \xff\xff', 'latin1'))).toMatchObject({ lossy: true, badBytes: 4 })
  expect(decode(Buffer.from('a � b'))).toMatchObject({ lossy: false })
  expect(decode(Buffer.concat([Buffer.from('� '), Buffer.from([0xe2, 0x82])]))).toMatchObject({ badBytes: 2 })
  expect(decode(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]))).toMatchObject({ lossy: true })
})

test('text read without loss encodes back byte for byte', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'), (text, encoding) => {
      const bytes = encode(text.toWellFormed(), { encoding, mark: encoding !== 'utf-8' })
      const decoded = decode(bytes)
      expect(decoded.lossy).toBe(false)
      expect(encode(decoded.text, decoded)).toEqual(bytes)
    }),
  )
})

test('cutUtf8 keeps as many whole characters as fit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, bytes) => {
      const cut = cutUtf8(text, bytes)
      expect(text.startsWith(cut)).toBe(true)
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes)
      const next = [...text.slice(cut.length)][0]
      if (next) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(bytes)
    }),
  )
})

const zip = Buffer.from('504b0304140000000800', 'hex')
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

test.each([
  ['a.csv', Buffer.from('a,b\n1,2\n'), 'text/csv'],
  ['a', Buffer.from('words'), 'text/plain'],
  ['a.png', Buffer.from('not a picture'), 'text/plain'],
  ['a.txt', png, 'image/png'],
  ['a.docx', zip, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.zip', zip, 'application/zip'],
  ['a.pdf', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
  ['a.svg', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
  ['a.md', Buffer.from([1, 2, 3, 0]), 'application/octet-stream'],
  ['empty.json', Buffer.alloc(0), 'application/json'],
])('the type of %s is told by its content', async (name, head, type) => {
  expect(await fileType(name, head)).toBe(type)
})

test('a name alone promises a type', () => {
  expect(['A.PDF', 'b.tar', 'c.xlsx', 'd.md'].map(typeByName)).toEqual([
    'application/pdf',
    'application/octet-stream',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'text/markdown',
  ])
})

test('text is told from binary data', () => {
  const text = [
    Buffer.from('plain\tüñí 日本\n'),
    Buffer.from('caf\xe9 au lait, naïve', 'latin1'),
    Buffer.from('\uFEFFa', 'utf16le'),
  ]
  expect(text.map(isText)).toEqual([true, true, true])
  // The beginning of a file may end in the middle of a character.
  expect(isText(Buffer.from('日本').subarray(0, 5))).toBe(true)
  for (let round = 0; round < 50; round++) expect(isText(noise(4096, round).map((byte) => byte || 1))).toBe(false)
  expect(isText(Buffer.from('text with a \0 in it'))).toBe(false)
})
