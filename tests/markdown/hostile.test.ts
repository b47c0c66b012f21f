import { describe, expect, test } from 'vitest'
import { splitMarkdown } from '../../src/chat/markdown/split.ts'

const million = (part: string): string => part.repeat(Math.ceil(1_000_000 / part.length))

/** What parsers are slow at, or too deep in. */
const hostile: Record<string, string> = {
  brackets: million('['),
  'links that do not end': million('[a]('),
  'ends of links': million(']('),
  images: million('!['),
  stars: million('*'),
  'emphasis that does not end': million('*a '),
  'emphasis of two kinds': million('_a*'),
  'emphasis in emphasis': million('*_'),
  tildes: million('~a'),
  backticks: million('`a``'),
  'quotes in quotes': million('>'),
  'quotes in quotes, spaced': million('> '),
  'lists in lists': million('- '),
  'numbers in numbers': million('1. '),
  'quotes and lists': million('> - '),
  'deep lines': `${'> '.repeat(500)}a\n${million('a\n')}`,
  'ever deeper lists': Array.from({ length: 1_400 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
  fences: million('```\n'),
  'one fence': `\`\`\`\n${million('line of code\n')}`,
  'a long info string': `\`\`\`${million('a ')}`,
  rules: million('a\n-\n'),
  'a wide table': `|${'a|'.repeat(250_000)}\n|${'-|'.repeat(250_000)}\n`,
  'a long table': `| a |\n| - |\n${million('| b |\n')}`,
  definitions: million('[a]: b\n'),
  html: million('<a '),
  comments: million('<!--'),
  entities: million('&'),
  backslashes: million('\\'),
  spaces: `a${million(' ')}b`,
  lines: `a${million('\n')}b`,
  'one word': million('a'),
  'one character': `a${million('\u0301')}`,
  'a family': million('👩‍'),
}

describe('a million hostile characters come to an end, in pieces that fit', () => {
  test.each(Object.keys(hostile))('%s', (name) => {
    for (const characters of [2_000, 12_000]) {
      const pieces = splitMarkdown(hostile[name] ?? '', { characters })
      expect(pieces.length).toBeGreaterThan(0)
      expect(pieces.filter((piece) => piece.length > characters)).toEqual([])
    }
  })
})
