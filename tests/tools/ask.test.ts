import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { askClarification } from '../../src/capabilities/questions/ask-clarification.ts'
import { askDecision } from '../../src/capabilities/questions/ask-decision.ts'
import { askHuman } from '../../src/capabilities/questions/ask-human.ts'
import type { AskedQuestion } from '../../src/domain/question.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { matchAnswer } from '../../src/trust/match-option.ts'

const tools = { ask_human: askHuman, ask_decision: askDecision, ask_clarification: askClarification }

/** Parses as the pipeline does, then asks. */
function asked(tool: Tool, input: object): AskedQuestion {
  if (tool.kind !== 'ask') throw new Error(`${tool.name} asks nothing`)
  return tool.question(tool.input.parse(input) as never)
}

describe('ask_human', () => {
  test('of a question alone makes one that must be answered, by anybody, without end', () => {
    expect(asked(askHuman, { question: 'Which?' })).toEqual({
      question: 'Which?',
      context: undefined,
      options: [],
      multiple: false,
      required: true,
      to: undefined,
      remind_ms: undefined,
      default: undefined,
      timeout_ms: undefined,
    })
  })

  test('takes everything about an option, and at most one recommendation', () => {
    const quick = { label: 'Quick fix', description: 'A patch', estimated_time: '2 minutes', estimated_cost: '$1' }
    const options = [{ ...quick, recommended: true }, { label: 'Rewrite', recommended: true }, 'Leave it']
    expect(asked(askHuman, { question: 'How?', options, multiple: true })).toMatchObject({
      multiple: true,
      options: [
        { ...quick, id: 'option_1', recommended: true },
        { label: 'Rewrite', id: 'option_2', recommended: undefined },
        { label: 'Leave it', id: 'option_3' },
      ],
    })
  })

  test.each([
    ['that are all different', ['now', 'later'], 'later', ['now', 'later'], 'Later'],
    ['that are their places', ['1', '2'], '2', ['1', '2'], 'Later'],
    ['that are nobody’s place', ['0', '30'], '30', ['0', '30'], 'Later'],
    ['that are the places of others', ['0', '1'], '1', ['option_1', 'option_2'], 'Later'],
    ['that are the same', ['a', 'a'], 'other', ['option_1', 'option_2'], 'other'],
  ])('takes a model’s ids %s, or gives its own, and shows a default by its label', (_, own, byDefault, ids, taken) => {
    const options = own.map((id, index) => ({ id, label: index === 0 ? 'Now' : 'Later' }))
    const question = asked(askHuman, { question: 'When?', options, default: byDefault })
    expect(question.options.map(({ id }) => id)).toEqual(ids)
    expect(question.default).toBe(taken)
    expect(matchAnswer(question, '1').text).toBe('Now')
  })

  test.each([
    ['the label of another', ['staging', 'none'], ['Deploy', 'Deploy'], 'none', 'Deploy'],
    ['the id of another', ['b', 'a'], ['c', 'b'], 'a', 'b'],
    ['the id of another, and it is named by it', ['b', 'a'], ['c', 'b'], 'b', 'b'],
  ])('a default stays the option that it names, even if its label is %s', (_, own, labels, byDefault, text) => {
    const options = own.map((id, index) => ({ id, label: labels[index] }))
    const question = asked(askHuman, { question: 'Where?', options, default: byDefault })
    expect(matchAnswer(question, question.default ?? '')).toEqual({ text, option_ids: [own[1]] })
  })

  test.each([
    ['the model’s ids', ['0', '1', '2'], ['A', 'B', 'C'], '1, 2', 'B, C'],
    ['ids that the options keep', ['a', 'b', 'c'], ['One', 'Two', 'Three'], 'a, c', 'One, Three'],
    ['labels that are the ids of others', ['0', '1', '2'], ['1', '2', '3'], '2, 3', '2, 3'],
    ['a label that is the id of another', ['0', '1', '2'], ['1', '2', '3'], '2', '2'],
    ['an id and a label', ['0', '1', '2'], ['A', 'B', 'C'], '1,A', 'B, A'],
    ['ids with something else between them', ['0', '1', '2'], ['A', 'B', 'C'], '1; 2、', 'B, C'],
    ['an id whose label has a comma', ['0', '1', '2'], ['A', 'A, B', 'C'], '1,2', 'A, B, C', 'option_2, C'],
  ])(
    'where several may be chosen, a default takes and shows the options that it names by %s',
    (_, own, labels, byDefault, taken, shown = taken) => {
      const options = own.map((id, index) => ({ id, label: labels[index] }))
      const question = asked(askHuman, { question: 'Which?', options, multiple: true, default: byDefault })
      const answer = matchAnswer(question, question.default ?? '')
      expect([question.default, answer.text]).toEqual([shown, taken])
      expect(answer.option_ids).toHaveLength(shown.split(', ').length)
    },
  )

  test('asks up to four further questions in one form', () => {
    const also = ['Whose?', { question: 'Which ones?', options: ['A', 'B'], multiple: true, required: false }]
    expect(asked(askHuman, { question: 'Which?', also }).also).toEqual([
      { question: 'Whose?', options: [], multiple: false, required: true },
      {
        question: 'Which ones?',
        options: [
          { id: 'option_1', label: 'A', recommended: undefined },
          { id: 'option_2', label: 'B', recommended: undefined },
        ],
        multiple: true,
        required: false,
      },
    ])
    expect(askHuman.input.safeParse({ question: 'Which?', also: Array(5).fill('And?') }).success).toBe(false)
    expect(asked(askHuman, { question: 'Which?', also: [] })).not.toHaveProperty('also')
  })

  test('is for those who are named, and reminds them', () => {
    const input = { question: 'Which?', to: ['Ana', 'starter'], remind_after_ms: 3_600_000 }
    expect(asked(askHuman, input)).toMatchObject({ to: ['Ana', 'starter'], remind_ms: 3_600_000 })
    expect(asked(askHuman, { question: 'Which?', to: 'Ana' }).to).toEqual(['Ana'])
    for (const wrong of [{ to: [] }, { to: '' }, { remind_after_ms: 1_000 }])
      expect(askHuman.input.safeParse({ question: 'Which?', ...wrong }).success, JSON.stringify(wrong)).toBe(false)
  })

  test('only the first question can have a default, and the error says so', () => {
    const also = [{ question: 'Whose?', default: 'mine' }]
    const parsed = askHuman.input.safeParse({ question: 'Which?', also, timeout_ms: 60_000 })
    expect(parsed.error?.issues).toMatchObject([
      { path: ['also', 0, 'default'], message: expect.stringContaining('only the first question can have a default') },
    ])
    const form = { question: 'Which?', default: 'A', timeout_ms: 60_000 }
    const required = [{ question: 'Whose?', required: true }]
    expect(() => asked(askHuman, { ...form, also: required })).toThrow('the first question only')
    expect(asked(askHuman, { ...form, also: ['Whose?'] })).toMatchObject({
      default: 'A',
      timeout_ms: 60_000,
      also: [{ required: false }],
    })
  })

  test('a form with a required question does not end without its answer', () => {
    const form = { question: 'Which?', required: false, timeout_ms: 60_000 }
    const must = { question: 'Whose?', required: true }
    expect(asked(askHuman, { ...form, also: ['Whose?'] })).toMatchObject({ required: false, timeout_ms: 60_000 })
    expect(asked(askHuman, { ...form, also: ['When?', must] }).timeout_ms).toBeUndefined()
  })
})

