import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { oneReader } from '../support/readers.ts'

const pool = oneReader({ idleMs: 5000 })
afterAll(() => pool.stop())

const signal = new AbortController().signal
const page = (html: string | Uint8Array, charset?: string, most = 100_000) =>
  pool.page({ html: Buffer.from(html), charset, url: 'https://site.example/a/b' }, most, signal)
const markdown = async (html: string) => (await page(html)).markdown

const prose = '<p>A sentence of the article, which is long enough to stand out from what is around it. And another.</p>'

test('the main part of a page, with its title', async () => {
  const { title, markdown, isCut } = await page(
    `<html><head><title>News &amp;\n more\u200B</title></head><body><nav class="menu"><a href="/a">Menu</a></nav>
     <article><h1>Head</h1>${prose.repeat(12)}<h2>Part</h2>${prose}</article>
     <div class="sidebar"><a href="/b">Advertisement</a></div><footer>Imprint</footer></body></html>`,
  )
  expect(title).toBe('News & more')
  expect(markdown).toContain('## Part')
  expect(markdown.match(/A sentence of the article/g)).toHaveLength(13)
  for (const around of ['Menu', 'Advertisement', 'Imprint']) expect(markdown).not.toContain(around)
  expect(isCut).toBe(false)
})

test('the whole page if no main part stands out, whole or in pieces', async () => {
  expect(await markdown('<body><p>One</p><div>Two</div></body>')).toBe('One\n\nTwo')
  expect(await markdown('just text')).toBe('just text')
  expect(await markdown('<p>a<p>b<li>c')).toContain('c')
  expect(await markdown('')).toBe('')
  const list = '<li><a href="/x">A title in a list of many</a></li>'.repeat(40)
  expect((await markdown(`<body><ul>${list}</ul></body>`)).match(/A title/g)).toHaveLength(40)
})

test('headings, lists, code, quotes, marks', async () => {
  const text = await markdown(
    `<h2>H</h2><ul><li>one<ol><li>two</li></ol></li></ul><pre class="c"><span>if</span> (a &lt; b)\n  go()</pre>
     <blockquote>said</blockquote><p><b>bold</b> <em>soft</em> <del>gone</del> <code>x</code> 1 * 2 _ # [a]</p>`,
  )
  expect(text).toContain('## H')
  expect(text).toMatch(/- {3}one\n {4}1\. {2}two/)
  expect(text).toContain('```\nif (a < b)\n  go()\n```')
  expect(text).toContain('> said')
  expect(text).toContain('**bold** *soft* ~~gone~~ `x` 1 \\* 2 \\_ # \\[a\\]')
})

test('what a style strikes out is marked like an element that does', async () => {
  expect(await markdown('<p>a <span style="text-decoration:line-through">30</span> <strike>40</strike> 45</p>')).toBe(
    'a ~~30~~ ~~40~~ 45',
  )
})

test('exponents are raised, and other raised text is kept', async () => {
  expect(await markdown('<p>10<sup>6</sup> m<sup>-2</sup> 5<sup>th</sup> a<sup></sup></p>')).toBe('10⁶ m⁻² 5th a')
})

test('tables, and a table in a table as text of its cell', async () => {
  expect(
    await markdown(
      '<table><thead><tr><th>a</th><th>b|c</th></tr></thead><tbody><tr><td>1</td><td>2\n<p>3</td></tr></tbody></table>',
    ),
  ).toBe('| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |')
  expect(
    await markdown('<table><tr><td>a</td></tr><tr><td>x<table><tr><td>y</td><td>z</td></tr></table></td></tr></table>'),
  ).toBe('| a |\n| --- |\n| x y z |')
})

