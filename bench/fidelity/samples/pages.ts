import type { Mark, Sample, Table } from '../sample.ts'
import { blocksOf, headingsOf, type Story } from '../texts.ts'

/** A page in HTML, and what a person reads on it. */
export type Made = Pick<Sample, 'feature' | 'blocks' | 'ordered' | 'tables' | 'marks'> & {
  html: string
  header?: string
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const prose = (blocks: string[]): string => blocks.map((text) => `<p>${escaped(text)}</p>`).join('')
const sectionsHtml = (sections: Story['sections']): string =>
  sections.map(({ heading, paragraphs }) => `<h2>${escaped(heading)}</h2>${prose(paragraphs)}`).join('')

/** Headings, paragraphs, a nested and a numbered list, a link. */
function report({ title, sections, items }: Story): Made {
  const [first = '', second = '', third = '', fourth = '', ...numbered] = items.map(escaped)
  const address = 'https://example.org/report?id=7'
  const lists = `<ul><li>${first}<ul><li>${second}</li><li>${third}</li></ul></li><li>${fourth}</li></ul><ol>${numbered.map((item) => `<li>${item}</li>`).join('')}</ol>`
  const shown = items.map((item, index) => (index < 4 ? item : `${index - 3}. ${item}`))
  const marks: Mark[] = [
    ...headingsOf(sections),
    { kind: 'headings', text: title },
    ...shown.map((text): Mark => ({ kind: 'list items', text })),
    { kind: 'links', text: address },
  ]
  return {
    feature: 'headings and lists',
    html: `<h1>${escaped(title)}</h1>${lists}${sectionsHtml(sections)}<p><a href="${address}">${first}</a></p>`,
    blocks: [title, ...shown, ...blocksOf(sections), items[0] ?? ''],
    ordered: [title, ...blocksOf(sections)],
    marks,
  }
}

function table({ sections, table }: Story): Made {
  const [before = '', after = ''] = sections[0]?.paragraphs ?? []
  const row = (cells: string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  const [head = [], ...rows] = table
  const tables: Table[] = [{ rows: table }]
  return {
    feature: 'table of 6 columns',
    html: `${prose([before])}<table class="ruled">${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>${prose([after])}`,
    blocks: [before, ...table.flat(), after],
    ordered: [before, after],
    tables,
  }
}

/** Long texts in cells that are broken into lines, no rules, numbers at the far edge, some cells empty. */
function plainTable({ sections, table, title }: Story): Made {
  const texts = sections.flatMap(({ paragraphs }) => paragraphs)
  const rows = [
    [title, ...(table[0]?.slice(2, 5) ?? [])],
    ...table
      .slice(1, 7)
      .map((row, index) => [
        texts[index]?.slice(0, 90).trim() ?? '',
        row[2] ?? '',
        index % 3 === 1 ? '' : (row[4] ?? ''),
        row[3] ?? '',
      ]),
  ]
  const cell = (text: string, column: number) =>
    column === 0 ? `<td style="width: 45%">${escaped(text)}</td>` : `<td class="number">${escaped(text)}</td>`
  return {
    feature: 'table without rules, long cells',
    html: `${prose(texts.slice(6, 7))}<table>${rows.map((row) => `<tr valign="top">${row.map(cell).join('')}</tr>`).join('')}</table>`,
    blocks: [texts[6] ?? '', ...rows.flat().filter((text) => text !== '')],
    ordered: [],
    tables: [{ rows }],
  }
}

/** Two addresses beside each other. */
function addresses({ language, items, title, sections }: Story): Made {
  const { cities, companies } = language
  const blockOf = (at: number) => [companies[at] ?? '', items[at] ?? '', cities[at] ?? '']
  const [left, right, text] = [blockOf(1), blockOf(2), sections[0]?.paragraphs[0] ?? '']
  const address = (lines: string[]) => `<div>${lines.map(escaped).join('<br>')}</div>`
  return {
    feature: 'addresses side by side',
    html: `<h1>${escaped(title)}</h1><div class="beside">${address(left)}${address(right)}</div>${prose([text])}`,
    blocks: [title, ...left, ...right, text],
  }
}

/** Numbered positions with amounts at the far edge, and a total below them. */
function invoice({ language, table, title, sections }: Story): Made {
  const head = ['#', ...language.headings.slice(0, 3)]
  const positions = table.slice(1, 6).map((row, index) => [String(index + 1), row[0] ?? '', row[4] ?? '', row[3] ?? ''])
  const rows = [head, ...positions, ['', language.headings[3] ?? '', '', language.amount(9876.5)]]
  const cell = (text: string, column: number) =>
    column > 1 ? `<td class="number">${escaped(text)}</td>` : `<td>${escaped(text)}</td>`
  const text = sections[0]?.paragraphs[0] ?? ''
  return {
    feature: 'positions and total',
    html: `<h1>${escaped(title)}</h1>${prose([text])}<table>${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')}</table>`,
    blocks: [title, text, ...rows.flat().filter((cell) => cell !== '')],
    ordered: [title, text],
    tables: [{ rows }],
  }
}

/** As a whole: addresses on top of positions, nothing between them. */
function letter(story: Story): Made {
  const bare = { ...story, sections: [] }
  const [top, below] = [addresses(bare), invoice({ ...bare, title: '' })]
  return {
    feature: 'invoice with addresses',
    html: top.html + below.html,
    blocks: [...top.blocks, ...below.blocks],
    ordered: [],
    tables: below.tables ?? [],
  }
}

const threeColumns = ({ sections }: Story): Made => ({
  feature: 'three columns, wide headings',
  html: `<div class="three spaced">${sectionsHtml(sections)}</div>`,
  blocks: blocksOf(sections),
  marks: headingsOf(sections),
})

const columns = ({ title, sections }: Story): Made => ({
  feature: 'two columns',
  html: `<h1>${escaped(title)}</h1><div class="two">${sectionsHtml(sections)}</div>`,
  blocks: [title, ...blocksOf(sections)],
  marks: [{ kind: 'headings', text: title }, ...headingsOf(sections)],
})

/** Words may be broken after each vowel that two letters follow. */
export const hyphenated = ({ sections }: Story): Made => ({
  feature: 'justified, hyphenated',
  html: `<div class="narrow">${sectionsHtml(sections).replace(/(?<=[a-zäöü]{2}[aeiouäöü])(?=[bcdfghjklmnpqrstvwz][aeiouäöü][a-zäöü])/g, '&shy;')}</div>`,
  blocks: blocksOf(sections),
  marks: headingsOf(sections),
})

/** What stands on top of each page is no part of the text. */
export const headed = ({ title, sections }: Story): Made => ({
  feature: 'page headers and numbers',
  html: sectionsHtml(sections),
  header: escaped(title),
  blocks: blocksOf(sections),
  marks: headingsOf(sections),
})

/** Pages of every language. */
export const everywhere = [report, table, plainTable, addresses, invoice, letter, columns, threeColumns]
