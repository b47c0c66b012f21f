import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricDescriptor,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import type { Counts } from './counts.ts'
import type { About, Labels } from './tally.ts'

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

const about = (given: About): { descriptor: MetricDescriptor; aggregationTemporality: AggregationTemporality } => ({
  descriptor: { ...given, valueType: ValueType.DOUBLE },
  aggregationTemporality: AggregationTemporality.CUMULATIVE,
})

/** What was counted so far, and the state of the process, in the form that OpenTelemetry's exporters take. */
export function metricsOf(counts: Counts, resource: Resource, version: string): ResourceMetrics {
  const times = { startTime: hrTime(counts.since), endTime: hrTime(Date.now()) }
  const pointOf = <Value>(value: Value, attributes: Labels = {}) => ({ ...times, attributes, value })
  const histograms = counts.histograms.map(
    (histogram): MetricData => ({
      ...about(histogram.about),
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histogram.list().map(({ labels, value: { counts, count, sum } }) => {
        const buckets = { boundaries: [...histogram.bounds], counts: [...counts] }
        return pointOf({ buckets, count, sum }, labels)
      }),
    }),
  )
  const sum = (given: About, points: { labels?: Labels; value: number }[]): MetricData => ({
    ...about(given),
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: points.map(({ labels, value }) => pointOf(value, labels)),
  })
  const gauge = (given: About, value: number): MetricData => ({
    ...about(given),
    dataPointType: DataPointType.GAUGE,
    dataPoints: [pointOf(value)],
  })
  const { user, system } = process.cpuUsage()
  const metrics = [
    ...histograms,
    ...counts.counters.map((counter) => sum(counter.about, counter.list())),
    gauge({ name: 'bobbin.turns.running', description: 'Turns that are running', unit: '{turn}' }, counts.running),
    sum({ name: 'process.cpu.time', description: 'CPU time of the process', unit: 's' }, [
      { labels: { 'cpu.mode': 'user' }, value: user / 1e6 },
      { labels: { 'cpu.mode': 'system' }, value: system / 1e6 },
    ]),
    gauge(
      { name: 'process.memory.usage', description: 'Memory of the process', unit: 'By' },
      process.memoryUsage.rss(),
    ),
    gauge({ name: 'process.uptime', description: 'How long the process has run', unit: 's' }, process.uptime()),
  ]
  const scope = { name: 'bobbin', version }
  return { resource, scopeMetrics: [{ scope, metrics: metrics.filter(({ dataPoints }) => dataPoints.length > 0) }] }
}
