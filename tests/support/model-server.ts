import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepAliveTimeout } from './keep-alive.ts'
import { chunksOf } from './model-chunks.ts'
import { checkRequest, type RequestBody } from './model-request-check.ts'
import { type ScriptedReply, says, status } from './model-script.ts'

export * from './model-script.ts'
export type { RequestBody }

/** Replies in order, or a function of the request; `number` counts requests from 0. */
export type ModelScript = ScriptedReply[] | ((body: RequestBody, number: number) => ScriptedReply | undefined)

export interface ModelServer {
  /** With /v1: a slot's base URL. */
  url: string
  /** The bodies of all well-formed requests, in order. */
  requests: RequestBody[]
  /** Requests that OpenAI would have refused; each was answered with 400. */
  violations: string[]
  /** When replies were given up by whoever had asked, by `performance.now()`. */
  givenUp: number[]
  close(): Promise<void>
}

const ranOut = says('The script of this model server has no reply left.')

/** Resolves once the socket accepts the data, so that an endless reply waits for its reader. */
const write = (response: ServerResponse, text: string) =>
  new Promise<void>((resolve) => response.write(text, () => resolve()))

/** The first chunk only opens the message, so it is not counted by `cutAfter` and `hangAfter`. */
async function streamReply(response: ServerResponse, reply: ScriptedReply, body: RequestBody) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (reply.endless === 'line') {
    await write(response, 'data: ')
    while (!response.destroyed) await write(response, 'x'.repeat(65_536))
  }
  let sent = -1
  for (const payload of chunksOf(reply, body)) {
    if (response.destroyed) return
    if (sent === reply.cutAfter) return response.socket?.destroySoon()
    if (sent === reply.hangAfter) return
    if (sent === reply.pause?.chunks) await reply.pause.until
    if (reply.delayMs) await sleep(reply.delayMs)
    await write(response, `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`)
    sent++
  }
  response.end()
}

function sendStatus(response: ServerResponse, { code, headers, body }: NonNullable<ScriptedReply['status']>) {
  response.writeHead(code, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return JSON.parse(text)
}

/**
 * An OpenAI-compatible endpoint on loopback that follows its script. With `key`, any other key gets 401. `foreign`: it
 * takes what other providers have added to the API.
 */
export async function startModelServer(
  script: ModelScript = [],
  options: { key?: string; foreign?: boolean } = {},
): Promise<ModelServer> {
  const requests: RequestBody[] = []
  const violations: string[] = []
  const givenUp: number[] = []

  const replyTo = (body: RequestBody) => {
    const number = requests.push(body) - 1
    return (typeof script === 'function' ? script(body, number) : script[number]) ?? ranOut
  }

  const refusalOf = (request: IncomingMessage): ScriptedReply | undefined => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return status(404)
    const key = request.headers.authorization?.replace(/^Bearer /, '')
    if (!key) return status(401, { message: 'You did not provide an API key.' })
    if (options.key !== undefined && key !== options.key) {
      return status(401, { message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' })
    }
    return undefined
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const refusal = refusalOf(request)
    if (refusal?.status) return sendStatus(response, refusal.status)
    const checked = checkRequest(await readJson(request), options.foreign)
    if ('violation' in checked) {
      violations.push(checked.violation)
      return sendStatus(response, { code: 400, headers: {}, body: { error: { message: checked.violation } } })
    }
    const reply = replyTo(checked.body)
    await reply.after
    if (reply.status) return sendStatus(response, reply.status)
    await streamReply(response, reply, checked.body)
  }

  const server = createServer({ keepAliveTimeout }, (request, response) => {
    response.on('close', () => response.writableEnded || givenUp.push(performance.now()))
    answer(request, response).catch((thrown: Error) => response.destroy(thrown))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    violations,
    givenUp,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
