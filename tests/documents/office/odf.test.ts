import { describe, expect, test } from 'vitest'
import { parseOdf } from '../../../src/kit/documents/parsers/odf.ts'
import { limits } from './make.ts'
import { type OdfParts, odfFile, tc, tp, tr } from './make-odf.ts'

type Kind = Parameters<typeof odfFile>[0]
const parse = async (kind: Kind, body: string, parts?: OdfParts) =>
  parseOdf({ name: 'a', bytes: await odfFile(kind, body, parts) }, limits)
const textOf = async (kind: Kind, body: string, parts?: OdfParts): Promise<string> =>
  (await parse(kind, body, parts)).parts.map(({ text }) => text).join('\n===\n')
const style = (name: string, family: string, inner: string): string =>
  `<style:style style:name="${name}" style:family="${family}">${inner}</style:style>`

describe('OpenDocument text', () => {
  test('headings, paragraphs, spaces, bold, links, hidden text', async () => {
    const styles =
      style('B', 'text', '<style:text-properties fo:font-weight="bold"/>') +
      style('H', 'text', '<style:text-properties text:display="none"/>')
    const body = `<text:h text:outline-level="1">Intro</text:h>${tp('a<text:s text:c="3"/>b<text:line-break/>c\n  d')}
      ${tp('<text:span text:style-name="B">bold</text:span> <text:span text:style-name="H">hidden</text:span><text:a xlink:href="https://x.example/1">site</text:a>')}
      <text:h text:outline-level="2">Part</text:h><text:h text:outline-level="1">End</text:h>${tp('z')}`
    const { parts } = await parse('text', body, { styles })
    expect(parts.map(({ name }) => name)).toEqual(['Intro', 'End'])
    expect(parts[0]?.text).toBe(
      '# Intro\n\na   b\nc d\n\n**bold** [hidden: hidden]site (https://x.example/1)\n\n## Part',
    )
  })

  test('exponents are raised, and what is struck out stands between tildes, in sheets too', async () => {
    const styles =
      style('U', 'text', '<style:text-properties style:text-position="super 58%"/>') +
      style('P', 'text', '<style:text-properties style:text-position="33% 58%"/>') +
      style('D', 'text', '<style:text-properties style:text-position="-33% 58%"/>') +
      style('X', 'text', '<style:text-properties style:text-line-through-style="solid"/>')
    const span = (name: string, text: string): string => `<text:span text:style-name="${name}">${text}</text:span>`
    const line = tp(`10${span('U', '6')} x${span('P', '2')} H${span('D', '2')}O ${span('X', '30')}45`)
    expect(await textOf('text', line, { styles })).toBe('10⁶ x² H2O ~~30~~45')
    const sheet = `<table:table table:name="S">${tr(tc(line))}</table:table>`
    expect(await textOf('spreadsheet', sheet, { styles })).toContain('| 1 | 10⁶ x² H2O ~~30~~45 |')
  })

  test('what the style of a paragraph or cell strikes out stands between tildes', async () => {
    const line = '<style:text-properties style:text-line-through-style="solid"/>'
    const styles =
      style('X', 'paragraph', line) +
      style('C', 'table-cell', line) +
      style('N', 'table-cell', '') +
      style('B', 'text', '<style:text-properties fo:font-weight="bold"/>') +
      style('O', 'text', '<style:text-properties style:text-line-through-style="none"/>')
    const span = (name: string, text: string): string => `<text:span text:style-name="${name}">${text}</text:span>`
    const words = tp(`The ${span('B', 'fee')}${span('O', ' stays')}`, 'text:style-name="X"')
    const body = `${words}${tp('a<text:line-break/>b', 'text:style-name="X"')}${tp('c')}`
    expect(await textOf('text', body, { styles })).toBe('~~The~~ **~~fee~~** stays\n\n~~a\nb~~\n\nc')
    const columns =
      '<table:table-column/><table:table-column table:number-columns-repeated="2" table:default-cell-style-name="C"/>'
    const value = '<table:table-cell office:value="7" table:style-name="C"/>'
    const rows =
      tr(tc('1') + tc('1,200.50') + tc('2', 'table:style-name="N"') + value) +
      tr(tc('3') + tc('4'), 'table:default-cell-style-name="C"')
    const sheet = await textOf('spreadsheet', `<table:table table:name="S">${columns}${rows}</table:table>`, { styles })
    expect(sheet).toContain('| 1 | 1 | ~~1,200.50~~ | 2 | ~~7~~ |\n| 2 | ~~3~~ | ~~4~~ |')
  })

  test('tracked changes are shown with who made them and when, hidden paragraphs as such', async () => {
    const styles = style('P', 'paragraph', '<style:text-properties text:display="none"/>')
    const shown = style('S', 'text', '<style:text-properties text:display="true"/>')
    const partly = tp('gone <text:span text:style-name="S">seen</text:span>', 'text:style-name="P"')
    expect(await textOf('text', partly, { styles: styles + shown })).toBe('[hidden: gone ]seen')
    const region = (id: string, inner: string): string =>
      `<text:changed-region text:id="${id}">${inner}</text:changed-region>`
    const about =
      '<office:change-info><dc:creator>Ana Lee</dc:creator><dc:date>2026-03-02T09:00:00</dc:date></office:change-info>'
    const body =
      `<text:tracked-changes>${region('d', `<text:deletion>${about}${tp('500')}</text:deletion>`)}` +
      `${region('i', `<text:insertion>${about}</text:insertion>`)}${region('e', `<text:deletion>${tp('')}</text:deletion>`)}</text:tracked-changes>` +
      tp(
        'The fee is <text:change text:change-id="d"/><text:change-start text:change-id="i"/>900<text:change-end text:change-id="i"/> EUR.<text:change text:change-id="e"/>',
      ) +
      '<text:p text:style-name="P">Not for print</text:p>'
    expect(await textOf('text', body, { styles })).toBe(
      'The fee is [deleted by Ana Lee, 2026-03-02: 500][inserted by Ana Lee, 2026-03-02: 900] EUR.\n\n[hidden: Not for print]',
    )
  })

  test('a hidden section is marked, whatever is in it', async () => {
    const inner = `<text:h>Old</text:h>${tp('Price 500')}<text:list><text:list-item>${tp('each')}</text:list-item></text:list><table:table>${tr(tc('1'))}</table:table>`
    const section = (attributes: string, inner: string): string => `<text:section ${attributes}>${inner}</text:section>`
    expect(await textOf('text', section('text:display="none"', inner) + tp('Price 600'))).toBe(
      '# [hidden: Old]\n\n[hidden: Price 500]\n\n- [hidden: each]\n\n| [hidden: 1] |\n| --- |\n\nPrice 600',
    )
    const condition = 'text:display="condition" text:condition="ooow:x"'
    const nested = section('text:display="none"', section('text:display="true"', tp('b')) + tp('c'))
    const body = section(condition, tp('a')) + nested + section(`${condition} text:is-hidden="true"`, tp('d'))
    expect(await textOf('text', body)).toBe('a\n\n[hidden: b]\n\n[hidden: c]\n\n[hidden: d]')
  })

  test('lists: bullets, numbers of several levels, a list that goes on; numbered headings', async () => {
    const level = (at: number, shown: number): string =>
      `<text:list-level-style-number text:level="${at}" style:num-format="1" style:num-suffix="." text:display-levels="${shown}"/>`
    const styles = `<text:list-style style:name="L">${level(1, 1)}${level(2, 2)}</text:list-style>`
    const common =
      '<office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/></text:outline-style></office:styles>'
    const item = (inner: string): string => `<text:list-item>${inner}</text:list-item>`
    const body = `<text:h text:outline-level="1">One</text:h><text:h text:outline-level="1">Two</text:h>
      <text:list text:style-name="L">${item(`${tp('a')}<text:list>${item(tp('b') + tp('more'))}${item(tp('c'))}</text:list>`)}${item(tp('d'))}</text:list>
      ${tp('between')}<text:list text:style-name="L" text:continue-numbering="true">${item(tp('e'))}</text:list><text:list>${item(tp('x'))}</text:list>`
    expect(await textOf('text', body, { styles, common })).toBe(
      '# I. One\n===\n# II. Two\n\n1. a\n  1.1. b\n    more\n  1.2. c\n2. d\n\nbetween\n\n3. e\n- x',
    )
  })

  test('numbers of items and headings begin, go on and are left out where the file says so', async () => {
    const level = (at: number): string =>
      `<text:list-level-style-number text:level="${at}" style:num-format="1" style:num-suffix="." text:display-levels="${at}"/>`
    const bullets = '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style>'
    const styles = `<text:list-style style:name="L">${level(1)}${level(2)}</text:list-style>${bullets}`
    const list = (items: string, attributes = 'text:style-name="L"'): string =>
      `<text:list ${attributes}>${items}</text:list>`
    const item = (inner: string, attributes = ''): string => `<text:list-item ${attributes}>${inner}</text:list-item>`
    const from = (start: number): string => `text:start-value="${start}"`
    expect(await textOf('text', list(item(tp('a'), from(7)) + item(tp('b'))), { styles })).toBe('7. a\n8. b')
    const inner = list(item(tp('b'), from(0)) + item(tp('c')), '')
    expect(await textOf('text', list(item(tp('a') + inner) + item(tp('d'))), { styles })).toBe(
      '1. a\n  1.0. b\n  1.1. c\n2. d',
    )
    const between = list(item(tp('x') + list(item(tp('y')), '')), 'text:style-name="B"')
    const goesOn = list(item(tp('c')), 'xml:id="l2" text:continue-list="l1" text:style-name="L"')
    const again = list(item(list(item(tp('d')), '')), 'text:continue-list="l2" text:style-name="L"')
    expect(
      await textOf(
        'text',
        list(item(tp('a')) + item(tp('')) + item(tp('b')), 'xml:id="l1" text:style-name="L"') +
          between +
          goesOn +
          between +
          again,
        { styles },
      ),
    ).toBe('1. a\n3. b\n- x\n  - y\n4. c\n- x\n  - y\n  4.1. d')
    const ownStyle = list(item(tp('a') + list(item(tp('x')), 'text:style-name="B"')) + item(tp('b')))
    expect(await textOf('text', ownStyle, { styles })).toBe('1. a\n  - x\n2. b')

    const common = `<office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="." ${from(0)}/></text:outline-style></office:styles>`
    const heading = (text: string, attributes = ''): string =>
      `<text:h text:outline-level="1" ${attributes}>${text}</text:h>`
    const headings = [
      heading('Zero'),
      heading('Preface', 'text:is-list-header="true"'),
      heading('One', from(5)),
      heading('Nine', `text:restart-numbering="true" ${from(9)}`),
      heading('Ten'),
      heading('Again', 'text:restart-numbering="true"'),
    ]
    const { parts } = await parse('text', headings.join(''), { common })
    expect(parts.map(({ name }) => name)).toEqual(['0. Zero', 'Preface', '1. One', '9. Nine', '10. Ten', '0. Again'])
  })

  test('notes, comments, text boxes, pictures, tables with merged cells, headers', async () => {
    const note = `<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${tp('The note.')}</text:note-body></text:note>`
    const comment = `<office:annotation><dc:creator>Ana</dc:creator><dc:date>2024</dc:date>${tp('Sure?')}</office:annotation>`
    const frames = `<draw:frame><draw:text-box>${tp('In the box')}</draw:text-box></draw:frame><draw:frame><draw:image xlink:href="x"/><svg:desc>Our logo</svg:desc></draw:frame>`
    const table = `<table:table><table:table-column/><table:table-header-rows>${tr(`${tc('A|B', 'table:number-columns-spanned="2"')}<table:covered-table-cell/>${tc('C')}`)}</table:table-header-rows>
      ${tr(tc('left', 'table:number-rows-spanned="2"') + tc('same', 'table:number-columns-repeated="2"'))}${tr(`<table:covered-table-cell/>${tc('1')}${tc('2')}`)}</table:table>`
    const common = `<office:master-styles><style:master-page><style:header>${tp('Confidential')}</style:header></style:master-page></office:master-styles>`
    const { parts, notes } = await parse('text', tp(`said${note}`) + tp(`here${comment}`) + tp(`x${frames}`) + table, {
      common,
    })
    expect(parts[0]?.text).toBe(
      'said[^1]\n\nhere\n\n> comment (Ana): Sure?\n\nx [image: Our logo]\n\nIn the box\n\n' +
        '| A\\|B |  | C |\n| --- | --- | --- |\n| left | same | same |\n| left | 1 | 2 |\n\n[^1]: The note.',
    )
    expect(notes).toEqual(['Page header: Confidential'])
  })
})

