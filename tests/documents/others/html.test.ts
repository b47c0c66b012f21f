import { expect, test } from 'vitest'
import { markdownOfHtml } from '../../../src/kit/documents/parsers/html.ts'

const read = (html: string): string[] => markdownOfHtml(html).split('\n')

test('headings, paragraphs and breaks', () => {
  const html =
    '<title>x</title><h1>One\n <b>big</b><br>thing</h1><p>a&nbsp;&lt;b&gt; &raquo; &#8364; 1 < 2</p><div>c</div><div>d<br><br>e</div><h3></h3>f'
  expect(read(html)).toEqual(['# One big thing', '', 'a <b> » € 1 < 2', '', 'c', 'd', '', 'e', '', 'f'])
})

test('references to characters mean what browsers show for them', () => {
  expect(
    markdownOfHtml(
      '10&#150;20, don&#146;t, &#x80;5, &#129;, c&oelig;ur&ensp;x &infin; 5&permil; &Scaron; &Alpha;&omega;&thetasym; &rarr;',
    ),
  ).toBe('10–20, don’t, €5, \x81, cœur x ∞ 5‰ Š Αωϑ →')
  expect(markdownOfHtml('&Sigma;&sigmaf;&euro;&thinsp;&mdash;')).toBe('Σς€ —')
  expect(markdownOfHtml('&constructor; &zwj;&lrm;&nosuch;')).toBe('&constructor; &nosuch;')
})

test('exponents are raised, and what is struck out stands between tildes', () => {
  expect(
    markdownOfHtml(
      '10<sup>6</sup> 10<sup>&minus;3</sup> 5<sup>th</sup>, <s>30</s>45 <del> a <b>b</b> </del>c<strike></strike>',
    ),
  ).toBe('10⁶ 10⁻³ 5th, ~~30~~45 ~~a b~~ c')
  expect(markdownOfHtml('<p><s>open</p><p>next</s></sup></s>.')).toBe('~~open~~\n\n~~next~~.')
  expect(markdownOfHtml('<table><tr><th>a<td>10<sup>6<tr><td><s>x<td>9</table><pre>8<sup>9</sup> <s>7</s></pre>')).toBe(
    '| a | 10⁶ |\n| --- | --- |\n| ~~x~~ | 9 |\n\n8⁹ ~~7~~',
  )
})

test.each([
  ['<p>a <span style="color:red; TEXT-DECORATION: underline line-through">30</span> 45', 'a ~~30~~ 45'],
  ['<p style="text-decoration-line:line-through">old<p>new', '~~old~~\n\nnew'],
  ['<div style=text-decoration:line-through><div>a</div>b</div>c', '~~a~~\n~~b~~\nc'],
  ['<ul><li style="text-decoration:line-through">a<ul><li>b</ul>c<li>d</ul>e', '- ~~a~~\n  - ~~b~~\n  ~~c~~\n- d\n\ne'],
  [
    '<table><tr><th>A<th>B<tr style="text-decoration:line-through"><td>1<td>2<tr><td>3<td>4</table>5',
    '| A | B |\n| --- | --- |\n| ~~1~~ | ~~2~~ |\n| 3 | 4 |\n\n5',
  ],
  ['<table><tr><td style="text-decoration:line-through">1</table>2', '~~1~~\n\n2'],
  [
    '<br style="text-decoration:line-through">1 <p title="line-through" style="text-decoration:none;x:line-through">2',
    '1\n\n2',
  ],
])('what the style of an element strikes out stands between tildes: %s', (html, text) => {
  expect(markdownOfHtml(html)).toBe(text)
})

test.each([
  [
    '<div><p #>Old 100</div><div>New 80</div><h2>Terms</h2>Pay by Friday',
    '~~Old 100~~\nNew 80\n\n## Terms\n\nPay by Friday',
  ],
  ['<p #>old<table><tr><td>1</table>2', '~~old~~\n\n1\n\n2'],
  ['<p #>old<hr>new', '~~old~~\n\nnew'],
  ['<div><span #>old</div>new</span>', '~~old~~\nnew'],
  ['<h2 #>Old</h3>new<h2 #>Old<h3>New', '## ~~Old~~\n\nnew\n\n## ~~Old~~\n\n### New'],
  ['<dl><dt #>a<dd>b<dd #>c</dl>d', '~~a~~\nb\n~~c~~\n\nd'],
  ['<table><tr><td #><ul><li>1<td>2<tr #><td>3<tbody><tr><td>4</table>', '- ~~1~~ | 2\n~~3~~\n4'],
  ['<span #/>a<input #>b', 'ab'],
])('what ends without its end tag is struck out no further: %s', (html, text) => {
  expect(markdownOfHtml(html.replaceAll('#', 'style="text-decoration:line-through"'))).toBe(text)
})

