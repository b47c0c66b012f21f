import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { foreignNames, type Resolve } from '../../net/foreign-names.ts'
import { plainHost } from '../../net/host.ts'
import { passOn } from './pass-on.ts'
import { addressFor, ProxyRefusal } from './route.ts'
import { requestTarget, type Target, tunnelTarget } from './target.ts'
import { tlsName } from './tls-name.ts'
import { countTraffic, type Traffic } from './traffic.ts'
import { untilLeft } from './until-left.ts'

export interface ProxyOptions {
  resolve?: Resolve
  /** Opens the connection to an address that was checked. */
  connect?: (address: string, port: number) => Socket
  maxConnections?: number
  /** For one command, both directions together. A program that stays has no such limit. */
  maxBytes?: number
}

export interface Proxy {
  /** Path of its socket, in a folder that only the bot's user may enter. */
  socket: string
  refused(): { host: string; why: string }[]
  close(): Promise<void>
}

const idleMs = 60_000
const mostRefused = 50
/**
 * A proxy for one command. It forwards requests (`http:`) and opens tunnels to granted hosts: to port 443 only TLS that
 * names the same host, to port 80 only HTTP that does, which it parses and writes anew.
 */
export async function openProxy(granted: string[], options: ProxyOptions): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'bobbin-proxy-'))
  const proxy = new CommandProxy(granted, options, folder)
  try {
    await proxy.start()
    return proxy
  } catch (thrown) {
    await proxy.close()
    throw thrown
  }
}

class CommandProxy implements Proxy {
  readonly socket: string
  readonly #folder: string
  readonly #granted: string[]
  readonly #resolve: NonNullable<ProxyOptions['resolve']>
  readonly #connect: NonNullable<ProxyOptions['connect']>
  readonly #refused = new Map<string, string>()
  readonly #tunnels = new WeakMap<Socket, Target>()
  readonly #nearby = new Set<Socket>()
  readonly #left = new WeakMap<Socket, AbortSignal>()
  readonly #server: Server
  readonly #traffic: Traffic

  constructor(granted: string[], options: ProxyOptions, folder: string) {
    const { resolve = foreignNames, connect = (host, port) => dial({ host, port }) } = options
    const { maxConnections = 64, maxBytes = 512 * 1024 * 1024 } = options
    this.socket = join(folder, 'socket')
    this.#folder = folder
    this.#granted = granted
    this.#resolve = resolve
    this.#connect = connect
    this.#server = createServer({ requestTimeout: 0 }, (incoming, reply) => void this.#answer(incoming, reply))
    this.#server.on('connect', (incoming, near, head) => void this.#tunnel(incoming, near as Socket, head))
    this.#server.maxConnections = maxConnections
    this.#server.on('connection', (near: Socket) => {
      this.#nearby.add(near)
      // Once for all its requests, which may be many at a time. A tunnel comes here a second time.
      if (!this.#left.has(near)) this.#left.set(near, untilLeft(near))
      near.on('close', () => this.#nearby.delete(near))
    })
    this.#traffic = countTraffic(maxBytes, () => this.#server.closeAllConnections())
  }