test('a comment that is resolved says so', async () => {
  const comment = (attributes: string, text: string): string =>
    tp(`${text}<office:annotation ${attributes}><dc:creator>Ana</dc:creator>${tp('Sure?')}</office:annotation>`)
  expect(await textOf('text', comment('loext:resolved="true"', 'a') + comment('loext:resolved="false"', 'b'))).toBe(
    'a\n\n> comment (Ana, resolved): Sure?\n\nb\n\n> comment (Ana): Sure?',
  )
})

test('tabs, line ends and spaces divide words in headers, notes, comments, deleted text and boxes on sheets too', async () => {
  const note = `<text:note><text:note-body>${tp('Net<text:tab/>500<text:tab/>300<text:line-break/>20')}</text:note-body></text:note>`
  const comment = `<office:annotation>${tp('pay<text:line-break/>100<text:s text:c="3"/>200')}</office:annotation>`
  const change = `<text:changed-region text:id="c"><text:deletion>${tp('10<text:tab/>20')}</text:deletion></text:changed-region>`
  const header = tp('Invoice 12<text:tab/>34 items<text:tab/>Page <text:span>2</text:span>')
  const common = `<office:master-styles><style:master-page><style:header>${header}</style:header></style:master-page></office:master-styles>`
  const body = `<text:tracked-changes>${change}</text:tracked-changes>${tp(`a${note}b<text:change text:change-id="c"/>${comment}`)}`
  const { parts, notes } = await parse('text', body, { common })
  expect(parts[0]?.text).toBe('a[^1]b[deleted: 10 20]\n\n> comment (unknown): pay 100 200\n\n[^1]: Net 500 300 20')
  expect(notes).toEqual(['Page header: Invoice 12 34 items Page 2'])
  const box = `<draw:frame><draw:text-box>${tp('Q1<text:tab/>100<text:tab/>200')}</draw:text-box></draw:frame>`
  const sheet = `<table:table table:name="A"><table:shapes>${box}</table:shapes>${tr(tc('1'))}</table:table>`
  expect(await textOf('spreadsheet', sheet)).toContain('Text box: Q1 100 200')
  const title = `<chart:title>${tp('Sales<text:line-break/>2024')}</chart:title>`
  const objects = [`<office:body><office:chart><chart:chart>${title}</chart:chart></office:chart></office:body>`]
  expect(await textOf('text', tp(frame(1)), { objects })).toBe('Chart: Sales 2024')
})

