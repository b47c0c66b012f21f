import { globalAgent as plainAgent } from 'node:http'
import { globalAgent as secureAgent } from 'node:https'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { type RawData, WebSocket } from 'ws'
import { messageIn } from './message-in.ts'

/** For a server to end the connection after either side's farewell. The types don't have it yet. */
const farewell: object = { closeTimeout: 1_000 }

/** Messages over a WebSocket. The SDK's own transport takes any that come, and sends without end. */
export class WebSocketTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #url: URL
  readonly #messageBytes: number
  #socket: WebSocket | undefined
  /** Bytes of our answers that haven't been sent. Our requests are limited by the calls under way. */
  #unread = 0
  #isClosed = false

  constructor(url: URL, messageBytes: number) {
    this.#url = url
    this.#messageBytes = messageBytes
  }

  start(): Promise<void> {
    const socket = new WebSocket(this.#url, 'mcp', {
      // Few bytes could hold a message that is too large.
      perMessageDeflate: false,
      maxPayload: this.#messageBytes,
      ...farewell,
      // They know the proxies of NODE_USE_ENV_PROXY, which get `ws:` as a request and tunnel only `wss:`.
      agent: this.#url.protocol === 'wss:' ? secureAgent : plainAgent,
    })
    this.#socket = socket
    return new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.on('message', (data, isBinary) => this.#take(data, isBinary))
      socket.on('error', (thrown) => {
        const error = failureOf(thrown)
        reject(error)
        this.#end(error)
      })
      socket.once('close', () => this.#end())
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket
    if (this.#isClosed || socket?.readyState !== WebSocket.OPEN) throw new Error('the server is gone')
    const bytes = Buffer.from(JSON.stringify(message))
    if ('method' in message) return socket.send(bytes, { binary: false })
    this.#unread += bytes.length
    socket.send(bytes, { binary: false }, () => {
      this.#unread -= bytes.length
    })
    if (this.#unread > this.#messageBytes) this.#end(new Error('it doesn’t read our answers'))
  }

  async close(): Promise<void> {
    this.#end()
  }

  #take(data: RawData, isBinary: boolean): void {
    if (this.#isClosed) return
    const message = isBinary ? undefined : messageIn(String(data))
    if (message !== undefined) this.onmessage?.(message)
    else this.onerror?.(new Error('it sent something that isn’t a message'))
  }

  /** A server that is at fault, or that doesn't confirm the end, has its connection cut. */
  #end(error?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const socket = this.#socket
    if (error === undefined) socket?.close()
    else {
      socket?.terminate()
      this.onerror?.(error)
    }
    this.onclose?.()
  }
}

function failureOf(thrown: Error): Error {
  const code = 'code' in thrown ? String(thrown.code) : ''
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return new Error('it sent a message that is too large')
  // One that stands for an attempt at each of a name's addresses says nothing itself.
  return thrown.message === '' ? new Error(`the connection failed (${code})`) : thrown
}
