import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { QuestionPart } from '../../src/domain/question.ts'
import type { QuestionRequest } from '../../src/domain/request.ts'
import { answerBlocks } from '../../src/platforms/slack/cards/answer-form.ts'
import { questionBlocks } from '../../src/platforms/slack/cards/question.ts'
import { checkBlocks } from '../support/slack/blocks/check.ts'
import { deal, decided, openForm, options, question } from './requests.ts'
import { openBench } from './support.ts'

const part = (more: Partial<QuestionPart>): QuestionPart => ({
  question: 'And then?',
  options: [],
  multiple: false,
  required: true,
  ...more,
})

const colours = [
  { id: 'r', label: 'Red', estimated_time: '2 hours', estimated_cost: '$5' },
  { id: 'b', label: 'Blue', recommended: true },
]

/** A choice, several choices, words; the last two may stay empty. */
const form = (): QuestionRequest =>
  question(colours, {
    question: 'Which colour?',
    context: 'For the shed.',
    to: [{ id: 'U1', name: 'Ada' }],
    also: [
      part({ question: 'Which rooms?', options: options(3), multiple: true, required: false }),
      part({ question: 'Anything else?', required: false }),
    ],
  })

async function opened(request: QuestionRequest) {
  const bench = await openBench()
  bench.sink.onAnswer = async () => ({ kind: 'taken', request })
  const table = await deal(bench, request)
  return { ...table, ...bench, bench, modal: await openForm(bench, 'ana', table.card, 'Answer…') }
}

describe('a form of several questions', () => {
  test('shows them all on its card, and for whom', async () => {
    const { server, bench, card, modal } = await opened(form())
    await using _ = bench
    expect(server.message(card).text).toBe(
      [
        'For Ada',
        'For the shed.',
        '1. Which colour?',
        '• Red · 2 hours · $5\n• Blue · recommended',
        '2. Which rooms? (optional)',
        '• Option 0\n• Option 1\n• Option 2',
        '3. Anything else? (optional)',
        '[Answer…]',
      ].join('\n'),
    )
    expect(modal.fields.map(({ label, type, optional }) => ({ label, type, optional }))).toEqual([
      { label: 'Which colour?', type: 'static_select', optional: false },
      { label: 'Something else', type: 'plain_text_input', optional: true },
      { label: 'Which rooms?', type: 'checkboxes', optional: true },
      { label: 'Something else', type: 'plain_text_input', optional: true },
      { label: 'Anything else?', type: 'plain_text_input', optional: true },
    ])
    expect(server.violations).toEqual([])
  })

  test.each([
    [
      { choice0: 'Blue', choice1: ['Option 0', 'Option 2'], words2: 'no' },
      { kind: 'question', answer: 'b', also: [['o0', 'o2'], 'no'] },
    ],
    [{ choice0: '1' }, { kind: 'question', answer: 'b', also: [[], ''] }],
    [
      { choice0: 'else', words0: 'a warm grey', choice1: ['0', 'else'], words1: 'the attic' },
      { kind: 'question', answer: 'a warm grey', also: [['o0', 'the attic'], ''] },
    ],
  ])('takes options by their ids, and words as they are (%o)', async (values, given) => {
    const { server, sink, bench, modal } = await opened(form())
    await using _ = bench
    expect(await server.people.submit('ana', modal.id, values)).toMatchObject({ closed: true })
    expect(sink.answers.map((one) => one.given)).toEqual([given])
    expect(server.violations).toEqual([])
  })

  test.each([
    [{ choice0: 'else' }, { words0: 'Write something.' }],
    [{ choice0: 'Red', words0: 'grey' }, { words0: 'Choose an option, or “Something else”: not both.' }],
    [{ choice0: 'Red', choice1: ['else'] }, { words1: 'Write something.' }],
  ])('asks again beside what does not fit (%o)', async (values, errors) => {
    const { server, sink, bench, modal } = await opened(form())
    await using _ = bench
    expect(await server.people.submit('ana', modal.id, values)).toMatchObject({ closed: false, errors })
    expect(sink.answers).toEqual([])
    expect(server.violations).toEqual([])
  })

  test('that may be skipped as a whole has a button for it, and left empty it is skipped', async () => {
    const optional = part({ required: false })
    const { server, sink, bench, card, modal } = await opened(
      question([], { required: false, also: [optional, optional] }),
    )
    await using _ = bench
    await server.people.submit('ana', modal.id, {})
    await server.people.click('ben', card, 'Skip')
    expect(sink.answers.map(({ given }) => given)).toEqual([{ kind: 'declined' }, { kind: 'declined' }])
  })

  test('shows each answer beside its question when it is answered', async () => {
    const { server, bench, card, edit } = await opened(form())
    await using _ = bench
    const also = [
      { text: 'Option 0, the attic', option_ids: ['o0'] },
      { text: '', option_ids: [] },
    ]
    await edit(decided(form(), { answer: { text: 'Blue', option_ids: ['b'], also, by: 'person' } }))
    const { text, buttons } = server.message(card)
    expect(text).toContain('✓ Answered by Ana · ')
    expect(text).toContain('Which colour? Blue\n\nWhich rooms? Option 0, the attic\n\nAnything else? –')
    expect(buttons).toEqual([])
  })

  test('whose request is gone meanwhile says so', async () => {
    const { server, sink, bench, modal } = await opened(form())
    await using _ = bench
    sink.requests.clear()
    const submitted = await server.people.submit('ana', modal.id, { choice0: 'Red' })
    expect(submitted.errors.choice0).toContain('no longer exists')
  })
})