/** A frame that shows `Object 1`, and so on. */
const frame = (number: number): string =>
  `<draw:frame><draw:object xlink:href="./Object ${number}"/><draw:image xlink:href="./ObjectReplacements/Object ${number}"/></draw:frame>`

const chart =
  `<office:body><office:chart><chart:chart><chart:title>${tp('Sales')}</chart:title><table:table><table:table-header-rows>${tr(tc('') + tc('North'))}` +
  `</table:table-header-rows><table:table-rows>${tr(tc('Jan') + tc('100'))}${tr(tc('Feb') + tc('NaN'))}</table:table-rows></table:table></chart:chart></office:chart></office:body>`

const formula =
  '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi></mrow><annotation encoding="StarMath 5.0">sum from {i=1} x_i</annotation></semantics></math>'

test('charts and formulas are read from the files that they are in', async () => {
  const objects = [chart, formula]
  expect(await textOf('text', tp(`Above ${frame(2)}.`) + tp(frame(1)) + tp(frame(9)), { objects })).toBe(
    'Above sum from {i=1} x_i.\n\nChart: Sales\n\n|  | North |\n| --- | --- |\n| Jan | 100 |\n| Feb |  |\n\n[object]',
  )
  expect(await textOf('presentation', `<draw:page>${frame(1)}</draw:page>`, { objects })).toContain('| Jan | 100 |')
  const box = `<draw:custom-shape>${tp('In a box')}</draw:custom-shape>`
  const cell = `<table:table-cell>${tp('7')}${frame(1)}</table:table-cell>`
  const { parts, notes } = await parse(
    'spreadsheet',
    `<table:table table:name="A"><table:shapes><draw:g>${box}</draw:g></table:shapes>${tr(tc('x') + cell)}</table:table>` +
      `<table:table table:name="B"><table:shapes>${frame(1)}</table:shapes>${tr(tc(''))}</table:table>`,
    { objects },
  )
  expect(parts.map(({ text }) => text)).toEqual([
    '| | A | B |\n| --- | --- | --- |\n| 1 | x | 7 |\n\nChart at B1: Sales\n- Jan: North 100\n- Feb: \n\nText box: In a box',
    'Chart: Sales\n- Jan: North 100\n- Feb: ',
  ])
  expect(notes[1]).toBe('Sheet "B" has no cells with values, only what is drawn on it.')
})

