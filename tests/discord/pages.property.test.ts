import { ComponentType } from 'discord.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grantScopes } from '../../src/domain/grant.ts'
import type { ApprovalAnswer } from '../../src/domain/question.ts'
import type { PlanView, TurnPart, TurnView } from '../../src/domain/turn-view.ts'
import { alwaysForm } from '../../src/platforms/discord/interactions/always-form.ts'
import { answersForm } from '../../src/platforms/discord/interactions/answers-form.ts'
import type { Form } from '../../src/platforms/discord/interactions/fields.ts'
import { answerForm, reasonForm } from '../../src/platforms/discord/interactions/forms.ts'
import { progressBody } from '../../src/platforms/discord/live/progress.ts'
import type { Page } from '../../src/platforms/discord/pages/page.ts'
import { pagesOf } from '../../src/platforms/discord/pages/pages.ts'
import { checkModal, type ModalForm } from '../support/discord/rules/modal.ts'
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
    output: words,
  }),
)
const view: fc.Arbitrary<TurnView> = fc.record({
  turn: fc.constant('turn_1' as const),
  segment: fc.constant(0),
  state: fc.constantFrom('running', 'waiting', 'done', 'stopped', 'failed'),
  parts: fc.array(part, { maxLength: 12 }),
  todos: fc.array(
    fc.record({
      content: short,
      status: fc.constantFrom('pending', 'in_progress', 'completed'),
      priority: fc.constant('medium' as const),
    }),
    { maxLength: 12 },
  ),
  plan: fc.option(
    fc.record({
      id: fc.constant('plan_1' as const),
      title: short,
      steps: fc.array(
        fc.record({
          content: words,
          status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed'),
          output: words,
        }),
        { minLength: 1, maxLength: 20 },
      ),
    }),
    { nil: undefined },
  ) as fc.Arbitrary<PlanView>,
  notices: fc.array(words, { maxLength: 6 }),
  warning: fc.option(words, { nil: undefined }) as fc.Arbitrary<string>,
  alarm: fc.option(words, { nil: undefined }) as fc.Arbitrary<string>,
  startedAt: fc.constant(0),
})

function expectPostable(pages: Page[]): void {
  expect(pages.length).toBeGreaterThan(0)
  for (const page of pages) {
    if (page.kind === 'card') expectCard([page])
    else expectText(page)
  }
}

function expectText(page: Extract<Page, { kind: 'text' }>): void {
  expect(page.content.length).toBeLessThanOrEqual(2_000)
  expect(page.content.trim() !== '' || page.files.length > 0).toBe(true)
}

/** All texts, and all else that Discord counts, of a card. */
function expectCard([page]: Page[]): void {
  if (page?.kind !== 'card') throw new Error('no card')
  expectComponents(page.container)
}

function expectComponents(components: unknown): void {
  const all = JSON.stringify(components)
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

const offer = fc.option(
  fc.record({
    exact: fc.array(words, { minLength: 1, maxLength: 5 }),
    wide: fc.array(words, { maxLength: 5 }),
    untrusted: fc.boolean(),
  }),
  { nil: undefined },
)

/** What Discord takes of a form, whose rules the server of the tests has too. */
function expectForm(form: Form | undefined): void {
  if (form === undefined) return
  expect([...form.title].length).toBeLessThanOrEqual(45)
  expect(form.title).not.toBe('')
  expect(checkModal(form as unknown as ModalForm)).toEqual([])
  for (const part of form.components) {
    if (part.type === ComponentType.TextDisplay) expect(part.content.length).toBeLessThanOrEqual(4_000)
    if (part.type !== ComponentType.Label) continue
    expect([...part.label].length).toBeLessThanOrEqual(45)
    expect([...(part.description ?? '')].length).toBeLessThanOrEqual(100)
    const { component } = part
    if (!('options' in component)) continue
    expect(component.options.length).toBeLessThanOrEqual(25)
    for (const { label, description = '' } of component.options) {
      expect(label).not.toBe('')
      expect([...label, ...description].length).toBeLessThanOrEqual(200)
      expect(Math.max([...label].length, [...description].length)).toBeLessThanOrEqual(100)
    }
  }
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
        const { json } = progressBody(record, 'key', () => 'Working…') ?? {}
        expect(json?.content?.length ?? 0).toBeLessThanOrEqual(2_000)
        expectComponents(json?.components)
      }),
    )
  })

  test('approvals, open and decided', () => {
    const person = fc.record({ id: short, name: words })
    const asked = fc.record({
      tool: words,
      reason: words,
      input: fc.jsonValue() as fc.Arbitrary<never>,
      unclear: fc.array(words, { maxLength: 20 }),
      hosts: fc.array(words, { maxLength: 20 }),
      runs: fc.array(words, { maxLength: 20 }),
      grants: offer,
    })
    const waits = fc.record({
      decided: fc.record({ decider: short, who: words, needed: fc.integer({ min: 1, max: 20 }) }),
      votes: fc.array(fc.record({ person, at: fc.nat() }), { maxLength: 20 }),
      deadlineAt: fc.nat(),
    })
    const given: fc.Arbitrary<ApprovalAnswer> = fc.oneof(
      fc.record({ decision: fc.constant('deny' as const), reason: words, instead: words }),
      fc.record({
        decision: fc.constant('approve' as const),
        always: fc.record({
          pattern: fc.constantFrom('exact' as const, 'wide' as const),
          scope: fc.constantFrom(...grantScopes),
          forMs: fc.nat(),
        }),
      }),
    )
    fc.assert(
      fc.property(asked, waits, given, person, (payload, more, answer, answeredBy) => {
        const request = approval(payload, more)
        expectCard(pagesOf({ kind: 'card', request }, 3))
        const decided = { ...request, state: 'answered' as const, answer, answeredBy, answeredAt: 1 }
        expectCard(pagesOf({ kind: 'card', request: decided }, 3))
        expectForm(alwaysForm(request, false))
        expectForm(reasonForm(request))
      }),
    )
  })

  test('questions, open and answered', () => {
    const option = fc.record({ id: short, label: short, description: words, estimated_time: short })
    const part = {
      question: words,
      options: fc.array(option, { maxLength: 25 }),
      multiple: fc.boolean(),
      required: fc.boolean(),
    }
    const asked = fc.record({
      ...part,
      context: words,
      default: words,
      also: fc.array(fc.record(part), { maxLength: 4 }),
      to: fc.array(fc.record({ id: short, name: words }), { maxLength: 20 }),
    })
    fc.assert(
      fc.property(asked, words, (payload, text) => {
        const request = { ...question(payload), deadlineAt: 1_700_000_000_000 }
        expectCard(pagesOf({ kind: 'card', request }, 3))
        expectForm(payload.also.length > 0 ? answersForm(request) : answerForm(request, true))
        const also = payload.also.map(() => ({ text, option_ids: [] }))
        const answer = { text, option_ids: [], also, by: 'person' as const }
        expectCard(pagesOf({ kind: 'card', request: { ...request, state: 'answered', answer, answeredAt: 1 } }, 3))
      }),
      { numRuns: 30 },
    )
  })
})
