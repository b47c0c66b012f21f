import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { messageIn } from './message-in.ts'

/** Messages over a WebSocket. The SDK's own transport takes any that come, and sends without end. */
export class WebSocketTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #url: URL
  readonly #messageBytes: number
  #socket: WebSocket | undefined
  #isClosed = false

  constructor(url: URL, messageBytes: number) {
    this.#url = url
    this.#messageBytes = messageBytes
  }

  start(): Promise<void> {
    const socket = new WebSocket(this.#url, 'mcp')
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    return new Promise((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onmessage = ({ data }) => this.#take(data)
      socket.onerror = (event) => {
        const error =
          'error' in event && event.error instanceof Error ? event.error : new Error('the connection failed')
        reject(error)
        this.onerror?.(error)
      }
      socket.onclose = () => this.#end()
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket
    if (this.#isClosed || socket?.readyState !== WebSocket.OPEN) throw new Error('the server is gone')
    socket.send(JSON.stringify(message))
    // Our requests are limited by the calls under way.
    if (!('method' in message) && socket.bufferedAmount > this.#messageBytes)
      this.#end(new Error('it doesn’t read our answers'))
  }

  async close(): Promise<void> {
    this.#end()
  }

  #take(data: string | ArrayBuffer): void {
    if (this.#isClosed) return
    const isText = typeof data === 'string'
    const bytes = isText ? Buffer.byteLength(data) : data.byteLength
    const message = isText && bytes <= this.#messageBytes ? messageIn(data) : undefined
    if (bytes > this.#messageBytes) this.#end(new Error('it sent a message that is too large'))
    else if (message !== undefined) this.onmessage?.(message)
    else this.onerror?.(new Error('it sent something that isn’t a message'))
  }

  #end(error?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket?.close()
    if (error !== undefined) this.onerror?.(error)
    this.onclose?.()
  }
}
