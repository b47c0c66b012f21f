import { gzipSync } from 'node:zlib'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { isCut } from '../../../src/kit/documents/parse.ts'
import { parseArchive } from '../../../src/kit/documents/parsers/archive.ts'
import { parseEmail } from '../../../src/kit/documents/parsers/email.ts'
import { parseImage } from '../../../src/kit/documents/parsers/image.ts'
import { parseRtf } from '../../../src/kit/documents/parsers/rtf.ts'
import { encryptedZip, limits, parse, tar } from './make.ts'

test('a zip is listed as it is, with names that cannot deceive', async () => {
  const zip = new JSZip().file('a/b.txt', 'hello').file('photo\u202Egpj.exe', 'x')
  for (let index = 0; index < 1100; index++) zip.file(`f${index}`, '')
  const { parts, notes } = await parse(parseArchive, await zip.generateAsync({ type: 'nodebuffer' }))
  expect(parts[0]?.text).toContain('- a/b.txt (5 bytes)\n- photo\\u{202e}gpj.exe (1 byte)')
  expect(parts[0]?.text).toContain('… and 102 more')
  expect(notes[0]).toContain('1,102 files')
})

test('encrypted entries are marked', async () => {
  const { parts, notes } = await parse(parseArchive, encryptedZip('secret.txt'))
  expect(parts[0]?.text).toBe('- secret.txt (7 bytes, encrypted)')
  expect(notes[1]).toBe(
    '1 of its files is protected by a password, and can’t be opened here even with it: ask for a copy without one.',
  )
})

test('names of a zip that are in UTF-8 but aren’t marked as such are read as they are', async () => {
  const zip = new JSZip().file('Übersicht.txt', 'a').file('東京.txt', 'b')
  const bytes = await zip.generateAsync({ type: 'nodebuffer' })
  const marked = 0x0800
  for (const [signature, place] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const)
    for (let at = bytes.indexOf(signature, 0, 'latin1'); at >= 0; at = bytes.indexOf(signature, at + 1, 'latin1'))
      bytes.writeUInt16LE(bytes.readUInt16LE(at + place) & ~marked, at + place)
  // Without what JSZip writes besides: the name once more.
  for (let at = bytes.indexOf('up', 0, 'latin1'); at >= 0; at = bytes.indexOf('up', at + 1, 'latin1')) bytes[at] = 0
  expect((await parse(parseArchive, bytes)).parts[0]?.text).toBe('- Übersicht.txt (1 byte)\n- 東京.txt (1 byte)')
  // Of older programs: in the code page of DOS.
  const old = encryptedZip('ab.txt')
  for (let at = old.indexOf('ab.txt'); at >= 0; at = old.indexOf('ab.txt', at + 1)) old[at] = 0x9a
  expect((await parse(parseArchive, old)).parts[0]?.text).toContain('- Üb.txt')
})

test('a tar whose first name begins as a zip does is one', async () => {
  const archive = tar([{ name: 'PKGBUILD', content: 'x' }])
  expect((await parse(parseArchive, archive)).parts[0]?.text).toBe('- PKGBUILD (1 byte)')
})

test('a tar is listed, packed or not, and where it ends too early', async () => {
  const plain = tar([
    { name: '../../etc/passwd', content: 'x' },
    { name: 'b.txt', content: 'y'.repeat(600) },
  ])
  const text = '- ../../etc/passwd (1 byte)\n- b.txt (600 bytes)'
  expect((await parse(parseArchive, plain)).parts[0]?.text).toBe(text)
  expect((await parse(parseArchive, gzipSync(plain))).parts[0]?.text).toBe(text)
  expect((await parse(parseArchive, plain.subarray(0, 2000))).notes[1]).toContain('ends in the middle')
  const lying = tar([{ name: 'a', content: 'x', size: 0o77777777777 }])
  const { notes } = await parse(parseArchive, lying)
  expect(notes[1]).toContain('ends in the middle')
  expect(isCut(notes)).toBe(true)
})

