import { describe, expect, test } from 'vitest'
import { splitMarkdown } from '../../src/kit/markdown/split.ts'

/** A long answer; what is longer is attached, and not parted. */
const length = 40_000
const many = (part: string): string => part.repeat(Math.ceil(length / part.length))

/** What parsers are slow at, or too deep in. */
const hostile: Record<string, string> = {
  brackets: many('['),
  'links that do not end': many('[a]('),
  'ends of links': many(']('),
  images: many('!['),
  stars: many('*'),
  'emphasis that does not end': many('*a '),
  'emphasis of two kinds': many('_a*'),
  'emphasis in emphasis': many('*_'),
  tildes: many('~a'),
  backticks: many('`a``'),
  'nested quotes': many('>'),
  'quotes in quotes, spaced': many('> '),
  'lists in lists': many('- '),
  'numbers in numbers': many('1. '),
  'quotes and lists': many('> - '),
  'deep lines': `${'> '.repeat(500)}a\n${many('a\n')}`,
  'ever deeper lists': Array.from({ length: 1_400 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
  fences: many('```\n'),
  'one fence': `\`\`\`\n${many('line of code\n')}`,
  'a long info string': `\`\`\`${many('a ')}`,
  rules: many('a\n-\n'),
  'a wide table': `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n`,
  'a long table': `| a |\n| - |\n${many('| b |\n')}`,
  definitions: many('[a]: b\n'),
  html: many('<a '),
  comments: many('<!--'),
  entities: many('&'),
  backslashes: many('\\'),
  spaces: `a${many(' ')}b`,
  lines: `a${many('\n')}b`,
  'one word': many('a'),
  'one character': `a${many('\u0301')}`,
  'a family': many('👩‍'),
}

describe('hostile characters are split in time, into pieces that fit', () => {
  test.each(Object.keys(hostile))('%s', (name) => {
    const characters = 2_000
    const pieces = splitMarkdown(hostile[name] ?? '', { characters })
    expect(pieces.length).toBeGreaterThan(0)
    expect(pieces.filter((piece) => piece.length > characters)).toEqual([])
  })
})