describe('OpenDocument spreadsheet', () => {
  test('rows by number, columns by letter, formulas, comments, hidden sheets', async () => {
    const styles = style('gone', 'table', '<style:table-properties table:display="false"/>')
    const value = (shown: string, attributes: string): string =>
      `<table:table-cell ${attributes}>${tp(shown)}</table:table-cell>`
    const comment = `<table:table-cell><office:annotation><dc:creator>Ana</dc:creator>${tp('Why?')}</office:annotation>${tp('x')}</table:table-cell>`
    const body = `<table:table table:name="Costs">${tr(tc('Item') + tc('EUR'))}${tr('<table:table-cell table:number-columns-repeated="1024"/>', 'table:number-rows-repeated="2"')}
      ${tr(tc('Rent') + value('1,200.50 €', 'office:value-type="currency" office:value="1200.5"'))}
      ${tr(`<table:table-cell/>${value('1,201', 'table:formula="of:=SUM([.B4:.B4];[$Other.A1])" office:value="1201"')}${comment}`)}
      ${tr('<table:table-cell office:value-type="float" office:value="7"/>')}</table:table>
      <table:table table:name="Other" table:style-name="gone">${tr(tc('1'))}</table:table>`
    const { parts, notes } = await parse('spreadsheet', body, { styles })
    expect(parts.map(({ unit, name }) => `${unit} ${name}`)).toEqual(['sheet Costs', 'sheet Other'])
    expect(parts.map(({ isHidden }) => isHidden)).toEqual([undefined, true])
    expect(parts[0]?.text).toBe(
      '| | A | B | C |\n| --- | --- | --- | --- |\n| 1 | Item | EUR |\n| 4 | Rent | 1,200.50 € |\n| 5 |  | 1,201 | x |\n| 6 | 7 |\n\nComments:\n- C5: Ana: Why?',
    )
    expect(parts[0]?.formulas).toBe('B5: =SUM(B4:B4;Other!A1)')
    expect(notes).toEqual([
      'Sheet "Costs" has 4 rows and 3 columns with values, as far as C6.',
      'Sheet "Other" (hidden) has 1 row and 1 column with values, as far as A1.',
    ])
  })

  test('hidden rows and columns are named, those with values only', async () => {
    const columns =
      '<table:table-column/><table:table-column-group><table:table-columns><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/></table:table-columns></table:table-column-group>' +
      '<table:table-column table:visibility="filter"/><table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="1000"/>'
    const hidden = 'table:visibility="collapse"'
    const rows =
      tr(tc('a') + tc('b') + tc('c') + tc('d') + tc('e')) +
      `<table:table-row-group>${tr(tc('secret'), `${hidden} table:number-rows-repeated="3"`)}</table:table-row-group>` +
      tr(tc('6'), 'table:visibility="visible"') +
      tr(tc('7'), 'table:visibility="filter"') +
      tr('<table:table-cell/>', `${hidden} table:number-rows-repeated="1048000"`)
    const { notes } = await parse('spreadsheet', `<table:table table:name="S">${columns}${rows}</table:table>`)
    expect(notes).toEqual([
      'Sheet "S" has 6 rows and 5 columns with values, as far as E6. Hidden rows: 2–4, 6. Hidden columns: B:C, D.',
    ])
  })

  test('a million repeated rows and columns are not written out', async () => {
    const many = 'table:number-columns-repeated="1048576"'
    const rows = 'table:number-rows-repeated="1048576"'
    const body = `<table:table table:name="S">${tr(tc('x', many), rows)}${tr(tc('y'), rows)}${tr(`<table:table-cell ${many}/>`, rows)}</table:table>`
    const { parts, notes } = await parse('spreadsheet', body)
    expect(notes.at(-1)).toBe('It is too large to read completely: the rest was left out.')
    expect(parts[0]?.text.length).toBeLessThan(limits.textCharacters)
    const inText = await textOf('text', `<table:table>${tr(tc('x', many), rows)}</table:table>`)
    expect(inText.length).toBeLessThan(100_000)
  })
})

