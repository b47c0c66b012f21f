import { expect, test } from 'vitest'
import { hasAddress, namesAddress } from '../../src/kit/web/address-in-text.ts'
import { effortMs } from '../support/effort.ts'

test.each([
  ['see https://a.example/x', 'https://a.example/x'],
  ['check a.example/news every Monday', 'https://a.example/news'],
  ['check a.example/news every Monday', 'http://a.example/news'],
  ['is A.Example up?', 'https://a.example/'],
  ['(a.example/x), or so', 'https://a.example/x'],
  ['**a.example/x**: look', 'https://a.example/x'],
  ['“a.example/x”', 'https://a.example/x'],
  ['https://a.example/page#install', 'https://a.example/page'],
  ['a.example/page#install', 'https://a.example/page'],
  ['https://a.example/x，然后', 'https://a.example/x'],
  ['看一下 a.example/x。', 'https://a.example/x'],
  ['看一下a.example/x', 'https://a.example/x'],
  ['https://a.example/x的价格', 'https://a.example/x'],
  ['https://a.example/x的价格', 'https://a.example/x%E7%9A%84%E4%BB%B7%E6%A0%BC'],
  ['https://a.example/1,2的价格', 'https://a.example/1,2'],
  ['a.exampleの価格', 'https://a.example/'],
  ['a.example/x을 봐', 'https://a.example/x'],
  ['例子.example', 'https://xn--fsqu00a.example/'],
  ['a.example’s page', 'https://a.example/'],
  ["a.example's page", 'https://a.example/'],
  ["I like a.example/x's, but", 'https://a.example/x'],
  ['a.example—really', 'https://a.example/'],
  ['look—a.example/x', 'https://a.example/x'],
  ['a.example,b.example', 'https://a.example/'],
  ['a.example,b.example', 'https://b.example/'],
  ['a.example/?q=1,2', 'https://a.example/?q=1,2'],
  ['[docs](a.example/x)', 'https://a.example/x'],
  ['**https://a.example/x**', 'https://a.example/x'],
  ['https://a.example/x: what is it?', 'https://a.example/x'],
  ['HTTPS://A.example:443/x', 'https://a.example/x'],
  ['https://a.example/wiki/Zürich', 'https://a.example/wiki/Z%C3%BCrich'],
  ['a.example/wiki/Zürich_(city).', 'https://a.example/wiki/Z%C3%BCrich_(city)'],
  ['https://zürich.example/x', 'https://xn--zrich-kva.example/x'],
  ['Zürich.example', 'https://xn--zrich-kva.example/'],
  ['a.example:8443/x', 'https://a.example:8443/x'],
  ['a.example/?q=x', 'https://a.example/?q=x'],
])('%s names %s', (text, address) => {
  expect(namesAddress(text, address)).toBe(true)
})

test.each([
  ['see evil.a.example/x', 'https://a.example/x'],
  ['see report-a.example', 'https://a.example/'],
  ['see my_a.example', 'https://a.example/'],
  ['see files/a.example', 'https://a.example/'],
  ['例子.example', 'https://xn--i8s.example/'],
  ['https://a.example/x的价格', 'https://a.example/'],
  ['写信给ana@a.example', 'https://a.example/'],
  ['mail me,ana@a.example', 'https://a.example/'],
  ['写信给张三@a.example', 'https://a.example/'],
  ['看文件/a.example', 'https://a.example/'],
  ['https://b.example/路/a.example', 'https://a.example/'],
  ['see a.example.pdf', 'https://a.example/'],
  ['see a.example', 'https://a.example/?d=secret'],
  ['see a.example', 'https://a.example/secret'],
  ['see a.example', 'https://secret.a.example/'],
  ['see a.example/x', 'https://a.example/'],
  ['see a.example/x', 'https://a.example/X'],
  ['see A.EXAMPLE/X', 'https://a.example/x'],
  ['see a.example/x?Q=1', 'https://a.example/x?q=1'],
  ['see a.example/x#secret', 'https://a.example/x?secret'],
  ['see a.example/x', 'https://a.example/x/secret'],
  ['see a.example/xyz', 'https://a.example/xy'],
  ['see a.example', 'https://a.example:8443/'],
  ['see a.example:8443', 'https://a.example/'],
  ['see https://a.example/x', 'http://a.example/x'],
  ['write to ana@a.example', 'https://a.example/'],
  ['write to mailto:ana@a.example', 'https://a.example/'],
  ['see ana:secret@a.example/x', 'https://a.example/x'],
  ['see https://ana:secret@a.example/x', 'https://a.example/x'],
  ['see ftp://a.example/x', 'https://a.example/x'],
  // The first letter is Cyrillic in one of them.
  ['see apple.example', 'https://xn--pple-43d.example/'],
  ['see аpple.example', 'https://apple.example/'],
  ['edit notes.md', 'https://notes.md/'],
  ['run setup.sh, please', 'https://setup.sh/'],
  ['say it', 'https://it/'],
  ['a.example.evil.example/x', 'https://a.example/x'],
  ['see a.example\\.evil.example', 'https://evil.example/'],
])('%s doesn’t name %s', (text, address) => {
  expect(namesAddress(text, address)).toBe(false)
})

test.each(['A.example/x', 'a.example/x', 'https://A.example/x', 'https://a.example/xy', 'https://a.example/x/y'])(
  'what others wrote has to have it letter by letter: not as in %s',
  (text) => {
    expect(hasAddress(text, 'https://a.example/x')).toBe(false)
  },
)

test.each(['https://a.example/x#top', '**https://a.example/x**', 'https://a.example/x。', 'https://a.example/x: so'])(
  'and may end as in %s',
  (text) => {
    expect(hasAddress(text, 'https://a.example/x')).toBe(true)
  },
)

test('a long text of many such words takes no time to speak of', async () => {
  const text = `${'a.example.'.repeat(4000)} ${'a.example,'.repeat(4000)} ${'a.example '.repeat(4000)}${'*(['.repeat(4000)}`
  const effort = await effortMs(() => expect(namesAddress(text, 'https://a.example/x')).toBe(false))
  expect(effort).toBeLessThan(3_000)
})