test('what lies too deep to follow is not struck out', () => {
  const deep = '<div>'.repeat(20_000)
  expect(markdownOfHtml(`${deep}<p style="text-decoration:line-through">a`)).toBe('a')
  expect(markdownOfHtml(`<div><p style="text-decoration:line-through">a${deep}b`)).toBe('~~a~~\nb')
})

test('an item counts on from its own number', () => {
  expect(read('<ol><li>a<li value=7>b<li>c</ol><ul><li value="3">d</ul>')).toEqual([
    ...['1. a', '7. b', '8. c', '', '- d'],
  ])
})

test('lists within lists, numbered or not', () => {
  const html =
    '<p>x</p><ul><li><p>a</p><li>b<ol start="3"><li>c</li><li>d<br>e</ol></li><li></li><li>f</ul>end<li>alone'
  expect(read(html)).toEqual([...['x', '', '- a', '- b', '  3. c', '  4. d', '     e', '- f', '', 'end', '- alone']])
})

test('a page needs no end of its head: what it shows is read, and its title, styles and scripts are not', () => {
  const head = '<html><head><meta charset=utf-8><title>Offer</title><style>p {}</style><script>a()</script>\n'
  for (const end of ['', '</head>'])
    expect(read(`${head}${end}<body><header>Top</header><h1>Offer</h1><p>It costs 500.`)).toEqual([
      ...['Top', '', '# Offer', '', 'It costs 500.'],
    ])
})

test('an address follows the text of its link, unless it is the text, leads nowhere or isn’t an address', () => {
  expect(markdownOfHtml('<a class=b href="https://a.example/?x=1&amp;y=2">here</a>.')).toBe(
    'here (https://a.example/?x=1&y=2).',
  )
  expect(markdownOfHtml("<a href='mailto:a@b.example'>a@b.example</a>")).toBe('a@b.example')
  expect(markdownOfHtml('<a href=https://a.example/>a.example</a>')).toBe('a.example')
  expect(
    markdownOfHtml('<a href="https://a.example"><img></a><a href="javascript:x()">no</a><a href="#t">up</a>'),
  ).toBe('noup')
})

test('a tag ends after its attributes, whatever they contain', () => {
  expect(markdownOfHtml('<a title="a > b" href="https://x.y/z">link</a>')).toBe('link (https://x.y/z)')
  expect(markdownOfHtml("<p title = '>\">'>a</p title='>'><!doctype x=\">\">b")).toBe('a\n\nb')
  // Not all quotes begin a value, and some never end.
  expect(markdownOfHtml('<p don\'t>a</p><p a=b="c>d</p><p title="x>e</p>')).toBe('a\n\nd\n\ne')
})

test('a table of data is a Markdown table', () => {
  const html =
    '<table><caption>T</caption><thead><tr><th>Name<th>a|b</tr></thead><tr><td rowspan=2>x</td><td><p>1</p><p>2</p></td></tr><tr><td>3</table>z'
  expect(read(html)).toEqual([
    ...['T', '', '| Name | a\\|b |', '| --- | --- |', '| x | 1<br>2 |', '| x | 3 |', '', 'z'],
  ])
})

test('a table that only places things is what is in it', () => {
  const inner = '<table><tr><td>n</td><td>1</td></tr><tr><td>m</td><td>2</td></tr></table>'
  const html = `<table><tr><td><h2>News</h2></td></tr><tr><td><p>Text</p>${inner}</td><td>side</td></tr><tr><td>a</td><td>b</td></table>`
  expect(read(html)).toEqual([
    '## News',
    '',
    'Text',
    '',
    '| n | 1 |',
    '| --- | --- |',
    '| m | 2 |',
    '',
    'side',
    '',
    'a | b',
  ])
  expect(markdownOfHtml('<table role="presentation"><tr><td>a<td>b<tr><td>c<td>d</table>')).toBe('a | b\nc | d')
})

test('text of programs keeps its lines and spaces', () => {
  expect(read('a<pre>if x:\n  go\n\n  end</pre>b')).toEqual(['a', '', 'if x:', '  go', '', '  end', '', 'b'])
})

test('tags without end or sense do no harm, however many', () => {
  for (const one of [
    '<table><tr><td>a',
    '<ul><li>a',
    '</table></td>a',
    '<td>a',
    '< a',
    '<a href="https://a.b">c',
    '<h1>a',
    '<p b=">a',
  ]) {
    expect(markdownOfHtml(one.repeat(20_000))).toContain('a')
  }
  expect(markdownOfHtml('<p>a <!-- never closed')).toBe('a')
  expect(markdownOfHtml(`a${'<p b=">" '.repeat(20_000)}c='`)).toBe('a')
  expect(markdownOfHtml('<script>a<p>b')).toBe('')
})