test('values beside and below merged cells stay in their own columns', async () => {
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td${cell}</td>`).join('')}</tr>`
  const head = row('>Plan', '>Region', '>Price')
  const rows =
    row(' rowspan="2"><b>Basic</b>', '>EU', '>10') + row('>US', '>12') + row(' colspan="2">All | regions', '>99')
  const written =
    '| Plan | Region | Price |\n| --- | --- | --- |\n| **Basic** | EU | 10 |\n| **Basic** | US | 12 |\n| All \\| regions |  | 99 |'
  expect(await markdown(`<table>${head}${rows}</table>`)).toBe(written)
  expect(await markdown(`<table><thead>${head}</thead><tbody>${rows}</tbody></table>`)).toBe(written)
  const more = row('>A sentence, with commas, of a table', '>Another sentence, with commas', '>7').repeat(20)
  // The main part is the body of the table, without the table around it.
  const { markdown: main } = await page(`<p>Menu</p><table><tbody>${head}${rows}${more}</tbody></table><p>Imprint</p>`)
  expect(main.slice(0, written.length)).toBe(written)
})

test('the main part of a page is a whole table, with its headings and sums', async () => {
  const row = '<tr><td>A sentence, with commas, of a table<td>Another sentence, with commas<td>7'
  const text = await markdown(
    `<p>Menu</p><table><thead><tr><th>One<th>Two<th>Price<tbody>${row.repeat(20)}<tfoot><tr><th>Sum<td><td>140</table><p>Imprint</p>`,
  )
  expect(text).toMatch(/^\| One \| Two \| Price \|\n(\| --- ){3}\|\n(\| A sent.* \|\n){20}\| Sum \| {2}\| 140 \|$/)
})

test('a small table of links stays in an article, by its head or its sums', async () => {
  const row = (...cells: string[]) => `<tr><td>${cells.join('<td>')}`
  const links = row('1', '<a href="/1">one.zip</a>') + row('2', '<a href="/2">two.zip</a>')
  const downloads = '| 1 | [one.zip](https://site.example/1) |\n| 2 | [two.zip](https://site.example/2) |'
  const article = (table: string) => markdown(`<article>${prose.repeat(12)}<table>${table}</table>${prose}</article>`)
  expect(await article(`<thead>${row('Version', 'Download')}<tbody>${links}`)).toContain(
    `| Version | Download |\n| --- | --- |\n${downloads}`,
  )
  expect(await article(`${row('Version', 'Download')}${links}<tfoot>${row('All', '2')}`)).toContain(
    `${downloads}\n| All | 2 |`,
  )
})

test('merged cells keep their column in rows that have fewer cells of their own', async () => {
  const row = (...cells: string[]) => `<tr><td${cells.join('<td')}`
  const head = row('>Time', '>Hall A', '>Room') + row('>9', '>Talk', ' rowspan="2">R1')
  const rest = row('>11', '>Panel', '>R2') + row('>12', '>End', '>R3')
  for (const coffee of [' colspan="2">Coffee', '>Coffee'])
    expect(await markdown(`<table>${head}${row(coffee)}${rest}</table>`)).toBe(
      '| Time | Hall A | Room |\n| --- | --- | --- |\n| 9 | Talk | R1 |\n| Coffee |  | R1 |\n| 11 | Panel | R2 |\n| 12 | End | R3 |',
    )
})

test('merged cells end with their part of the table, and at its last column', async () => {
  const parts = ['0', '9'].map((rows) => `<tbody><tr><th rowspan="${rows}">${rows}<td>a<tr><td>b</tbody>`).join('')
  expect(await markdown(`<table><tr><th colspan="99">Title</tr>${parts}<tr><td colspan="99">End</table>`)).toBe(
    '| Title |  |\n| --- | --- |\n| 0 | a |\n| 0 | b |\n| 9 | a |\n| 9 | b |\n| End |',
  )
})

test('a numbered list begins with its own number', async () => {
  expect(await markdown('<ol start="4"><li>four<li>five</ol><ol start="x"><li>one</ol>')).toBe(
    '4.  four\n5.  five\n\n1.  one',
  )
})

