import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { keepAliveTimeout } from './keep-alive.ts'
import { bytesAt, fieldsOf, hexAt, numberAt, textAt } from './protobuf.ts'

type Value = string | boolean | number | Value[]
export type Attributes = Record<string, Value>

export interface CollectedSpan {
  trace: string
  id: string
  parent: string
  name: string
  /** 1 internal, 3 client. */
  kind: number
  startsAt: bigint
  endsAt: bigint
  attributes: Attributes
  events: { name: string; attributes: Attributes }[]
  isError: boolean
  resource: Attributes
}

/** AnyValue of opentelemetry/proto/common/v1/common.proto. */
function plainOf(bytes: Uint8Array): Value {
  const [field] = fieldsOf(bytes)
  if (field === undefined) return ''
  const { number, value } = field
  if (typeof value !== 'bigint') {
    if (number === 1) return Buffer.from(value).toString()
    if (number === 5) return bytesAt(value, 1).map(plainOf)
    throw new Error(`a value of kind ${number}`)
  }
  if (number === 2) return value === 1n
  if (number === 3) return Number(BigInt.asIntN(64, value))
  if (number === 4) return new Float64Array(new BigUint64Array([value]).buffer)[0] ?? Number.NaN
  throw new Error(`a value of kind ${number}`)
}

const attributesAt = (bytes: Uint8Array, number: number): Attributes =>
  Object.fromEntries(
    bytesAt(bytes, number).map((pair) => [textAt(pair, 1), plainOf(bytesAt(pair, 2)[0] ?? new Uint8Array())]),
  )

/** The spans of an ExportTraceServiceRequest (opentelemetry/proto/trace/v1/trace.proto). */
function spansIn(request: Uint8Array): CollectedSpan[] {
  return bytesAt(request, 1).flatMap((ofResource) => {
    const resource = attributesAt(bytesAt(ofResource, 1)[0] ?? new Uint8Array(), 1)
    return bytesAt(ofResource, 2).flatMap((ofScope) =>
      bytesAt(ofScope, 2).map((span) => ({
        trace: hexAt(span, 1),
        id: hexAt(span, 2),
        parent: hexAt(span, 4),
        name: textAt(span, 5),
        kind: Number(numberAt(span, 6)),
        startsAt: numberAt(span, 7),
        endsAt: numberAt(span, 8),
        attributes: attributesAt(span, 9),
        events: bytesAt(span, 11).map((event) => ({ name: textAt(event, 2), attributes: attributesAt(event, 3) })),
        isError: bytesAt(span, 15).some((status) => numberAt(status, 3) === 2n),
        resource,
      })),
    )
  })
}

/** The names of an ExportMetricsServiceRequest's metrics. */
const metricsIn = (request: Uint8Array): string[] =>
  bytesAt(request, 1)
    .flatMap((ofResource) => bytesAt(ofResource, 2))
    .flatMap((ofScope) => bytesAt(ofScope, 2))
    .map((metric) => textAt(metric, 1))

export interface Collector {
  url: string
  spans: CollectedSpan[]
  /** The names of the metrics of the latest request. */
  metrics: string[]
  /** Of each request. */
  headers: IncomingMessage['headers'][]
  /** Everything that came, as it came. */
  received: Buffer[]
  /** Requests that were given up by whoever had sent them. */
  givenUp: number
}

/** A collector on loopback that takes OTLP over HTTP. `silent`: it never answers. */
export async function startCollector(how: 'silent' | 'answering' = 'answering'): Promise<Collector> {
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    collector.headers.push(request.headers)
    response.on('close', () => {
      if (!response.writableEnded) collector.givenUp++
    })
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    collector.received.push(body)
    if (how === 'silent') return
    if (request.headers['content-type'] !== 'application/x-protobuf') throw new Error('this is not protobuf')
    if (request.url === '/v1/traces') collector.spans.push(...spansIn(body))
    else if (request.url === '/v1/metrics') collector.metrics = metricsIn(body)
    else throw new Error(`there is nothing at ${request.url}`)
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }
  const server = createServer({ keepAliveTimeout }, (request, response) => {
    take(request, response).catch((thrown: Error) => response.writeHead(400).end(thrown.message))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const collector: Collector = {
    ...{ url: `http://127.0.0.1:${port}`, spans: [], metrics: [], headers: [], received: [], givenUp: 0 },
  }
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return collector
}
