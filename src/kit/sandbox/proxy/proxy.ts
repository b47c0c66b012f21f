import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { plainHost } from '../../net/host.ts'
import { addressFor, Refusal, type Resolve, systemResolve } from './route.ts'
import { requestTarget, type Target, tunnelTarget } from './target.ts'
import { tlsName } from './tls-name.ts'

export interface ProxyOptions {
  resolve?: Resolve
  /** Opens the connection to an address that was checked. */
  connect?: (address: string, port: number) => Socket
  maxConnections?: number
  /** Of one command, both directions together. */
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
/** They are about one connection and not about the request (RFC 9110, 7.6.1). */
const ofOneConnection = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
]

/**
 * A proxy for one command. It lets requests through (`http:`) and tunnels to granted hosts: to port 443 only TLS that
 * names the same host, to port 80 only HTTP that does, which it reads and writes anew.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its parts share what they hold, and nothing else may reach it.
export async function openProxy(granted: string[], options: ProxyOptions): Promise<Proxy> {
  const { resolve = systemResolve, connect = (host, port) => dial({ host, port }) } = options
  const { maxConnections = 64, maxBytes = 512 * 1024 * 1024 } = options
  const refused = new Map<string, string>()
  const tunnels = new WeakMap<Socket, Target>()
  const traffic = countTraffic(maxBytes, () => server.closeAllConnections())

  const note = (host: string, thrown: unknown): string => {
    const why = thrown instanceof Refusal ? thrown.message : 'it cannot be reached'
    if (thrown instanceof Refusal && refused.size < mostRefused) refused.set(host.slice(0, 253), why)
    return why
  }
  const open = async (target: Target): Promise<Socket> => {
    const address = await addressFor(target, granted, resolve)
    if (traffic.isOver()) throw new Refusal('too much was sent and received')
    const socket = connect(address, target.port)
    traffic.add(socket)
    socket.setTimeout(idleMs, () => socket.destroy())
    await once(socket, 'connect')
    return socket
  }

  const answer = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const tunnel = tunnels.get(incoming.socket)
    const target = tunnel === undefined ? requestTarget(incoming.url ?? '') : within(tunnel, incoming)
    if (target === undefined) return refuse(reply, 400, 'this is no request to a granted host')
    try {
      await passOn(incoming, reply, target, await open(target))
    } catch (thrown) {
      const why = note(target.host, thrown)
      if (reply.headersSent) reply.destroy()
      else refuse(reply, thrown instanceof Refusal ? 403 : 502, `${target.host}: ${why}`)
    }
  }

  const tunnel = async (incoming: IncomingMessage, near: Socket, head: Buffer): Promise<void> => {
    near.on('error', () => near.destroy())
    const target = tunnelTarget(incoming.url ?? '')
    let far: Socket | undefined
    try {
      if (target === undefined) throw new Refusal('only host:port can be connected to')
      if (head.length > 0) near.unshift(head)
      if (target.port === 80) {
        await addressFor(target, granted, resolve)
        near.write(established)
        tunnels.set(near, target)
        server.emit('connection', near)
        return
      }
      far = await open(target)
      near.write(established)
      await checkName(near, target.host)
      await Promise.all([pipeline(near, far), pipeline(far, near)])
    } catch (thrown) {
      const why = note(target?.host ?? String(incoming.url), thrown)
      if (near.writable && near.bytesWritten === 0) near.write(failure(thrown instanceof Refusal, why))
      near.destroySoon()
      far?.destroy()
    }
  }

  const server = createServer({ requestTimeout: 0 }, (incoming, reply) => void answer(incoming, reply))
  server.on('connect', (incoming, near, head) => void tunnel(incoming, near as Socket, head))
  server.maxConnections = maxConnections
  const nearby = new Set<Socket>()
  server.on('connection', (near: Socket) => {
    nearby.add(near)
    near.on('close', () => nearby.delete(near))
  })
  const folder = await mkdtemp(join(tmpdir(), 'bobbin-proxy-'))
  const socket = join(folder, 'socket')
  server.listen(socket)
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    traffic.end()
    for (const near of nearby) near.destroy()
    await closed(server)
    await rm(folder, { recursive: true, force: true })
  }
  return { socket, close, refused: () => [...refused].map(([host, why]) => ({ host, why })) }
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'

const failure = (isRefusal: boolean, why: string): string =>
  `HTTP/1.1 ${isRefusal ? '403 Forbidden' : '502 Bad Gateway'}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${why.length + 1}\r\n\r\n${why}\n`

function refuse(reply: ServerResponse, status: number, why: string): void {
  reply.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
  reply.end(`${why}\n`)
}

/** A request in a tunnel has a path alone, and must be for the host that the tunnel was opened to. */
function within(tunnel: Target, incoming: IncomingMessage): Target | undefined {
  if (!incoming.url?.startsWith('/')) return undefined
  const target = requestTarget(`http://${incoming.headers.host ?? ''}`)
  return target?.host === tunnel.host && target.port === tunnel.port ? { ...tunnel, path: incoming.url } : undefined
}

