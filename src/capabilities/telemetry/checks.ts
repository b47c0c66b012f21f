import { type Finding, fine, mind } from '../../domain/finding.ts'
import { reasonOf } from '../../kit/failure.ts'
import { addressOf, type TelemetrySettings } from './settings.ts'

const patienceMs = 5_000

/** Sends an empty list of traces to the collector, to see whether it accepts them. */
export async function* checkTelemetry({ endpoint, headers }: TelemetrySettings): AsyncGenerator<Finding> {
  if (endpoint === undefined) {
    yield fine('They aren’t sent anywhere. To send them to a collector, set OTEL_EXPORTER_OTLP_ENDPOINT.')
    return
  }
  const address = addressOf(endpoint, 'traces')
  const { host } = new URL(address)
  const remedy = 'Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS. The bot works without a collector.'
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(),
      signal: AbortSignal.timeout(patienceMs),
    })
    await response.body?.cancel()
    if (response.ok) yield fine(`The collector at ${host} accepts them.`)
    else yield mind(`The collector at ${host} answers with status ${response.status}.`, remedy)
  } catch (thrown) {
    // `fetch` itself only says that it failed.
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown
    yield mind(`The collector at ${host} can’t be reached: ${reasonOf(cause)}.`, remedy)
  }
}
