import { expect, test } from 'vitest'
import { honestLinks } from '../../src/kit/markdown/links.ts'
import { parsedParts, rewritten } from '../../src/kit/markdown/rewrite.ts'

const shown = (markdown: string): string =>
  [...parsedParts(markdown)].map((parsed) => rewritten(parsed, (node, place) => honestLinks(node, place))).join('')

test.each([
  ['[https://bank.example/login](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank.example](http://evil.example/x)', ' (leads to evil.example)'],
  ['[go to **bank.example** now](http://evil.example/x)', ' (leads to evil.example)'],
  ['[bank\u200b.example](http://evil.example/x)', ' (leads to evil.example)'],
])('%s says where it leads', (markdown, end) => {
  expect(shown(markdown)).toBe(markdown + end)
})

test('a reference says so too', () => {
  expect(shown('[bank.example][1]\n\n[1]: http://evil.example/x\n')).toContain('(leads to evil.example)')
})

test.each([
  '[the report](http://docs.example/x)',
  '[docs.example](https://www.docs.example/a)',
  '[https://docs.example/a](https://docs.example/a)',
  '<https://docs.example/a>',
  '[a file.](notes)',
])('%s stays as it is', (markdown) => {
  expect(shown(markdown)).toBe(markdown)
})
