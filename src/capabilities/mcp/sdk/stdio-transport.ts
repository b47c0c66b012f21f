import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Link } from '../port.ts'
import { Flood } from './flood.ts'
import { Lines } from './lines.ts'
import { messageIn } from './message-in.ts'

/** Messages, one a line, over the pipes of a process. The SDK's own transport would start the process itself. */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #link: Extract<Link, { kind: 'stdio' }>
  readonly #lines: Lines
  readonly #messageBytes: number
  /** A program's own output, which leaves its messages the room that they have. */
  readonly #strange = new Flood()
  /** Bytes of our answers that it hasn't read. Our requests are limited by the calls under way. */
  #unread = 0
  #isClosed = false

  constructor(link: Extract<Link, { kind: 'stdio' }>, messageBytes: number) {
    this.#link = link
    this.#messageBytes = messageBytes
    this.#lines = new Lines(messageBytes)
  }

  async start(): Promise<void> {
    const { input, output } = this.#link
    output.on('data', (bytes: Buffer) => this.#take(bytes))
    output.once('close', () => this.#end())
    output.once('error', (error) => this.#end(error))
    input.once('error', (error) => this.#end(error))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { input } = this.#link
    if (this.#isClosed || !input.writable) throw new Error('the server is gone')
    // A server that doesn't read can't hold up the caller: its call has a time limit.
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
    if ('method' in message) return void input.write(bytes)
    // Its own requests aren't answered without end either.
    this.#unread += bytes.length
    input.write(bytes, () => {
      this.#unread -= bytes.length
    })
    if (this.#unread > this.#messageBytes) this.#end(new Error('it doesn’t read our answers'))
  }

  async close(): Promise<void> {
    this.#end()
  }

  #take(bytes: Buffer): void {
    const lines = this.#isClosed ? [] : this.#lines.push(bytes)
    if (lines === 'too-long') this.#end(new Error('it sent a message that is too large'))
    else for (const line of lines) this.#read(line)
  }

  #read(line: string): void {
    if (this.#isClosed || line.trim() === '') return
    const message = messageIn(line)
    if (message !== undefined) this.onmessage?.(message)
    else if (this.#strange.take() === 'too-many') this.#end(new Error('it floods us with lines that aren’t messages'))
  }

  #end(error?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#link.output.removeAllListeners('data')
    this.#link.output.resume()
    if (error !== undefined) this.onerror?.(error)
    this.onclose?.()
  }
}
