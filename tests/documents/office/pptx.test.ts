import pptxgen from 'pptxgenjs'
import { describe, expect, test } from 'vitest'
import { parsePptx } from '../../../src/kit/documents/parsers/pptx.ts'
import { limits, newerChartXml, outside, relation, rels, zipOf } from './make.ts'

const spaces =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" ' +
  'xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"'
const shape = (text: string, left: number, top: number, place = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="${left}" y="${top}"/>` +
  `<a:ext cx="9" cy="9"/></a:xfrm></p:spPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const unplaced = (text: string, place: string): string => shape(text, 0, 0, place).replace(/<a:xfrm>.*<\/a:xfrm>/, '')
const slide = (shapes: string, attributes = ''): string =>
  `<p:sld ${spaces} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`

/** A presentation by hand; the slides are listed from the last to the first. */
async function parse(slides: string[], files: Record<string, string> = {}) {
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at + 1}"/>`).reverse()
  const links = slides.map((_, at) => relation(`s${at + 1}`, 'slide', `slides/slide${at + 1}.xml`)).join('')
  const bytes = await zipOf({
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml': `<p:presentation ${spaces}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': rels(
      links + relation('au', 'commentAuthors', 'commentAuthors.xml') + relation('a2', 'authors', 'authors.xml'),
    ),
    ...Object.fromEntries(slides.map((xml, at) => [`ppt/slides/slide${at + 1}.xml`, xml])),
    ...files,
  })
  return parsePptx({ name: 'a.pptx', bytes }, limits)
}

