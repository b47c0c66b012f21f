import type { TableBlock } from '@slack/types'
import fc from 'fast-check'
import type { Nodes, Table } from 'mdast'
import { describe, expect, test } from 'vitest'
import { blocksOf } from '../../src/platforms/slack/pages/blocks.ts'
import type { Piece } from '../../src/platforms/slack/text/piece.ts'
import { slackMessages } from '../../src/platforms/slack/text/slack-messages.ts'
import { documents, rubbish, table } from '../markdown/documents.ts'
import { treeOf } from '../markdown/reading.ts'
import { checkBlocks } from '../support/slack/blocks/check.ts'

const asBlocks = (pieces: Piece[]) =>
  blocksOf({ kind: 'message', of: 'answer', text: '', plan: undefined, pieces, tail: [], session: 'active' })
const text = (words: string): Piece => ({ kind: 'markdown', text: words })
const shapes = (markdown: string) =>
  slackMessages(markdown).map((pieces) =>
    pieces.map((piece) => (piece.kind === 'block' ? piece.block.type : piece.text)),
  )
const tablesIn = (messages: Piece[][]): TableBlock[] =>
  messages
    .flat()
    .flatMap((piece) => (piece.kind === 'block' && piece.block.type === 'table' ? [piece.block as TableBlock] : []))
const rowsOf = (messages: Piece[][]): string[][] =>
  tablesIn(messages).flatMap(({ rows }, place) => (place === 0 ? rows : rows.slice(1)).map((row) => row.map(cellWords)))
const cellWords = (cell: TableBlock['rows'][number][number]): string =>
  cell.type === 'rich_text'
    ? cell.elements.flatMap((part) => part.elements.map((one) => ('text' in one ? String(one.text) : ''))).join('')
    : String(cell.text)
/** Whether Slack takes it; of what is a table in Markdown, the parser knows more than the server. */
const accepted = (messages: Piece[][]): void => {
  for (const pieces of messages) {
    const told = pieces.map((piece) => (piece.kind === 'block' ? piece : text(piece.text.replaceAll('|', '/'))))
    expect(checkBlocks(asBlocks(told), 'message')).toBeUndefined()
    for (const piece of pieces) if (piece.kind === 'markdown') expect(hasTable(treeOf(piece.text))).toBe(false)
  }
}
const hasTable = (node: Nodes): boolean =>
  node.type === 'table' || ('children' in node && (node.children as Nodes[]).some(hasTable))
const gfm = (rows: string[][]): string =>
  rows.map((row, place) => `| ${row.join(' | ')} |\n${place === 0 ? `|${' - |'.repeat(row.length)}\n` : ''}`).join('')
const counted = (
  rows: number,
  columns: number,
  cell = (row: number, column: number) => `${row}.${column}`,
): string[][] =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => cell(row, column)))

describe('an answer in Slack', () => {
  test('is Markdown, as it was written', () => {
    expect(slackMessages('# Hello\n\n- **you**\n')).toEqual([[text('# Hello\n\n- **you**')]])
    expect(slackMessages(' \n')).toEqual([])
  })

  test('fetches nothing: pictures are links', () => {
    expect(shapes('![a cat](https://x.example/cat.png)')).toEqual([['[a cat](https://x.example/cat.png)']])
    expect(shapes('[![build](https://x.example/b.svg)](https://x.example)')).toEqual([['[build](https://x.example)']])
    expect(shapes('![cat][c]\n\n[c]: https://x.example/cat.png')[0]?.[0]).toContain('[cat](https://x.example/cat.png)')
    expect(shapes('`![no](picture)`')).toEqual([['`![no](picture)`']])
  })

  test('has links instead of references, which a table or a new page may part from their addresses', () => {
    const addresses = '[1]: https://x.example/1\n[2]: <https://x.example/2>'
    const pages = shapes(`[The *log*][1] and [2]\n\n| a |\n| - |\n| b |\n\n${'word '.repeat(2_500)}\n\n${addresses}`)
    expect(pages[0]?.[0]).toBe('[The *log*](https://x.example/1) and [2](https://x.example/2)')
  })

  test('pings nobody, nor do its tables', () => {
    expect(
      JSON.stringify(slackMessages('Hey <!channel>\n\n| <@U1> | &lt;!here> |\n| - | - |\n| `@here` | x |')),
    ).not.toMatch(/<!|<@|@here/)
  })

  test('stays open at its end while it is written', () => {
    expect(shapes('Code:\n\n```js\nlet a')).toEqual([['Code:\n\n```js\nlet a']])
  })
})

