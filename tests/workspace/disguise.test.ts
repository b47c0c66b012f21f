import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Look, lookAt } from '../../src/workspace/look.ts'
import { safeName } from '../../src/workspace/names.ts'
import { noise } from '../support/noise.ts'
import { docx, elf, exe, ole, pdf, withMacros, xlsx, zip } from './files.ts'
import { place } from './support.ts'

async function look(name: string, bytes: Buffer | string): Promise<Look> {
  const { workspace } = await place()
  const path = `uploads/${safeName(name)}`
  await workspace.write(path, bytes)
  return lookAt(workspace, path, name)
}

const ooxml = 'application/vnd.openxmlformats-officedocument'
const word = `${ooxml}.wordprocessingml.document`
const sheet = `${ooxml}.spreadsheetml.sheet`

test.each([
  ['a.docx', docx, word],
  ['a.docx', xlsx, sheet],
  ['a.docx', () => zip({ 'a.txt': 'hello' }), 'application/zip'],
  ['a.docx', pdf, 'application/pdf'],
  ['a.zip', docx, word],
  ['a', xlsx, sheet],
  ['a.xls', () => 'a\tb\n1\t2\n', 'text/plain'],
  ['a.pdf', () => 'only words', 'text/plain'],
  ['a.doc', () => ole(['WordDocument']), 'application/msword'],
  ['a.doc', () => ole(['Workbook']), 'application/vnd.ms-excel'],
  ['a.xls', () => ole(['1', '2', '3', '4', '5', 'PowerPoint Document']), 'application/vnd.ms-powerpoint'],
  ['a.doc', () => ole(['nothing known']), 'application/x-cfb'],
  ['a.docx', () => ole(['EncryptionInfo', 'EncryptedPackage']), word],
  ['a.msi', () => ole(['x'], '84100c0000000000c000000000000046'), 'application/x-msi'],
  ['a.zip', () => zip({ 'META-INF/MANIFEST.MF': '', 'a/Main.class': '' }), 'application/java-archive'],
  ['a.constructor', () => 'words', 'text/plain'],
  ['MZ.txt', () => 'MZ is how this begins', 'text/plain'],
  ['a', () => 'BM, a text', 'text/plain'],
])('the type of %s is that of its content, case %#', async (name, make, type) => {
  expect((await look(name, await make())).type).toBe(type)
})

test('an archive with a large first entry is recognised by the directory at its end', async () => {
  const large = noise(100_000)
  const hidden = await zip({ 'a.bin': large, '[Content_Types].xml': '', 'word/document.xml': '' }, true)
  expect((await look('a.zip', hidden)).type).toBe(word)
  // With a self-extractor in front, it is a program.
  expect((await look('a.zip', Buffer.concat([exe(), hidden]))).type).toBe('application/x-msdownload')
  // When it is truncated, the name decides.
  expect((await look('a.xlsx', hidden.subarray(0, 50_000))).type).toBe(sheet)
})

test('an ordinary document gets no warning', async () => {
  const all: [string, Buffer | string][] = [
    ['report.docx', await docx()],
    ['table.xlsx', await xlsx()],
    ['paper.pdf', await pdf()],
    ['old.doc', ole(['WordDocument'])],
    ['secret.docx', ole(['EncryptionInfo', 'EncryptedPackage'])],
    ['old.doc', '{\\rtf1 hello}'],
    ['all.zip', await zip({ 'a.txt': 'hello' })],
    ['notes.txt', 'words'],
    ['data.csv', 'a,b\n'],
    ['page.html', '<!doctype html><p>hello'],
    ['module.ts', 'export const one = 1\n'],
    ['Screenshot 2026-01-01 at 3.05.12\u202fPM.txt', 'words'],
    ['خطة\u200f.txt', 'words'],
    ['empty.pdf', ''],
    ['x', ''],
    ['song.mp3', noise(500)],
    ['example.com', 'a list of addresses'],
  ]
  for (const [name, bytes] of all) expect([name, (await look(name, bytes)).notice]).toEqual([name, undefined])
})

const kept = 'it is only stored, and nothing here runs it'

