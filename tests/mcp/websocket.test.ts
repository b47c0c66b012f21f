import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { connectMcp } from '../../src/capabilities/mcp/sdk/connect.ts'
import { WebSocketTransport } from '../../src/capabilities/mcp/sdk/websocket-transport.ts'
import { freePort } from '../support/free-port.ts'

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

/** A server that accepts a WebSocket and then heeds nothing that it is told, and a connection to it. */
async function deaf(then: (socket: Duplex) => void = () => {}) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const accepted = Promise.withResolvers<Duplex>()
  server.on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
    )
    // It only hears of the end of the connection itself.
    socket.on('error', () => {}).on('end', () => socket.end())
    socket.resume()
    onTestFinished(() => void socket.destroy())
    accepted.resolve(socket)
  })
  const opened = await transportTo(new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`))
  const socket = await accepted.promise
  const gone = new Promise((resolve) => socket.once('close', resolve))
  then(socket)
  return { ...opened, gone }
}

async function transportTo(url: URL) {
  const transport = new WebSocketTransport(url, messageBytes)
  const ended = Promise.withResolvers<string>()
  transport.onerror = ({ message }) => ended.resolve(message)
  const left = new Promise<void>((resolve) => {
    transport.onclose = resolve
  })
  onTestFinished(() => transport.close())
  await transport.start()
  return { transport, ended: ended.promise, left }
}

test('a server that doesn’t confirm the end of its WebSocket is left all the same', async () => {
  const { transport, gone } = await deaf()
  await transport.close()
  await gone
})

test('one that ends its WebSocket and leaves the connection open is gone soon', async () => {
  const { left } = await deaf((socket) => {
    socket.removeAllListeners('end')
    socket.write(Buffer.from([0x88, 2, 0x03, 0xe9]))
  })
  await left
})

test('one that sends a message without end is left as soon as it is too large', async () => {
  let sent = 0
  const { ended, gone } = await deaf((socket) => {
    const piece = Buffer.alloc(1_004, 'x')
    const send = (first: number) => {
      piece.set([first, 126, 1_000 >> 8, 1_000 & 255])
      sent += piece.length
      socket.write(piece, (error) => error ?? setImmediate(send, 0))
    }
    send(1)
  })
  expect(await ended).toBe('it sent a message that is too large')
  await gone
  expect(sent).toBeLessThan(10_000_000)
})

test('messages are never packed, because few bytes would hold a large one', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: true })
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const connected = once(server, 'connection')
  await transportTo(new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`))
  const [socket] = await connected
  expect(socket.extensions).toBe('')
})

test('a server that can’t be reached over a WebSocket says why', async () => {
  const url = await over(() => {})
  url.port = String(await freePort())
  await expect(called(url)).rejects.toMatchObject({
    code: 'mcp_unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

const answer = { jsonrpc: '2.0' as const, id: 'x'.repeat(200), result: {} }

test('a server that doesn’t read our answers over a WebSocket is left before they fill the memory', async () => {
  const { transport, ended } = await transportTo(await over(() => {}))
  const sent = Array.from({ length: 1_000 }, () => transport.send(answer).catch(() => undefined))
  await Promise.all(sent)
  expect(await ended).toBe('it doesn’t read our answers')
})

test('our own request, which may be larger than its messages, doesn’t count as one of them', async () => {
  const heard = Promise.withResolvers<number>()
  const { transport, ended } = await transportTo(await over((_, id) => heard.resolve(id)))
  const params = { name: 'tool', arguments: { text: 'x'.repeat(20_000_000) } }
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await transport.send(answer)
  expect(await Promise.race([ended, heard.promise])).toBe(1)
})