describe('a table', () => {
  test('is one of Slack’s, between the text around it', () => {
    const [message] = slackMessages('Before\n\n| Name | n | |\n| :-: | --: | - |\n| **a** `b` | 1 |\n\nAfter')
    expect(message?.map(({ kind }) => kind)).toEqual(['markdown', 'block', 'markdown'])
    expect(tablesIn([message ?? []])).toEqual([
      {
        type: 'table',
        column_settings: ['center', 'right', 'left'].map((align) => ({ align, is_wrapped: true })),
        rows: [
          [
            { type: 'raw_text', text: 'Name' },
            { type: 'raw_text', text: 'n' },
            { type: 'raw_text', text: ' ' },
          ],
          [
            {
              type: 'rich_text',
              elements: [
                {
                  type: 'rich_text_section',
                  elements: [
                    { type: 'text', text: 'a', style: { bold: true } },
                    { type: 'text', text: ' ' },
                    { type: 'text', text: 'b', style: { code: true } },
                  ],
                },
              ],
            },
            { type: 'raw_text', text: '1' },
            { type: 'raw_text', text: ' ' },
          ],
        ],
      },
    ])
  })

  test('keeps its links, and the words of those that lead nowhere', () => {
    const cells = tablesIn(
      slackMessages(
        gfm([
          ['a', 'b'],
          ['[l](https://x.example)', '[m](./file)'],
        ]),
      ),
    )[0]?.rows[1]
    const link = { type: 'link', url: 'https://x.example', text: 'l' }
    expect(cells).toEqual([
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [link] }] },
      { type: 'raw_text', text: 'm' },
    ])
  })

  test('says where its links lead, also those that the text defines elsewhere', () => {
    const rows = gfm([
      ['a', 'b', 'c'],
      ['[https://bank.example](https://evil.example/x)', '[docs][1]', '![bank.example][2]'],
    ])
    const [table] = tablesIn(slackMessages(`${rows}\n\n[1]: https://x.example/d\n[2]: https://evil.example/p`))
    const elements = (all: unknown[]) => ({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: all }],
    })
    const notice = { type: 'text', text: ' (leads to evil.example)' }
    expect(table?.rows[1]).toEqual([
      elements([{ type: 'link', url: 'https://evil.example/x', text: 'https://bank.example' }, notice]),
      elements([{ type: 'link', url: 'https://x.example/d', text: 'docs' }]),
      elements([{ type: 'link', url: 'https://evil.example/p', text: 'bank.example' }, notice]),
    ])
  })

  test('that is a list says where its links lead, and has no pictures', () => {
    const wide = gfm([
      ['a', 'b'],
      ['**[bank.example](https://evil.example)** ![p](https://x.example/p)', 'word '.repeat(80).trim()],
    ])
    expect(shapes(`- x\n\n${wide.replace(/^/gm, '  ')}`)[0]?.[0]).toContain(
      '**[bank.example](https://evil.example) (leads to evil.example)** [p](https://x.example/p)',
    )
  })

  test('is alone of its kind in a message', () => {
    expect(shapes('A\n\n| a |\n| - |\n\nB\n\n| b |\n| - |\n\nC')).toEqual([
      ['A', 'table', 'B'],
      ['table', 'C'],
    ])
  })

  test('is split if it is long, repeating its header', () => {
    const messages = slackMessages(gfm(counted(250, 2)))
    expect(tablesIn(messages).map(({ rows }) => rows.length)).toEqual([100, 100, 52])
    expect(tablesIn(messages).map(({ rows }) => rows[0]?.map(cellWords))).toEqual(Array(3).fill(['0.0', '0.1']))
    expect(rowsOf(messages)).toEqual(counted(250, 2))
    accepted(messages)
  })

  test('is split if it says much', () => {
    const rows = counted(30, 3, (row, column) => `${row}.${column} ${'word '.repeat(60)}end`)
    const messages = slackMessages(gfm(rows))
    expect(messages.length).toBeGreaterThan(1)
    expect(rowsOf(messages)).toEqual(rows)
    accepted(messages)
  })

  test('is code when it is too wide, or within a list', () => {
    expect(shapes(gfm(counted(2, 21)))[0]?.[0]).toMatch(/^```\n0\.0 {2}0\.1 /)
    expect(shapes('- a\n\n  | x |\n  | - |\n  | 1 |')).toEqual([['- a\n\n  ```\n  x\n  ───\n  1\n  ```']])
  })

  test('is text where an answer is longer than anybody reads', () => {
    const messages = slackMessages(
      `${`${'Word after word. '.repeat(250)}\n\n`.repeat(24)}${gfm([['a'], ['1']])}\n${gfm([['b'], ['2']])}`,
    )
    expect(tablesIn(messages)).toEqual([])
    accepted(messages)
  })

  test('is text when a row is too long by itself', () => {
    const messages = slackMessages(
      gfm([
        ['a', 'b'],
        ['x '.repeat(6_000), 'last'],
      ]),
    )
    expect(tablesIn(messages)).toEqual([])
    expect(JSON.stringify(messages)).toContain('last')
    accepted(messages)
  })
})

describe('whatever a model writes', () => {
  const several = fc.array(fc.oneof(documents, table), { maxLength: 4 }).map((all) => all.join('\n\n'))

  test('Slack takes it', () => {
    fc.assert(
      fc.property(fc.oneof(several, rubbish), (markdown) => {
        accepted(slackMessages(markdown))
      }),
      { numRuns: 15 },
    )
  })

  test('all cells are there, in their order', () => {
    fc.assert(
      fc.property(table, (markdown) => {
        const [node] = treeOf(markdown).children
        const words = (node as Table).children.map(({ children }) => children.map((cell) => wordsOf(cell).trim()))
        expect(rowsOf(slackMessages(markdown)).map((row) => row.map((cell) => cell.trim()))).toEqual(words)
      }),
    )
  })
})

const wordsOf = (node: Nodes): string =>
  'value' in node ? node.value : 'children' in node ? (node.children as Nodes[]).map(wordsOf).join('') : ''

test('of many tables all but the first can become code, so that they share a message', () => {
  const table = '| a | b |\n|---|---|\n| 1 | 2 |'
  const markdown = Array.from({ length: 6 }, (_, index) => `Table ${index}:\n\n${table}`).join('\n\n')
  expect(slackMessages(markdown)).toHaveLength(6)
  const [only, ...others] = slackMessages(markdown, 1)
  expect(others).toEqual([])
  expect(only?.filter(({ kind }) => kind === 'block')).toHaveLength(1)
  expect(JSON.stringify(only).match(/Table \d/g)).toHaveLength(6)
})
