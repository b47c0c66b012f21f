import type { IncomingMessage, ServerResponse } from 'node:http'
import { Args, Refusal, refuse } from './args.ts'
import { fieldsOf, readBody } from './bodies.ts'
import type { Json } from './json.ts'
import { type Method, type Methods, needScope } from './method.ts'
import { agentMethods } from './methods/agents.ts'
import { chatMethods } from './methods/chat.ts'
import { conversationMethods } from './methods/conversations.ts'
import { fileMethods } from './methods/files.ts'
import { identityMethods } from './methods/identity.ts'
import { reactionMethods } from './methods/reactions.ts'
import { streamMethods } from './methods/stream.ts'
import { viewMethods } from './methods/views.ts'
import type { Fault } from './misbehave.ts'
import { RateLimits } from './rate-limits.ts'
import type { Slack } from './slack.ts'

const methods: Methods = {
  ...agentMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...identityMethods,
  ...reactionMethods,
  ...streamMethods,
  ...viewMethods,
}

const mostCalls = 20_000

export function sendJson(response: ServerResponse, body: Json, status = 200, headers: Record<string, string> = {}) {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

export const tokenOf = (request: IncomingMessage, fields: Json = {}): string | undefined => {
  const header = request.headers.authorization?.replace(/^Bearer /i, '')
  return header ?? (typeof fields.token === 'string' ? fields.token : undefined)
}

function checkToken(slack: Slack, method: Method, token: string | undefined) {
  const { botToken, appToken } = slack.settings
  if (token === undefined || token === '') refuse('not_authed')
  const expected = method.token === 'app' ? appToken : botToken
  const other = method.token === 'app' ? botToken : appToken
  if (token === other) refuse('not_allowed_token_type')
  if (token !== expected) refuse('invalid_auth')
  if (slack.revoked && method.token !== 'app') refuse('token_revoked')
}

/** Slack silently ignores unknown arguments, so the caller would never know. */
function noteUnknown(slack: Slack, name: string, method: Method, fields: Json) {
  const known = new Set([...method.args, 'token', 'team_id'])
  for (const key of Object.keys(fields)) {
    if (!known.has(key)) slack.violations.push(`${name}: unknown argument ${key}`)
  }
}

/** The response to one call; mistakes in it are recorded. */
function answerOf(slack: Slack, name: string, fields: Json | undefined, token: string | undefined): Json {
  try {
    const method = methods[name]
    if (!method) throw new Refusal('unknown_method', { extra: { req_method: name }, violation: true })
    if (fields === undefined) throw new Refusal('invalid_json', { violation: true })
    checkToken(slack, method, token)
    for (const scope of method.scopes) needScope(slack, scope)
    noteUnknown(slack, name, method, fields)
    const answer = method.run(slack, new Args(fields))
    return { ok: true, ...answer }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    const messages = (thrown.extra.errors as string[] | undefined)?.join('; ')
    if (thrown.violation) slack.violations.push(`${name}: ${thrown.message}${messages ? ` (${messages})` : ''}`)
    return { ok: false, error: thrown.message, ...thrown.extra }
  }
}

function keep(slack: Slack, method: string, fields: Json, answer: Json) {
  const { token: _, ...args } = fields
  const error = typeof answer.error === 'string' ? { error: answer.error } : {}
  slack.calls.push({ method, args, at: Date.now(), ok: answer.ok === true, ...error })
  if (slack.calls.length > mostCalls) slack.calls.shift()
}

const slowly = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** Answers `POST /api/<method>`. */
export class WebApi {
  readonly #slack: Slack
  readonly #limits = new RateLimits()

  constructor(slack: Slack) {
    this.#slack = slack
  }

  async handle(request: IncomingMessage, response: ServerResponse, name: string) {
    const slack = this.#slack
    const fields = fieldsOf(request, await readBody(request))
    const known = fields ?? {}
    const delay = slack.misbehave.delayFor(name, known)
    if (delay !== 0) await (typeof delay === 'number' ? slowly(delay) : delay)
    const fault = slack.misbehave.faultFor(name, known)
    if (fault && !('stored' in fault && fault.stored)) {
      keep(slack, name, known, { ok: false, error: fault.kind === 'refused' ? fault.error : fault.kind })
      return this.#fail(request, response, fault)
    }
    const wait = this.#limited(name, known)
    if (wait > 0) {
      keep(slack, name, known, { ok: false, error: 'ratelimited' })
      return this.#fail(request, response, { kind: 'limited', retryAfter: wait })
    }
    const answer = answerOf(slack, name, fields, tokenOf(request, known))
    keep(slack, name, known, answer)
    slack.world.changed()
    if (fault) return this.#fail(request, response, fault)
    sendJson(response, answer, 200, this.#headers(name))
  }

  #limited(name: string, fields: Json): number {
    if (this.#slack.settings.limits !== 'real') return 0
    return this.#limits.waitFor(name, methods[name]?.tier ?? 'unlimited', String(fields.channel))
  }

  #headers(name: string): Record<string, string> {
    const accepted = methods[name]?.scopes.join(',') ?? ''
    return {
      'x-oauth-scopes': methods[name]?.token === 'app' ? 'connections:write' : this.#slack.settings.scopes.join(','),
      ...(accepted !== '' && { 'x-accepted-oauth-scopes': accepted }),
      'x-slack-req-id': 'test',
    }
  }

  #fail(request: IncomingMessage, response: ServerResponse, fault: Fault) {
    switch (fault.kind) {
      case 'limited':
        return sendJson(response, { ok: false, error: 'ratelimited' }, 429, { 'retry-after': `${fault.retryAfter}` })
      case 'refused':
        return sendJson(response, { ok: false, error: fault.error, ...fault.extra })
      case 'status':
        response.writeHead(fault.status, { 'content-type': 'text/html' })
        return response.end('<html><body>Server Error</body></html>')
      case 'reset':
        return request.socket.resetAndDestroy()
      default:
        // No response: the socket stays open until somebody gives up.
        return undefined
    }
  }
}
