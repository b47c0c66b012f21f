import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TurnId } from '../../src/domain/ids.ts'
import type { TurnView } from '../../src/domain/turn-view.ts'
import { continuation, nothingShown, type Shown } from '../../src/platforms/slack/live/continuation.ts'
import { settled, streamed } from '../../src/platforms/slack/live/progress.ts'
import type { Plan } from '../../src/platforms/slack/pages/page.ts'
import { pagesOf } from '../../src/platforms/slack/pages/pages.ts'
import type { Piece } from '../../src/platforms/slack/text/piece.ts'

const text = (words: string): Piece => ({ kind: 'markdown', text: words })
const rule: Piece = { kind: 'block', block: { type: 'divider' } }
const shown = (pieces: Piece[], plan?: Plan): Shown => ({ plan, pieces })
const plan = (...titles: string[]): Plan => ({
  title: `${titles.length} steps`,
  tasks: titles.map((title) => ({ title, status: 'complete' })),
})

/** What a stream shows after these chunks: text and blocks in their order, tasks by their ids. */
function apply(chunks: readonly object[], before: { said: string[]; tasks: Map<string, string> }) {
  for (const chunk of chunks as { type: string; text?: string; id?: string; title?: string; blocks?: unknown[] }[]) {
    if (chunk.type === 'markdown_text') before.said.push(chunk.text ?? '')
    if (chunk.type === 'blocks') before.said.push(JSON.stringify(chunk.blocks))
    if (chunk.type === 'task_update') before.tasks.set(chunk.id ?? '', chunk.title ?? '')
  }
  return before
}

describe('what a stream lacks', () => {
  test('is what was added: to its last text, after it, and to its tasks', () => {
    expect(continuation('k', shown([text('ab')]), shown([text('abc'), rule, text('d')]))).toEqual([
      { type: 'markdown_text', text: 'c' },
      { type: 'blocks', blocks: [{ type: 'divider' }] },
      { type: 'markdown_text', text: 'd' },
    ])
    expect(continuation('k', shown([], plan('a')), shown([], plan('b', 'c')))).toEqual([
      { type: 'plan_update', title: '2 steps' },
      { type: 'task_update', id: 'k/0', title: 'b', status: 'complete' },
      { type: 'task_update', id: 'k/1', title: 'c', status: 'complete' },
    ])
    expect(continuation('k', shown([text('ab')], plan('a')), shown([text('ab')], plan('a')))).toEqual([])
  })

  test.each([
    [shown([text('ab')]), shown([text('ac')])],
    [shown([text('ab')]), shown([])],
    [shown([text('a'), rule]), shown([text('ab'), rule])],
    [shown([rule]), shown([text('a')])],
    [shown([], plan('a', 'b')), shown([], plan('a'))],
    [shown([], plan('a')), shown([])],
  ])('is nothing that could be sent when something would have to be taken back', (sent, next) => {
    expect(continuation('k', sent, next)).toBeUndefined()
  })

  test('comes to the same whatever was shown in between', () => {
    const words = fc.array(fc.string({ minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(words, fc.array(fc.nat(200), { maxLength: 5 }), (texts, cuts) => {
        const whole = texts.flatMap((one) => [text(one), rule])
        const length = texts.join('').length
        const stages = [...cuts.map((cut) => cut % (length + 1)).toSorted((a, b) => a - b), length + 1]
        const seen = { said: [] as string[], tasks: new Map<string, string>() }
        let sent: Shown = nothingShown
        for (const stage of stages) {
          const next = stage > length ? shown(whole) : shown(upTo(whole, stage))
          const chunks = continuation('k', sent, next)
          if (chunks === undefined) throw new Error('a prefix was not continued')
          apply(chunks, seen)
          sent = next
        }
        expect(seen.said.join('')).toBe(
          whole.map((piece) => (piece.kind === 'block' ? JSON.stringify([piece.block]) : piece.text)).join(''),
        )
      }),
    )
  })
})

/** The beginning of the pieces, with so many characters of text. */
function upTo(pieces: Piece[], characters: number): Piece[] {
  const kept: Piece[] = []
  let left = characters
  for (const piece of pieces) {
    if (piece.kind === 'block') {
      kept.push(piece)
      continue
    }
    if (piece.text.length > left) return left > 0 ? [...kept, text(piece.text.slice(0, left))] : kept
    left -= piece.text.length
    kept.push(piece)
    if (left === 0) return kept
  }
  return kept
}

describe('text that is still written', () => {
  test.each([
    ['Half a wor', 'Half a'],
    ['See <https://exam', 'See'],
    ['A <b>bold</b> word', 'A <b>bold</b>'],
    ['Before\n\n| a | b |\n| - | - |\n| 1 |', 'Before'],
    ['one | two', ''],
    ['', ''],
  ])('of %j is shown as %j', (whole, part) => {
    expect(settled(whole)).toBe(part)
  })

  test('is a beginning of it, always', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (whole) => whole.startsWith(settled(whole))))
  })

  test('goes on in scripts that put no spaces between words', () => {
    expect(settled('漢字'.repeat(100)).length).toBeGreaterThan(100)
  })
})

/** As it is written, from nothing to the whole. */
function stages(words: string): Shown[] {
  const parts = (end: number): TurnView['parts'] => [{ kind: 'text', text: words.slice(0, end) }]
  const written = Array.from({ length: words.length + 1 }, (_, end) =>
    streamed(
      { turn: 't' as TurnId, segment: 0, state: 'running', parts: parts(end), todos: [], notices: [], startedAt: 0 },
      0,
    ),
  )
  const [page] = pagesOf({ kind: 'answer', text: words, files: [], record: undefined }, 3)
  return page?.kind === 'message' ? [...written, { plan: page.plan, pieces: page.pieces }] : written
}

describe('an answer, at every character of it', () => {
  test.each([
    ['a table', 'Before it.\n\n| name | count |\n| --- | ---: |\n| apples | 3 |\n| pears | 14 |\n\nAnd after it.'],
    ['code', 'Run this:\n\n```sh\nls -l | wc\necho <!everyone>\n```\n\nDone.'],
    ['mentions', 'Ask <@U0TESTBOT1>, @channel and <!here|here>, or <!subteam^S1>, at https://example.com/@channel/x.'],
    [
      'a list',
      '1. one\n   - deep\n     > deeper\n2. two\n\n* [ ] open\n* [x] done\n\n# Head\n\n---\n\n**bold _and_** `code`',
    ],
    [
      'links and pictures',
      'See [the page](https://example.com/a_(b)) and ![a cat](https://example.com/cat.png "cat") here.',
    ],
    ['Chinese', '漢字仮名交じり文。'.repeat(30)],
  ])('is a continuation of what was shown: %s', (_, words) => {
    const all = stages(words)
    const whole = all.at(-1) ?? nothingShown
    const broken = all.filter((sent) => continuation('k', sent, whole) === undefined)
    expect(broken).toEqual([])
  })
})
