import { expect, test } from 'vitest'
import { checkTelemetry } from '../../src/capabilities/telemetry/checks.ts'
import { telemetrySection } from '../../src/capabilities/telemetry/settings.ts'
import { startCollector } from '../support/collector.ts'

const findings = (given: object) => Array.fromAsync(checkTelemetry(telemetrySection.schema.parse(given)))

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