describe('OpenDocument presentation', () => {
  test('slides by place, titles, notes, hidden ones', async () => {
    const frame = (text: string, x: string, y: string, kind = 'outline'): string =>
      `<draw:frame presentation:class="${kind}" svg:x="${x}" svg:y="${y}"><draw:text-box>${text}</draw:text-box></draw:frame>`
    const list = `<text:list><text:list-item>${tp('one')}<text:list><text:list-item>${tp('two')}</text:list-item></text:list></text:list-item></text:list>`
    const page =
      frame(list, '1cm', '5cm') +
      frame(tp('right'), '5in', '10mm') +
      frame(tp('left'), '1cm', '1.1cm') +
      frame(tp('The title'), '0cm', '90cm', 'title')
    const notes = `<presentation:notes><draw:page-thumbnail presentation:class="page"/>${frame(tp('Speak slowly'), '0cm', '0cm', 'notes')}</presentation:notes>`
    const styles = style('hid', 'drawing-page', '<style:drawing-page-properties presentation:visibility="hidden"/>')
    const result = await parse(
      'presentation',
      `<draw:page draw:name="p1">${page}${notes}</draw:page><draw:page draw:style-name="hid">${frame(tp('x'), '0cm', '0cm')}</draw:page>`,
      { styles },
    )
    expect(result.parts.map(({ text }) => text)).toEqual([
      '# The title\n\nleft\n\nright\n\n- one\n  - two\n\nNotes:\nSpeak slowly',
      '(hidden slide)\n\nx',
    ])
    expect(result.parts[0]?.name).toBe('The title')
    expect(result.notes).toEqual(['Slide 2 is hidden.'])
  })

  test('an encrypted file asks for a copy without a password', async () => {
    const manifest =
      '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
    await expect(parse('text', tp('x'), { manifest })).rejects.toMatchObject({
      code: 'password_needed',
      remedy: expect.stringContaining('saved without one'),
    })
  })
})
