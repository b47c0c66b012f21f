import { expect, test } from 'vitest'
import { hasAll, unsaid } from '../../src/platforms/console/public/card-words.js'

test('what was written on a card and is in no answer is unsent', () => {
  const several = [
    { chosen: [], other: 'At the aviary' },
    { chosen: ['ana'], other: ' and Ben ' },
  ]
  expect(unsaid(several, { answer: 'At the aviary', also: [['ana', 'and Ben']] })).toEqual([])
  expect(unsaid(several, { answer: 'At the aviary', also: [{ text: 'Ana, and Ben', option_ids: ['ana'] }] })).toEqual(
    [],
  )
  expect(unsaid(several, { declined: true })).toEqual(['At the aviary', ' and Ben '])
  const plan = { steps: [{ step: 1, words: 'in euros; without tax' }], words: '' }
  expect(unsaid(plan, { answer: '1: in euros, without tax; run' })).toEqual([])
  expect(unsaid(undefined, { answer: 'run' })).toEqual([])
})

test('an outcome has all that its own answer said, and not what another said', () => {
  const denied = { decision: 'deny', reason: 'too soon', person: { id: 'operator', name: 'operator' } }
  expect(hasAll(denied, { decision: 'deny', reason: 'too soon' })).toBe(true)
  expect(hasAll(denied, { decision: 'deny', reason: 'too soon', instead: 'wait' })).toBe(false)
  expect(hasAll(denied, { decision: 'approve' })).toBe(false)
  const allowed = { decision: 'approve', always: { pattern: 'exact', scope: 'thread' } }
  expect(hasAll(allowed, { decision: 'approve' })).toBe(false)
  const answered = { answer: 'Red', option_ids: ['r'], also: [{ text: 'Ana, and Ben', option_ids: ['ana'] }] }
  expect(hasAll(answered, { answer: 'r', also: [['ana', 'and Ben']] })).toBe(true)
  expect(hasAll(answered, { answer: 'b', also: ['ana'] })).toBe(false)
  expect(hasAll(answered, { declined: true })).toBe(false)
  expect(hasAll({ answer: '', option_ids: [], declined: true }, { declined: true })).toBe(true)
})
