import {
  CommentRangeEnd,
  CommentRangeStart,
  CommentReference,
  DeletedTextRun,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  InsertedTextRun,
  type IPropertiesOptions,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx'
import type { Mark, Sample } from '../sample.ts'
import { blocksOf, headingsOf, type Story, storyOf } from '../texts.ts'

/** Word documents as a common library writes them. */
export async function docxSamples(stories: Map<string, Story>): Promise<Sample[]> {
  const english = storyOf(stories, 'en')
  return Promise.all([
    ...[...stories.values()].map(prose),
    lists(english),
    mergedTable(english),
    ...['en', 'ar', 'ja'].map((code) => table(storyOf(stories, code))),
    remarks(english),
    changes(english),
  ])
}

type Made = Omit<Sample, 'kind' | 'name' | 'bytes'>

async function docx(made: Made, children: Paragraphs, options: Partial<IPropertiesOptions> = {}): Promise<Sample> {
  const document = new Document({ ...options, sections: [{ children }] })
  return { kind: 'docx', name: 'sample.docx', bytes: await Packer.toBuffer(document), ...made }
}

type Paragraphs = (Paragraph | Table)[]

const headingLevels = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3] as const

function prose({ language, title, sections }: Story): Promise<Sample> {
  const children = sections.flatMap(({ heading, paragraphs }, index) => [
    new Paragraph({ text: heading, heading: headingLevels[index % 3] ?? HeadingLevel.HEADING_1 }),
    ...paragraphs.map((text) => new Paragraph(text)),
  ])
  const head = new Paragraph({ text: title, heading: HeadingLevel.TITLE })
  const marks: Mark[] = [{ kind: 'headings', text: title }, ...headingsOf(sections)]
  const made = { feature: `headings, ${language.code}`, blocks: [title, ...blocksOf(sections)], marks }
  return docx(made, [head, ...children])
}

/** Three levels of bullets, and clauses that are numbered through. */
function lists({ sections, items }: Story): Promise<Sample> {
  const [before = '', after = ''] = sections[0]?.paragraphs ?? []
  const levels = [0, 1, 2, 2, 1, 0]
  const clauses = ['1.', '1.1', '1.2', '2.', '2.1', '3.']
  const numbering = {
    config: [
      {
        reference: 'clauses',
        levels: [
          { level: 0, format: LevelFormat.DECIMAL, text: '%1.' },
          { level: 1, format: LevelFormat.DECIMAL, text: '%1.%2' },
        ],
      },
    ],
  }
  const depth = (clause: string) => (clause.endsWith('.') ? 0 : 1)
  const numbered = clauses.map((clause, index) => `${clause} ${items[index]}`)
  const marks = [
    ...items.map((text, index): Mark => ({ kind: 'list items', text, level: levels[index] ?? 0 })),
    ...numbered.map((text, index): Mark => ({ kind: 'list items', text, level: depth(clauses[index] ?? '') })),
  ]
  const children = [
    new Paragraph(before),
    ...items.map((text, index) => new Paragraph({ text, bullet: { level: levels[index] ?? 0 } })),
    new Paragraph(after),
    ...clauses.map(
      (clause, index) =>
        new Paragraph({ text: items[index] ?? '', numbering: { reference: 'clauses', level: depth(clause) } }),
    ),
  ]
  return docx({ feature: 'nested lists', blocks: [before, ...items, after, ...numbered], marks }, children, {
    numbering,
  })
}

const cell = (text: string, spans: { columnSpan?: number; rowSpan?: number } = {}) =>
  new TableCell({ children: [new Paragraph(text)], ...spans })
const row = (...children: TableCell[]) => new TableRow({ children })

