import { describe, expect, test } from 'vitest'
import { splitMarkdown } from '../../src/kit/markdown/split.ts'

const split = (characters: number, ...lines: string[]): string[] => splitMarkdown(lines.join('\n'), { characters })
const text = (...lines: string[]): string => lines.join('\n')

describe('a text that fits', () => {
  test.each(['One.', '# A\n\n- b\n  * c\n', '| a |\n| - |\n', '\r\nx \t', '```js\nlet a\n```'])('stays: %j', (one) => {
    expect(splitMarkdown(one, { characters: 100 })).toEqual([one])
  })

  test('is nothing when nothing stands in it', () => {
    expect(split(10, '', '  \t', '')).toEqual([])
  })

  test('gets the end of its fence', () => {
    expect(split(100, 'See:', '~~~js', 'let a')).toEqual([text('See:', '~~~js', 'let a', '~~~')])
  })
})

describe('a text is split', () => {
  test('before a heading, if that leaves no tiny piece', () => {
    expect(split(40, '# One', '', 'This is said here.', '', '# Two', '', 'And this there.')).toEqual([
      text('# One', '', 'This is said here.'),
      text('# Two', '', 'And this there.'),
    ])
  })

  test('never behind a heading, where the text under it can be parted', () => {
    expect(
      split(45, 'What comes first is this.', '', '## Two', '', 'And then a longer text. It has two sentences.'),
    ).toEqual(['What comes first is this.', text('## Two', '', 'And then a longer text.'), 'It has two sentences.'])
  })

  test('between sentences, else between words', () => {
    expect(split(40, 'It goes on. It goes on and on, and on and on without end.')).toEqual([
      'It goes on.',
      'It goes on and on, and on and on without',
      'end.',
    ])
  })

  test('between Chinese words, which no space parts, and not before a mark', () => {
    expect(split(9, '你好世界这是一个测试。第二句话')).toEqual(['你好世界这是一个', '测试。第二句话'])
  })

  test('never so that text becomes a block', () => {
    expect(split(16, 'We like to use # for titles')).toEqual(['We like to use #', 'for titles'])
    expect(split(15, 'We like to use # for titles')).toEqual(['We like to', 'use # for', 'titles'])
  })
})

describe('what is split is closed and reopened', () => {
  test('a fence, with its mark and language', () => {
    expect(split(38, '````js title', '```', 'const one = 1', 'const two = 2', '````')).toEqual([
      text('````js title', '```', 'const one = 1', '````'),
      text('````js title', 'const two = 2', '````'),
    ])
  })

  test('a fence in a list, with its indentation', () => {
    expect(split(41, '1. So:', '   ```sh', '   first --command', '   second --command', '   ```', '2. Then')).toEqual([
      text('1. So:', '   ```sh', '   first --command', '   ```'),
      text('1.', '   ```sh', '   second --command', '   ```'),
      '2. Then',
    ])
  })

  test('a table, with its head', () => {
    expect(split(42, '| A | B |', '| - | -: |', '| one | 1 |', '| two | 2 |', '| three | 3 |')).toEqual([
      text('| A | B |', '| - | -: |', '| one | 1 |'),
      text('| A | B |', '| - | -: |', '| two | 2 |'),
      text('| A | B |', '| - | -: |', '| three | 3 |'),
    ])
  })

  test('a cell that is too long, in its column', () => {
    expect(split(50, '| A | B |', '| - | - |', '| x | one two three four five six seven |')).toEqual([
      text('| A | B |', '| - | - |', '| x | one two three four |'),
      text('| A | B |', '| - | - |', '| | five six seven |'),
    ])
  })

  test('lists, with their nesting and the numbers that people see', () => {
    expect(split(29, '1. one', '1. two', '   - inner one', '   - inner two', '1. three', '1. four and more')).toEqual([
      text('1. one', '1. two', '   - inner one'),
      text('2.', '   - inner two', '1. three'),
      '4. four and more',
    ])
  })

  test('nested quotes', () => {
    expect(split(30, '> Somebody said:', '>', '> > It was like this.', '> >', '> > And like that.')).toEqual([
      '> Somebody said:',
      '> > It was like this.',
      '> > And like that.',
    ])
  })

  test('emphasis and links, only when they are too long for a piece', () => {
    expect(split(30, 'Then **these words stay in one** and so on')).toEqual([
      'Then',
      '**these words stay in one**',
      'and so on',
    ])
    expect(split(30, '**these words are too many for a single one**')).toEqual([
      '**these words are too many**',
      '**for a single one**',
    ])
    expect(split(40, '[a link with a label that is too long to fit](http://x.y)')).toEqual([
      '[a link with a label that](http://x.y)',
      '[is too long to fit](http://x.y)',
    ])
  })
})

describe('characters', () => {
  test('are what people see as one', () => {
    const family = '👩‍👩‍👧‍👦'
    expect(split(25, family.repeat(4))).toEqual([family.repeat(2), family.repeat(2)])
  })

  test('are counted as asked', () => {
    const measure = (piece: string) => Buffer.byteLength(piece)
    expect(splitMarkdown('äöü äöü äöü', { characters: 13, measure })).toEqual(['äöü äöü', 'äöü'])
  })
})
