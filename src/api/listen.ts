import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { Failure } from '../kit/failure.ts'
import { cutSlowBody, usualLookMs } from './body-pace.ts'
import { apiWords } from './words.ts'

export interface Listening {
  port: number
  /** Cuts open streams. Their readers reconnect with the number of the last event they saw. */
  close(): Promise<void>
}

/** A client that sends its next request just as it was told to stop doing so is still heard, even on a busy machine. */
const spareMs = 20_000

/** How long a request's head may take, ms. Without a limit for the whole request, Node would set none. */
const headMs = 60_000

/** Serves an app. Throws `port_taken`, `cannot_listen`. */
export function listen(app: Hono, host: string, port: number, lookMs = usualLookMs): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const serverOptions = { keepAliveTimeoutBuffer: spareMs, requestTimeout: 0, headersTimeout: headMs }
    const server: ServerType = serve({ fetch: app.fetch, hostname: host, port, serverOptions }, (info: AddressInfo) =>
      resolve({ port: info.port, close: () => close(server) }),
    )
    server.on('request', (incoming: IncomingMessage) => cutSlowBody(incoming, lookMs))
    server.on('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      const isNowhere = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'].includes(error.code ?? '')
      const fact = taken
        ? apiWords.portUse({ port, host })
        : apiWords.listeningFailed({ host, port, message: error.message })
      const remedy = isNowhere
        ? `${host} is no address of this machine. Correct BOBBIN_HOST: 127.0.0.1 is this machine only, 0.0.0.0 is everywhere.`
        : apiWords.portTakenRemedy()
      reject(new Failure(taken ? 'port_taken' : 'cannot_listen', fact, remedy, { cause: error }))
    })
  })
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
}