test('links and images have whole addresses of the web, or none', async () => {
  expect(
    await markdown(
      `<p><a href="../c(1)?x#y" title="unseen">rel</a> <a href="javascript:alert(1)">js</a> <a href=" JAVA&#10;SCRIPT:x">js2</a>
       <a href="data:text/html,x">data</a> <a href="#here">here</a> <a href="https://u:p@site.example/">user</a>
       <img src="/p.png" alt="A [pic]"> <img src="data:image/png;base64,AAAA" alt="inline"> <img src="/q.png"></p>`,
    ),
  ).toBe(
    '[rel](https://site.example/c%281%29?x#y) js js2 data here user ' +
      '[Image: A \\[pic\\]](https://site.example/p.png) Image: inline',
  )
  expect(
    await markdown('<base href="https://base.example/x/"><base href="https://no.example/"><a href="y">z</a>'),
  ).toBe('[z](https://base.example/x/y)')
  expect(await markdown('<base href="javascript:x"><a href="y">z</a>')).toBe('[z](https://site.example/a/y)')
})

describe("what nobody sees isn't read:", () => {
  test.each([
    '<p hidden>UNSEEN</p>',
    '<p aria-hidden="TRUE">UNSEEN</p>',
    '<p style="display:none">UNSEEN</p>',
    '<p style="DISPLAY : none !important">UNSEEN</p>',
    '<p style="color:red;/* x */dis/**/play:none">UNSEEN</p>',
    '<p style="d\\69splay:none">UNSEEN</p>',
    '<div style="display:none"><p><b>UNSEEN</b></p></div>',
    '<p style="visibility:hidden">UNSEEN</p>',
    '<p style="opacity:0.01">UNSEEN</p>',
    '<p style="opacity:0%">UNSEEN</p>',
    '<p style="font-size:0">UNSEEN</p>',
    '<p style="font-size:0.0em">UNSEEN</p>',
    '<p style="font-size:1px">UNSEEN</p>',
    '<p style="font:0/0 a">UNSEEN</p>',
    '<p style="height:0;overflow:hidden">UNSEEN</p>',
    '<p style="width:1px;height:1px">UNSEEN</p>',
    '<p style="position:absolute;left:-9999px">UNSEEN</p>',
    '<p style="text-indent:-9999px">UNSEEN</p>',
    '<p style="clip:rect(0,0,0,0)">UNSEEN</p>',
    '<p style="clip-path:inset(50%)">UNSEEN</p>',
    '<p style="transform:scale(0)">UNSEEN</p>',
    '<p style="color:transparent">UNSEEN</p>',
    '<iframe width="0">UNSEEN</iframe>',
    '<table width="0"><tr><td>UNSEEN</table>',
    '<!-- UNSEEN -->',
    '<script>UNSEEN</script>',
    '<style>UNSEEN</style>',
    '<noscript>UNSEEN</noscript>',
    '<template><p>UNSEEN</p></template>',
    '<svg><title>UNSEEN</title><text>UNSEEN</text></svg>',
    '<dialog>UNSEEN</dialog>',
    '<textarea>UNSEEN</textarea>',
    '<input type="hidden" value="UNSEEN">',
    '<meta name="description" content="UNSEEN">',
    '<p title="UNSEEN" data-x="UNSEEN" aria-label="UNSEEN">a</p>',
    '<![CDATA[ UNSEEN ]]>',
    '<?php UNSEEN ?>',
  ])('%s', async (html) => {
    const { markdown, title } = await page(`<body><p>Before.</p>${html}<p>After.</p></body>`)
    expect(markdown + title).not.toContain('UNSEEN')
    expect(markdown).toContain('Before.')
    expect(markdown).toContain('After.')
  })

  test.each([
    'opacity:0.9',
    'font-size:0.9em',
    'font-size:.8rem',
    'width:0.5em',
    'height:calc(0px + 10px)',
    'margin-left:-20px',
    'transform:scale(0.5)',
    'background:none',
    'left:-5%',
    'max-width:100px',
    'line-height:0.9',
  ])('but %s is seen', async (style) => {
    expect(await markdown(`<p style="${style}">SEEN</p>`)).toBe('SEEN')
  })

  test('nor invisible characters', async () => {
    expect(await markdown('<p>a\u200Bb&#8203;c&shy;d\u202Ee&#917569;f\u{E0100}g</p>')).toBe('abcdefg')
  })
})

