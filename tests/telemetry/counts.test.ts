import { expect, test } from 'vitest'
import { Counts } from '../../src/capabilities/telemetry/counts.ts'
import { prometheusText } from '../../src/capabilities/telemetry/prometheus.ts'
import { secretsIn, telemetrySection } from '../../src/capabilities/telemetry/settings.ts'
import { Counter, Histogram } from '../../src/capabilities/telemetry/tally.ts'
import type { CallId, SessionId, TurnId } from '../../src/domain/ids.ts'
import { prometheusSamples } from '../support/prometheus.ts'

const about = { name: 'x', description: 'x', unit: 's' }
const place = { session: 's' as SessionId, turn: 't' as TurnId }
const call = 'c' as CallId

test('a value counts in the first bucket whose bound it does not exceed', () => {
  const histogram = new Histogram(about, [1, 2])
  for (const value of [0, 1, 1.5, 2, 2.1]) histogram.record(value, { a: 'b' })
  expect(histogram.list()).toEqual([{ labels: { a: 'b' }, value: { counts: [2, 2, 1], count: 5, sum: 6.6 } }])
})

test('there are never more than so many series', () => {
  const counter = new Counter(about)
  for (let number = 0; number < 2_000; number++) counter.add(1, { number: String(number) })
  const series = counter.list()
  expect(series).toHaveLength(501)
  expect(series.at(-1)).toEqual({ labels: { other: 'true' }, value: 1_500 })
})

test('a call that was left running counts for nothing, and a retry neither ends nor begins anew', () => {
  let now = 0
  const counts = new Counts(() => now)
  const model = { slot: 'base', name: 'say "hi"\\' } as const
  counts.see({ kind: 'taken', platform: 'slack', steps: 0 }, place)
  counts.see({ kind: 'asked', model }, place)
  now = 1_000
  counts.see({ kind: 'first piece', model }, place)
  counts.see({ kind: 'retry', model, code: 'cut', waitMs: 5 }, place)
  now = 3_000
  counts.see({ kind: 'first piece', model }, place)
  counts.see({ kind: 'replied', model, usage: undefined, nanos: undefined, finish: 'calls' }, place)
  counts.see({ kind: 'call started', call, tool: 'run_command' }, place)
  expect(counts.running).toBe(1)
  counts.see({ kind: 'left', how: 'interrupted' }, place)
  // Somebody else has finished it.
  counts.see({ kind: 'call ended', call, tool: 'run_command', status: 'done' }, place)
  expect(counts.running).toBe(0)

  const text = prometheusText(counts, { version: '1', node: 'bot-1' })
  const samples = prometheusSamples(text)
  const sumOf = (name: string) => samples.filter((one) => one.name === `${name}_sum`).map(({ value }) => value)
  expect(sumOf('gen_ai_client_operation_time_to_first_chunk')).toEqual([1])
  expect(sumOf('gen_ai_client_operation_duration')).toEqual([3])
  expect(sumOf('bobbin_turn_duration')).toEqual([3])
  expect(sumOf('bobbin_tool_duration')).toEqual([])
  expect(samples.find(({ name }) => name === 'gen_ai_client_operation_duration_count')?.labels).toMatchObject({
    gen_ai_request_model: 'say "hi"\\',
  })
})

test('headers are read as OpenTelemetry writes them, and are secrets with and without their scheme', () => {
  const settings = telemetrySection.schema.parse({ headers: 'authorization=Bearer%20abc=, x-team = walls' })
  expect(settings.headers).toEqual({ authorization: 'Bearer abc=', 'x-team': 'walls' })
  // What is short and no key, such as the name of a team, is no secret.
  expect(secretsIn(settings).map(({ value }) => value)).toEqual(['Bearer abc=', 'abc=', ''])
  for (const headers of ['nothing', '=x', 'a=', 'a=b,', 'a=b%0d%0ac'])
    expect(telemetrySection.schema.safeParse({ headers }).success).toBe(false)
})
