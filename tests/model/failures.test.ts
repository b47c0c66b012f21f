import { APIError } from 'openai'
import { describe, expect, test } from 'vitest'
import { failureOf, retryAfterOf, withoutKeys } from '../../src/model/failures.ts'

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
    expect(withoutKeys('x'.repeat(1_000), '')).toMatch(/^x{299}…$/)
  })
})

describe('a request that is too long', () => {
  const settings = { keySetting: 'KEY', urlSetting: 'URL', idSetting: 'ID' }
  const endpoint = { ...settings, host: 'example.com', id: 'a-model', apiKey: '' }
  const of = (status: number | undefined, error: object) => {
    const thrown = status === undefined ? new APIError(undefined, error, undefined, undefined) : undefined
    return failureOf(thrown ?? APIError.generate(status, { error }, undefined, new Headers()), endpoint, false, 0)
  }
  const raw = `{"object":"error","message":"${'x'.repeat(300)} This model's maximum context length is 262144 tokens."}`

  test.each([
    [
      'OpenRouter',
      400,
      { message: 'Provider returned error', code: 400, metadata: { raw, provider_name: 'Parasail' } },
    ],
    ['Kimi', 400, { message: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)' }],
    ['xAI', 400, { message: "This model's maximum prompt length is 131072 but the request contains 140000 tokens." }],
    ['Zhipu', 400, { message: 'Prompt exceeds max length', code: '1261' }],
    ['Qwen', 400, { message: 'Range of input length should be [1, 129024]', code: 'invalid_parameter_error' }],
    ['Anthropic', 413, { message: 'Request exceeds the maximum size', type: 'request_too_large' }],
    [
      'Mistral',
      422,
      { message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length' },
    ],
    ['a stream, late', undefined, { message: 'The input is too long.', code: 'context_length_exceeded' }],
    ['a stream without a code', undefined, { message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
  ])('is known from the words of %s', (_, status, error) => {
    expect(of(status, error)).toMatchObject({ code: 'refused', retry: false, why: 'length' })
  })

  test.each([
    ['a rate limit', 429, { message: 'Request too large: tokens per minute' }, 'rate_limited', undefined],
    ['a rate limit in a stream', undefined, { message: 'too many tokens, wait', code: 429 }, 'rate_limited', undefined],
    ['throttling in a stream', undefined, { message: 'Too many tokens, please wait.' }, 'unavailable', undefined],
    ['no credit', 402, { message: 'This exceeds 100 tokens.' }, 'refused', 'credit'],
    ['a history that is quoted', 400, { message: 'no', input: `${'x'.repeat(3_000)} prompt is too long` }, 'refused'],
  ])('is not %s', (_, status, error, code, why?) => {
    expect(of(status, error)).toMatchObject({ code, why })
  })
})