test('a tar names its files whole, whatever stands beside a name, and goes on after a file with gaps', async () => {
  const name = `${'ü'.repeat(80)}/a.txt`
  const record = (text: string): string => {
    const length = Buffer.byteLength(text) + 2
    return `${length + `${length}`.length} ${text}\n`
  }
  const records = record(`comment=${'x'.repeat(5000)}\n9 path=b`) + record(`path=${name}`)
  const archive = tar([
    { name: 'a', content: records, type: 'x' },
    { name: '????/a.txt', content: 'x' },
    { name: 'gaps.bin', content: Buffer.alloc(1024), size: 512, type: 'S', goesOn: true },
    { name: 'last.txt', content: 'y' },
  ])
  const text = `- ${name} (1 byte)\n- gaps.bin (512 bytes)\n- last.txt (1 byte)`
  expect((await parse(parseArchive, archive)).parts[0]?.text).toBe(text)
})

/** A zip whose names are these bytes, without a word on what they mean. */
async function zipNamed(...names: Buffer[]): Promise<Buffer> {
  const zip = new JSZip()
  for (const [index, name] of names.entries()) zip.file(String.fromCharCode(65 + index).repeat(name.length), '')
  const bytes = await zip.generateAsync({ type: 'nodebuffer' })
  for (const [index, name] of names.entries()) {
    const stand = String.fromCharCode(65 + index).repeat(name.length)
    for (let at = bytes.indexOf(stand); at >= 0; at = bytes.indexOf(stand, at + 1)) name.copy(bytes, at)
  }
  return bytes
}

