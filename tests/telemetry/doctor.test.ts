import { expect, test } from 'vitest'
import { checkTelemetry } from '../../src/capabilities/telemetry/checks.ts'
import { Counts } from '../../src/capabilities/telemetry/counts.ts'
import { openSending } from '../../src/capabilities/telemetry/otlp.ts'
import { telemetrySection } from '../../src/capabilities/telemetry/settings.ts'
import { newId } from '../../src/domain/ids.ts'
import { startCollector } from '../support/collector.ts'
import { until } from '../support/until.ts'
import { site } from '../web/support.ts'

const findings = (given: object) => Array.fromAsync(checkTelemetry(telemetrySection.schema.parse(given)))

/** Takes traces, and refuses metrics. */
const forTraces = () => site((request, response) => response.writeHead(request.url === '/v1/traces' ? 200 : 400).end())

test('doctor says so if only metrics are refused', async () => {
  const { origin } = await forTraces()
  expect(await findings({ endpoint: origin })).toMatchObject([
    { mark: 'mind', fact: expect.stringMatching(/answers metrics with status 400/) },
  ])
})

test('metrics that are refused are reported', async () => {
  const { origin } = await forTraces()
  const failed: string[] = []
  const counts = new Counts()
  counts.see(
    { kind: 'call ended', call: newId('call'), tool: 'run_command', status: 'done' },
    { session: newId('ses') },
  )
  const source = { version: '1', node: undefined }
  const sending = openSending({ endpoint: origin, headers: {}, source, counts, failing: (what) => failed.push(what) })
  await sending.stop()
  await until('the report', () => failed.length > 0)
  expect(failed).toEqual(['metrics'])
})

test('doctor asks the collector, and tells nobody the header', async () => {
  const collector = await startCollector()
  const headers = 'authorization=Bearer%20k-1f8Zq03vXw77Lm2c'
  const [taken] = await findings({ endpoint: collector.url, headers })
  expect(taken).toMatchObject({ mark: 'fine', fact: expect.stringContaining('accepts them') })
  expect(collector.headers[0]?.authorization).toBe('Bearer k-1f8Zq03vXw77Lm2c')
  const [refused] = await findings({ endpoint: `${collector.url}/elsewhere`, headers })
  expect(refused).toMatchObject({ mark: 'mind', fact: expect.stringContaining('status 400') })
  // Nobody listens at this port.
  const [away] = await findings({ endpoint: 'http://127.0.0.1:1', headers })
  expect(away).toMatchObject({ mark: 'mind', fact: expect.stringContaining('can’t be reached') })
  expect(JSON.stringify([taken, refused, away])).not.toContain('k-1f8')
  expect(await findings({})).toMatchObject([{ mark: 'fine' }])
})
