import { describe, expect, test } from 'vitest'
import { parseDocx } from '../../../src/kit/documents/parsers/docx.ts'
import {
  changed,
  chartXml,
  diagramXml,
  limits,
  newerChartXml,
  outside,
  p,
  relation,
  rels,
  type WordParts,
  wordFile,
} from './make.ts'

const parse = async (body: string, parts?: WordParts) =>
  parseDocx({ name: 'a.docx', bytes: await wordFile(body, parts) }, limits)
const textOf = async (body: string, parts?: WordParts): Promise<string> =>
  (await parse(body, parts)).parts.map(({ text }) => text).join('\n===\n')

const style = (id: string, name: string, inner = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${inner}</w:style>`
const headings = style('berschrift1', 'heading 1') + style('berschrift2', 'heading 2') + style('Titel', 'Title')
const h = (level: number, text: string): string => p(text, `<w:pStyle w:val="berschrift${level}"/>`)

describe('Word: structure', () => {
  test('headings of localised, derived and outlined styles divide it', async () => {
    const styles = `${headings}${style('Mine', 'Clause', '<w:basedOn w:val="berschrift2"/>')}`
    const body =
      p('Contract', '<w:pStyle w:val="Titel"/>') +
      p('Preface.') +
      h(1, 'One') +
      p('a') +
      p('Sub', '<w:pStyle w:val="Mine"/>') +
      p('b') +
      h(1, 'Two') +
      p('c') +
      p('Outlined', '<w:outlineLvl w:val="2"/>')
    const { parts } = await parse(body, { styles })
    expect(parts.map(({ name, number }) => `${number} ${name}`)).toEqual(
      ['1 undefined', '2 One', '3 Two'].map((line, at) => (at === 0 ? '1 Contract' : line)),
    )
    expect(parts[1]?.text).toBe('# One\n\na\n\n## Sub\n\nb')
    expect(parts[2]?.text).toBe('# Two\n\nc\n\n### Outlined')
  })

  test('without headings it is cut between paragraphs', async () => {
    const line = 'word '.repeat(100).trim()
    const { parts } = await parse(p(line).repeat(100))
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.every(({ text }) => text.length <= 20_000 && text.startsWith('word') && text.endsWith('word'))).toBe(
      true,
    )
    expect(parts.map(({ text }) => text).join('\n\n')).toBe(new Array(100).fill(line).join('\n\n'))
  })

  test('numbers of clauses are counted as Word counts them', async () => {
    const level = (at: number, format: string, text: string): string =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%1.%2')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '•')}${level(1, 'upperRoman', '%2)')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
      '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>'
    const item = (text: string, at: number, id = 1): string =>
      p(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`)
    const numbered = style('berschrift1', 'heading 1', '<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>')
    const body =
      item('a', 0) +
      item('b', 1) +
      item('c', 2) +
      item('d', 2) +
      item('e', 1) +
      p('between') +
      item('f', 0) +
      item('g', 1) +
      item('x', 0, 2) +
      item('y', 1, 2) +
      item('z', 1, 2) +
      h(1, 'Restarted') +
      item('none', 0, 99)
    expect(await textOf(body, { numbering, styles: numbered })).toBe(
      '1. a\n  1.1 b\n    (a) c\n    (b) d\n  1.2 e\n\nbetween\n\n2. f\n  2.1 g\n- x\n  I) y\n  II) z\n===\n# 7. Restarted\n\nnone',
    )
  })

  test('paragraphs without text have numbers too, unless they are deleted, hidden or in a cell that another covers', async () => {
    const level = (at: number, format: string, text: string): string =>
      `<w:lvl w:ilvl="${at}"><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', 'REQ-%1')}${level(1, 'bullet', '•')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    const item = (text: string, at = 0, end = ''): string =>
      p(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr><w:rPr>${end}</w:rPr>`).replace(empty, '')
    const empty = '<w:r><w:rPr></w:rPr><w:t xml:space="preserve"></w:t></w:r>'
    const gone = '<w:r><w:delText>gone</w:delText></w:r>'
    const cell = (inner: string, merge = ''): string => `<w:tc><w:tcPr>${merge}</w:tcPr>${inner}</w:tc>`
    const row = (text: string, merge?: string): string => `<w:tr>${cell(item(''), merge)}${cell(p(text))}</w:tr>`
    const body =
      `<w:tbl>${row('first')}${row('second', '<w:vMerge w:val="restart"/>')}${row('more', '<w:vMerge/>')}</w:tbl>` +
      item('', 0, '<w:del w:id="1"/>') +
      item('').replace('</w:p>', `<w:del w:id="2">${gone}</w:del></w:p>`) +
      item('', 0, '<w:vanish/>') +
      item('', 1) +
      item('third') +
      item('') +
      item('fifth')
    expect(await textOf(body, { numbering })).toBe(
      '| REQ-1 | first |\n| --- | --- |\n| REQ-2 | second |\n| REQ-2 | more |\n\n' +
        '[deleted: gone]\n\nREQ-3 third\nREQ-4\nREQ-5 fifth',
    )
  })

  test('levels that don’t restart, or only after higher ones, count on', async () => {
    const level = (at: number, text: string, restart = ''): string =>
      `<w:lvl w:ilvl="${at}"><w:numFmt w:val="decimal"/>${restart}<w:lvlText w:val="${text}"/></w:lvl>`
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'Part %1')}${level(1, '§ %2', '<w:lvlRestart w:val="0"/>')}${level(2, '(%3)', '<w:lvlRestart w:val="1"/>')}${level(3, '%4.')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    const item = (at: number): string => p('x', `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr>`)
    const text = await textOf([0, 1, 2, 3, 1, 2, 3, 0, 1, 2, 3].map(item).join(''), { numbering })
    expect(text.split('\n').map((line) => line.trim().replace(/ x$/, ''))).toEqual([
      'Part 1',
      '§ 1',
      '(1)',
      '1.',
      '§ 2',
      '(2)',
      '1.',
      'Part 2',
      '§ 3',
      '(1)',
      '1.',
    ])
  })

  test('parts of a numbering are inherited one by one, and it may be that of a list style', async () => {
    const level = (at: number, text: string): string =>
      `<w:lvl w:ilvl="${at}"><w:numFmt w:val="decimal"/><w:lvlText w:val="${text}"/></w:lvl>`
    const numbering =
      `<w:abstractNum w:abstractNumId="0"><w:styleLink w:val="Outline"/>${level(0, '%1.')}${level(1, '%1.%2')}${level(2, '%1.%2.%3')}</w:abstractNum>` +
      '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Outline"/></w:abstractNum>' +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    const based = (id: string, name: string, on: string, numbers: string): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${on}"/><w:pPr><w:numPr>${numbers}</w:numPr></w:pPr></w:style>`
    const styles =
      based('H1', 'heading 1', '', '<w:numId w:val="2"/>') +
      based('H2', 'heading 2', 'H1', '<w:ilvl w:val="1"/>') +
      based('H3', 'heading 3', 'H2', '<w:ilvl w:val="2"/>')
    const styled = (text: string, id: string, numbers = ''): string => p(text, `<w:pStyle w:val="${id}"/>${numbers}`)
    const body =
      styled('Terms', 'H1') +
      styled('Fees', 'H2') +
      styled('Late fees', 'H3') +
      p('as a clause', '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>') +
      styled('lifted', 'H3', '<w:numPr><w:ilvl w:val="1"/></w:numPr>') +
      styled('without', 'H2', '<w:numPr><w:numId w:val="0"/></w:numPr>')
    expect(await textOf(body, { numbering, styles })).toBe(
      '# 1. Terms\n\n## 1.1 Fees\n\n### 1.1.1 Late fees\n\n  1.2 as a clause\n\n### 1.3 lifted\n===\n## without',
    )
  })

  test('tables: merged cells, several lines, bars, a table within, notes and comments below', async () => {
    const cell = (inner: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${inner}</w:tc>`
    const inner = `<w:tbl><w:tr>${cell(p('n1'))}${cell(p('n2'))}</w:tr></w:tbl>${p('')}`
    const note = '<w:p><w:r><w:t>3</w:t><w:footnoteReference w:id="5"/></w:r></w:p>'
    const body = `<w:tbl><w:tblGrid/><w:tr>${cell(p('A|B'), '<w:gridSpan w:val="2"/>')}${cell(p('C'))}</w:tr>
      <w:tr>${cell(p('left'), '<w:vMerge w:val="restart"/>')}${cell(p('1') + p('2'))}${cell(note)}</w:tr>
      <w:tr>${cell(p(''), '<w:vMerge/>')}${cell(inner)}${cell(p('bold', '', '<w:b/>'))}</w:tr></w:tbl>`
    const footnotes = `<w:footnote w:type="separator" w:id="0">${p('---')}</w:footnote><w:footnote w:id="5">${p('About three.')}</w:footnote>`
    expect(await textOf(body, { footnotes })).toBe(
      '| A\\|B |  | C |\n| --- | --- | --- |\n| left | 1<br>2 | 3[^1] |\n| left | n1, n2 | bold |\n\n[^1]: About three.',
    )
  })
})

describe('Word: text', () => {
  test('tracked changes are shown with who made them and when, in rows of tables too', async () => {
    const run = (text: string, tag = 't'): string => `<w:r><w:${tag} xml:space="preserve">${text}</w:${tag}></w:r>`
    const ana = 'w:author="Ana Lee" w:date="2026-03-02T09:00:00Z"'
    const gone = '<w:r><w:fldChar w:fldCharType="begin"/><w:delInstrText>PAGE</w:delInstrText></w:r>'
    const body =
      `<w:p>${run('The fee is ')}<w:del w:id="1" ${ana}>${gone}${run('5', 'delText')}</w:del><w:bookmarkStart/><w:del w:id="2" ${ana}>${run('00', 'delText')}</w:del>` +
      `<w:ins w:id="3" ${ana}>${run('900')}</w:ins>${run(' EUR.')}<w:ins w:id="4" w:author="Bo">${run(' ')}</w:ins></w:p>` +
      `<w:p><w:moveFrom w:id="5">${run('old place')}</w:moveFrom></w:p><w:p><w:moveTo w:id="6">${run('new place')}</w:moveTo></w:p>` +
      `<w:p><w:pPr><w:rPr><w:del w:id="7"/></w:rPr></w:pPr>${run('joined ')}</w:p><w:p>${run('lines')}</w:p>` +
      `<w:p><w:pPr><w:rPr><w:del w:id="8"/></w:rPr></w:pPr><w:del w:id="9" w:author="Bo">${run('whole', 'delText')}</w:del></w:p><w:p>${run('kept')}</w:p>` +
      `<w:tbl><w:tr><w:tc>${p('a')}</w:tc><w:tc>${p('b')}</w:tc></w:tr><w:tr><w:trPr><w:del w:id="10" ${ana}/></w:trPr><w:tc>${p('c')}</w:tc><w:tc>${p('d')}</w:tc></w:tr></w:tbl>`
    expect((await textOf(body)).split('\n\n')).toEqual([
      'The fee is [deleted by Ana Lee, 2026-03-02: 500][inserted by Ana Lee, 2026-03-02: 900] EUR.',
      '[moved away: old place]',
      '[moved here: new place]',
      'joined lines',
      '[deleted by Bo: whole]',
      'kept',
      '| a | b |\n| --- | --- |\n| c [row deleted by Ana Lee, 2026-03-02] | d |',
    ])
  })

  test('hidden text is marked, what a hidden paragraph shows is not, fields in it stay whole', async () => {
    const vanish = '<w:rPr><w:vanish/></w:rPr>'
    const styles =
      `<w:style w:type="character" w:styleId="H"><w:name w:val="Secret"/>${vanish}</w:style>` +
      '<w:style w:type="character" w:styleId="H2"><w:name w:val="Child"/><w:basedOn w:val="H"/></w:style>' +
      style('P', 'Hidden paragraph', vanish)
    const field =
      '<w:r><w:rPr><w:vanish/></w:rPr><w:fldChar w:fldCharType="begin"/><w:instrText> XE "word" </w:instrText><w:fldChar w:fldCharType="end"/></w:r>'
    const pieces = ['di', 'rect'].map((text) => `<w:r>${vanish}<w:t>${text}</w:t></w:r>`).join('')
    const body =
      `<w:p><w:r><w:t xml:space="preserve">seen </w:t></w:r>${pieces}</w:p>` +
      p('style', '', '<w:rStyle w:val="H2"/>') +
      p('shown', '', '<w:rStyle w:val="H"/><w:vanish w:val="0"/>') +
      `<w:p><w:pPr><w:pStyle w:val="P"/></w:pPr><w:r><w:t>all</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t xml:space="preserve"> but this</w:t></w:r></w:p>` +
      `<w:p>${field}<w:r><w:t>after</w:t></w:r></w:p>`
    expect(await textOf(body, { styles })).toBe(
      'seen [hidden: direct]\n\n[hidden: style]\n\nshown\n\n[hidden: all] but this\n\nafter',
    )
  })

  test('what is chosen in the lists of a form, which their fields don’t show', async () => {
    const list = (chosen: string) =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="L"/><w:ddList>${chosen}<w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
    expect(await textOf(list('<w:result w:val="1"/>') + list('') + list('<w:result w:val="9"/>'))).toBe('Blue\n\nRed')
  })

  test('formulas: sums, products, indices, roots, matrices, brackets', async () => {
    const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
    const e = (text: string): string => `<m:e>${r(text)}</m:e>`
    const nary = (sign: string): string =>
      `<m:nary><m:naryPr>${sign}</m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup>${e('x')}</m:nary>`
    const math = [
      nary('<m:chr m:val="∑"/>'),
      nary('<m:chr m:val="∏"/>'),
      nary(''),
      `<m:sSubSup>${e('y')}<m:sub>${r('1')}</m:sub><m:sup>${r('2')}</m:sup></m:sSubSup>`,
      `<m:rad><m:radPr/><m:deg>${r('3')}</m:deg>${e('ab')}</m:rad>`,
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/><m:sepChr m:val=";"/></m:dPr>${e('a')}${e('b')}</m:d>`,
      `<m:m><m:mr>${e('1')}${e('0')}</m:mr><m:mr>${e('0')}${e('1')}</m:mr></m:m>`,
      `<m:func><m:fName><m:limLow>${e('lim')}<m:lim>${r('x→0')}</m:lim></m:limLow></m:fName>${e('x')}</m:func>`,
      `<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e('v')}</m:acc>`,
    ]
    const body = math.map((one) => `<w:p><m:oMath>${one}</m:oMath></w:p>`).join('')
    expect((await textOf(body)).split('\n\n')).toEqual([
      '∑_(i=1)^n x',
      '∏_(i=1)^n x',
      '∫_(i=1)^n x',
      'y_1^2',
      '√[3](ab)',
      '[a;b]',
      '[1, 0; 0, 1]',
      'lim_(x→0) x',
      'v⃗',
    ])
  })

  test('charts with their values and diagrams stand where they are drawn, WordArt too', async () => {
    const drawing = (inner: string): string =>
      `<w:p><w:r><w:t>See</w:t></w:r><w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
    const body =
      drawing('<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="C"/>') +
      drawing('<cx:chart xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" r:id="X"/>') +
      drawing('<cx:chart xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" r:id="gone"/>') +
      drawing('<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="D"/>') +
      '<w:p><w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r></w:p>'
    const links =
      relation('C', 'chart', 'charts/chart1.xml') +
      relation('X', 'chartEx', 'charts/chartEx1.xml') +
      relation('D', 'diagramData', 'diagrams/data1.xml')
    const bytes = await changed(await wordFile(body, { links }), {
      'word/charts/chart1.xml': chartXml,
      'word/charts/chartEx1.xml': newerChartXml,
      'word/diagrams/data1.xml': diagramXml,
    })
    const { parts } = await parseDocx({ name: 'a.docx', bytes }, limits)
    expect(parts[0]?.text.split('\n\n')).toEqual([
      'See',
      'Chart: Sales by month',
      '|  | North | South |\n| --- | --- | --- |\n| 2024-01-01 | 5 | 7.5 |\n| 2024-02-01 | 6 |  |',
      'See',
      'Chart: Bridge',
      '|  | Revenue |\n| --- | --- |\n| Q2 | 100 |\n| New | 20 |',
      'See [chart]',
      'See',
      '- Plan',
      '- Build',
      'DRAFT',
    ])
  })

  test('links show their address, fields too; places in the file do not', async () => {
    const link = (attributes: string, text: string): string =>
      `<w:p><w:hyperlink ${attributes}><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`
    const field =
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://f.example/" </w:instrText></w:r>' +
      '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>field</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    const body =
      link('r:id="L1"', 'site') +
      link('w:anchor="x"', 'chapter') +
      link('r:id="gone"', 'broken') +
      link('r:id="L2"', 'a.example') +
      field
    const links = outside('L1', 'https://x.example/?a=1&amp;b=2') + outside('L2', 'https://a.example')
    expect(await textOf(body, { links })).toBe(
      'site (https://x.example/?a=1&b=2)\n\nchapter\n\nbroken\n\na.example\n\nfield (https://f.example/)',
    )
  })

  test('raised figures stay apart from the number before them, several too', async () => {
    const raised = (text: string): string =>
      `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t></w:r>`
    const noted = (text: string): string => p('1,234').replace('</w:p>', `${raised(text)}</w:p>`)
    const figures = ['3', '3,4', '3, 4', '3)', '(3)', '1.5', '2–4'].map(noted)
    expect(await textOf(figures.join('') + noted('th'))).toBe(
      ['³', '³,⁴', '³, ⁴', '³)', '(³)', '¹.⁵', '²⁻⁴', 'th'].map((text) => `1,234${text}`).join('\n\n'),
    )
  })

  test('text boxes once, pictures by their alt text and never unpacked, formulas in a line', async () => {
    const box = `<w:txbxContent>${p('In the box')}</w:txbxContent>`
    const boxes =
      '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx>' +
      `${box}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>` +
      `${box}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent><w:t>Beside it</w:t></w:r></w:p>`
    const picture =
      '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="Our logo"/><a:graphic><a:graphicData><pic:pic><pic:blipFill>' +
      '<a:blip r:embed="I"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    const math =
      '<w:p><m:oMath><m:r><m:t>y=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>'
    const raised = `<w:p><w:r><w:t>12 m</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t></w:r></w:p>`
    const minus = ['-', '−', '–'].map((sign) => raised.replace('>2<', `>${sign}2<`)).join('')
    const links = relation('I', 'image', 'media/bomb.png')
    expect(await textOf(boxes + picture + math + raised + minus, { links })).toBe(
      'Beside it\n\nIn the box\n\n[image: Our logo]\n\ny=(a+b)/2\n\n12 m²\n\n12 m⁻²\n\n12 m⁻²\n\n12 m⁻²',
    )
  })

  test('notes stand at the end of their section, comments with their author, headers in the notes', async () => {
    const reference = (id: number): string =>
      `<w:p><w:r><w:t>said</w:t></w:r><w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`
    const body = `${h(1, 'A')}${reference(2)}${h(1, 'B')}${reference(3)}${reference(2)}<w:p><w:r><w:t>here</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>`
    const footnotes = `<w:footnote w:id="2">${p('two')}${p('more')}</w:footnote><w:footnote w:id="3">${p('three')}</w:footnote>`
    const comments = `<w:comment w:id="0" w:author="Ana Lee">${p('Is this right?')}</w:comment>`
    const { parts, notes } = await parse(body, {
      styles: headings,
      footnotes,
      comments,
      header: p('Confidential') + p('Draft 3'),
    })
    expect(parts.map(({ text }) => text)).toEqual([
      '# A\n\nsaid[^1]\n\n[^1]: two more',
      '# B\n\nsaid[^2]\n\nsaid[^1]\n\nhere\n\n> comment (Ana Lee): Is this right?\n\n[^2]: three',
    ])
    expect(notes).toEqual(['Page header: Confidential / Draft 3'])
  })

  test('what a header has in text boxes comes once, and its words stay apart', async () => {
    const box = `<w:txbxContent>${p('ACME GmbH')}${p('Hafenstr. 1')}</w:txbxContent>`
    const header =
      '<w:p><w:pPr><w:tabs><w:tab w:val="center"/></w:tabs></w:pPr><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>' +
      `<wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback>` +
      '</mc:AlternateContent></w:r><w:r><w:t>Offer</w:t><w:tab/><w:t>2026</w:t><w:cr/><w:t>Draft</w:t></w:r></w:p>'
    const body = '<w:p><w:r><w:t>one</w:t><w:cr/><w:t>two</w:t></w:r></w:p>'
    const { parts, notes } = await parse(body, { header })
    expect(notes).toEqual(['Page header: ACME GmbH / Hafenstr. 1 / Offer 2026 Draft'])
    expect(parts[0]?.text).toBe('one\ntwo')
  })

  test('comments of a resolved thread say so, answers and those in cells too', async () => {
    const comment = (id: number, text: string): string =>
      `<w:comment w:id="${id}" w:author="Ana">${p('So:')}${p(text).replace('<w:p>', `<w:p w14:paraId="A${id}">`)}</w:comment>`
    const at = (id: number): string => `<w:p><w:r><w:t>t${id}</w:t><w:commentReference w:id="${id}"/></w:r></w:p>`
    const extended = `<w15:commentsEx xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"><w15:commentEx w15:paraId="A1" w15:done="1"/><w15:commentEx w15:paraId="A2" w15:paraIdParent="A1" w15:done="0"/><w15:commentEx w15:paraId="A3" w15:done="0"/></w15:commentsEx>`
    const bytes = await wordFile(`${at(1)}<w:tbl><w:tr><w:tc>${at(2)}</w:tc><w:tc>${at(3)}</w:tc></w:tr></w:tbl>`, {
      comments: comment(1, 'Too high?') + comment(2, 'No.') + comment(3, 'Why?'),
      links: relation('x', 'commentsExtended', 'commentsExtended.xml'),
    })
    const file = await changed(bytes, { 'word/commentsExtended.xml': extended })
    const { parts } = await parseDocx({ name: 'a.docx', bytes: file }, limits)
    expect(parts[0]?.text).toBe(
      't1\n\n> comment (Ana, resolved): So: Too high?\n\n| t2 | t3 |\n| --- | --- |\n\n' +
        '> comment (Ana, resolved): So: No.\n\n> comment (Ana): So: Why?',
    )
  })

  test('what is struck out is marked in headings and cells too, where bold isn’t', async () => {
    const struck =
      '<w:p><w:r><w:rPr><w:b/><w:strike/></w:rPr><w:t>30</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>45</w:t></w:r></w:p>'
    const cell = (inner: string): string => `<w:tc>${inner}</w:tc>`
    expect(await textOf(`<w:tbl><w:tr>${cell(p('Days'))}${cell(struck)}</w:tr></w:tbl>`)).toContain(
      '| Days | ~~30~~45 |',
    )
    const twice = '<w:p><w:r><w:rPr><w:dstrike/></w:rPr><w:t>30</w:t></w:r><w:r><w:t> days</w:t></w:r></w:p>'
    expect(await textOf(twice)).toBe('~~30~~ days')
    const lines = '<w:p><w:r><w:rPr><w:strike/></w:rPr><w:t>30</w:t><w:br/><w:t>days</w:t></w:r></w:p>'
    expect(await textOf(lines)).toBe('~~30\ndays~~')
  })

  test('a row that begins after some columns keeps its cells below their own', async () => {
    const row = (properties: string, ...cells: string[]): string =>
      `<w:tr>${properties}${cells.map((text) => `<w:tc>${p(text)}</w:tc>`).join('')}</w:tr>`
    const rows = [row('', 'Item', 'Due', 'Paid'), row('<w:trPr><w:gridBefore w:val="2"/></w:trPr>', '90')]
    expect(await textOf(`<w:tbl>${rows.join('')}</w:tbl>`)).toBe(
      '| Item | Due | Paid |\n| --- | --- | --- |\n|  |  | 90 |',
    )
  })

  test('a tab to a place on the page parts words too', async () => {
    const tab = '<w:r><w:ptab w:relativeTo="margin" w:alignment="right" w:leader="none"/></w:r>'
    expect(await textOf(`<w:p><w:r><w:t>Total</w:t></w:r>${tab}<w:r><w:t>12</w:t></w:r></w:p>`)).toBe('Total\t12')
  })

  test('another main part, other prefixes, the strict form, UTF-16', async () => {
    const xml =
      '<?xml version="1.0" encoding="UTF-16"?><document xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><body><p><r><b/><t>Strict é</t></r></p></body></document>'
    const bytes = await changed(await wordFile(''), {
      'word/document.xml': undefined,
      'word/document2.xml': Buffer.from(`\ufeff${xml}`, 'utf16le'),
      '_rels/.rels': rels(
        '<Relationship Id="m" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="word/document2.xml"/>',
      ),
    })
    const { parts } = await parseDocx({ name: 'a', bytes }, limits)
    expect(parts.map(({ text }) => text)).toEqual(['Strict é'])
  })
})