  async start(): Promise<void> {
    this.#server.listen(this.socket)
    await once(this.#server, 'listening')
  }

  refused(): { host: string; why: string }[] {
    return [...this.#refused].map(([host, why]) => ({ host, why }))
  }

  async close(): Promise<void> {
    this.#traffic.end()
    for (const near of this.#nearby) near.destroy()
    await closed(this.#server)
    await rm(this.#folder, { recursive: true, force: true })
  }

  #note(host: string, thrown: unknown): string {
    const why = thrown instanceof ProxyRefusal ? thrown.message : 'it cannot be reached'
    if (thrown instanceof ProxyRefusal && this.#refused.size < mostRefused) this.#refused.set(host.slice(0, 253), why)
    return why
  }

  /** What the program no longer waits for isn’t looked up. */
  #addressOf(target: Target, near: Socket): Promise<string> {
    return addressFor(target, this.#granted, this.#resolve, this.#left.get(near) ?? AbortSignal.abort())
  }

  async #open(target: Target, near: Socket): Promise<Socket> {
    const address = await this.#addressOf(target, near)
    if (this.#traffic.isOver()) throw new ProxyRefusal('too much was sent and received')
    const socket = this.#connect(address, target.port)
    this.#traffic.add(socket)
    socket.setTimeout(idleMs, () => socket.destroy())
    const closed = once(socket, 'close').then(() => Promise.reject(new Error('it does not answer')))
    await Promise.race([once(socket, 'connect'), closed])
    return socket
  }

  async #answer(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const tunnel = this.#tunnels.get(incoming.socket)
    const target = tunnel === undefined ? requestTarget(incoming.url ?? '') : within(tunnel, incoming)
    if (target === undefined) return refuse(reply, 400, 'this isn’t a request to a granted host')
    try {
      await passOn(incoming, reply, target, await this.#open(target, incoming.socket))
    } catch (thrown) {
      const why = this.#note(target.host, thrown)
      if (reply.headersSent) reply.destroy()
      else refuse(reply, thrown instanceof ProxyRefusal ? 403 : 502, `${target.host}: ${why}`)
    }
  }

  async #tunnel(incoming: IncomingMessage, near: Socket, head: Buffer): Promise<void> {
    near.on('error', () => near.destroy())
    const target = tunnelTarget(incoming.url ?? '')
    let far: Socket | undefined
    try {
      if (target === undefined) throw new ProxyRefusal('only host:port can be connected to')
      if (head.length > 0) near.unshift(head)
      if (target.port === 80) {
        await this.#addressOf(target, near)
        near.write(established)
        this.#tunnels.set(near, target)
        this.#server.emit('connection', near)
        return
      }
      far = await this.#open(target, near)
      near.write(established)
      await checkName(near, target.host)
      await Promise.all([pipeline(near, far), pipeline(far, near)])
    } catch (thrown) {
      const why = this.#note(target?.host ?? String(incoming.url), thrown)
      if (near.writable && near.bytesWritten === 0) near.write(failure(thrown instanceof ProxyRefusal, why))
      near.destroySoon()
      far?.destroy()
    }
  }
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'

const failure = (isRefusal: boolean, why: string): string =>
  `HTTP/1.1 ${isRefusal ? '403 Forbidden' : '502 Bad Gateway'}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${why.length + 1}\r\n\r\n${why}\n`

function refuse(reply: ServerResponse, status: number, why: string): void {
  reply.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
  reply.end(`${why}\n`)
}

/** A request in a tunnel has only a path, and must be for the host that the tunnel was opened to. */
function within(tunnel: Target, incoming: IncomingMessage): Target | undefined {
  if (!incoming.url?.startsWith('/')) return undefined
  const target = requestTarget(`http://${incoming.headers.host ?? ''}`)
  return target?.host === tunnel.host && target.port === tunnel.port ? { ...tunnel, path: incoming.url } : undefined
}

/** Reads the first bytes and puts them back. */
async function checkName(near: Socket, host: string): Promise<void> {
  let seen = Buffer.alloc(0)
  const isOver = finished(near, { writable: false }).catch(() => undefined)
  for (;;) {
    const found = tlsName(seen)
    if (found.kind === 'name' && plainHost(found.name) === host) break
    if (found.kind === 'name') throw new ProxyRefusal(`the connection was for ${found.name.slice(0, 253)}`)
    if (found.kind === 'none') throw new ProxyRefusal('the connection was not TLS with the name of the host')
    const read: Buffer | null = near.read()
    if (read !== null) seen = Buffer.concat([seen, read])
    else if (near.readableEnded || near.destroyed) throw new Error('it was closed')
    else await Promise.race([once(near, 'readable'), isOver])
  }
  near.unshift(seen)
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
