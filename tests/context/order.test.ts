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

  test('is asked for in seven parts', () => {
    const { system } = summaryOrder(history, 'compact', { tokens: 1_440, characters: 6_000 })
    expect(system.match(/^## /gm)).toHaveLength(7)
  })
})
