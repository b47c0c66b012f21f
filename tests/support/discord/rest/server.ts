import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepAliveTimeout } from '../../keep-alive.ts'
import type { Context } from '../context.ts'
import type { Fault } from '../faults.ts'
import { formOf } from '../rules/forms.ts'
import { openApi, type Route } from '../rules/openapi.ts'
import { checkRules } from '../rules/rules.ts'
import { type Answer, json, rateLimited } from './answer.ts'
import type { Call, Incoming } from './call.ts'
import { ApiError, apiError, noSuchRoute, unauthorized } from './errors.ts'
import { RateLimits, rateLimitHeaders } from './rate-limits.ts'
import { type Body, readBody } from './request.ts'
import { handlers } from './routes/index.ts'

const prefix = '/api/v10'

/** Discord's REST API and CDN on one port. */
export function createRestServer(context: Context, calls: Call[]): Server {
  const limits = new RateLimits()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://discord')
    if (/^\/(ephemeral-)?attachments\//.test(url.pathname)) return answerDownload(context, url, request, response)
    const call: Call = {
      method: request.method ?? 'GET',
      path: decodeURIComponent(url.pathname.replace(prefix, '')),
      query: Object.fromEntries(url.searchParams),
      body: undefined,
      files: [],
      at: Date.now(),
    }
    calls.push(call)
    let body: Body | ApiError
    try {
      body = await readBody(request)
      call.body = body.json
      call.files = [...body.files.values()].map(({ name }) => name)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      body = thrown
    }
    const fault = context.faults.take(call.method, call.path, call.body)
    const before = await faultBefore(fault)
    if (before === 'drop') return drop(request, fault)
    const result = before ?? handle(request, url, call, body)
    if (fault && 'stored' in fault && fault.kind !== 'status') return drop(request, fault)
    const sent = fault?.kind === 'status' ? serverError(fault.status) : result
    call.status = sent.status
    send(response, sent)
  }

  function handle(request: IncomingMessage, url: URL, call: Call, body: Body | ApiError): Answer {
    let headers: Record<string, string> = {}
    try {
      const route = url.pathname.startsWith(prefix)
        ? openApi.route(call.method, url.pathname.slice(prefix.length).replaceAll('%40', '@'))
        : undefined
      if (route === undefined) {
        context.violations.push(`${call.method} ${call.path} is not among the operations that Discord describes`)
        throw noSuchRoute()
      }
      authorize(context, request, route)
      const { bucket, refusal } = take(limits, route, call, context.faults.limits)
      headers = rateLimitHeaders(bucket, context.faults.limits)
      if (refusal) return merged(rateLimited(refusal.retryAfterMs, refusal.global ? 'global' : 'user'), headers)
      if (body instanceof ApiError) throw violated(context, call, body)
      return merged(dispatch(context, route, url, call, body), headers)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      return merged(json(thrown.body, thrown.status), headers)
    }
  }

  return createServer({ keepAliveTimeout }, (request, response) => {
    answer(request, response).catch((thrown: Error) => {
      // The client may be killed during the request.
      if (request.complete) context.violations.push(`The test server itself failed: ${thrown.stack}`)
      response.destroy(thrown)
    })
  })
}

/** Checks the request against the OpenAPI description and our own rules, and then runs the route. */
function dispatch(context: Context, route: Route, url: URL, call: Call, { json: sent, files }: Body): Answer {
  const params = Object.fromEntries(
    Object.entries(route.params).map(([key, value]) => [key, decodeURIComponent(value)]),
  )
  const incoming: Incoming = {
    context,
    params,
    query: url.searchParams,
    body: (sent ?? {}) as Record<string, unknown>,
    files,
  }
  const handler = handlers[route.name]
  if (handler === undefined) throw new Error(`No handler for ${route.name}`)
  const problems = openApi.checkRequest(route, sent, formOf(route.name, incoming))
  if (problems.length === 0) problems.push(...checkRules(route.name, incoming))
  if (problems.length > 0) throw violated(context, call, apiError(50035, problems))
  const answer = handler(incoming)
  if (context.settings.checkAnswers) {
    for (const { path, message } of openApi.checkAnswer(route, answer.status, answer.body)) {
      context.violations.push(`Our answer to ${route.name}: ${path.join('.')}: ${message}`)
    }
  }
  return answer
}

/** A webhook is identified by its id and token, everything else by the first id. */
function take(limits: RateLimits, { name, params }: Route, { body }: Call, enforced: boolean) {
  const [first = '', second = ''] = Object.values(params)
  const isRename = name === 'PATCH /channels/{channel_id}' && typeof (body as { name?: unknown })?.name === 'string'
  const route = isRename ? `${name} rename` : name
  return limits.take(route, params.webhook_token ? `${first} ${second}` : first, enforced)
}

function violated(context: Context, { method, path }: Call, error: ApiError): ApiError {
  const details = error.problems.map(({ path: where, message }) => `${where.join('.')}: ${message}`)
  context.violations.push(`${method} ${path}: ${[error.message, ...details].join('; ')}`)
  return error
}

/** Interactions are authorised by their own token, everything else by the bot's. */
function authorize({ settings, gateway }: Context, request: IncomingMessage, { name }: Route): void {
  if (/ \/(interactions|webhooks)\//.test(name) || name === 'GET /gateway') return
  if (!gateway.tokenIsGood || request.headers.authorization !== `Bot ${settings.token}`) throw unauthorized()
}

async function answerDownload(context: Context, url: URL, request: IncomingMessage, response: ServerResponse) {
  const fault = context.faults.take('GET', url.pathname, undefined)
  const before = await faultBefore(fault)
  if (before === 'drop') return drop(request, fault)
  if (before) send(response, before)
  else sendFile(context, url, response, fault?.kind === 'cut')
}

async function faultBefore(fault: Fault | undefined): Promise<Answer | 'drop' | undefined> {
  if (fault?.kind === 'rate-limited') return rateLimited(fault.retryAfterMs, fault.scope ?? 'user', true)
  if (fault?.kind === 'answer') {
    const { status, text, contentType = 'text/html; charset=utf-8' } = fault
    return { status, text, headers: { 'content-type': contentType } }
  }
  if (fault?.kind === 'slow') await sleep(fault.ms, undefined, { ref: false })
  if (fault?.kind === 'first') await fault.run()
  if (fault?.kind === 'status' && !fault.stored) return serverError(fault.status)
  return (fault?.kind === 'reset' || fault?.kind === 'hang') && !fault.stored ? 'drop' : undefined
}

const serverError = (status: number): Answer =>
  status === 500
    ? { status, body: { message: '500: Internal Server Error', code: 0 } }
    : { status, headers: { 'content-type': 'text/html' }, text: `<html><title>${status}</title></html>` }

/** Closes without an answer, or leaves the caller waiting. */
function drop(request: IncomingMessage, fault: Fault | undefined): void {
  if (fault?.kind === 'reset') request.socket.resetAndDestroy()
}

const merged = (answer: Answer, headers: Record<string, string>): Answer => ({
  ...answer,
  headers: { ...headers, ...answer.headers },
})

function send(response: ServerResponse, { status, body, headers, text }: Answer): void {
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = payload === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, { ...type, ...headers })
  response.end(payload)
}

function sendFile({ cdn }: Context, url: URL, response: ServerResponse, isCut: boolean): void {
  const file = cdn.fetch(url)
  if (file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('This content is no longer available.')
    return
  }
  const { content, contentType } = file
  response.writeHead(200, { 'content-type': contentType, 'content-length': content.length })
  if (!isCut) response.end(content)
  else response.write(content.subarray(0, content.length / 2), () => response.destroy())
}
