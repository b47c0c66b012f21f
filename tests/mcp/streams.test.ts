import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { logInMcp } from '../../src/capabilities/mcp/sdk/log-in.ts'
import { withPacedStreams } from '../../src/capabilities/mcp/sdk/paced.ts'
import { codeFrom, never } from './visited.ts'

/** A server whose stream ends as soon as it is opened, and that wants it opened again at once. */
async function restless() {
  const seen = { streams: 0, many: Promise.withResolvers<string>() }
  const server = createServer((_, response) => {
    if (++seen.streams === 100) seen.many.resolve('opened again without end')
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\nretry: 0\ndata:\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`) }
}

test('a stream that ends again and again is opened again at once a few times, and then with a pause', async () => {
  const { seen, url } = await restless()
  // On a slow machine, the allowance would grow meanwhile.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const paused = Promise.withResolvers<string>()
  const fetching = withPacedStreams(fetch, async (ms) => {
    paused.resolve(ms > 0 ? 'paused' : 'no pause')
    await new Promise(() => {})
  })
  const transport = new StreamableHTTPClientTransport(url, { fetch: fetching })
  onTestFinished(() => transport.close())
  await transport.start()
  await transport.resumeStream('0')
  expect(await Promise.race([paused.promise, seen.many.promise])).toBe('paused')
  expect(seen.streams).toBe(20)
})

test('only the opening of streams has pauses, and their allowance comes back with time', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const pauses: number[] = []
  const fetching = withPacedStreams(
    async () => new Response(),
    async (ms) => pauses.push(ms),
  )
  const open = () => fetching('http://x', { headers: { accept: 'text/event-stream' } })
  for (let at = 0; at < 22; at++) await open()
  for (let at = 0; at < 50; at++) await fetching('http://x', { method: 'POST' })
  expect(pauses).toEqual([1_000, 2_000])
  vi.advanceTimersByTime(3_000)
  await open()
  await open()
  expect(pauses).toEqual([1_000, 2_000, 1_000])
})

test('a login goes on with an answer that broke off, and listens to no stream', async () => {
  const streams: (string | undefined)[] = []
  let hello = ''
  const server = createServer(async (request, response) => {
    // It offers no login.
    if (request.url?.startsWith('/.well-known/')) return response.writeHead(404).end()
    if (request.method === 'GET') {
      streams.push(request.headers['last-event-id'] as string | undefined)
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`id: 2\ndata: ${hello}\n\n`)
    }
    if (request.method !== 'POST') return response.writeHead(405).end()
    const { id, method } = (await json(request)) as { id?: number; method: string }
    const about = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'breaking', version: '1' } }
    const result = { jsonrpc: '2.0', id, result: method === 'initialize' ? about : { tools: [] } }
    if (id === undefined) return response.writeHead(202).end()
    if (method !== 'initialize')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    hello = JSON.stringify(result)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\nretry: 0\ndata:\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  expect(await logInMcp(loginAt(url), codeFrom, never)).toBe(false)
  expect(streams).toEqual(['1'])
})

test('a login over SSE ends when it is stopped, also while its server says nothing', async () => {
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    request.once('close', closed.resolve)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    opened.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`)
  const stop = new AbortController()
  const login = logInMcp({ ...loginAt(url), kind: 'sse' }, codeFrom, stop.signal)
  await opened.promise
  stop.abort()
  await expect(login).rejects.toThrow('The login failed: This operation was aborted')
  await closed.promise
})

const kept = { read: async () => undefined, write: async () => {}, alone: <T>(work: () => Promise<T>) => work() }
const loginAt = (url: URL) => ({
  kept,
  client: {},
  redirectUrl: 'http://127.0.0.1/',
  url,
  state: 's',
  messageBytes: 1_000_000,
})
