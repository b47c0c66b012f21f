import { expect, test } from 'vitest'
import { compile } from '../../../src/kit/documents/parsers/xlsx/format.ts'
import { chartXml, diagramXml, newerChartXml } from '../office/make.ts'
import { byHand, oneSheet, parse, sheetXml, workbook } from './make.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

test('the address of a cell stands behind its text, when it leads somewhere', async () => {
  const file = await workbook((made) => {
    const sheet = made.addWorksheet('S')
    const links: [text: string, hyperlink: string][] = [
      ['Page | one', 'https://example.org/a?b=1&c=2'],
      ['ana@example.org', 'mailto:ana@example.org'],
      ['example.org', 'https://example.org/'],
      ['local', 'file:///etc/passwd'],
      ['script', 'javascript:alert(1)'],
      ['write', 'mailto:ana@example.org'],
      ['long', `https://example.org/${'x'.repeat(1000)}`],
    ]
    for (const [index, [text, hyperlink]] of links.entries()) sheet.getCell(index + 1, 1).value = { text, hyperlink }
    sheet.getCell('B1').value = { text: 'inside', hyperlink: "#'S'!A1" }
    sheet.getCell('C1').value = 3
  })
  const { parts } = await parse(file)
  expect(parts[0]?.text.split('\n').slice(2)).toEqual([
    '| 1 | Page \\| one (https://example.org/a?b=1&c=2) | inside | 3 |',
    '| 2 | ana@example.org |',
    '| 3 | example.org |',
    '| 4 | local |',
    '| 5 | script |',
    '| 6 | write (mailto:ana@example.org) |',
    '| 7 | long |',
  ])
})

test('tables and names of a workbook are named', async () => {
  const file = await workbook((made) => {
    const sheet = made.addWorksheet('S')
    const columns = [{ name: 'Team' }, { name: 'Cost' }]
    sheet.addTable({ name: 'Sales', ref: 'B2', columns, rows: [['a', 1]].concat([['b', 2]]) })
    made.definedNames.add('S!$C$3:$C$4', 'Costs')
  })
  const { notes, parts } = await parse(file)
  expect(notes.join(' ')).toContain('Tables: Sales (B2:C4).')
  expect(notes.join(' ')).toContain('Defined names: Costs: S!$C$3:$C$4')
  expect(parts[0]?.text).toContain('| 2 | Team | Cost |')
})

// 44381 is Sunday, 4 July 2021.
test.each([
  ['[$-407]d. mmmm yyyy', 44381, '4. Juli 2021'],
  ['[$-F800]dddd, mmmm dd, yyyy', 44381, 'Sunday, July 04, 2021'],
  ['[$-407]dddd, dd. mmm yy', 44381, 'Sonntag, 04. Jul 21'],
  ['[$-C07]mmmm', 44197, 'Jänner'],
  ['[$-40C]dddd d mmmm yyyy', 44381, 'dimanche 4 juillet 2021'],
  ['[$-419]d mmmm yyyy', 44381, '4 июля 2021'],
  ['[$-419]mmmm yyyy', 44381, 'июль 2021'],
  ['[$-1000415]d mmmm', 44381, '4 lipca'],
  ['[$-411]yyyy"年"mmmm', 44381, '2021年7月'],
  ['[$-ja-JP]d mmmm', 44381, '4 7月'],
  ['[$-de-DE]ddd mmmmm', 44381, 'So J'],
  ['[$-en-US,1]mmm', 44440, 'Sep'],
  ['[$-zz]ddd d mmm', 44381, 'Sun 4 Jul'],
  ['[$-7FFFFFFF]mmmm', 44381, 'July'],
  ['yyyy-mm-dd', 60, '1900-02-29'],
  ['d.m.yyyy h:mm', 60.5, '29.2.1900 12:00'],
  ['yyyy-mm-dd', 61, '1900-03-01'],
  ['yyyy-mm-dd', 59, '1900-02-28'],
])('%s shows %d as %s', (format, value, shown) => {
  expect(compile(format, false)(value)).toBe(shown)
})

