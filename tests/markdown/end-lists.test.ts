import { expect, test } from 'vitest'
import { endLists } from '../../src/kit/markdown/end-lists.ts'

test('what follows a list is a paragraph of its own', () => {
  expect(endLists('Two:\n- a\n- b\nBoth are on.')).toBe('Two:\n- a\n- b\n\nBoth are on.')
  expect(endLists('1. a\n   still a\n2. b\nEnd.\nMore.')).toBe('1. a\n   still a\n2. b\n\nEnd.\nMore.')
})

test.each(['- a\n- b', '- a\n\nApart.', '- a\n  of a', '```\n- a\nb\n```', 'No list.\nAt all.'])(
  '%j stays as it is',
  (text) => {
    expect(endLists(text)).toBe(text)
  },
)