describe('PowerPoint', () => {
  test('slides come in the order in which they are shown, hidden and missing ones are told', async () => {
    const { parts, notes } = await parse([
      slide(shape('first file', 0, 0)),
      slide(shape('second file', 0, 0), 'show="0"'),
    ])
    expect(parts.map(({ text }) => text)).toEqual(['(hidden slide)\n\nsecond file', 'first file'])
    expect(notes).toEqual(['Slide 1 is hidden.'])
    const gone = await parse([slide(''), slide('')], {
      'ppt/_rels/presentation.xml.rels': rels(
        relation('s1', 'slide', '/ppt/slides/slide1.xml') + relation('s2', 'slide', '../../../../etc/passwd'),
      ),
    })
    expect(gone.notes).toEqual(['Slide 1 is missing in the file: the text was left out.'])
    expect(gone.parts.map(({ number }) => number)).toEqual([2])
  })

  test('exponents are raised, and what is struck out stands between tildes', async () => {
    const run = (text: string, look: string): string =>
      `</a:t></a:r><a:r><a:rPr ${look}/><a:t>${text}</a:t></a:r><a:r><a:t>`
    const text = `10${run('6', 'baseline="30000"')} H${run('2', 'baseline="-25000"')}O ${run('3', 'strike="sngStrike"')}`
    const line = text.replace(/<a:r><a:t>$/, '') + run('0', 'strike="dblStrike"').replace('</a:t></a:r>', '')
    const { parts } = await parse([slide(shape(`${line}45`, 0, 0))])
    expect(parts[0]?.text).toBe('10⁶ H2O ~~30~~45')
  })

  test('numbers of lists look as they do on the slide, and count on only where they look the same', async () => {
    const item = (type: string, level = 0, start = ''): string =>
      `<a:p><a:pPr lvl="${level}"><a:buAutoNum type="${type}"${start}/></a:pPr><a:r><a:t>x</a:t></a:r></a:p>`
    const items =
      item('alphaLcParenR', 0, ' startAt="3"').repeat(2) +
      item('romanLcPeriod', 1).repeat(2) +
      item('alphaLcParenR', 0, ' startAt="3"') +
      item('alphaUcParenBoth') +
      item('romanUcPlain', 0, ' startAt="9"') +
      item('arabicParenR') +
      item('ea1ChsPeriod') +
      item('hebrew2Minus')
    const { parts } = await parse([slide(shape('', 0, 0).replace(/<a:p>.*<\/a:p>/, items))])
    expect(parts[0]?.text).toBe('c) x\nd) x\n  i. x\n  ii. x\ne) x\n(A) x\nIX x\n1) x\n1. x\n1. x')
  })

  test('the title first, then by place: rows from the top, each from the left; groups by where they stand', async () => {
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" name="g"/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="1500000"/><a:ext cx="1000000" cy="1000000"/>
      <a:chOff x="500" y="500"/><a:chExt cx="100" cy="100"/></a:xfrm></p:grpSpPr>${shape('in group, right', 590, 501)}${shape('in group, left', 500, 500)}</p:grpSp>`
    const { parts } = await parse([
      slide(
        group +
          shape('bottom', 0, 9_000_000) +
          shape('right', 5_000_000, 1_000_000) +
          shape('left', 100, 1_050_000) +
          shape('A title', 0, 20_000_000, '<p:ph type="ctrTitle"/>') +
          shape('7', 0, 0, '<p:ph type="sldNum"/>'),
      ),
    ])
    expect(parts[0]?.name).toBe('A title')
    expect(parts[0]?.text.split('\n\n')).toEqual([
      '# A title',
      'left',
      'right',
      'in group, left',
      'in group, right',
      'bottom',
    ])
  })

  test('a shape without a position takes that of its layout, or of the master', async () => {
    const tree = (shapes: string): string => `<p:x ${spaces}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:x>`
    const { parts } = await parse(
      [
        slide(
          unplaced('body', '<p:ph idx="1"/>') +
            unplaced('sub', '<p:ph type="subTitle" idx="4"/>') +
            shape('between', 0, 500_000),
        ),
      ],
      {
        'ppt/slides/_rels/slide1.xml.rels': rels(relation('l', 'slideLayout', '../slideLayouts/l.xml')),
        'ppt/slideLayouts/l.xml': tree(shape('', 0, 1_000_000, '<p:ph idx="1"/>')),
        'ppt/slideLayouts/_rels/l.xml.rels': rels(relation('m', 'slideMaster', '../slideMasters/m.xml')),
        'ppt/slideMasters/m.xml': tree(shape('', 0, 200, '<p:ph type="subTitle"/>')),
      },
    )
    expect(parts[0]?.text).toBe('sub\n\nbetween\n\n- body')
  })

  test('notes, comments of both kinds, diagrams', async () => {
    const diagram = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="d"/></p:nvGraphicFramePr><a:graphic><a:graphicData><dgm:relIds r:dm="D"/></a:graphicData></a:graphic></p:graphicFrame>`
    const point = (text: string, type = 'node'): string =>
      `<dgm:pt type="${type}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
    const body = (text: string): string => `<p188:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p188:txBody>`
    const { parts } = await parse([slide(diagram)], {
      'ppt/slides/_rels/slide1.xml.rels': rels(
        relation('D', 'diagramData', '../diagrams/data1.xml') +
          relation('n', 'notesSlide', '../notesSlides/n1.xml') +
          relation('c', 'comments', '../comments/c1.xml') +
          relation('c2', 'comments', '../comments/c2.xml'),
      ),
      'ppt/diagrams/data1.xml': `<dgm:dataModel ${spaces}><dgm:ptLst>${point('Plan')}${point('x', 'pres')}${point('Build')}</dgm:ptLst></dgm:dataModel>`,
      'ppt/notesSlides/n1.xml': slide(
        shape('7', 0, 0, '<p:ph type="sldNum"/>') + shape('Say this', 0, 0, '<p:ph type="body" idx="1"/>'),
      ),
      'ppt/commentAuthors.xml': `<p:cmAuthorLst ${spaces}><p:cmAuthor id="0" name="Ana"/></p:cmAuthorLst>`,
      'ppt/authors.xml': `<p188:authorLst ${spaces}><p188:author id="{B}" name="Ben"/></p188:authorLst>`,
      'ppt/comments/c1.xml': `<p:cmLst ${spaces}><p:cm authorId="0"><p:pos x="1" y="1"/><p:text>Old one</p:text></p:cm></p:cmLst>`,
      'ppt/comments/c2.xml': `<p188:cmLst ${spaces}><p188:cm authorId="{B}"><p188:replyLst><p188:reply authorId="0">${body('An answer')}</p188:reply></p188:replyLst>${body('New one')}</p188:cm><p188:cm authorId="{B}" status="resolved"><p188:replyLst><p188:reply authorId="0">${body('Done')}</p188:reply></p188:replyLst>${body('Larger?')}</p188:cm></p188:cmLst>`,
    })
    expect(parts[0]?.text).toBe(
      '- Plan\n- Build\n\n> comment (Ana): Old one\n\n> comment (Ben): New one\n\n> comment (Ana): An answer\n\n' +
        '> comment (Ben, resolved): Larger?\n\n> comment (Ana, resolved): Done\n\nNotes:\nSay this',
    )
  })

  test('newer charts are read with their values, and what another program embedded is marked and told', async () => {
    const frame = (inner: string, alt = ''): string =>
      `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="d" descr="${alt}"/></p:nvGraphicFramePr><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></p:graphicFrame>`
    const either = (newer: string, older: string): string =>
      `<mc:AlternateContent><mc:Choice>${newer}</mc:Choice><mc:Fallback>${older}</mc:Fallback></mc:AlternateContent>`
    const chart = either(frame('<cx:chart r:id="C"/>'), '<p:pic><p:nvPicPr/></p:pic>')
    const sheet = '<p:oleObj name="Worksheet" r:id="O" progId="Excel.Sheet.12"><p:embed/></p:oleObj>'
    const { parts, notes } = await parse(
      [slide(chart), slide(frame(either(sheet, sheet)) + frame('<x/>', 'Costs') + frame('<x/>'))],
      {
        'ppt/slides/_rels/slide1.xml.rels': rels(relation('C', 'chartEx', '../charts/chartEx1.xml')),
        'ppt/charts/chartEx1.xml': newerChartXml,
      },
    )
    expect(parts[1]?.text).toBe('Chart: Bridge\n\n|  | Revenue |\n| --- | --- |\n| Q2 | 100 |\n| New | 20 |')
    expect(parts[0]?.text).toBe('[object: Worksheet]\n\n[object: Costs]\n\n[object]')
    expect(notes).toEqual([
      'Slide 1 is shown without the objects embedded there (such as Excel tables), which were not read.',
    ])
  })

  test('only what another program embedded is told as such, and not what nobody sees', async () => {
    const frame = (inner: string): string =>
      `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="d"/></p:nvGraphicFramePr><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></p:graphicFrame>`
    const invisible =
      '<p:oleObj name="think-cell Slide" r:id="O" progId="TCLayout.ActiveDocument.1"><p:embed/></p:oleObj>'
    const { parts, notes } = await parse([
      slide(frame(invisible) + shape('Plan', 0, 0)),
      slide(frame('<pslz:sldZm xmlns:pslz="urn:x"/>') + frame('<c:chart xmlns:c="urn:y" r:id="gone"/>')),
    ])
    expect(parts.map(({ text }) => text)).toEqual(['[object]\n\n[chart]', 'Plan'])
    expect(notes).toEqual([])
  })

  test('links in notes lead where the notes say, not the slide', async () => {
    const link = '</a:t></a:r><a:r><a:rPr><a:hlinkClick r:id="rId2"/></a:rPr><a:t>here'
    const { parts } = await parse([slide(shape(`Slide ${link}`, 0, 0))], {
      'ppt/slides/_rels/slide1.xml.rels': rels(
        relation('n', 'notesSlide', '../notesSlides/n1.xml') + outside('rId2', 'https://example.org/slide'),
      ),
      'ppt/notesSlides/n1.xml': slide(shape(`Notes ${link}`, 0, 0)),
      'ppt/notesSlides/_rels/n1.xml.rels': rels(outside('rId2', 'https://example.org/notes')),
    })
    expect(parts[0]?.text).toBe(
      'Slide here (https://example.org/slide)\n\nNotes:\nNotes here (https://example.org/notes)',
    )
  })

  test('what a library writes: lists, links, merged cells, pictures, charts', async () => {
    // Its types describe a default export that Node gives as it is.
    const deck = new (pptxgen as unknown as typeof import('pptxgenjs').default)()
    deck.defineSlideMaster({
      title: 'M',
      objects: [{ placeholder: { options: { name: 'title', type: 'title', x: 0.5, y: 0.2, w: 9, h: 1 }, text: '' } }],
    })
    const first = deck.addSlide({ masterName: 'M' })
    const bullet = { bullet: true, breakLine: true }
    first.addText(
      [
        { text: 'one', options: bullet },
        { text: 'two', options: { ...bullet, indentLevel: 1 } },
        { text: 'site', options: { hyperlink: { url: 'https://e.example' } } },
      ],
      { x: 1, y: 2, w: 5, h: 2 },
    )
    first.addText('Results', { placeholder: 'title' })
    first.addNotes('Speak slowly')
    const second = deck.addSlide()
    second.addTable(
      [
        [{ text: 'A', options: { colspan: 2 } }, { text: 'C' }],
        [{ text: '1' }, { text: '2|' }, { text: '3', options: { rowspan: 2 } }],
        [{ text: '4' }, { text: '5' }],
      ],
      { x: 1, y: 1 },
    )
    second.addImage({ data: 'image/png;base64,iVBORw0KGgo=', x: 0, y: 0, w: 1, h: 1, altText: 'Our logo' })
    second.addChart(
      'bar',
      [
        { name: '2024', labels: ['North', 'South'], values: [1, 2.5] },
        { name: '2025', labels: ['North', 'South'], values: [3, 0.1 + 0.2] },
      ],
      { x: 1, y: 4, w: 3, h: 2, showTitle: true, title: 'Sales' },
    )
    const bytes = (await deck.write({ outputType: 'nodebuffer' })) as Buffer // That is what was asked for.
    const { parts } = await parsePptx({ name: 'a.pptx', bytes }, limits)
    expect(parts.map(({ text }) => text)).toEqual([
      '# Results\n\n- one\n  - two\nsite (https://e.example)\n\nNotes:\nSpeak slowly',
      '[image: Our logo]\n\n| A |  | C |\n| --- | --- | --- |\n| 1 | 2\\| | 3 |\n| 4 | 5 | 3 |\n\n' +
        'Chart: Sales\n\n|  | 2024 | 2025 |\n| --- | --- | --- |\n| North | 1 | 3 |\n| South | 2.5 | 0.3 |',
    ])
  })
})
