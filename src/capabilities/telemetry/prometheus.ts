import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { Counts } from './counts.ts'
import { metricsOf } from './metrics.ts'
import { resourceOf } from './resource.ts'

/** Everything that was counted, as Prometheus reads it. */
export function prometheusText(counts: Counts, source: { version: string; node: string | undefined }): string {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  return serializer.serialize(metricsOf(counts, resourceOf(source), source.version))
}
