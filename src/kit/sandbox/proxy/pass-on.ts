import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { Target } from './target.ts'

/** These are about one connection and not about the request (RFC 9110, 7.6.1). */
const ofOneConnection = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
]

/** Forwards a request, and its answer back. The host is the one that was checked, whatever the headers say. */
export async function passOn(
  incoming: IncomingMessage,
  reply: ServerResponse,
  target: Target,
  far: Socket,
): Promise<void> {
  const named =
    incoming.headers.connection
      ?.toLowerCase()
      .split(',')
      .map((one) => one.trim()) ?? []
  const headers = Object.entries(incoming.headersDistinct).filter(([name]) => !isDropped(name, named))
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  const outgoing = request({
    method: incoming.method ?? 'GET',
    path: target.path,
    headers: { ...Object.fromEntries(headers), host: target.port === 80 ? host : `${host}:${target.port}` },
    createConnection: () => far,
  })
  // Between the waits below nobody would hear of an error.
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
