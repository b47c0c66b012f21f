import { setTimeout as sleep } from 'node:timers/promises'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Moment, MomentPlace } from '../../turn/port/moments.ts'
import type { Counts } from './counts.ts'
import { metricsOf } from './metrics.ts'
import { resourceOf } from './resource.ts'
import { addressOf } from './settings.ts'
import { Spans, TurnIds } from './spans.ts'

/** How long one request to the collector may take, ms. */
const requestMs = 5_000
/** How long a stop waits for what hasn't been sent yet, ms. */
const goodbyeMs = 2_000
/** The most spans that wait to be sent. Further ones are dropped. */
const mostWaiting = 2_048

export interface Sending {
  see(moment: Moment, place: MomentPlace): void
  stop(): Promise<void>
}

interface Options {
  endpoint: string
  headers: Record<string, string>
  source: { version: string; node: string | undefined }
  counts: Counts
  /** Called when sending one of them begins to fail. */
  failing(what: 'traces' | 'metrics', thrown: unknown): void
}

/** Sends spans and metrics to a collector, in the background. If that fails they are lost, and nothing else happens. */
export function openSending({ endpoint, headers, source, counts, failing }: Options): Sending {
  const resource = resourceOf(source)
  const to = { headers, timeoutMillis: requestMs, concurrencyLimit: 8 }
  const exporter = new OTLPTraceExporter({ ...to, url: addressOf(endpoint, 'traces') })
  const spanProcessor = new BatchSpanProcessor({
    exporter: telling(exporter, (thrown) => failing('traces', thrown)),
    maxQueueSize: mostWaiting,
    exportTimeoutMillis: requestMs,
  })
  const idGenerator = new TurnIds()
  const provider = new TracerProvider({ resource, idGenerator, spanProcessors: [spanProcessor] })
  const metricExporter = new OTLPMetricExporter({ ...to, url: addressOf(endpoint, 'metrics') })
  const reader = new PeriodicExportingMetricReader({
    exporter: telling(metricExporter, (thrown) => failing('metrics', thrown)),
    exportTimeoutMillis: requestMs,
  })
  reader.setMetricProducer({
    collect: async () => ({ resourceMetrics: metricsOf(counts, resource, source.version), errors: [] }),
  })
  const spans = new Spans(provider.getTracer('bobbin', source.version), idGenerator)
  return {
    see: (moment, place) => spans.see(moment, place),
    async stop() {
      const ended = Promise.allSettled([provider.shutdown(), reader.shutdown()])
      await Promise.race([ended, sleep(goodbyeMs, undefined, { ref: false })])
    },
  }
}

interface Exporter<Data> {
  export(data: Data, done: (result: { code: number; error?: Error }) => void): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/** The same exporter, which reports only the first of several failures in a row. */
function telling<Data>(exporter: Exporter<Data>, failing: (thrown: unknown) => void): Exporter<Data> {
  let isFailing = false
  return {
    export: (data, done) =>
      exporter.export(data, (result) => {
        const failed = result.code !== 0
        if (failed && !isFailing) failing(result.error ?? new Error('it was refused'))
        isFailing = failed
        done(result)
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
