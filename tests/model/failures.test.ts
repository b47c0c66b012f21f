import { describe, expect, test } from 'vitest'
import { retryAfterOf, withoutKeys } from '../../src/model/failures.ts'

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const of = (headers: Record<string, string>) => retryAfterOf(new Headers(headers), now)

  test.each([
    ['3', 3_000],
    ['0', 0],
    ['1.5', 1_500],
    ['Sat, 21 Nov 2026 12:00:05 GMT', 5_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
  ])('%s is %s ms', (value, expected) => {
    expect(of({ 'retry-after': value })).toBe(expected)
  })

  test('the exact header wins', () => {
    expect(of({ 'retry-after': '3', 'retry-after-ms': '250' })).toBe(250)
  })

  test('no headers, no wait', () => {
    expect(of({})).toBeUndefined()
    expect(retryAfterOf(undefined, now)).toBeUndefined()
  })
})

describe("a provider's words", () => {
  test('lose our key, other keys, line breaks and length', () => {
    expect(withoutKeys('key abc123 is\nbad', 'abc123')).toBe('key *** is bad')
    expect(withoutKeys('Incorrect API key: sk-ab*****wxyz', '')).not.toContain('wxyz')
    expect(withoutKeys('x'.repeat(1_000), '')).toHaveLength(300)
  })
})
