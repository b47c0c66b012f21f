import { expect, test } from 'vitest'
import { warningAt } from '../../src/capabilities/context/levels.ts'

test.each([
  [true, 'Older messages will be summarised soon.'],
  [false, 'Older messages will be left out soon.'],
])('a full context says what becomes of older messages: compact %s', (compact, words) => {
  expect(warningAt('warning', 800, 1_000, { compact })[0]).toContain(words)
})
