import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about telemetry: answers to commands, complaints, findings. */
export const telemetryWords = catalogue({
  title: 'Traces and metrics',

  // checks
  noCollector: 'They aren’t sent anywhere. To send them to a collector, set OTEL_EXPORTER_OTLP_ENDPOINT.',
  collectorRemedy:
    'Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS. The bot works without a collector.',
  collectorWorks: 'The collector at {host} accepts them.',
  collectorRefuses:
    'The collector at {host} answers {kind, select, metrics {metrics} other {traces}} with status {status}.',
  collectorUnreachable: 'The collector at {host} can’t be reached: {reason}.',
})
