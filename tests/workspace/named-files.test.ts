import { expect, test } from 'vitest'
import { namedFiles, unknownLines } from '../../src/turn/ask/named-files.ts'
import { hintsFor } from '../../src/turn/ask/upload-hints.ts'

const files = (...paths: string[]) => paths.map((path) => ({ path, size: 1 }))
const found = (text: string, ...paths: string[]) =>
  namedFiles(text, files(...paths)).found.map(({ name, entry }) => [name, entry.path])

test('a file is named by its name or its path, spaces and all', () => {
  expect(found('see #my report.pdf, please', 'uploads/my report.pdf')).toEqual([
    ['my report.pdf', 'uploads/my report.pdf'],
  ])
  expect(found('see #uploads/a.csv.', 'uploads/a.csv')).toEqual([['uploads/a.csv', 'uploads/a.csv']])
  expect(found('#REPORT.PDF', 'uploads/Report.pdf')).toEqual([['REPORT.PDF', 'uploads/Report.pdf']])
  expect(found('#u\u0308ber.txt', 'uploads/über.txt')).toHaveLength(1)
  expect(found('#a.csv and #b.csv and #a.csv', 'uploads/a.csv', 'temp/b.csv')).toHaveLength(2)
})

test('the longest matching name wins', () => {
  expect(found('#a.csv.bak', 'uploads/a.csv', 'uploads/a.csv.bak')).toEqual([['a.csv.bak', 'uploads/a.csv.bak']])
  expect(found('#reporting', 'uploads/report')).toEqual([])
  expect(found('no mark: a.csv', 'uploads/a.csv')).toEqual([])
})

test.each([
  ['请看看#photo.png里有什么', 'photo.png'],
  ['请看看＃data.csv，谢谢', 'data.csv'],
  ['#報告.pdfを要約して', '報告.pdf'],
  ['#my 보고서.docx를 요약해 줘', 'my 보고서.docx'],
  ['สรุป#report.pdfให้หน่อย', 'report.pdf'],
  ['schau dir die #photo.png-Datei an', 'photo.png'],
  ['что в #photo.pngе', 'photo.png'],
  ['看#Makefile里', 'Makefile'],
])('a name ends where a word of another kind goes on: %s', (text, name) => {
  expect(namedFiles(text, files(`uploads/${name}`, 'uploads/other.txt'))).toMatchObject({
    found: [{ name, entry: { path: `uploads/${name}` } }],
    unknown: [],
  })
})

test.each([
  ['#report.pdf_old', 'report.pdf'],
  ['#report.pdfs', 'report.pdf'],
  ['#報告書を', '報告'],
  ['#reportе', 'report'],
])('but not where the same word goes on: %s', (text, name) => expect(found(text, `uploads/${name}`)).toEqual([]))

test('a file that exists is never said not to', () => {
  for (const next of ['_', '_x', 's', '-', 'é', '里'])
    expect(unknownLines(namedFiles(`#photo.png${next}`, files('uploads/photo.png'))).join()).not.toContain(
      '"#photo.png"',
    )
})

test('a name that several files share means all of them', () => {
  expect(found('#a.csv', 'uploads/a.csv', 'outputs/a.csv')).toEqual([
    ['a.csv', 'uploads/a.csv'],
    ['a.csv', 'outputs/a.csv'],
  ])
})

test('for a file that doesn’t exist, similar names are suggested', () => {
  const there = files('uploads/report-2026.pdf', 'uploads/budget.xlsx', 'outputs/report-2025.pdf')
  const lines = (text: string) => unknownLines(namedFiles(text, there))
  expect(lines('open #report-2062.pdf')).toEqual([
    'There is no file "#report-2062.pdf" in the workspace. The nearest names: "uploads/report-2026.pdf", "outputs/report-2025.pdf".',
  ])
  expect(lines('open #budgets')).toEqual([
    'There is no file "#budgets" in the workspace. The nearest names: "uploads/budget.xlsx".',
  ])
  expect(lines('open #the budgets.xlsx now')).toEqual([
    'There is no file "#the budgets.xlsx" in the workspace. The nearest names: "uploads/budget.xlsx".',
  ])
  expect(lines('#general please read the report.pdf')).toEqual([])
  expect(lines('open #zebra.txt')).toEqual(['There is no file "#zebra.txt" in the workspace.'])
  // Numbers, colours, headings, hashtags and channels aren't files.
  expect(lines('# Title\nsee #123, #1.5, #ff0000, #general and ##')).toEqual([])
})

test('many files and many mentions take linear time', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ path: `temp/deep/${at}/a rather long name ${at}.txt` }))
  const text = '#a rather long name nowhere.txt '.repeat(1000)
  const { found, unknown } = namedFiles(`#a rather long name 77.txt ${text}`, many)
  expect(found).toHaveLength(1)
  expect(unknown.length).toBeLessThanOrEqual(5)
  const same = Array.from({ length: 10_000 }, (_, at) => ({ path: `temp/${at}/a.txt` }))
  expect(namedFiles('#a.txt', same).found).toHaveLength(5)
})

test('an upload comes with a line that names the tool that reads its real type', () => {
  const file = (name: string, type: string, size = 9) => ({ name, path: `uploads/${name}`, type, size })
  expect(
    hintsFor([file('a.docx', 'application/pdf'), file('b.txt', 'text/plain'), file('c.pdf', 'application/pdf', 0)]),
  ).toEqual([
    '"uploads/a.docx" is a PDF document: read_file shows its pages as text, search_file finds a passage in it.',
  ])
  const skills = new Map([['text/csv', { what: 'a table', how: 'the skill tables reads it' }]])
  expect(hintsFor([file('a.csv', 'text/csv')], skills)).toEqual([
    '"uploads/a.csv" is a table: the skill tables reads it.',
  ])
  expect(hintsFor(Array.from({ length: 50 }, () => file('a.pdf', 'application/pdf')))).toHaveLength(20)
})