test.each([
  ['[Red][<0]-0.0;0.0', -2.5, '-2.5'],
  ['[Red][<0]-0.0;0.0', 2.5, '2.5'],
  ['[<0](0.0);0.0', -2.5, '(2.5)'],
  ['[<0]0.0;0.0', -2.5, '-2.5'],
  ['[>=100]0;0.0', -5, '-5.0'],
  ['[>=0]0.0;-0.0', -5, '-5.0'],
  ['[<0]"- "0 "€";0 "€"', -5, '- 5 €'],
  ['0.0;-0.0', -2.5, '-2.5'],
  ['0.0;0.0', -2.5, '2.5'],
  // Red is the only sign that these have.
  ['#,##0.00;[Red]#,##0.00', -1234.5, '-1,234.50'],
  ['#,##0.00;[Red]#,##0.00', 1234.5, '1,234.50'],
  ['#,##0.00_);[Red]#,##0.00', -1234.5, '-1,234.50'],
  ['0.00 "€";[Color 3]0.00 "€"', -5, '-5.00 €'],
  ['+0;[Red]0;0', -5, '-5'],
  ['[h]:mm;[Red][h]:mm', -0.1, '-2:24'],
  ['0;[Red]0', -0.2, '0'],
  ['"";[Red]""', -5, '-5'],
  ['0.00;[Red](0.00)', -5, '(5.00)'],
  ['0.00;[Red]-0.00', -5, '-5.00'],
  ['[Green]▲0%;[Red]▼0%', -0.05, '▼5%'],
  ['0 "Cr";[Red]0 "Dr"', -5, '5 Dr'],
  // The last section is for texts: Excel appends it.
  ['#,##0.00;@', -1234.5, '-1,234.50'],
  ['0.00;-0.00;@', 0, '0.00'],
  ['0.00;@', -5, '-5.00'],
  ['yyyy-mm-dd;@', 44381, '2021-07-04'],
  ['General;@', -5, '-5'],
  ['@', -5, '-5'],
])('the sign of a format with parts: %s shows %d as %s', (format, value, shown) => {
  expect(compile(format, false)(value)).toBe(shown)
})

test('the format of a conditional format isn’t that of cells, although it may have the same number', async () => {
  const styles = `<styleSheet>
    <numFmts count="1"><numFmt numFmtId="164" formatCode="0.00"/></numFmts>
    <cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>
    <dxfs count="1"><dxf><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></dxf></dxfs>
  </styleSheet>`
  const file = await byHand({
    sheets: [{ name: 'S', xml: sheetXml('<row r="1"><c r="A1" s="1"><v>2.5</v></c></row>') }],
    more: {
      'xl/styles.xml': styles,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="s" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    },
  })
  expect((await parse(file)).parts[0]?.text).toContain('| 1 | 2.50 |')
})

