import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'
import { Flood } from './flood.ts'

/** Answers carry a request's id, so a long one would fill our memory at a server that doesn't read. */
const longestId = 256

/** Over HTTP each answer to a server takes a connection until the server has read it. What is beyond is lost. */
const mostAnswers = 16

/** What a server may send and leave unread is the same for all transports, so this stands around each of them. */
export class GuardedTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  readonly #inner: Transport
  readonly #flood = new Flood()
  /** Our requests that aren't answered yet. */
  readonly #asked = new Set<number>()
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
    if ('id' in message) this.#asked.add(Number(message.id))
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
    const isAnswer = !('method' in message) && this.#asked.delete(Number(message.id))
    if (this.#isClosed) return
    if ('id' in message && String(message.id).length > longestId)
      this.#end(new Error('it sent a message with a very long id'))
    else if (isAnswer || this.#passes()) this.onmessage?.(message, extra)
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
