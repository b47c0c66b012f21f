import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { widthOf } from '../../src/kit/markdown/width.ts'
import { discordText } from '../../src/platforms/discord/text/discord-markdown.ts'
import { discordMessages } from '../../src/platforms/discord/text/discord-messages.ts'
import { documents, rubbish } from '../markdown/documents.ts'

const lines = (...all: string[]): string => all.join('\n')

describe('what Discord does not know', () => {
  test.each([
    ['#### Deep **bold** words', '**Deep bold words**'],
    ['Big\n===\n\nLess\n---', '# Big\n\n## Less'],
    ['- [ ] open\n- [x] done\n  - [X] inner *one*', '- ☐ open\n- ☑ done\n  - ☑ inner *one*'],
    ['above\n\n---\n\nbelow', `above\n\n${'─'.repeat(20)}\n\nbelow`],
    ['![a cat](https://x.example/cat.png)', '[a cat](https://x.example/cat.png)'],
    ['See [the docs][d].\n\n[d]: https://x.example', 'See [the docs](https://x.example).\n\n'],
    ['[https://x.example/a_b](https://x.example/a_b)', '<https://x.example/a_b>'],
    ['[`https://x.example`][d]\n\n[d]: https://x.example', '<https://x.example>\n\n'],
    ['[see *https://x.example/y*](https://x.example/z)', '[see *x.example/y*](https://x.example/z)'],
    ['[http://y.example](https://x.example)', '[y.example](https://x.example) (leads to x.example)'],
    ['![https://x.example/c](https://x.example/c)', '[x.example/c](https://x.example/c)'],
    ['[![https://x.example/c](c)](https://x.example)', '[x.example/c](https://x.example)'],
    ['![https://10.0.0.5/c](https://x.example)', '[10.0.0.5/c](https://x.example) (leads to x.example)'],
    ['![the user_flow [1]](https://x.example/c)', '[the user_flow (1)](https://x.example/c)'],
    ['So it is[^1].\n\n[^1]: As *they* say.', 'So it is[1].\n\n[1] As *they* say.'],
    ['one\\\ntwo', 'one\ntwo'],
    ['> one\\\n> two', '> one\n> two'],
    ['use a || b, or *c || d*, `e || f`', 'use a \\|\\| b, or *c \\|\\| d*, `e || f`'],
    ['a \\|| b', 'a \\|\\| b'],
    ['~~~js\nlet a\n~~~', '```js\nlet a\n```'],
    ['- a\n\n      code', '- a\n\n  ```\n  code\n  ```'],
    ['```js\nm(/```(.*)```/)\n```\nso', '```js\nm(/`\u200B``(.*)`\u200B``/)\n```\nso'],
    ['- a:\n  ```\n  m("```")\n  ```\n- b', '- a:\n  ```\n  m("`\u200B``")\n  ```\n- b'],
    ['```\n`a` + ```\n```', '```\n`a` + `\u200B``\n```'],
    ['```md\n# A\n```sh\nnpm i\n```\nDone.', '```md\n# A\n`\u200B``sh\nnpm i\n```\nDone.'],
    ['````md\n```\na\n```\n````', '```md\n`\u200B``\na\n`\u200B``\n```'],
  ])('%j is %j', (markdown, text) => {
    expect(discordText(markdown)).toBe(text)
  })

  test.each([
    '# One',
    '- a\n- b',
    '<b>html</b> & <https://x.example>',
    '```\n- [ ] code\n| a |\n| - |\n```',
    '**b** ~~s~~ [l](https://x.example "t") [x.example/a](https://x.example/a) https://x.example',
  ])('and what it does stays: %j', (markdown) => {
    expect(discordText(markdown)).toBe(markdown)
  })
})

describe('a table', () => {
  test('is lined up in a code block', () => {
    const markdown =
      '| Name | Count | Mid |\n| :-- | --: | :-: |\n| **a** `c` | 1 | x |\n| 你好 | | 👍🏽 |\n| [l](https://x.example) | @here |'
    expect(discordText(markdown)).toBe(
      lines(
        '```',
        'Name                   Count  Mid',
        '─────────────────────  ─────  ───',
        'a c                        1   x',
        '你好                          👍🏽',
        'l (https://x.example)  @here',
        '```',
      ),
    )
    expect(discordMessages(markdown)[0]).toContain('@\u2060here')
  })

  test('is a list when it is wide', () => {
    const long = 'word '.repeat(20).trim()
    expect(discordText(`| Name | What *it* is |\n| - | - |\n| **a** | ${long} |\n| b \\| c | |`)).toBe(
      lines('- **Name**: **a**', `  - **What it is**: ${long}`, '- **Name**: b | c'),
    )
  })

  test('stands in the list or quote that it is in', () => {
    expect(discordText('> | a |\n> | - |\n> | 1 |')).toBe('> ```\n> a\n> ───\n> 1\n> ```')
  })

  const word = fc.constantFrom('a', 'word', '你好', '日本', 'e\u0301', '👩‍👩‍👧‍👦', '한국', 'ﬁ', 'Ünï', '12', '')
  const grid = fc
    .integer({ min: 1, max: 5 })
    .chain((columns) =>
      fc.array(fc.array(word, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }),
    )

  test('has its columns below each other, whatever stands in them', () => {
    fc.assert(
      fc.property(grid, (rows) => {
        const source = rows.map((row) => `| ${row.join(' | ')} |`)
        const head = rows[0] ?? []
        const markdown = lines(source[0] ?? '', `|${' - |'.repeat(head.length)}`, ...source.slice(1))
        const [fence, first, rule = '', ...body] = discordText(markdown).split('\n')
        expect(fence).toBe('```')
        const starts = [...rule.matchAll(/─+/g)].map(({ index }) => index)
        for (const [place, line] of [first ?? '', ...body.slice(0, -1)].entries()) {
          const cells = starts.map((start, column) =>
            columnsOf(line, start, starts[column + 1] ?? Number.POSITIVE_INFINITY),
          )
          expect(cells.map((cell) => cell.trim())).toEqual(rows[place])
        }
      }),
    )
  })
})

/** What stands in these columns of a line. */
function columnsOf(line: string, start: number, end: number): string {
  let at = 0
  let text = ''
  for (const { segment } of new Intl.Segmenter('en').segment(line)) {
    if (at >= start && at < end) text += segment
    at += widthOf(segment)
  }
  return text
}

test.each([
  ['abc', 3],
  ['你好', 4],
  ['한', 2],
  ['👍🏽', 2],
  ['👩‍👩‍👧‍👦', 2],
  ['❤️', 2],
  ['e\u0301', 1],
  ['a\u2060b', 2],
  ['ｆ', 2],
])('%j takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test('whatever a model writes comes in messages that Discord takes', () => {
  fc.assert(
    fc.property(fc.oneof(documents, rubbish), (markdown) => {
      for (const piece of discordMessages(markdown)) expect(piece.length).toBeLessThanOrEqual(2_000)
    }),
    { numRuns: 20 },
  )
})