test('text boxes, charts, diagrams and pictures of a sheet, a sheet that is a chart, who wrote comments', async () => {
  const relations = (list: [id: string, kind: string, target: string][]): string =>
    `<Relationships>${list.map(([id, kind, target]) => `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`).join('')}</Relationships>`
  const anchor = (column: number, row: number, inner: string): string =>
    `<xdr:twoCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:row>${row}</xdr:row></xdr:from>${inner}</xdr:twoCellAnchor>`
  const frame = (inner: string): string =>
    `<xdr:graphicFrame><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></xdr:graphicFrame>`
  const box =
    '<xdr:sp><xdr:txBody><a:p><a:r><a:t>Draft figures</a:t></a:r></a:p><a:p><a:r><a:t>of May</a:t></a:r></a:p></xdr:txBody></xdr:sp>'
  const picture = '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Picture" descr="Our logo"/></xdr:nvPicPr></xdr:pic>'
  const drawing = (inner: string): string =>
    `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:r="${office}">${inner}</xdr:wsDr>`
  const file = await byHand({
    sheets: [
      { name: 'Data', xml: sheetXml('<row r="1"><c r="A1"><v>1</v></c></row>') },
      { name: 'Plot', xml: '' },
    ],
    more: {
      'xl/worksheets/sheet2.xml': undefined,
      'xl/chartsheets/sheet1.xml': '<chartsheet/>',
      'xl/_rels/workbook.xml.rels': relations([
        ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
        ['rId2', 'chartsheet', 'chartsheets/sheet1.xml'],
        ['rId3', 'person', 'persons/person.xml'],
      ]),
      'xl/chartsheets/_rels/sheet1.xml.rels': relations([['d', 'drawing', '../drawings/drawing2.xml']]),
      'xl/worksheets/_rels/sheet1.xml.rels': relations([
        ['d', 'drawing', '../drawings/drawing1.xml'],
        ['c', 'comments', '../comments1.xml'],
        ['t', 'threadedComment', '../threadedComments/t1.xml'],
      ]),
      'xl/drawings/drawing1.xml': drawing(
        anchor(1, 3, box) +
          anchor(3, 0, frame('<c:chart r:id="c"/>')) +
          anchor(
            5,
            0,
            frame('<cx:chart xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" r:id="x"/>'),
          ) +
          anchor(0, 9, `<xdr:grpSp>${frame('<dgm:relIds r:dm="g"/>')}${picture}</xdr:grpSp>`),
      ),
      'xl/drawings/drawing2.xml': drawing(`<xdr:absoluteAnchor>${frame('<c:chart r:id="c"/>')}</xdr:absoluteAnchor>`),
      'xl/drawings/_rels/drawing1.xml.rels': relations([
        ['c', 'chart', '../charts/chart1.xml'],
        ['x', 'chartEx', '../charts/chartEx1.xml'],
        ['g', 'diagramData', '../diagrams/data1.xml'],
      ]),
      'xl/drawings/_rels/drawing2.xml.rels': relations([['c', 'chart', '../charts/chart1.xml']]),
      'xl/charts/chart1.xml': chartXml,
      'xl/charts/chartEx1.xml': newerChartXml,
      'xl/diagrams/data1.xml': diagramXml,
      'xl/comments1.xml':
        '<comments><authors><author>Ben</author></authors><commentList><comment ref="A1" authorId="0"><text><r><t>Ben:</t></r><r><t>\nold</t></r></text></comment><comment ref="B1" authorId="0"><text><t>tc</t></text></comment></commentList></comments>',
      'xl/threadedComments/t1.xml':
        '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="B1" personId="{P}"><text>Is this right?</text></threadedComment></ThreadedComments>',
      'xl/persons/person.xml': '<personList><person displayName="Ana Lee" id="{P}"/></personList>',
    },
  })
  const { parts, notes } = await parse(file)
  const chart = 'Sales by month\n- 2024-01-01: North 5, South 7.5\n- 2024-02-01: North 6'
  expect(parts[0]?.text.split('\n\n').slice(1)).toEqual([
    'Text box at B4: Draft figures\nof May',
    `Chart at D1: ${chart}`,
    'Chart at F1: Bridge\n- Q2: Revenue 100\n- New: Revenue 20',
    'Diagram at A10:\n- Plan\n- Build',
    '[image at A10: Our logo]',
    'Comments:\n- A1 (Ben): old\n- B1 (Ana Lee): Is this right?',
  ])
  expect(parts[1]?.text).toBe(`Chart: ${chart}`)
  expect(notes[1]).toBe('Sheet "Plot" holds only a chart.')
})

test('comments of a resolved thread say so, with their answers', async () => {
  const comment = (id: string, attributes: string, text: string): string =>
    `<threadedComment ref="A1" personId="{P}" id="${id}" ${attributes}><text>${text}</text></threadedComment>`
  const file = await byHand({
    sheets: [{ name: 'S', xml: sheetXml('<row r="1"><c r="A1"><v>1</v></c></row>') }],
    more: {
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships><Relationship Id="t" Type="${office}/threadedComment" Target="../threadedComments/t1.xml"/></Relationships>`,
      'xl/threadedComments/t1.xml': `<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments">${comment('{1}', 'done="1"', 'Too high?')}${comment('{2}', 'parentId="{1}"', 'No.')}${comment('{3}', 'done="0"', 'Why?')}</ThreadedComments>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="p" Type="${office}/person" Target="persons/person.xml"/></Relationships>`,
      'xl/persons/person.xml': '<personList><person displayName="Ana Lee" id="{P}"/></personList>',
    },
  })
  expect((await parse(file)).parts[0]?.text).toContain(
    'Comments:\n- A1 (Ana Lee, resolved): Too high?\n- A1 (Ana Lee, resolved): No.\n- A1 (Ana Lee): Why?',
  )
})

