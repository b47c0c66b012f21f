import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Envelope, Receipt, Transport } from './courier.ts'
import { isObject, type Json } from './json.ts'
import type { Misbehaviour } from './misbehave.ts'

interface Connection {
  socket: WebSocket
  /** It drops everything that is sent. */
  deaf: boolean
  pings: NodeJS.Timeout
  /** What was sent to it and isn't acknowledged: once it has closed, nobody will. */
  unacked: Set<(receipt: Receipt) => void>
}

export interface Refresh {
  warnMs?: number
  closeMs?: number
  /** The old connection ends with this, in place of a time. */
  closes?: Promise<unknown>
  reason?: string
}

const mostConnections = 10
const ticketMs = 30_000
const handshakeMs = 100

/** Socket Mode, the server's side. */
export class SocketMode implements Transport {
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false })
  readonly #connections = new Set<Connection>()
  readonly #waiting = new Map<string, (receipt: Receipt) => void>()
  readonly #tickets = new Map<string, number>()
  readonly #misbehave: Misbehaviour
  readonly #changed: () => void
  readonly #pingMs: number
  readonly #appId: string
  /** How many connections were ever made. */
  made = 0

  constructor(misbehave: Misbehaviour, pingMs: number, appId: string, changed: () => void) {
    this.#changed = changed
    this.#misbehave = misbehave
    this.#pingMs = pingMs
    this.#appId = appId
  }

  get connections(): number {
    return this.#connections.size
  }

  /** The path of a URL that can be connected to once. */
  ticket(): string {
    const ticket = randomUUID()
    this.#tickets.set(ticket, Date.now() + ticketMs)
    return `/link/?ticket=${ticket}&app_id=${this.#appId}`
  }

  upgrade(request: IncomingMessage, raw: Duplex, head: Buffer) {
    const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? ''
    const until = this.#tickets.get(ticket) ?? 0
    this.#tickets.delete(ticket)
    if (until < Date.now()) {
      // Whoever asked may be gone by now.
      raw.on('error', () => {})
      raw.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n')
      return
    }
    this.#server.handleUpgrade(request, raw, head, (socket) => this.#accept(socket))
  }

  send(envelope: Envelope, waitMs: number): Promise<Receipt> {
    const { promise, resolve } = Promise.withResolvers<Receipt>()
    const id = randomUUID()
    const timer = setTimeout(() => resolve({ kind: 'unacked', reason: 'timeout' }), waitMs)
    this.#waiting.set(id, resolve)
    const open = [...this.#connections]
    const chosen = open[Math.floor(Math.random() * open.length)]
    if (chosen?.deaf) resolve({ kind: 'swallowed' })
    else chosen?.socket.send(JSON.stringify(this.#framed(envelope, id)))
    chosen?.unacked.add(resolve)
    return promise.finally(() => {
      clearTimeout(timer)
      chosen?.unacked.delete(resolve)
      this.#waiting.delete(id)
    })
  }

  /** The sockets stay open but deliver nothing. Without pings they don't even answer a close frame. */
  deafen({ pings = true }: { pings?: boolean } = {}) {
    for (const connection of this.#connections) {
      connection.deaf = true
      if (pings) continue
      clearInterval(connection.pings)
      connection.socket.pause()
    }
  }

  /** Drops the connections without a close frame. */
  break() {
    for (const { socket } of this.#connections) socket.terminate()
  }

  /** What Slack does every few hours: a warning, a request to reconnect, and the end of the old connection. */
  refresh({ warnMs = 0, closeMs = 1_000, closes, reason = 'refresh_requested' }: Refresh = {}) {
    for (const { socket } of this.#connections) {
      const tell = (why: string) => socket.send(JSON.stringify(this.#goodbye(why)))
      if (warnMs > 0) tell('warning')
      setTimeout(() => tell(reason), warnMs).unref()
      if (closes !== undefined) void closes.then(() => socket.close(1_000))
      else setTimeout(() => socket.close(1_000), warnMs + closeMs).unref()
    }
  }

  /** With a closing handshake, if the client still takes part: a client that is cut off meanwhile waits long. */
  async close() {
    const open = [...this.#connections]
    for (const { socket } of open) socket.close(1_000)
    const gone = open.map(({ socket }) => once(socket, 'close'))
    const patience = setTimeout(() => {
      for (const { socket } of open) socket.terminate()
    }, handshakeMs)
    await Promise.all(gone)
    clearTimeout(patience)
    this.#server.close()
    for (const resolve of this.#waiting.values()) resolve({ kind: 'unacked', reason: 'timeout' })
  }

  #accept(socket: WebSocket) {
    socket.on('error', () => socket.terminate())
    if (this.#connections.size >= mostConnections) {
      socket.send(JSON.stringify(this.#goodbye('too_many_websockets')))
      socket.close(1_000)
      return
    }
    // Slack, too, gives up a peer that has been silent and is back on another connection.
    for (const old of this.#connections) if (old.socket.isPaused) old.socket.terminate()
    const pings = setInterval(() => socket.ping(), this.#pingMs)
    const connection: Connection = { socket, deaf: false, pings, unacked: new Set() }
    this.#connections.add(connection)
    socket.on('close', () => {
      clearInterval(pings)
      this.#connections.delete(connection)
      for (const resolve of connection.unacked) resolve({ kind: 'unacked', reason: 'timeout' })
      this.#changed()
    })
    socket.on('ping', (data: Buffer) => socket.pong(data))
    socket.on('message', (data) => this.#heard(connection, String(data)))
    socket.send(JSON.stringify(this.#hello()))
    this.made++
    this.#changed()
  }

  #heard({ socket }: Connection, text: string) {
    const message: unknown = JSON.parse(text)
    if (!isObject(message) || typeof message.envelope_id !== 'string') return
    const resolve = this.#waiting.get(message.envelope_id)
    if (!resolve) return
    if (this.#misbehave.dropsBeforeAck()) socket.terminate()
    else resolve({ kind: 'acked', answer: message.payload })
  }

  #hello(): Json {
    return {
      type: 'hello',
      num_connections: this.#connections.size,
      debug_info: { host: 'applink-test', build_number: 1, approximate_connection_time: 18_060 },
      connection_info: { app_id: this.#appId },
    }
  }

  #goodbye(reason: string): Json {
    return { type: 'disconnect', reason, debug_info: { host: 'applink-test' } }
  }

  #framed({ type, payload, attempt, reason }: Envelope, id: string): Json {
    return {
      envelope_id: id,
      type,
      payload,
      accepts_response_payload: type !== 'events_api',
      ...(type === 'events_api' && { retry_attempt: attempt, retry_reason: reason }),
    }
  }
}
