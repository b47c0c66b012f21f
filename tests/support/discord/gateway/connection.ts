import { constants, createDeflate, type Deflate, deflateSync } from 'node:zlib'
import { GatewayCloseCodes, GatewayOpcodes } from 'discord-api-types/v10'
import type { RawData, WebSocket } from 'ws'
import type { Session } from './session.ts'

/** Handlers of the gateway for a connection. */
export interface ConnectionEvents {
  identify(connection: Connection, data: Record<string, unknown>): void
  resume(connection: Connection, data: Record<string, unknown>): void
  requestMembers(connection: Connection, data: Record<string, unknown>): void
  closed(connection: Connection, code: number): void
}

const maxSendsPerMinute = 120

/** One WebSocket: reads what the client sends, and writes plain or compressed. */
export class Connection {
  readonly #socket: WebSocket
  readonly #events: ConnectionEvents
  readonly #stream: Deflate | undefined
  #sends: number[] = []
  /** Set by IDENTIFY: each message is compressed separately. */
  compressesEach = false
  /** It stays open but delivers no events. */
  mute = false
  acknowledges = true
  session: Session | undefined

  constructor(socket: WebSocket, events: ConnectionEvents, compression: string | null) {
    this.#socket = socket
    this.#events = events
    this.#stream = compression === 'zlib-stream' ? this.#startStream() : undefined
    socket.on('message', (data) => this.#read(data))
    socket.on('close', (code) => {
      this.#stream?.destroy()
      events.closed(this, code)
    })
  }

  send(op: GatewayOpcodes, d?: unknown): void {
    this.sendText(JSON.stringify({ op, d, s: null, t: null }))
  }

  sendText(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#stream) {
      this.#stream.write(text)
      this.#stream.flush(constants.Z_SYNC_FLUSH)
    } else if (this.compressesEach) {
      this.#socket.send(deflateSync(text))
    } else {
      this.#socket.send(text)
    }
  }

  /** Code 1006 means no close frame: the connection just drops. */
  close(code: number): void {
    if (code === 1006) this.#socket.terminate()
    else this.#socket.close(code)
  }

  #startStream(): Deflate {
    const stream = createDeflate()
    // A flush ends with these four bytes, which tell the client that a message is complete.
    const end = Buffer.from([0, 0, 255, 255])
    let pending = Buffer.alloc(0)
    stream.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      if (!pending.subarray(-4).equals(end)) return
      this.#socket.send(pending)
      pending = Buffer.alloc(0)
    })
    return stream
  }

  #read(raw: RawData) {
    const now = Date.now()
    this.#sends = [...this.#sends.filter((at) => at > now - 60_000), now]
    if (this.#sends.length > maxSendsPerMinute) return this.close(GatewayCloseCodes.RateLimited)
    const payload = parse(String(raw))
    if (payload === undefined) return this.close(GatewayCloseCodes.DecodeError)
    this.#handle(payload.op, (payload.d ?? {}) as Record<string, unknown>)
  }

  #handle(op: unknown, data: Record<string, unknown>) {
    const known = this.session !== undefined
    switch (op) {
      case GatewayOpcodes.Heartbeat:
        return this.acknowledges ? this.send(GatewayOpcodes.HeartbeatAck) : undefined
      case GatewayOpcodes.Identify:
        return known ? this.close(GatewayCloseCodes.AlreadyAuthenticated) : this.#events.identify(this, data)
      case GatewayOpcodes.Resume:
        return known ? this.close(GatewayCloseCodes.AlreadyAuthenticated) : this.#events.resume(this, data)
      case GatewayOpcodes.PresenceUpdate:
      case GatewayOpcodes.VoiceStateUpdate:
        return known ? undefined : this.close(GatewayCloseCodes.NotAuthenticated)
      case GatewayOpcodes.RequestGuildMembers:
        return known ? this.#events.requestMembers(this, data) : this.close(GatewayCloseCodes.NotAuthenticated)
      default:
        return this.close(GatewayCloseCodes.UnknownOpcode)
    }
  }
}

function parse(text: string): { op?: unknown; d?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
