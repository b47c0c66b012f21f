import { describe, expect, test } from 'vitest'
import { chosenStrategy, summaryOrder } from '../../src/capabilities/context/order.ts'
import type { Report, Strategy } from '../../src/capabilities/context/state.ts'
import { transcript } from '../../src/capabilities/context/transcript.ts'
import { historyOf } from './histories.ts'

const report = (strategy: Strategy, after: number): Report => ({
  strategy,
  before: { messages: 100, tokens: 100_000, share: 0.8 },
  after: { messages: 12, tokens: after, share: after / 125_000 },
})

test('the strategy is chosen by what earlier ones achieved', () => {
  expect(chosenStrategy([])).toBe('compact')
  expect(chosenStrategy([report('compact', 20_000)])).toBe('compact')
  expect(chosenStrategy([report('compact', 70_000)])).toBe('summarize')
  expect(chosenStrategy([report('compact', 70_000), report('cut', 50_000)])).toBe('summarize')
  expect(chosenStrategy([report('compact', 70_000), report('summarize', 60_000)])).toBe('compact')
})

describe('what a summary is made from', () => {
  const history = historyOf([
    { kind: 'said', origin: 'person', length: 5 },
    { kind: 'calls', tool: 'read_file', lengths: [4_000, 4_000], missing: 0 },
    { kind: 'answer', length: 5 },
  ])

  test('has all messages, with long results cut, and at most so many characters', () => {
    const text = transcript(history, 6_000)
    expect(text.length).toBeLessThanOrEqual(6_000)
    for (const { seq } of history) expect(text).toContain(`#${seq} `)
    expect(transcript(history, 300).length).toBeLessThan(400)
  })

  test('keeps the summary that stands in for what came before, in front and whole', () => {
    const notes = `${'a '.repeat(1_250)}the budget is 4711${' b'.repeat(1_250)}`
    const [first] = history
    if (first?.role !== 'user') throw new Error('a history begins with a message')
    const long = historyOf(Array.from({ length: 200 }, () => ({ kind: 'said', origin: 'person', length: 40 }) as const))
    const characters = 12_000
    const { text } = summaryOrder([{ ...first, seq: 0, text: notes }, ...long], 'compact', {
      tokens: 1_440,
      characters,
    })
    expect(text.slice(0, 20)).toContain('#0 ')
    expect(text).toContain('the budget is 4711')
    expect(text).toContain('#200 ')
    expect(text.length).toBeLessThanOrEqual(characters)
    const tight = transcript([{ ...first, seq: 0, text: notes }, ...long], 2_000)
    expect(tight.length).toBeLessThanOrEqual(2_000)
    expect(tight).toContain('#200 ')
  })

  test('is asked for in seven parts', () => {
    const { system } = summaryOrder(history, 'compact', { tokens: 1_440, characters: 6_000 })
    expect(system.match(/^## /gm)).toHaveLength(7)
  })
})