test.each<[string, Uint8Array, string | undefined]>([
  ['the server', Buffer.from('<p>caf\xe9 \x80</p>', 'latin1'), 'windows-1252'],
  ['the page', Buffer.from('<meta charset="windows-1252"><p>caf\xe9 \x80</p>', 'latin1'), undefined],
  [
    'an old page',
    Buffer.from('<meta http-equiv=content-type content="text/html; charset=iso-8859-1"><p>caf\xe9 \x80</p>', 'latin1'),
    undefined,
  ],
  ['a mark, whatever else is said', Buffer.from('\uFEFF<p>café €</p>', 'utf16le'), 'utf-8'],
  ['a server that says UTF-16', Buffer.from('<p>café €</p>', 'utf16le'), 'utf-16le'],
  ['nothing, in UTF-8', Buffer.from('<p>café €</p>'), undefined],
  ['a page that cannot be UTF-16', Buffer.from('<meta charset="utf-16"><p>café €</p>'), undefined],
  ['what nobody knows', Buffer.from('<p>café €</p>'), 'klingon'],
])('the charset is told by %s', async (_, bytes, charset) => {
  expect((await page(bytes, charset)).markdown).toBe('café €')
})

test('Korean is read as Windows has it, under whatever name', async () => {
  const bytes = Buffer.concat([Buffer.from('<p>'), Buffer.from('8c6394eeb0a2', 'hex')])
  for (const name of ['euc-kr', 'ks_c_5601-1987', 'windows-949'])
    expect((await page(bytes, name)).markdown).toBe('똠뷁각')
})

test.each([
  ['deep', '<div>'.repeat(20_000)],
  ['open', '<b><i><a href="/x">'.repeat(5000)],
  ['nested tables', '<table><tr><td>|'.repeat(2000)],
  ['nested lists', '<ul><li>'.repeat(3000)],
  ['nested quotes', `${'<blockquote>'.repeat(300)}${'x<br>'.repeat(2000)}`],
  [
    'merged cells',
    `<table><tr>${'<td colspan=1000 rowspan=65534>a'.repeat(9)}${'<tr>'.repeat(1000)}</table>`.repeat(10),
  ],
  ['a long table', `<table>${'<tr><td>a<td>b'.repeat(4000)}</table>`],
  ['attributes', `<p ${Array.from({ length: 20_000 }, (_, index) => `x${index}=1`).join(' ')}>`],
  ['style', `<p style="${'/*'.repeat(50_000)}${'a:b;\\'.repeat(50_000)}">`],
  ['comments', '<!--'.repeat(200_000)],
  ['marks', '*_[`'.repeat(100_000)],
])('a page made to hurt is read in bounds: %s', async (_, html) => {
  const { markdown } = await page(html + prose)
  expect(markdown.length).toBeLessThanOrEqual(100_000)
})

test('a long page is cut and says so; one that takes too much ends alone', async () => {
  const long = await page(`<p>${'word '.repeat(10_000)}</p>`, undefined, 1000)
  expect(long.isCut).toBe(true)
  expect(long.markdown).toHaveLength(1000)
  const stop = new AbortController()
  const stopped = pool.page(
    { html: Buffer.from('<b>'.repeat(300_000)), charset: undefined, url: 'https://a.example' },
    10,
    stop.signal,
  )
  stop.abort(new Error('stopped by Ana'))
  await expect(stopped).rejects.toThrow('stopped by Ana')
  expect(await markdown('<p>still here</p>')).toBe('still here')
})

test('no markup comes through, whatever a page is made of', async () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<script>',
    '</script>',
    '<a href="javascript:x">',
    '</a>',
    '<table>',
    '<td>',
    '<!--',
    '-->',
    '<b',
    '>',
    '"',
    '&lt;',
    'x',
    '<style>',
    '<svg>',
    '</svg>',
    '<p hidden>',
    '<title>',
    '<body>',
    '</html>',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const { markdown } = await page(pieces.join(''))
      expect(markdown).not.toMatch(/javascript:|<\/?(script|style|svg|table|td|title|body)/)
    }),
    { numRuns: 150 },
  )
})
