import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Page } from '../../src/chat/discord/page.ts'
import { pagesOf } from '../../src/chat/discord/pages.ts'
import { progressOf } from '../../src/chat/discord/progress.ts'
import type { TurnPart, TurnView } from '../../src/domain/turn-view.ts'
import { approval, question } from './requests.ts'

// Whatever a model says, what is made of it is what Discord takes.

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.constantFrom(
    '```js\n',
    '```\n',
    '漢字'.repeat(300),
    '| a | b |\n|---|---|\n| 1 | 2 |\n',
    '> - 1. ',
    '@everyone',
    '\n\n',
    'x'.repeat(3_000),
  ),
)
const words = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
const short = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.constantFrom('*'.repeat(200), '_~'.repeat(60)),
)

const part: fc.Arbitrary<TurnPart> = fc.oneof(
  words.map((text) => ({ kind: 'text' as const, text })),
  fc.record({
    kind: fc.constant('call' as const),
    call: fc.constant('call_1' as const),
    tool: short,
    about: short,
    status: fc.constantFrom('running', 'done', 'failed', 'denied', 'unknown'),
  }),
)
const view: fc.Arbitrary<TurnView> = fc.record({
  turn: fc.constant('turn_1' as const),
  segment: fc.constant(0),
  state: fc.constantFrom('running', 'waiting', 'done', 'stopped', 'failed'),
  parts: fc.array(part, { maxLength: 12 }),
  plan: fc.array(
    fc.record({
      content: short,
      status: fc.constantFrom('pending', 'in_progress', 'completed'),
      priority: fc.constant('medium' as const),
    }),
    { maxLength: 12 },
  ),
  notices: fc.array(words, { maxLength: 6 }),
  warning: fc.option(words, { nil: undefined }) as fc.Arbitrary<string>,
  alarm: fc.option(words, { nil: undefined }) as fc.Arbitrary<string>,
  startedAt: fc.constant(0),
})

function expectPostable(pages: Page[]): void {
  expect(pages.length).toBeGreaterThan(0)
  for (const page of pages) {
    if (page.kind === 'card') throw new Error('a card')
    expect(page.content.length).toBeLessThanOrEqual(2_000)
    expect(page.content.trim() !== '' || page.files.length > 0).toBe(true)
  }
}

/** All texts, and all else that Discord counts, of a card. */
function expectCard([page]: Page[]): void {
  if (page?.kind !== 'card') throw new Error('no card')
  const all = JSON.stringify(page.container, (_, value) => value)
  const found = (name: string) =>
    [...all.matchAll(new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`, 'g'))].map(
      ([, json]) => JSON.parse(json ?? '""') as string,
    )
  const texts = found('content')
  expect(texts.every((text) => text.length > 0)).toBe(true)
  expect(texts.join('').length).toBeLessThanOrEqual(4_000)
  // Discord fails on more, whatever the number of characters.
  expect(Buffer.byteLength(texts.join('')) + 12 * texts.length).toBeLessThanOrEqual(10_170)
  for (const id of found('custom_id')) expect(id.length).toBeLessThanOrEqual(100)
  for (const label of found('label')) expect(label.length).toBeGreaterThan(0)
  for (const label of found('label')) expect([...label].length).toBeLessThanOrEqual(100)
  for (const words of found('description')) expect([...words].length).toBeLessThanOrEqual(100)
}

describe('what is posted fits', () => {
  test('answers, with what was done for them', () => {
    const answer = fc.record({ text: words, record: fc.option(view, { nil: undefined }) })
    fc.assert(
      fc.property(answer, ({ text, record }) => {
        expectPostable(pagesOf({ kind: 'answer', text, files: [], record }, 3))
      }),
    )
  })

  test('records, and progress', () => {
    fc.assert(
      fc.property(view, (record) => {
        expectPostable(pagesOf({ kind: 'record', record }, 3))
        expect(progressOf(record).length).toBeLessThanOrEqual(2_000)
      }),
    )
  })

  test('approvals, open and decided', () => {
    const asked = fc.record({ tool: words, reason: words, input: fc.jsonValue() as fc.Arbitrary<never>, why: words })
    fc.assert(
      fc.property(asked, ({ why, ...payload }) => {
        const request = approval(payload)
        expectCard(pagesOf({ kind: 'card', request }, 3))
        const answer = { decision: 'deny' as const, reason: why }
        const answeredBy = { id: why, name: why }
        expectCard(
          pagesOf({ kind: 'card', request: { ...request, state: 'answered', answer, answeredBy, answeredAt: 1 } }, 3),
        )
      }),
    )
  })

  test('questions, open and answered', () => {
    const option = fc.record({ id: short, label: short, description: words, estimated_time: short })
    const asked = fc.record({
      question: words,
      context: words,
      options: fc.array(option, { maxLength: 25 }),
      multiple: fc.boolean(),
      required: fc.boolean(),
      default: words,
    })
    fc.assert(
      fc.property(asked, words, (payload, text) => {
        const request = { ...question(payload), deadlineAt: 1_700_000_000_000 }
        expectCard(pagesOf({ kind: 'card', request }, 3))
        const answer = { text, option_ids: [], by: 'person' as const }
        expectCard(pagesOf({ kind: 'card', request: { ...request, state: 'answered', answer, answeredAt: 1 } }, 3))
      }),
    )
  })
})
