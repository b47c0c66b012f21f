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

const settings = { keySetting: 'KEY', urlSetting: 'URL', idSetting: 'ID' }
const endpoint = { ...settings, host: 'example.com', id: 'a-model', apiKey: '' }
const of = (status: number | undefined, error: object) => {
  const thrown = status === undefined ? new APIError(undefined, error, undefined, undefined) : undefined
  return failureOf(thrown ?? APIError.generate(status, { error }, undefined, new Headers()), endpoint, false, 0)
}

describe('a request that is too long', () => {
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
    [
      'GitHub Models',
      413,
      { message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.', code: 'tokens_limit_reached' },
    ],
    [
      'vLLM',
      400,
      { message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.', code: 400 },
    ],
    ['TGI', 422, { message: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096.' }],
    ['a proxy', 413, { message: 'Request Entity Too Large' }],
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

describe('a model that takes no tools', () => {
  test.each([
    ['Ollama', 400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    ['vLLM', 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    ['OpenRouter', 404, 'No endpoints found that support tool use. To learn more about provider routing, visit: …'],
    ['Groq', 400, '`tool calling` is not supported with this model'],
    ['DeepSeek', 400, 'deepseek-reasoner does not support Function Calling'],
    ['Mistral', 400, 'Function calling is not enabled for this model'],
  ])('is known from the words of %s', (_, status, message) => {
    const failure = of(status, { message })
    expect(failure).toMatchObject({ code: 'refused', retry: false, why: 'tools' })
    expect(failure.message).toMatch(/a-model at example.com takes no tools.*ID.*--enable-auto-tool-choice/)
  })

  test.each(["Unsupported value: 'tool_choice' does not support 'none'", 'Invalid tools[0].function.name'])(
    'is not %s',
    (message) => expect(of(400, { message }).why).toBeUndefined(),
  )
})

describe('a prompt that a content filter refuses', () => {
  test.each([
    [
      'Azure',
      400,
      {
        message: 'The response was filtered due to the prompt triggering the content management policy.',
        code: 'content_filter',
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    ],
    ['OpenAI', 400, { message: 'Invalid prompt: your prompt was flagged as …', code: 'invalid_prompt' }],
    ['OpenRouter', 403, { message: 'openai/gpt-4o requires moderation on OpenAI. Your input was flagged for "x".' }],
    ['xAI', 403, { message: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO' }],
    ['Qwen', 400, { message: 'Input data may contain inappropriate content.', code: 'data_inspection_failed' }],
    ['DeepSeek', 400, { message: 'Content Exists Risk', code: 'invalid_request_error' }],
    ['Anthropic', 400, { message: 'Output blocked by content filtering policy' }],
  ])('is known from the words of %s', (_, status, error) => {
    expect(of(status, error)).toMatchObject({ code: 'refused', retry: false, why: 'filter' })
  })

  test('is not a wrong key', () => {
    expect(of(401, { message: 'This key was flagged.' }).why).toBe('key')
  })
})
