import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { type CollectedSpan, startCollector } from '../support/collector.ts'
import { calls, says, status } from '../support/model-server.ts'
import { prometheusSamples } from '../support/prometheus.ts'
import { until } from '../support/until.ts'

const key = 'k-1f8Zq03vXw77Lm2c'
const usage = { input: 1_000, output: 200, cached: 600 }

test('turns are sent as spans, counted for Prometheus, and nothing of them is told', async () => {
  const collector = await startCollector()
  const script = [
    status(503),
    {
      ...calls('write_file', { path: 'outputs/salaries.txt', content: 'Annabelle earns 5' }, ['no_such_tool', {}]),
      usage,
    },
    { ...says('I wrote the salaries.'), usage },
    calls('ask_human', { question: 'Which wall?', options: ['Red', 'Blue'] }),
    says('Blue it is.'),
  ]
  const bot = await startTestBot({
    script,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${key},x-team=wall%20painters`,
      MODEL_BASE_PRICE_INPUT: '2',
      MODEL_BASE_PRICE_OUTPUT: '10',
    },
    config: { rules: { approvals: false } },
  })
  const { conversation } = await bot.chat.say('note the salaries of our team')
  const text = await until('the end of the turn', async () => {
    const read = await (await fetch(`${bot.chat.url}/metrics`)).text()
    return read.includes('bobbin_turn_duration_count') && read
  })
  await bot.chat.send('paint the wall', { conversation })
  const { id: request } = await until('the question', async () => (await bot.chat.requests())[0])
  await bot.restart()
  await bot.chat.answer(request, { answer: 'Blue' })
  await bot.chat.until(
    conversation,
    ({ type, data }) => type === 'complete' && 'content' in data && data.content === 'Blue it is.',
  )
  await bot.stop()

  const { spans } = collector
  const turnsSent = () => spans.filter(({ name }) => name === 'invoke_agent bobbin')
  // A stop waits for what is sent, but on a busy machine not long enough.
  const turns = await until(
    'what was sent',
    () => turnsSent().length === 3 && collector.metrics.length > 0 && turnsSent(),
  )
  expect(turns.map(({ attributes }) => attributes['bobbin.turn.outcome'])).toEqual(['done', 'waiting', 'done'])
  const [first, asked, answered] = turns
  const below = (parent: CollectedSpan | undefined) => spans.filter((span) => span.parent === parent?.id)
  const shape = (parent: CollectedSpan | undefined): unknown[] =>
    below(parent).map((span) => (below(span).length > 0 ? [span.name, shape(span)] : span.name))

  // One trace for each turn, also when it goes on after a wait, in another process.
  expect(answered?.trace).toBe(asked?.trace)
  expect(asked?.trace).not.toBe(first?.trace)
  expect(turns.every(({ parent }) => parent === '')).toBe(true)
  expect(first?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': conversation,
    'bobbin.platform': 'console',
  })
  expect(first?.resource).toMatchObject({ 'service.name': 'bobbin' })
  const steps = shape(first) as [string, string[]][]
  expect(steps.map(([name, inside]) => [name, inside.toSorted()])).toEqual([
    ['step 1', ['chat scripted', 'execute_tool unknown', 'execute_tool write_file']],
    ['step 2', ['chat scripted']],
  ])

  const [step] = below(first)
  const chat = below(step).find(({ name }) => name === 'chat scripted')
  expect(chat).toMatchObject({ kind: 3, isError: false })
  expect(chat?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'scripted',
    'gen_ai.usage.input_tokens': 1_000,
    'gen_ai.usage.output_tokens': 200,
    'gen_ai.usage.cache_read.input_tokens': 600,
    'gen_ai.response.finish_reasons': ['calls'],
    'bobbin.model.slot': 'base',
    'bobbin.cost.usd': 0.004,
  })
  expect(chat?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0)
  expect(chat?.events).toMatchObject([{ name: 'retry', attributes: { 'error.type': 'unavailable' } }])
  const tool = below(step).find(({ name }) => name === 'execute_tool write_file')
  expect(tool?.attributes).toMatchObject({ 'gen_ai.tool.name': 'write_file', 'bobbin.tool.status': 'done' })
  expect(below(step).find(({ name }) => name === 'execute_tool unknown')?.isError).toBe(true)
  expect(spans.every(({ startsAt, endsAt }) => startsAt <= endsAt)).toBe(true)

  expect(collector.metrics).toEqual(
    expect.arrayContaining([
      'gen_ai.client.token.usage',
      'gen_ai.client.operation.duration',
      'gen_ai.client.operation.time_to_first_chunk',
      'bobbin.turn.duration',
    ]),
  )
  expect(collector.headers.every((headers) => headers['x-api-key'] === key)).toBe(true)
  expect(collector.headers[0]?.['x-team']).toBe('wall painters')
  const said = [...collector.received.map(String), text].join()
  for (const word of ['salaries', 'Annabelle', 'paint', 'Which', 'no_such_tool', key]) expect(said).not.toContain(word)

  const samples = prometheusSamples(text)
  const series = (name: string, labels: object) =>
    samples.filter(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )
  expect(series('gen_ai_client_token_usage_sum', { gen_ai_token_type: 'input' })).toMatchObject([{ value: 2_000 }])
  expect(series('gen_ai_client_token_usage_count', { gen_ai_token_type: 'output' })).toMatchObject([{ value: 2 }])
  expect(series('gen_ai_client_operation_duration_count', {})).toMatchObject([{ value: 2 }])
  expect(series('gen_ai_client_operation_time_to_first_chunk_count', {})).toMatchObject([{ value: 2 }])
  expect(series('bobbin_model_cached_tokens_total', {})).toMatchObject([{ value: 1_200 }])
  expect(series('bobbin_model_cost_total', {})).toMatchObject([{ value: 0.008 }])
  expect(series('bobbin_model_retries_total', { error_type: 'unavailable' })).toMatchObject([{ value: 1 }])
  expect(series('bobbin_turn_duration_count', { platform: 'console', outcome: 'done' })).toMatchObject([{ value: 1 }])
  expect(series('bobbin_tool_calls_total', { gen_ai_tool_name: 'unknown', status: 'failed' })).toMatchObject([
    { value: 1 },
  ])
  expect(text).not.toContain(conversation)
})

test('a collector that never answers holds up neither a turn nor a stop', async () => {
  const collector = await startCollector('silent')
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const bot = await startTestBot({ script: [says('Hello.')], environment })
  expect((await bot.chat.say('hi')).text).toBe('Hello.')
  const stopped = bot.stop()
  await until('a request', () => collector.headers.length > 0)
  await stopped
  // It was left before its own time was up.
  expect(collector.givenUp).toBe(0)
})