test('cells whose style strikes them out stand between tildes', async () => {
  const file = await workbook((made) => {
    const sheet = made.addWorksheet('S')
    sheet.addRow(['Fee', 1200.5, new Date('2026-03-01'), 'stays'])
    for (const at of ['A1', 'B1', 'C1']) sheet.getCell(at).font = { strike: true }
    sheet.getCell('B1').numFmt = '#,##0.00'
    sheet.getCell('D1').font = { bold: true, strike: false }
    sheet.getCell('A2').value = {
      richText: [
        { font: { strike: true }, text: '30' },
        { font: {}, text: '45' },
      ],
    }
    sheet.getCell('A2').font = { strike: true }
    sheet.getCell('B2').font = { strike: true }
    sheet.getCell('C2').value = { text: 'old', hyperlink: 'https://a.example/' }
    sheet.getCell('C2').font = { strike: true }
  })
  const text = (await parse(file)).parts[0]?.text
  expect(text).toContain('| 1 | ~~Fee~~ | ~~1,200.50~~ | ~~2026-03-01~~ | stays |')
  expect(text).toContain('| 2 | ~~30~~45 |  | ~~old~~ (https://a.example/) |')
})

test('where a cell is struck out, rich text with a font of its own is not', async () => {
  const [mixed, bold, plain] = [
    '<r><t>100 </t></r><r><rPr/><t>80</t></r>',
    '<r><rPr><b/></rPr><t>New</t></r>',
    '<r><t>a</t></r><r><t>b</t></r>',
  ]
  const font = (inside: string): string => `<font>${inside}</font>`
  const more = {
    'xl/styles.xml': `<styleSheet><fonts>${font('')}${font('<strike/>')}</fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst><si>${mixed}</si><si>${bold}</si><si>${plain}</si></sst>`,
  }
  const inline = `<c s="1" t="inlineStr"><is>${mixed}</is></c><c s="1" t="inlineStr"><is>${plain}</is></c>`
  const xml = sheetXml(
    `<row><c s="1" t="s"><v>0</v></c><c s="1" t="s"><v>1</v></c><c s="1" t="s"><v>2</v></c><c t="s"><v>0</v></c>${inline}</row>`,
  )
  expect((await parse(await byHand({ sheets: [{ name: 'S', xml }], more }))).parts[0]?.text).toContain(
    '| 1 | ~~100~~ 80 | New | ~~ab~~ | 100 80 | ~~100~~ 80 | ~~ab~~ |',
  )
})

test('in rich text, exponents are raised, and what is struck out stands between tildes', async () => {
  const file = await workbook((made) => {
    const sheet = made.addWorksheet('S')
    const richText = [
      { text: '10' },
      { font: { vertAlign: 'superscript' as const }, text: '6' },
      { text: ' ' },
      { font: { strike: true }, text: '3' },
      { font: { strike: true, bold: true }, text: '0 ' },
      { text: '45' },
    ]
    sheet.getCell('A1').value = { richText }
    sheet.getCell('B1').value = '6'
  })
  expect((await parse(file)).parts[0]?.text).toContain('| 1 | 10⁶ ~~30~~ 45 | 6 |')
  const inline =
    '<is><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r><r><rPr><strike/></rPr><t>30</t></r></is>'
  expect(await oneSheet(`<row r="1"><c r="A1" t="inlineStr">${inline}</c></row>`)).toContain('| 1 | 10⁶~~30~~ |')
})

test.each([
  ['[h]:mm', -0.1, true, '-2:24'],
  ['h:mm', -0.1, true, '-2:24'],
  ['[h]:mm', 1.1, true, '26:24'],
  ['[h]:mm;-[h]:mm', -0.1, true, '-2:24'],
  ['h:mm', -0.1, false, '-0.1'],
  ['yyyy/m/d(aaa)', 46082, false, '2026/3/1(Sun)'],
  ['aaaa', 46082, false, 'Sunday'],
  ['[$-411]m/d(aaa)', 46082, false, '3/1(日)'],
  ['[$-804]aaaa', 46082, false, '星期日'],
  ['[$-411]ggge"年"m"月"d"日";@', 46082, false, '2026年3月1日'],
  ['h:mm a/p', 44381.75, false, '6:00 PM'],
])('times before zero and days of East Asia: %s shows %d (from 1904: %s) as %s', (format, value, is1904, shown) => {
  expect(compile(format, is1904)(value)).toBe(shown)
})
