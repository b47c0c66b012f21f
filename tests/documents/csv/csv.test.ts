import { expect, test } from 'vitest'
import type { DocumentPiece } from '../../../src/kit/documents/document.ts'
import { parseCsv } from '../../../src/kit/documents/parsers/csv.ts'
import { documentKindOf } from '../../../src/kit/files/document-kind.ts'

const limits = { textCharacters: 1_000_000, parts: 100, unpackedBytes: 1e8, archiveEntries: 100 }

async function read(content: string | Buffer, name = 'a.csv', given = limits) {
  const { parts, notes } = await parseCsv({ name, bytes: Buffer.from(content as string) }, given)
  return { rows: parts[0]?.text.split('\n') ?? [], notes }
}

test('quotes, line ends within cells and empty lines keep rows and columns where they are', async () => {
  const { rows, notes } = await read('a,b,c\n1,"x, y",3\r\n4,"line\nbreak","say ""hi"""\n\n7,8\n')
  expect(rows).toEqual([
    '| | A | B | C |',
    '| --- | --- | --- | --- |',
    '| 1 | a | b | c |',
    '| 2 | 1 | x, y | 3 |',
    '| 3 | 4 | line<br>break | say "hi" |',
    '| 5 | 7 | 8 |',
  ])
  expect(notes).toEqual([
    '5 rows and 3 columns, separated by commas.',
    'Different number of cells than in the first row: 1 row.',
  ])
})

test.each([
  ['Name;Preis\nÄpfel;1,50\nBirnen;2,75', 'semicolons', '| 2 | Äpfel | 1,50 |'],
  ['sep=;\r\na;b\r\n1;2', 'semicolons', '| 2 | 1 | 2 |'],
  ['a\tb\n1,5\t2', 'tabs', '| 2 | 1,5 | 2 |'],
  ['a|b|c\n1|2|3', 'bars', '| 2 | 1 | 2 | 3 |'],
  ['one\ntwo', 'commas', '| 2 | two |'],
  ['\uFEFFa,b\r1,2', 'commas', '| 2 | 1 | 2 |'],
])('%j is separated by %s', async (content, delimiter, row) => {
  const { rows, notes } = await read(content)
  expect(notes[0]).toContain(delimiter)
  expect(rows[3]).toBe(row)
})

test('a quote that is never closed does not swallow the rows after it', async () => {
  const { rows, notes } = await read('a,b\n"open,1\n2,3\n')
  expect(rows.slice(2)).toEqual(['| 1 | a | b |', '| 2 | "open | 1 |', '| 3 | 2 | 3 |'])
  expect(notes).toContain('A quote is never closed: all quotes are kept as they are written.')
})

test('another encoding is recognised and mentioned', async () => {
  const { rows, notes } = await read(Buffer.from('Name;Ort\nMüller;Köln\n', 'latin1'))
  expect(rows[3]).toBe('| 2 | Müller | Köln |')
  expect(notes[1]).toContain('windows-1252')
})

test.each([
  ['what Excel calls Unicode text', '\uFEFF', 'Name\tOrt\r\nМюллер\t東京\r\n', '| 2 | Мюллер | 東京 |'],
  ['Cyrillic without a mark', '', 'Имя\tГород\r\nАнна\tКазань\r\n', '| 2 | Анна | Казань |'],
  ['Japanese without a mark', '', '名前\t都市\r\n東京は日本の首都\tです。\r\n', '| 2 | 東京は日本の首都 | です。 |'],
])('UTF-16 is read: %s', async (_, mark, text, row) => {
  for (const bytes of [Buffer.from(mark + text, 'utf16le'), Buffer.from(mark + text, 'utf16le').swap16()]) {
    expect(documentKindOf('a.csv', bytes)).toBe('csv')
    expect((await read(bytes)).rows[3]).toBe(row)
  }
})

test('rows in another encoding than the others are read, too, wherever they come', async () => {
  const [utf8, latin] = [Buffer.from('Müller,Köln\n'), Buffer.from('Grüß,Zürich\n', 'latin1')]
  const content = Buffer.concat([Buffer.from('name,city\n'), utf8, latin, ...Array(30_000).fill(utf8), latin])
  const { rows, notes } = await read(content)
  expect([rows[3], rows[4], rows[5], rows.at(-1)]).toEqual([
    '| 2 | Müller | Köln |',
    '| 3 | Grüß | Zürich |',
    '| 4 | Müller | Köln |',
    '| 30004 | Grüß | Zürich |',
  ])
  expect(notes[1]).toContain('utf-8 and, in some rows, windows-1252')
  const mac = Buffer.from('M\x9fller,K\x9aln\nH\x9alzer,L\x9fbeck\n', 'latin1')
  expect((await read(Buffer.concat([utf8, mac]))).rows.slice(2)).toEqual([
    '| 1 | Müller | Köln |',
    '| 2 | Müller | Köln |',
    '| 3 | Hölzer | Lübeck |',
  ])
})

test('nothing is an empty sheet, and what is too long is cut and said so', async () => {
  expect(await read('')).toMatchObject({ rows: [''] })
  const { rows, notes } = await read('some,words\n'.repeat(10_000), 'a.csv', { ...limits, textCharacters: 5000 })
  expect(rows.join('\n').length).toBeLessThanOrEqual(5000)
  expect(notes.at(-1)).toContain('was left out')
})

test('a large file is handed over in portions, and together they are what a small one would be', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `${index},,"a, ${'word '.repeat(5)}${index}",`)
  // A column that only one row has, and a cell that goes on in the next line.
  lines[15_000] = '15000,here,"two\nlines",'
  const bytes = Buffer.from(`id,,text,\n${lines.join('\r\n')}`)
  const roomy = { ...limits, textCharacters: 100, tableCharacters: 10_000_000 }
  const whole = await parseCsv({ name: 'a.csv', bytes }, roomy)
  const pieces: DocumentPiece[] = []
  const last = await parseCsv({ name: 'a.csv', bytes }, roomy, undefined, async (some) => void pieces.push(...some))
  expect(pieces.length).toBeGreaterThan(2)
  const all: DocumentPiece[] = [...pieces, ...last.parts]
  expect(all.map(({ text }) => text).join('')).toBe(whole.parts[0]?.text)
  expect(all.map((piece) => piece.continues)).toEqual([undefined, ...all.slice(1).map(() => true)])
  expect(last.notes).toEqual(whole.notes)
  const rows = whole.parts[0]?.text.split('\n') ?? []
  expect(rows[0]).toBe('| | A | B | C |')
  expect(rows[15_003]).toBe('| 15002 | 15000 | here | two<br>lines |')
  expect(rows).toHaveLength(20_003)
})
