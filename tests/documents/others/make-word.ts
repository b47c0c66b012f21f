import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  CommentRangeEnd,
  CommentRangeStart,
  CommentReference,
  DeletedTextRun,
  Document,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  Header,
  HeadingLevel,
  InsertedTextRun,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  Textbox,
  TextRun,
} from 'docx'

// Makes tests/fixtures/office/harbour.doc.gz: node tests/documents/others/make-word.ts (with LibreOffice's soffice).

const change = { id: 1, author: 'Ana Lee', date: '2024-05-06T07:08:09Z' }
const cell = (text: string, spans: { columnSpan?: number; rowSpan?: number } = {}) =>
  new TableCell({ children: [new Paragraph(text)], ...spans })
const row = (...children: TableCell[]) => new TableRow({ children })
const item = (text: string, reference: string, level: number) =>
  new Paragraph({ text, numbering: { reference, level } })

const inner = new Table({ rows: [row(cell('low'), cell('1 m')), row(cell('high'), cell('4 m'))] })
const table = new Table({
  rows: [
    row(cell('Port', { columnSpan: 2 }), cell('Fee'), cell('Tide')),
    row(
      cell('Größe', { rowSpan: 2 }),
      cell('north'),
      cell('120.50'),
      new TableCell({ children: [inner, new Paragraph('')] }),
    ),
    row(cell('south'), cell('80.00'), cell('')),
  ],
})

const document = new Document({
  numbering: {
    config: [
      {
        reference: 'clauses',
        levels: [
          { level: 0, format: LevelFormat.UPPER_ROMAN, text: '%1.' },
          { level: 1, format: LevelFormat.LOWER_LETTER, text: '%2)' },
        ],
      },
      { reference: 'bullets', levels: [0, 1].map((level) => ({ level, format: LevelFormat.BULLET, text: '•' })) },
    ],
  },
  footnotes: { 1: { children: [new Paragraph('Measured in 2023.')] } },
  comments: { children: [{ id: 0, author: 'Ana Lee', children: [new Paragraph('Is this right?')] }] },
  sections: [
    {
      headers: { default: new Header({ children: [new Paragraph('Harbour office')] }) },
      footers: { default: new Footer({ children: [new Paragraph('Draft')] }) },
      children: [
        new Paragraph({ text: 'Harbour 東京', heading: HeadingLevel.TITLE }),
        new Paragraph({ text: 'Fees', heading: HeadingLevel.HEADING_1 }),
        new Paragraph({
          children: [
            new TextRun('The fee is '),
            new DeletedTextRun({ ...change, text: '500' }),
            new InsertedTextRun({ ...change, id: 2, text: '900' }),
            new TextRun({ text: ' euros', bold: true }),
            new FootnoteReferenceRun(1),
            new TextRun({ text: ' secret', vanish: true }),
            new TextRun(' a'),
            new TextRun({ text: '2', superScript: true }),
            new TextRun('.'),
          ],
        }),
        table,
        new Paragraph({ text: 'Rules', heading: HeadingLevel.HEADING_1 }),
        new Paragraph({ text: 'Ships', heading: HeadingLevel.HEADING_2 }),
        ...[0, 1, 0].map((level, index) => item(`rope ${index + 1}`, 'bullets', level)),
        new Paragraph('Between the lists.'),
        ...[0, 0, 1, 0].map((level, index) => item(`rule ${index + 1}`, 'clauses', level)),
        new Paragraph({
          children: [
            new CommentRangeStart(0),
            new TextRun('See '),
            new CommentRangeEnd(0),
            new TextRun({ children: [new CommentReference(0)] }),
            new ExternalHyperlink({ link: 'https://example.org/tides?a=1&b=2', children: [new TextRun('the tides')] }),
          ],
        }),
        new Textbox({ children: [new Paragraph('Words in a box')], style: { width: '200pt', height: '50pt' } }),
        new Paragraph('The end.'),
      ],
    },
  ],
})

const folder = mkdtempSync(join(tmpdir(), 'bobbin-word-'))
writeFileSync(join(folder, 'harbour.docx'), await Packer.toBuffer(document))
const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
execFileSync('soffice', [
  '--headless',
  profile,
  '--convert-to',
  'doc',
  '--outdir',
  folder,
  join(folder, 'harbour.docx'),
])
const saved = gzipSync(readFileSync(join(folder, 'harbour.doc')), { level: 9 })
writeFileSync(new URL('../../fixtures/office/harbour.doc.gz', import.meta.url), saved)
rmSync(folder, { recursive: true })
