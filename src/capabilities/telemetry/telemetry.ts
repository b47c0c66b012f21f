import type { Capability } from '../../turn/port/capability.ts'
import type { Watcher } from '../../turn/port/moments.ts'
import type { Services } from '../../turn/port/scope.ts'
import { checkTelemetry } from './checks.ts'
import { Counts } from './counts.ts'
import type { Sending } from './otlp.ts'
import { secretsIn, type TelemetrySettings, telemetrySection } from './settings.ts'
import { telemetryWords } from './words.ts'

/** Traces and metrics. OpenTelemetry's libraries are loaded when something is sent or read for the first time. */
export const telemetry: Capability<TelemetrySettings> = {
  name: 'telemetry',
  title: telemetryWords.title(),
  settings: telemetrySection,
  secrets: secretsIn,
  checks: (_, settings) => checkTelemetry(settings),
  watch: watcherFor,
}

function watcherFor(bot: Services, { endpoint, headers, metricsToken }: TelemetrySettings): Watcher {
  const counts = new Counts()
  const source = { version: bot.version, node: bot.config.node }
  let sending: Sending | undefined
  return {
    see(moment, place) {
      counts.see(moment, place)
      sending?.see(moment, place)
    },
    endpoints: [
      {
        path: '/metrics',
        token: metricsToken,
        async answer() {
          const { prometheusText } = await import('./prometheus.ts')
          const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
          return new Response(prometheusText(counts, source), { headers })
        },
      },
    ],
    async start() {
      if (endpoint === undefined) return
      const { openSending } = await import('./otlp.ts')
      const report = {
        traces: bot.report('traces could not be sent'),
        metrics: bot.report('metrics could not be sent'),
      }
      const failing = (what: keyof typeof report, thrown: unknown) => report[what](thrown)
      sending = openSending({ endpoint, headers, source, counts, failing })
    },
    stop: async () => sending?.stop(),
  }
}
