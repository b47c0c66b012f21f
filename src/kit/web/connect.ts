import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { Failure } from '../failure.ts'
import { codeOf, notReached, privateAddress } from './failures.ts'
import type { IsAllowed } from './places.ts'

export interface Connecting {
  /** Checked. Only these are dialled, one after the other, and no name is looked up again. */
  addresses: string[]
  isAllowed: IsAllowed
  /** Called with each address before it is dialled. */
  dialling?: ((address: string, port: number) => void) | undefined
  /** Called before anything of the request can be sent. */
  connected?: () => void
  timeoutMs: number
  signal: AbortSignal
}

/** For a whole header, in bytes. */
const headerBytes = 16_384

/** How long to wait for one address if there are others. */
const addressMs = 5000

/** An agent for one request: one connection, to a checked address, never kept. */
export function pinnedAgent(connecting: Connecting): Agent {
  const { timeoutMs } = connecting
  return new Agent({
    connect: (options, callback) => {
      connectToOne(options, connecting).then(
        (socket) => {
          connecting.connected?.()
          callback(null, socket)
        },
        (thrown) => callback(thrown instanceof Error ? thrown : new Error(String(thrown)), null),
      )
    },
    connections: 1,
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: headerBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
}

async function connectToOne(options: buildConnector.Options, connecting: Connecting): Promise<Socket> {
  const { addresses, timeoutMs, signal } = connecting
  const timeout = addresses.length > 1 ? Math.min(addressMs, timeoutMs) : timeoutMs
  let failure: unknown
  for (const address of addresses) {
    signal.throwIfAborted()
    try {
      return await dial(address, options, { ...connecting, timeoutMs: timeout })
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown
      failure = thrown
    }
  }
  throw notReached(`${options.hostname} cannot be reached (${codeOf(failure)}).`, failure)
}

async function dial(address: string, options: buildConnector.Options, connecting: Connecting): Promise<Socket> {
  const { isAllowed, dialling, timeoutMs } = connecting
  const { protocol, port, hostname } = options
  dialling?.(address, Number(port) || (protocol === 'https:' ? 443 : 80))
  const connector = buildConnector({ allowH2: false, timeout: timeoutMs, maxCachedSessions: 0 })
  const socket = await new Promise<Socket>((resolve, reject) => {
    // The address stands in place of the name, so nothing is left to look up. The certificate is checked against the
    // name.
    const target = { protocol, port, host: address, hostname: address, ...certified(protocol, hostname) }
    connector(target, (failure, connected) => (failure === null ? resolve(connected) : reject(failure)))
  })
  const reached = socket.remoteAddress
  if (reached !== undefined && isAllowed(reached)) return socket
  socket.destroy()
  throw privateAddress(`the connection leads to ${reached ?? 'nowhere'}`)
}

/** Certificates contain no final dot in a name, and addresses are checked against themselves. */
function certified(protocol: string, hostname: string): { servername?: string } {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return protocol === 'https:' && isIP(name) === 0 ? { servername: name } : {}
}