/** The host is the one that was checked, whatever the headers say. */
async function passOn(incoming: IncomingMessage, reply: ServerResponse, target: Target, far: Socket): Promise<void> {
  const named = incoming.headers.connection?.toLowerCase().split(/\s*,\s*/) ?? []
  const headers = Object.entries(incoming.headersDistinct).filter(([name]) => !isDropped(name, named))
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  const outgoing = request({
    method: incoming.method ?? 'GET',
    path: target.path,
    headers: { ...Object.fromEntries(headers), host: target.port === 80 ? host : `${host}:${target.port}` },
    createConnection: () => far,
  })
  // Between the waits below an error would have nobody who hears it.
  outgoing.on('error', () => far.destroy())
  reply.on('error', () => far.destroy())
  reply.on('close', () => far.destroy())
  const [response] = (await Promise.all([once(outgoing, 'response'), pipeline(incoming, outgoing)]))[0] as [
    IncomingMessage,
  ]
  const back = Object.entries(response.headersDistinct).filter(([name]) => !isDropped(name, []))
  reply.writeHead(response.statusCode ?? 502, Object.fromEntries(back))
  await pipeline(response, reply)
}

const isDropped = (name: string, named: string[]): boolean => ofOneConnection.includes(name) || named.includes(name)

/** Looks at the first bytes and puts them back. */
async function checkName(near: Socket, host: string): Promise<void> {
  let seen = Buffer.alloc(0)
  const isOver = finished(near, { writable: false }).catch(() => undefined)
  for (;;) {
    const found = tlsName(seen)
    if (found.kind === 'name' && plainHost(found.name) === host) break
    if (found.kind === 'name') throw new Refusal(`the connection was for ${found.name.slice(0, 253)}`)
    if (found.kind === 'none') throw new Refusal('the connection was not TLS with the name of the host')
    const read: Buffer | null = near.read()
    if (read !== null) seen = Buffer.concat([seen, read])
    else if (near.readableEnded || near.destroyed) throw new Error('it was closed')
    else await Promise.race([once(near, 'readable'), isOver])
  }
  near.unshift(seen)
}

/** Adds up what sockets carry, and tells once when that is too much. */
function countTraffic(maxBytes: number, over: () => void) {
  const sockets = new Set<Socket>()
  let doneBytes = 0
  const carried = (socket: Socket): number => socket.bytesRead + socket.bytesWritten
  const isOver = (): boolean => [...sockets].reduce((sum, socket) => sum + carried(socket), doneBytes) > maxBytes
  const timer = setInterval(() => {
    if (!isOver()) return
    for (const socket of sockets) socket.destroy()
    over()
  }, 100)
  return {
    isOver,
    add: (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        doneBytes += carried(socket)
        sockets.delete(socket)
      })
    },
    end: () => {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