test('a question about a loop has its options as buttons, and takes other answers', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const ways = ['Stop', 'Run it again', 'Skip it, and go on with what comes after it'].map((label, at) => ({
    id: `way${at}`,
    label,
  }))
  const request: QuestionRequest = { ...question(ways, { question: 'What now?' }), kind: 'loop' }
  sink.onAnswer = async () => ({ kind: 'taken', request })
  const { card } = await deal(bench, request)
  expect(server.message(card).text).toContain(
    '[Stop] [Run it again] [Skip it, and go on with what comes after it] [Something else…]',
  )
  await server.people.click('ana', card, 'Run it again')
  expect(sink.answers.map(({ given }) => given)).toEqual([{ kind: 'question', answer: 'way1' }])
  expect(server.violations).toEqual([])
})

const isTooMuch = (request: QuestionRequest) =>
  checkBlocks(JSON.parse(JSON.stringify(questionBlocks(request))), 'message', ['blocks'])

test.each([
  ['x', false, 25],
  ['\u202e', false, 25],
  ['👩‍💻', true, 25],
  ['x', true, 100],
  ['x', false, 5],
])('cards and forms fit at their fullest (%j, several: %j, options: %i)', (sign, multiple, count) => {
  const long = sign.repeat(4_000)
  const all = options(count).map(({ id }) => ({ id, label: count < 6 ? 'short' : long, description: long }))
  const full = part({ question: long, options: all, multiple })
  const to = Array.from({ length: 50 }, () => ({ id: 'U1', name: long }))
  const single = question(all, { ...full, context: long, to })
  const several = question(all, { ...full, context: long, to, also: Array.from({ length: 4 }, () => full) })
  expect(isTooMuch(single)).toBeUndefined()
  expect(isTooMuch(several)).toBeUndefined()
  const answer = { text: long, option_ids: [], by: 'person', also: all.map(() => ({ text: long })) }
  expect(isTooMuch(decided(single, { answer }) as QuestionRequest)).toBeUndefined()
  expect(isTooMuch(decided(several, { answer }) as QuestionRequest)).toBeUndefined()
  const blocks = JSON.parse(JSON.stringify(answerBlocks(several.payload))) as unknown
  expect(checkBlocks(blocks, 'modal', ['blocks'])).toBeUndefined()
})

test('cards and forms fit whatever is asked', () => {
  const any = fc.string({ unit: 'binary', maxLength: 3_500 })
  const option = fc.record(
    { id: fc.string({ minLength: 1, maxLength: 40 }), label: any, description: any, estimated_time: any },
    { requiredKeys: ['id', 'label'] },
  )
  const asked = fc.record({
    question: any,
    options: fc.array(option, { maxLength: 25 }),
    multiple: fc.boolean(),
    required: fc.boolean(),
  })
  const property = fc.property(asked, fc.array(asked, { maxLength: 4 }), any, (first, also, context) => {
    const request = question(first.options, { ...first, also, context, to: [{ id: 'U1', name: context }] })
    const text = { text: context, option_ids: [], by: 'person', also: also.map(() => ({ text: context })) }
    for (const one of [request, decided(request, { answer: text }) as QuestionRequest]) {
      const blocks = JSON.parse(JSON.stringify(questionBlocks(one))) as unknown
      expect(checkBlocks(blocks, 'message', ['blocks'])).toBeUndefined()
    }
    const blocks = JSON.parse(JSON.stringify(answerBlocks(request.payload))) as unknown
    expect(checkBlocks(blocks, 'modal', ['blocks'])).toBeUndefined()
  })
  fc.assert(property, { numRuns: 30 })
})
