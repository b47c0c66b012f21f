import { odfFile, tc, tp, tr } from '../../../tests/documents/office/make-odf.ts'
import type { Mark, Sample, Table } from '../sample.ts'
import { textsOf } from '../sample.ts'
import { blocksOf, headingsOf, type Story, storyOf } from '../texts.ts'

/** OpenDocument files written by hand. */
export async function odfSamples(stories: Map<string, Story>): Promise<Sample[]> {
  return Promise.all([
    ...[...stories.values()].map(text),
    remarks(storyOf(stories, 'en')),
    sheets(storyOf(stories, 'de')),
  ])
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Headings, paragraphs, a list of three levels, a table. */
async function text({ language, title, sections, items, table }: Story): Promise<Sample> {
  const [a = '', b = '', c = '', d = ''] = items.map((item) => tp(escaped(item)))
  const list = (inner: string) => `<text:list>${inner}</text:list>`
  const item = (inner: string) => `<text:list-item>${inner}</text:list-item>`
  const levels = [0, 1, 2, 0]
  const body =
    `<text:h text:outline-level="1">${escaped(title)}</text:h>` +
    sections
      .map(
        ({ heading, paragraphs }) =>
          `<text:h text:outline-level="2">${escaped(heading)}</text:h>${paragraphs.map((one) => tp(escaped(one))).join('')}`,
      )
      .join('') +
    list(item(a + list(item(b + list(item(c))))) + item(d)) +
    `<table:table>${table.map((row) => tr(row.map((cell) => tc(escaped(cell))).join(''))).join('')}</table:table>`
  const marks: Mark[] = [
    { kind: 'headings', text: title },
    ...headingsOf(sections),
    ...levels.map((level, index): Mark => ({ kind: 'list items', text: items[index] ?? '', level })),
  ]
  return {
    kind: 'odf',
    feature: `text, ${language.code}`,
    name: 'sample.odt',
    bytes: await odfFile('text', body),
    blocks: [title, ...blocksOf(sections), ...items.slice(0, 4), ...table.flat()],
    ordered: [title, ...blocksOf(sections)],
    tables: [{ rows: table }],
    marks,
  }
}

/** A footnote, a comment, a tracked deletion, a link. */
async function remarks({ sections }: Story): Promise<Sample> {
  const [first = '', second = '', note = '', comment = '', deleted = ''] = sections[0]?.paragraphs ?? []
  const address = 'https://example.org/odf?x=1'
  const body =
    `<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>${tp(escaped(deleted))}</text:deletion></text:changed-region></text:tracked-changes>` +
    `<text:p>${escaped(first)}<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${tp(escaped(note))}</text:note-body></text:note></text:p>` +
    `<text:p><text:change text:change-id="c1"/>${escaped(second)}<office:annotation><dc:creator>Ana</dc:creator>${tp(escaped(comment))}</office:annotation></text:p>` +
    `<text:p><text:a xlink:href="${escaped(address)}">site</text:a></text:p>`
  const marks: Mark[] = [
    { kind: 'footnotes', text: note, at: first },
    { kind: 'comments', text: comment },
    { kind: 'facts', text: `[deleted: ${deleted}]` },
    { kind: 'links', text: address },
  ]
  const bytes = await odfFile('text', body)
  return {
    kind: 'odf',
    feature: 'footnote, comment, link',
    name: 'b.odt',
    bytes,
    blocks: [first, second, 'site'],
    marks,
  }
}

/** Typed values beside what is shown, repeated cells and rows, a hidden sheet. */
async function sheets({ table }: Story): Promise<Sample> {
  const [head = [], ...rest] = table
  const repeated = '<table:table-cell table:number-columns-repeated="2"/>'
  const number = (value: number, shown: string) =>
    tc(shown, `office:value-type="float" office:value="${value}" table:formula="of:=SUM([.A1:.A2])"`)
  const styles =
    '<style:style style:name="off" style:family="table"><style:table-properties table:display="false"/></style:style>'
  const body =
    `<table:table table:name="Plan">${table.map((row) => tr(row.map((cell) => tc(escaped(cell))).join(''))).join('')}</table:table>` +
    `<table:table table:name="Summe" table:style-name="off">${tr(tc('a') + repeated + number(1234.5, '1.234,50 €'))}` +
    `${tr('<table:table-cell table:number-columns-repeated="4"/>', 'table:number-rows-repeated="3"')}${tr(tc('Ende'))}</table:table>`
  const tables: Table[] = [
    { sheet: 'Plan', rows: [head, ...rest] },
    { sheet: 'Summe', rows: [['a', '', '', '1.234,50 €'], [], [], [], ['Ende']] },
  ]
  const marks: Mark[] = [{ kind: 'hidden', text: 'Summe' }]
  const bytes = await odfFile('spreadsheet', body, { styles })
  return { kind: 'odf', feature: 'sheets', name: 'a.ods', bytes, blocks: textsOf(tables), ordered: [], tables, marks }
}
