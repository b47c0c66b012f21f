import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { keepAliveTimeout } from './keep-alive.ts'

/** What `/embeddings` was asked. */
export interface EmbeddingRequest {
  model: string
  input: string[]
  dimensions?: number
}

export interface EmbeddingServer {
  /** With /v1: the slot's base URL. */
  url: string
  requests: EmbeddingRequest[]
  close(): Promise<void>
}

type Odd = { status: number; body?: object; headers?: Record<string, string> } | { vectors: unknown; tokens?: number }

/** An OpenAI-compatible `/embeddings` on loopback. `odd`: what it answers instead, by the number of the request from 0. */
export async function startEmbeddingServer(
  vectorOf: (text: string, dimensions: number | undefined) => Iterable<number>,
  odd: (request: EmbeddingRequest, number: number) => Odd | undefined = () => undefined,
): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = []
  const server = createServer({ keepAliveTimeout }, async (request: IncomingMessage, response) => {
    const say = (code: number, body: unknown, headers = {}) => {
      response.writeHead(code, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') return say(404, { error: { message: 'no' } })
    // Our own client wrote it.
    const body = (await json(request)) as EmbeddingRequest
    const number = requests.push(body) - 1
    const other = odd(body, number)
    if (other && 'status' in other) return say(other.status, other.body ?? { error: { message: 'no' } }, other.headers)
    const vectors = body.input.map((text) => [...vectorOf(text, body.dimensions)])
    const data = other?.vectors ?? vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    const tokens = other?.tokens ?? body.input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0)
    say(200, { object: 'list', data, model: body.model, usage: { prompt_tokens: tokens, total_tokens: tokens } })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