test.each([
  [
    'Cyrillic',
    ['8ee2e7f1e220a7a0203230323420a3aea42e747874', '84aea3aea2aee020fc20352e706466', '88928e83882e786c73'],
    ['Отчёт за 2024 год.txt', 'Договор № 5.pdf', 'ИТОГИ.xls'],
  ],
  [
    'Japanese',
    ['8ca990cf8f912e706466', '8b638e96985e2f8365835883678e9197bf20323032342e747874', '955c8ea62e747874'],
    ['見積書.pdf', '議事録/テスト資料 2024.txt', '表示.txt'],
  ],
  [
    'western',
    ['9472946b94732e747874', '906c827682732e747874', '8f73946e2e747874', '436883746561752e747874', '6d886d652e747874'],
    ['örökös.txt', 'Élévés.txt', 'Åsön.txt', 'Château.txt', 'même.txt'],
  ],
  ['western, one alone', ['9472946b94732e747874'], ['örökös.txt']],
  ['Korean', ['b0e8bee0bcad2e747874'], ['░Φ╛α╝¡.txt']],
])('names of a zip in a code page are legible where it is beyond doubt: %s', async (_, names, expected) => {
  const bytes = await zipNamed(...names.map((name) => Buffer.from(name, 'hex')))
  const lines = (await parse(parseArchive, bytes)).parts[0]?.text.split('\n') ?? []
  expect(lines.map((line) => line.replace(/^- (.*) \(.*/, '$1')).sort()).toEqual(expected.sort())
})

test('one packed file is named with its size; a bomb and a cut one are refused', async () => {
  const packed = gzipSync(Buffer.alloc(1000, 97))
  expect((await parse(parseArchive, packed, 'uploads/log.txt.gz')).parts[0]?.text).toBe('- log.txt (1,000 bytes)')
  const bomb = gzipSync(Buffer.alloc(limits.unpackedBytes + 1))
  await expect(parse(parseArchive, bomb)).rejects.toMatchObject({ code: 'too_complex' })
  await expect(parse(parseArchive, packed.subarray(0, 15))).rejects.toMatchObject({ code: 'damaged' })
})

test.each([
  ['7z\xbc\xaf', '7z'],
  ['Rar!', 'RAR'],
  ['\xfd7zXZ\0', 'xz'],
  ['BZh9', 'bzip2'],
  ['(\xb5/\xfd', 'Zstandard'],
])('%j is named', async (start, name) => {
  const bytes = Buffer.from(start, 'latin1')
  await expect(parse(parseArchive, bytes)).rejects.toMatchObject({
    code: 'not_readable',
    message: expect.stringContaining(name),
  })
})

const mail = (type: string, body: string): Buffer =>
  Buffer.from(
    `From: =?utf-8?Q?J=C3=BCrgen?= <j@x.de>\r\nTo: a@b.c, Team: x@y.z, q@r.s;\r\nDate: Sun, 1 Mar 2026 10:00:00 +0100\r\n` +
      `Subject: Hallo\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n${body}`,
    'latin1',
  )

test('a message is its headers, its text and the names of what is attached', async () => {
  const html = '<style>p{}</style><p>Hello <b>W\xf6rld</b> &amp; all</p><table><tr><td>a</td><td>b</td></tr></table>'
  const body = `--B\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n${html}\r\n--B\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="x.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--B--\r\n`
  const { parts } = await parse(parseEmail, mail('multipart/mixed; boundary=B', body))
  expect(parts[0]?.name).toBe('Hallo')
  expect(parts[0]?.text).toBe(
    'From: Jürgen <j@x.de>  \nTo: a@b.c, Team: x@y.z, q@r.s  \nDate: Sun, 1 Mar 2026 10:00:00 +0100  \nSubject: Hallo\n\n' +
      'Hello Wörld & all\n\na | b\n\nAttachments:\n- x.pdf (application/pdf, 3 bytes)',
  )
})

test('a message names who got a blind copy, and where answers go if not to its sender', async () => {
  const of = async (from: string, more: string): Promise<string | undefined> =>
    (await parse(parseEmail, Buffer.from(`From: ${from}\r\n${more}\r\nSubject: s\r\n\r\nx\r\n`))).parts[0]?.text
  expect(await of('Ana <a@b.c>', 'Bcc: Cleo <c@d.e>\r\nReply-To: office@b.c, Ben <b@b.c>')).toBe(
    'From: Ana <a@b.c>  \nBcc: Cleo <c@d.e>  \nReply-To: office@b.c, Ben <b@b.c>  \nSubject: s\n\nx',
  )
  expect(await of('Ana <a@b.c>', 'Reply-To: A@b.c')).toBe('From: Ana <a@b.c>  \nSubject: s\n\nx')
})

test('a message with both is its plain text, unless that says hardly anything', async () => {
  const both = async (plain: string, page: string): Promise<{ text: string | undefined; notes: string[] }> => {
    const part = (type: string, text: string): string => `--B\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`
    const body = `${part('text/plain', plain)}${part('text/html', page)}--B--\r\n`
    const { parts, notes } = await parse(parseEmail, mail('multipart/alternative; boundary=B', body))
    return { text: parts[0]?.text.split('\n\n').slice(1).join('\n\n'), notes }
  }
  const offer = 'We offer 12 chairs for 500 EUR. '.repeat(10).trim()
  const notice = 'Your program cannot show this message.'
  expect(await both(notice, `<p>${offer}</p>`)).toEqual({ text: offer, notes: [] })
  expect(await both(offer, `<p>${offer}</p><p>--<br>Ana Lee</p>`)).toEqual({ text: offer, notes: [] })
  const address = `<a href="https://example.org/${'x'.repeat(9000)}">all</a>`
  expect(await both(offer, `<p>${offer}</p>${address}`)).toEqual({ text: offer, notes: [] })
  expect(await both(':-)', '')).toEqual({ text: ':-)', notes: [] })
  const more = await both(offer, `<p>${offer}</p><p>${offer}</p><p>${offer}</p>`)
  expect(more).toEqual({
    text: offer,
    notes: ['Only its plain text is read. It also has a page (HTML), which says more.'],
  })
})

test('a message whose page is cut says so, even if its text is shorter than the limit', async () => {
  const page = (end: string): Buffer =>
    mail('text/html; charset=utf-8', `Hello${'<span class="longer than its words">x</span>'.repeat(100)}${end}`)
  const notesOf = async (bytes: Buffer, textCharacters: number): Promise<string[]> =>
    (await parseEmail({ name: 'a.eml', bytes }, { ...limits, textCharacters })).notes
  expect(await notesOf(page('LAST'), 1000)).toEqual(['Its text is too long to read completely: the end was left out.'])
  expect(await notesOf(page('LAST'), 5000)).toEqual([])
})

test('a message without headers, or of parts within parts within parts, is refused', async () => {
  await expect(parse(parseEmail, Buffer.from(''))).rejects.toMatchObject({ code: 'damaged' })
  const nested = Array.from(
    { length: 80 },
    (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`,
  )
  await expect(parse(parseEmail, mail('multipart/mixed; boundary=b0', nested.join('')))).rejects.toMatchObject({
    code: 'damaged',
  })
})

test('an image is described', async () => {
  const png = Buffer.alloc(33)
  png.write('89504e470d0a1a0a0000000d49484452', 'hex')
  png.writeUInt32BE(800, 16)
  png.writeUInt32BE(600, 20)
  expect((await parse(parseImage, png)).parts[0]?.text).toBe('PNG image, 800 × 600 pixels.')
  await expect(parse(parseImage, png.subarray(0, 10))).rejects.toMatchObject({ code: 'damaged' })
})

const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Cyr;}}{\*\generator x;}{\info{\title no}}
Hello \b W\'f6rld\b0\par \u8364?100 \uc2\u26085'ab!\par {\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par
\trowd a\cell b\cell\row{\pict 0011}\~end\{x\}\bin4 {{{{\par}`

test('RTF is its text: characters of all kinds, tables, and nothing of fonts and pictures', async () => {
  const { parts, notes } = await parse(parseRtf, Buffer.from(rtf))
  expect(parts[0]?.text).toBe('Hello Wörld\n€100 日b!\nПривет\n| a | b |\nend{x}')
  expect(notes).toEqual(['It contains pictures, which are not read.'])
})

test('RTF that is cut anywhere, or nested without end, is text or a plain error', async () => {
  for (let end = 5; end < rtf.length; end += 7) {
    const outcome = await parse(parseRtf, Buffer.from(rtf.slice(0, end))).catch((thrown: unknown) => thrown)
    expect(outcome).toSatisfy((outcome) => 'parts' in Object(outcome) || Object(outcome).code === 'damaged')
  }
  const deep = await parse(parseRtf, Buffer.from(`{\\rtf1 a${'{'.repeat(500_000)}b`))
  expect(deep.parts[0]?.text).toBe('ab')
})

test('a message with nothing but an odd header says that there is no text', async () => {
  const { notes } = await parse(parseEmail, Buffer.from('X-Odd: one\r\n'))
  expect(notes).toContain('It contains no text.')
})

test('a message whose body isn’t in the encoding that it names, or whose headers aren’t in any', async () => {
  const head = 'From: a@b.c\r\nSubject: s\r\nMIME-Version: 1.0\r\n'
  const of = async (rest: string): Promise<string> =>
    (await parse(parseEmail, Buffer.from(head + rest, 'latin1'))).parts[0]?.text ?? ''
  const quoted = 'Content-Transfer-Encoding: quoted-printable\r\n\r\n5=E2=82=AC\r\n'
  for (const charset of ['us-ascii', '"US-ASCII"', 'unknown-8bit; format=flowed', 'ascii'])
    expect(await of(`Content-Type: text/plain; charset=${charset}\r\n${quoted}`)).toContain('5€')
  expect(await of('Content-Type: text/plain; charset=us-ascii\r\n\r\nCaf\xe9\r\n')).toContain('Café')
  const part = `--B\r\nContent-Type: text/html;\r\n charset=us-ascii\r\n${quoted}\r\n--B--\r\n`
  expect(await of(`Content-Type: multipart/mixed; boundary=B\r\n\r\n${part}`)).toContain('5€')
  expect(await of('Content-Type: text/plain; charset=utf-8\r\n\r\nSet charset=us-ascii here\r\n')).toContain(
    'charset=us-ascii',
  )
  const named = 'Content-Type: text/plain; Charset="iso-8859-1"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
  expect(await of(`${named}Gr\xf6\xdfe 5 \xa3 \x80\r\n`)).toContain('Größe 5 £ €')
  expect(await of(`${named.replace('iso-8859-1', 'koi8-r')}\xf0\xd2\r\n`)).toContain('Пр')
  const raw =
    'Subject: \xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0?\r\nContent-Type: text/plain; charset=windows-1251\r\n\r\n\xcf\xf0\xe8\xe2\xe5\xf2\r\n'
  const { parts } = await parse(parseEmail, Buffer.from(`From: a@b.c\r\n${raw}`, 'latin1'))
  expect(parts[0]?.text).toBe('From: a@b.c  \nSubject: Привет, как дела?\n\nПривет')
})
