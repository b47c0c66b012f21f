import { type Finding, fine, mind } from '../../domain/finding.ts'
import { reasonOf } from '../../kit/failure.ts'
import { addressOf, type TelemetrySettings } from './settings.ts'
import { telemetryWords } from './words.ts'

const patienceMs = 5_000

/** Sends an empty list of traces to the collector, to see whether it accepts them. */
export async function* checkTelemetry({ endpoint, headers }: TelemetrySettings): AsyncGenerator<Finding> {
  if (endpoint === undefined) {
    yield fine(telemetryWords.noCollector())
    return
  }
  const address = addressOf(endpoint, 'traces')
  const { host } = new URL(address)
  const remedy = telemetryWords.collectorRemedy()
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(),
      signal: AbortSignal.timeout(patienceMs),
    })
    await response.body?.cancel()
    if (response.ok) yield fine(telemetryWords.collectorWorks({ host }))
    else yield mind(telemetryWords.collectorRefuses({ host, status: response.status }), remedy)
  } catch (thrown) {
    // `fetch` itself only says that it failed.
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown
    yield mind(telemetryWords.collectorUnreachable({ host, reason: reasonOf(cause) }), remedy)
  }
}
