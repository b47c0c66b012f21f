import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepAliveTimeout } from '../support/keep-alive.ts'
import { between, type Random } from './random.ts'

/** An effect on the outside world. `key` belongs to the call. */
export interface Effect {
  tool: string
  token: string
  key: string
}

export interface Effects {
  url: string
  /** Everything that arrived, in order. */
  arrived: Effect[]
  close(): Promise<void>
}

/** The outside world: what arrives has happened, whatever happens to the sender. */
export async function startEffects(random: Random): Promise<Effects> {
  const arrived: Effect[] = []
  const server = createServer({ keepAliveTimeout }, async (request, response) => {
    arrived.push(JSON.parse(await textOf(request)) as Effect)
    await sleep(between(random, 0, 150))
    response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return text
}