function mergedTable({ table }: Story): Promise<Sample> {
  const [[a = '', b = '', c = ''] = [], [d = '', e = '', f = ''] = [], [g = '', h = '', i = ''] = []] = table
  const rows = [
    [a, null, b, c],
    [d, e, f, g],
    [null, h, i, a],
    [null, b, null, null],
  ]
  const made = new Table({
    rows: [
      row(cell(a, { columnSpan: 2 }), cell(b), cell(c)),
      row(cell(d, { rowSpan: 3 }), cell(e), cell(f), cell(g)),
      row(cell(h), cell(i), cell(a)),
      row(cell(b, { columnSpan: 3 })),
    ],
  })
  // What covers several rows is said in each of them.
  const blocks = [a, b, c, d, e, f, g, d, h, i, a, d, b]
  return docx({ feature: 'table with merged cells', blocks, ordered: [], tables: [{ rows }] }, [made])
}

function table({ language, table, sections }: Story): Promise<Sample> {
  const [before = '', after = ''] = sections[0]?.paragraphs ?? []
  const made = new Table({ rows: table.map((cells) => row(...cells.map((text) => cell(text)))) })
  const blocks = [before, ...table.flat(), after]
  return docx(
    { feature: `table of 6 columns, ${language.code}`, blocks, ordered: [before, after], tables: [{ rows: table }] },
    [new Paragraph(before), made, new Paragraph(after)],
  )
}

/** Footnotes, comments and a link. */
function remarks({ sections, items }: Story): Promise<Sample> {
  const paragraphs = sections[0]?.paragraphs ?? []
  const notes = sections[1]?.paragraphs.slice(0, 2) ?? []
  const comments = sections[2]?.paragraphs.slice(0, 2) ?? []
  const [first = '', second = '', third = '', fourth = ''] = paragraphs
  const [address, label = ''] = ['https://example.org/terms?version=2&page=3', items[0]]
  const withNote = (text: string, note: number) =>
    new Paragraph({ children: [new TextRun(text), new FootnoteReferenceRun(note)] })
  const withComment = (text: string, id: number) =>
    new Paragraph({
      children: [
        new CommentRangeStart(id),
        new TextRun(text),
        new CommentRangeEnd(id),
        new TextRun({ children: [new CommentReference(id)] }),
      ],
    })
  const link = new ExternalHyperlink({ link: address, children: [new TextRun(label)] })
  const children = [
    withNote(first, 1),
    withNote(second, 2),
    withComment(third, 0),
    withComment(fourth, 1),
    new Paragraph({ children: [link] }),
  ]
  const marks: Mark[] = [
    ...notes.map((text, index): Mark => ({ kind: 'footnotes', text, at: index === 0 ? first : second })),
    ...comments.map((text): Mark => ({ kind: 'comments', text })),
    { kind: 'links', text: address },
  ]
  return docx(
    { feature: 'footnotes, comments, link', blocks: [first, second, third, fourth, label], marks },
    children,
    {
      footnotes: Object.fromEntries(notes.map((text, index) => [index + 1, { children: [new Paragraph(text)] }])),
      comments: {
        children: comments.map((text, id) => ({ id, author: items[id] ?? '', children: [new Paragraph(text)] })),
      },
    },
  )
}

/** What was inserted is seen, what was deleted is marked. */
function changes({ sections }: Story): Promise<Sample> {
  const [first = '', inserted = '', deleted = '', last = ''] = sections[3]?.paragraphs ?? []
  const change = { id: 1, author: 'Ana', date: '2024-05-06T07:08:09Z' }
  const children = [
    new Paragraph({
      children: [
        new TextRun(`${first} `),
        new InsertedTextRun({ ...change, text: inserted }),
        new DeletedTextRun({ ...change, id: 2, text: deleted }),
      ],
    }),
    new Paragraph(last),
  ]
  const marks: Mark[] = [
    { kind: 'facts', text: `[deleted by Ana, 2024-05-06: ${deleted}]` },
    { kind: 'facts', text: `[inserted by Ana, 2024-05-06: ${inserted}]` },
  ]
  return docx({ feature: 'tracked changes', blocks: [`${first} ${inserted}`, last], marks }, children)
}