test.each([
  ['setup.exe', exe, `it is a program for Windows: ${kept}`],
  ['tool', elf, `it is a program for Linux: ${kept}`],
  ['deploy.sh', () => '#!/bin/sh\nls\n', `it is a script for Linux and macOS: ${kept}`],
  ['deploy.txt', () => '#!/bin/sh\nls\n', `it is a script for Linux and macOS: ${kept}`],
  ['run.bat', () => 'dir\r\n', `it is a command script for Windows: ${kept}`],
  ['run.PS1', () => 'Get-ChildItem', `it is a PowerShell script: ${kept}`],
  ['app.jar', () => zip({ 'META-INF/MANIFEST.MF': '', 'A.class': '' }), `it is a program for Java: ${kept}`],
  [
    'Tool.zip',
    () => zip({ 'Tool.app/Contents/MacOS/Tool': 'x' }),
    `it is an archive with a program for macOS in it: ${kept}`,
  ],
  ['invoice.pdf', exe, 'it is a program for Windows named like a PDF document: don’t open it'],
  ['notes.txt', elf, 'it is a program for Linux named like a text file: don’t open it'],
  ['report.pdf.exe', exe, 'it is a program for Windows named like a PDF document: don’t open it'],
  [
    'report.docx.js',
    () => 'alert(1)',
    'it is a JavaScript file (Windows runs it when it is opened) named like a Word document: don’t open it',
  ],
  ['data.csv   .scr', exe, 'it is a program for Windows named like a text file: don’t open it'],
  ['photo.png', () => '#!/bin/sh\nrm -r ~\n', 'it is a script for Linux and macOS named like an image: don’t open it'],
  [
    'letter.docm',
    async () => withMacros(await docx()),
    'it is a Word document with macros, which are small programs: don’t enable them',
  ],
  [
    'letter.docx',
    async () => withMacros(await docx()),
    'it is a Word document with macros, which are small programs, named like one without: don’t open it',
  ],
  [
    'old.doc',
    () => ole(['WordDocument', 'Macros']),
    'it is a Word document with macros, which are small programs: don’t enable them',
  ],
  ['table.docx', xlsx, 'it is a spreadsheet named like a Word document'],
  ['list.xls', () => '<html><table><tr><td>1</table>', 'it is a web page (HTML) named like a spreadsheet'],
  ['list.xls', () => 'a;b\n1;2\n', 'it is a text file named like a spreadsheet'],
  ['paper.pdf', () => 'words', 'it is a text file named like a PDF document'],
  ['paper.pdf', () => noise(3000), 'it isn’t a PDF document, despite its name'],
  ['letter.docx', () => zip({ 'a.txt': 'x' }), 'it is an archive named like a Word document'],
  ['invoice\u202efdp.txt', () => 'words', 'its name has hidden characters that change the order in which it is shown'],
  [
    'report.pdf\u2800\u2800\u2800\u2800\u2800\u2800.txt',
    () => 'words',
    'its name contains many spaces, which can hide its extension',
  ],
])('%s: what it is in truth is said, case %#', async (name, make, notice) => {
  expect((await look(name, await make())).notice).toBe(notice)
})

test('a program whose name contains direction characters is reported as both', async () => {
  expect((await look('invoice\u202efdp.exe', exe())).notice).toMatch(
    /^it is a program for Windows: .*; its name has hidden/,
  )
})

test('no content makes it fail or take long', async () => {
  const { workspace } = await place()
  const starts = [Buffer.alloc(0), ole(['A', 'B']), await zip({ a: 'b' }), await docx(), exe()]
  const property = fc.asyncProperty(
    fc.constantFrom(...starts),
    fc.uint8Array({ maxLength: 60 }),
    fc.nat(2000),
    fc.string({ unit: 'binary', maxLength: 40 }),
    async (start, noise, at, name) => {
      const bytes = Buffer.concat([start, Buffer.alloc(64)])
      bytes.set(noise, Math.min(at, bytes.length - noise.length))
      await workspace.write('uploads/x', bytes)
      const { type, notice } = await lookAt(workspace, 'uploads/x', name)
      expect(type).toMatch(/^[a-z0-9.+/-]+$/i)
      expect(notice ?? 'it is').toMatch(/^its? /)
    },
  )
  await fc.assert(property, { numRuns: 60 })
})

test('a directory with a loop ends', async () => {
  const bytes = ole(['A'])
  bytes.writeUInt32LE(1, 512 + 4)
  expect((await look('a.doc', bytes)).type).toBe('application/x-cfb')
})
