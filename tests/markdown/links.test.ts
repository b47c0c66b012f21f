import { expect, test } from 'vitest'
import { imagesToLinks } from '../../src/kit/markdown/images.ts'
import { honestLinks } from '../../src/kit/markdown/links.ts'
import { parsedParts, type Rule, rewritten } from '../../src/kit/markdown/rewrite.ts'

const honest: Rule = (node, place) => honestLinks(node, place) ?? imagesToLinks(node, place)

const shown = (markdown: string): string =>
  [...parsedParts(markdown)].map((parsed) => rewritten(parsed, honest)).join('')

test.each([
  ['[https://bank.example/login](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank.example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[go to **bank.example** now](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank\u200b.example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[»bank.example«](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank<b></b>.example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[Login:bank.example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[..bank.example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[evil.example or bank.example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank\u3002example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank\uff0eexample](http://evil.example/x)', ' (leads to evil.example)'],
  ['[http://bank.example@evil.example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank__.__example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank__.__example](http://my__app.evil.example/x)', ' (leads to my__app.evil.example)'],
  ['[myapp.example](http://my__app.example/x)', ' (leads to my__app.example)'],
  ['[bank\\*.\\*example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[https://10.0.0.5/login](http://evil.example/x)', ' (leads to evil.example)'],
  ['[see https://intranet/wiki.](http://evil.example/x)', ' (leads to evil.example)'],
  ['[HTTP://localhost:3000](http://localhost.evil.example)', ' (leads to localhost.evil.example)'],
  ['[http://[::1]:3000/](http://evil.example/x)', ' (leads to evil.example)'],
  ['[https://docs.example/a](https://10.0.0.5/a)', ' (leads to 10.0.0.5)'],
])('%s says where it leads', (markdown, end) => {
  expect(shown(markdown)).toBe(markdown + end)
})

test('a reference says so too', () => {
  expect(shown('[bank.example][1]\n\n[1]: http://evil.example/x\n')).toContain('(leads to evil.example)')
})

test.each([
  '[the report](http://docs.example/x)',
  '[docs.example](https://www.docs.example/a)',
  '[docs.example/a/index.html?b=c.d](https://docs.example/a/index.html)',
  '[https://docs.example:8080/a.b](https://docs.example:8080/a.b)',
  '[a_b.docs.example](https://a_b.docs.example)',
  '[https://my__app.example/x](https://my__app.example/x)',
  '[münchen.example](https://münchen.example)',
  '[https://docs.example/a](https://docs.example/a)',
  '[(https://docs.example), “https://docs.example”: https://docs.example.](https://docs.example/a)',
  '[http://ana@localhost:3000/a](http://localhost:3000/a)',
  '[http://[::1]:3000](http://[::1]:3000)',
  '<https://docs.example/a>',
  '[a file.](notes)',
])('%s stays as it is', (markdown) => {
  expect(shown(markdown)).toBe(markdown)
})

test('a link to a picture says so too', () => {
  expect(shown('![bank.example](http://evil.example/x)')).toBe(
    '[bank.example](http://evil.example/x) (leads to evil.example)',
  )
})

test.each([
  ['<div>\n![x](https://evil.example/?s=1) [bank.example](https://evil.example)\n</div>'],
  ['<!--\n[bank.example](https://evil.example) -->'],
  ['a <!-- [bank.example](https://evil.example) -->'],
  ['<div>\n\\\\[bank.example][1]\n</div>\n\n[1]: https://evil.example'],
])('in raw HTML nothing is a link, since platforms disagree about what HTML is: %j', (markdown) => {
  expect(shown(markdown)).not.toMatch(/(?<!\\)(?:\\\\)*\[(?:bank|x)/)
})
