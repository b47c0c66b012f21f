import { expect, test } from 'vitest'
import { parseCsv } from '../../../src/kit/documents/parsers/csv.ts'

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

test('nothing is an empty sheet, and what is too long is cut and said so', async () => {
  expect(await read('')).toMatchObject({ rows: [''] })
  const { rows, notes } = await read('some,words\n'.repeat(10_000), 'a.csv', { ...limits, textCharacters: 5000 })
  expect(rows.join('\n').length).toBeLessThanOrEqual(5000)
  expect(notes.at(-1)).toContain('was left out')
})