describe('ask_decision', () => {
  const ways = { question: 'Which way?', options: ['Go on', 'Stop here'] }

  test('is due after 300 s, and of a kind', () => {
    expect(asked(askDecision, ways)).toMatchObject({ timeout_ms: 300_000, required: true, decision: 'custom' })
    const told = { ...ways, kind: 'risk', to: 'starter', remind_after_ms: 60_000, timeout_ms: 1_000 }
    expect(asked(askDecision, told)).toMatchObject({
      timeout_ms: 1_000,
      decision: 'risk',
      to: ['starter'],
      remind_ms: 60_000,
    })
  })

  test('a default is one of its options', () => {
    expect(asked(askDecision, { ...ways, default: ' stop HERE' }).default).toBe('Stop here')
    expect(asked(askDecision, { ...ways, default: 'option_1' }).default).toBe('option_1')
    const numbered = ways.options.map((label, index) => ({ id: `${index}`, label }))
    expect(asked(askDecision, { ...ways, options: numbered, default: '0' }).default).toBe('Go on')
    expect(() => asked(askDecision, { ...ways, default: 'Run' })).toThrow('The default "Run" is none of the options.')
    const same = ways.options.map((label) => ({ id: 'a', label }))
    expect(() => asked(askDecision, { ...ways, options: same, default: 'a' })).toThrow('is none of the options.')
  })

  test('takes no less than two', () => {
    expect(askDecision.input.safeParse({ ...ways, options: ['Go on'] }).success).toBe(false)
  })
})

describe('ask_clarification', () => {
  test.each([
    ['scope', 'This is about how far it should go.'],
    ['approach', 'This is about how to do it.'],
    ['prerequisite', 'This is about what has to be clear before I start.'],
    ['priority', 'This is about what to do first.'],
  ])('about %s goes unanswered after 60 s', (category, context) => {
    expect(asked(askClarification, { question: 'What is meant?', category })).toMatchObject({
      context,
      required: false,
      timeout_ms: 60_000,
      default: undefined,
    })
  })

  test('keeps the context, and accepts no other category', () => {
    const input = { question: 'All of them?', category: 'scope', context: 'Else I take the first.', options: ['Yes'] }
    expect(asked(askClarification, input)).toMatchObject({
      context: 'This is about how far it should go. Else I take the first.',
      options: [{ label: 'Yes' }],
    })
    expect(askClarification.input.safeParse({ ...input, category: 'mood' }).success).toBe(false)
  })
})

test.each(Object.entries(tools))('%s can be told to a model, in words for each field', (name, tool) => {
  const schema = z.toJSONSchema(tool.input, { io: 'input' })
  expect([tool.name, tool.effect, tool.repeatable]).toEqual([name, 'read', true])
  for (const [word, property] of Object.entries(schema.properties ?? {}))
    expect(property, word).toHaveProperty('description')
  expect(tool.description.length).toBeLessThan(500)
})
