import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { connectMcp } from '../../src/capabilities/mcp/sdk/connect.ts'
import { WebSocketTransport } from '../../src/capabilities/mcp/sdk/websocket-transport.ts'

const messageBytes = 10_000

/** A server over a WebSocket that answers a call in this way. */
async function over(answer: (socket: WebSocket, id: number) => void): Promise<URL> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => 'mcp' })
  server.on('connection', (socket) =>
    socket.on('message', (said) => {
      const { id, method, params } = JSON.parse(String(said))
      const { protocolVersion } = params ?? {}
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
      if (method === 'initialize') socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
      else if (method === 'tools/call') answer(socket, id)
    }),
  )
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

async function called(url: URL): Promise<unknown> {
  const host = { roots: () => [], toolsChanged() {}, closed() {}, mask: String }
  const limits = { messageBytes, tools: 10, definitionBytes: 1_000 }
  const signal = new AbortController().signal
  const client = await connectMcp({ kind: 'websocket', url, headers: {} }, host as never, limits, signal)
  onTestFinished(() => client.close())
  return client.call('tool', {}, signal, () => {}).catch((thrown: unknown) => thrown)
}

const resultOf = (id: number, text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })

test('over a WebSocket, a message that is too large ends the connection', async () => {
  const url = await over((socket, id) => socket.send(resultOf(id, 'x'.repeat(messageBytes))))
  expect(await called(url)).toMatchObject({ code: 'mcp_lost', message: expect.stringContaining('too large') })
})

test('so does one in bytes, and what is no message is passed over', async () => {
  const large = await over((socket) => socket.send(Buffer.alloc(messageBytes + 1)))
  expect(await called(large)).toMatchObject({ code: 'mcp_lost', message: expect.stringContaining('too large') })
  const odd = await over((socket, id) => {
    socket.send(Buffer.from('{}'))
    socket.send('not JSON')
    socket.send(resultOf(id, 'done'))
  })
  expect(await called(odd)).toMatchObject({ content: [{ text: 'done' }] })
})

test('a server that drops its WebSocket leaves the outcome of its call unknown', async () => {
  const url = await over((socket) => socket.terminate())
  expect(await called(url)).toMatchObject({ code: 'mcp_lost' })
})

test('a server that doesn’t read our answers over a WebSocket is left before they fill the memory', async () => {
  const transport = new WebSocketTransport(await over(() => {}), messageBytes)
  const ended = Promise.withResolvers<string>()
  transport.onerror = ({ message }) => ended.resolve(message)
  await transport.start()
  const answer = { jsonrpc: '2.0' as const, id: 'x'.repeat(200), result: {} }
  const sent = Array.from({ length: 1_000 }, () => transport.send(answer).catch(() => undefined))
  await Promise.all(sent)
  expect(await ended.promise).toBe('it doesn’t read our answers')
})
