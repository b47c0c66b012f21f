import { type Finding, fine, mind } from '../../domain/finding.ts'
import { reasonOf } from '../../kit/failure.ts'
import { addressOf, type TelemetrySettings } from './settings.ts'
import { telemetryWords } from './words.ts'

const patienceMs = 5_000

/** Sends the collector no traces and no metrics, to see whether it accepts them. */
export async function* checkTelemetry({ endpoint, headers }: TelemetrySettings): AsyncGenerator<Finding> {
  if (endpoint === undefined) {
    yield fine(telemetryWords.noCollector())
    return
  }
  const { host } = new URL(endpoint)
  const remedy = telemetryWords.collectorRemedy()
  let works = true
  try {
    for (const kind of ['traces', 'metrics'] as const) {
      const { ok, status } = await sendNothing(addressOf(endpoint, kind), headers)
      if (!ok) yield mind(telemetryWords.collectorRefuses({ host, kind, status }), remedy)
      works &&= ok
    }
    if (works) yield fine(telemetryWords.collectorWorks({ host }))
  } catch (thrown) {
    // `fetch` itself only says that it failed.
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown
    yield mind(telemetryWords.collectorUnreachable({ host, reason: reasonOf(cause) }), remedy)
  }
}

async function sendNothing(address: string, headers: Record<string, string>): Promise<Response> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-protobuf' },
    body: new Uint8Array(),
    signal: AbortSignal.timeout(patienceMs),
  })
  await response.body?.cancel()
  return response
}
