import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { isPublicAddress } from '../../src/kit/net/address.ts'
import type { FetchOptions, Web } from '../../src/kit/web/port.ts'
import { openWeb, type WebOptions } from '../../src/kit/web/web.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

export interface Site {
  port: number
  /** `http://127.0.0.1:port`. */
  origin: string
  requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]
}

/** A server on loopback that ends with the test. */
export async function site(answer: Answer): Promise<Site> {
  const requests: Site['requests'] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    response.on('error', () => {})
    answer(request, response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // It listens on TCP.
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, requests }
}

export interface TestWeb {
  web: Web
  /** Names that were asked for, in their order. */
  asked: string[]
  /** `address:port`. */
  dialled: string[]
  get(url: string, options?: Partial<FetchOptions>): ReturnType<Web['fetch']>
}

/**
 * A web whose names are those given, each with its answers one after the other (the last one stays). Public addresses are
 * allowed, and loopback unless a test says no; no name is looked up for real, and nothing but loopback is ever dialled.
 */
export function testWeb(
  names: Record<string, string[][]> = {},
  { loopback = true, ...options }: Partial<WebOptions> & { loopback?: boolean } = {},
): TestWeb {
  const asked: string[] = []
  const dialled: string[] = []
  const answers = new Map(Object.entries(names).map(([name, all]) => [name, [...all]]))
  const web = openWeb({
    version: '9.9.9',
    readPage: async () => ({ title: '', markdown: '', isCut: false }),
    search: undefined,
    resolve: async (name) => {
      asked.push(name)
      const left = answers.get(name)
      const [first] = left ?? []
      if (left !== undefined && left.length > 1) left.shift()
      if (first === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      return first
    },
    isAllowed: (address) => isPublicAddress(address) || (loopback && address === '127.0.0.1'),
    dialling: (address, port) => {
      dialled.push(`${address}:${port}`)
      // A protection that fails reaches nobody: then this is what stands in the way.
      if (!address.startsWith('127.')) throw new Error(`${address} would have been dialled`)
    },
    ...options,
  })
  return {
    web,
    asked,
    dialled,
    get: (url, more) =>
      web.fetch(url, {
        pageBytes: 100_000,
        downloadBytes: 200_000,
        timeoutMs: 60_000,
        signal: new AbortController().signal,
        ...more,
      }),
  }
}

export const text = ({ bytes }: { bytes: Uint8Array }): string => Buffer.from(bytes).toString()
