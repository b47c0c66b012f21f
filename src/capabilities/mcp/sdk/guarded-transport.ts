import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, type JSONRPCMessage, type MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'
import { hasMoreEntries } from './entries.ts'
import { Flood } from './flood.ts'

/** Answers carry a request's id, so a long one would fill our memory at a server that doesn't read. */
const longestId = 256

/** Over HTTP each answer to a server takes a connection until the server has read it. What is beyond is lost. */
const mostAnswers = 16

/** Of a message that the SDK looks into: it describes each fault at length, so many would take all our memory. */
const mostEntries = 5_000

/** What a server may send and leave unread is the same for all transports, so this stands around each of them. */
export class GuardedTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  readonly #inner: Transport
  readonly #flood = new Flood()
  /** The methods of our requests that aren't answered yet. */
  readonly #asked = new Map<number, string>()
  #answering = 0
  /** What the inner one has just complained about. */
  #complaint: Error | undefined
  #isClosed = false
  /**
   * With which error it ended. One that came before says nothing of the end, and may quote what belongs to another
   * thread.
   */
  endedBy: Error | undefined

  constructor(inner: Transport) {
    this.#inner = inner
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => this.#take(message, extra)
    this.#inner.onerror = (error) => {
      this.#complaint = error
      queueMicrotask(() => {
        this.#complaint = undefined
      })
      if (this.#passes()) this.onerror?.(error)
    }
    this.#inner.onclose = () => this.#closed()
    await this.#inner.start()
  }

  send: Transport['send'] = async (message, options) => {
    if (this.#isClosed) throw new Error('the server is gone')
    if (!('method' in message)) return this.#answer(message, options)
    if ('id' in message) this.#asked.set(Number(message.id), message.method)
    else if (message.method === 'notifications/cancelled') this.#asked.delete(Number(message.params?.requestId))
    await this.#inner.send(message, options)
  }

  async close(): Promise<void> {
    await this.#inner.close()
    this.#closed()
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version)
  }

  async #answer(...[message, options]: Parameters<Transport['send']>): Promise<void> {
    if (this.#answering >= mostAnswers) throw new Error('it doesn’t read our answers')
    this.#answering++
    try {
      await this.#inner.send(message, options)
    } finally {
      this.#answering--
    }
  }

  #take(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const answered = this.#methodAnswered(message)
    const isLookedInto = 'method' in message || answered === 'initialize'
    if (this.#isClosed) return
    if ('id' in message && String(message.id).length > longestId)
      this.#end(new Error('it sent a message with a very long id'))
    else if (answered === undefined && !this.#passes()) return
    else if (isLookedInto && hasMoreEntries(message, mostEntries)) this.#refuse(message)
    else this.onmessage?.(message, extra)
  }

  /** The method of our request that this answers. */
  #methodAnswered(message: JSONRPCMessage): string | undefined {
    if ('method' in message || !('id' in message)) return undefined
    const id = Number(message.id)
    const method = this.#asked.get(id)
    this.#asked.delete(id)
    return method
  }

  #refuse(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#end(new Error('its answer has too many parts'))
    else if ('id' in message) {
      const error = { code: ErrorCode.InvalidParams, message: 'too many parts' }
      this.send({ jsonrpc: '2.0', id: message.id, error }).catch((thrown) => this.onerror?.(thrown))
    }
  }

  /** Whether there is room for something that we didn't ask for: a message, or one that can't be read. */
  #passes(): boolean {
    const verdict = this.#isClosed ? 'drop' : this.#flood.take()
    if (verdict === 'too-many') this.#end(new Error('it floods us with messages'))
    return verdict === 'take'
  }

  /** It doesn't get to say when it is over. */
  #end(error: Error): void {
    this.#complaint = error
    this.onerror?.(error)
    this.#closed()
    void this.#inner.close().catch(() => undefined)
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.endedBy = this.#complaint
    this.onclose?.()
  }
}
