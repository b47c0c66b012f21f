import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { keepAliveTimeout } from '../support/keep-alive.ts'

const body = async (request: IncomingMessage) => Buffer.concat(await Array.fromAsync(request)).toString()

type Described = 'oauth-authorization-server' | 'openid-configuration'

/** What the SDK expects in a document of OpenID's form. */
const openId = {
  jwks_uri: 'https://example.com/keys',
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
}

/** A server that wants a login, over HTTP at `/mcp` and over SSE at `/sse`, with an authorization server beside it: registration, PKCE, refresh. */
export async function guarded() {
  const good = new Set<string>()
  const challenges = new Map<string, string>()
  const revoked: string[] = []
  /**
   * Where the server sends whoever revokes a token, whom it names as its authorization server, where people log in, and
   * whether the browser comes back with who sent it, and in which document the server says that it always does.
   */
  const moved: { to?: string; server?: string; authorize?: string; names?: boolean; saysSo?: Described } = {}
  /** The codes that it was sent. */
  const codes: string[] = []
  /** `at`: how the path begins of requests that are never answered. */
  const hanging = { at: '/nothing', asked: Promise.withResolvers<void>() }
  /** `rotates`: a refresh token is good for one refresh, and for no more. `isOff`: it gives none. */
  const refreshing = { rotates: false, isOff: false, refused: 0 }
  /** How many requests it has refused because nobody is logged in. */
  const strangers = { refused: 0 }
  /** Where it is away, with which status, and what it then says. */
  const away = { at: '/nothing', status: 503, error: '' }
  const refreshes = new Set<string>()
  /** How many of the next requests without a good token wait for each other, to be refused together. */
  const refusing = { together: 1 }
  const waiting: (() => void)[] = []
  /** Whether it says hello to anybody, and only then wants to know who it is, or only once its tools are called. */
  const hello = { toAnybody: false, listsToAnybody: false }
  /** Resolves once somebody who may has asked for its stream. */
  const listened = Promise.withResolvers<void>()
  /** What it answers, if not `somebody`, and the tools that it has besides, each with what is said of it. */
  const answering: { with?: (token: string) => string; also?: (token: string) => Record<string, string> } = {}
  const streams = new Map<string, SSEServerTransport>()
  let given = 0
  let base = ''
  const server: HttpServer = createServer({ keepAliveTimeout }, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', base)
    const json = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (pathname.startsWith(hanging.at)) return hanging.asked.resolve()
    if (pathname.startsWith(away.at)) return json({ error: away.error }, away.status)
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json({
        resource: `${base}/${pathname.endsWith('/sse') ? 'sse' : 'mcp'}`,
        authorization_servers: [moved.server ?? base],
      })
    if (pathname === `/.well-known/${moved.saysSo ?? 'oauth-authorization-server'}`)
      return json({
        issuer: base,
        authorization_endpoint: moved.authorize ?? `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint: `${base}/revoke`,
        ...(moved.saysSo && { authorization_response_iss_parameter_supported: true }),
        ...(moved.saysSo === 'openid-configuration' && openId),
      })
    if (pathname === '/register') return json({ ...JSON.parse(await body(request)), client_id: 'registered' }, 201)
    if (pathname === '/revoke' && moved.to !== undefined) return response.writeHead(307, { location: moved.to }).end()
    if (pathname === '/revoke') {
      revoked.push(new URLSearchParams(await body(request)).get('token') ?? '')
      return json({})
    }
    if (pathname === '/authorize') {
      const code = `code-${++given}`
      challenges.set(code, searchParams.get('code_challenge') ?? '')
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      const issuer = moved.names && { iss: `${base}/` }
      back.search = `${new URLSearchParams({ code, state: searchParams.get('state') ?? '', ...issuer })}`
      return response.writeHead(302, { location: back.href }).end()
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(await body(request))
      if (form.has('code')) codes.push(form.get('code') ?? '')
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const isCode = challenges.get(form.get('code') ?? '') === proof
      const used = form.get('refresh_token') ?? ''
      if (!isCode && !refreshes.has(used)) {
        refreshing.refused++
        return json({ error: 'invalid_grant' }, 400)
      }
      const token = `token-${++given}-${randomBytes(12).toString('hex')}`
      good.add(token)
      if (refreshing.rotates) refreshes.delete(used)
      const refresh = refreshing.rotates ? `refresh-${given}` : 'refresh-me'
      refreshes.add(refresh)
      const more = refreshing.isOff ? {} : { refresh_token: refresh }
      return json({ access_token: token, token_type: 'Bearer', ...more, expires_in: 3600 })
    }
    const said = request.method === 'POST' ? JSON.parse(await body(request)) : undefined
    const isSse = pathname.startsWith('/sse')
    const isHello = hello.toAnybody && ['initialize', 'notifications/initialized'].includes(said?.method)
    const isListing = hello.listsToAnybody && ['tools/list', 'ping'].includes(said?.method)
    const sent = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!isHello && !isListing && !good.has(sent)) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length < refusing.together) return
        refusing.together = 1
        for (const go of waiting.splice(0)) go()
      })
      strangers.refused++
      const metadata = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/${isSse ? 'sse' : 'mcp'}"`
      return response.writeHead(401, { 'www-authenticate': metadata }).end()
    }
    if (isSse && request.method === 'POST') {
      const stream = streams.get(searchParams.get('sessionId') ?? '')
      return stream?.handlePostMessage(request as never, response, said)
    }
    if (request.method !== 'POST' && !isSse) {
      listened.resolve()
      return response.writeHead(405).end()
    }
    const own = new McpServer({ name: 'guarded', version: '1' })
    const text = answering.with?.(sent) ?? 'somebody'
    own.registerTool('whoami', {}, async () => ({ content: [{ type: 'text', text }] }))
    for (const [name, description] of Object.entries(answering.also?.(sent) ?? {}))
      own.registerTool(name, { description }, async () => ({ content: [{ type: 'text', text: name }] }))
    if (isSse) {
      const stream = new SSEServerTransport('/sse/messages', response)
      streams.set(stream.sessionId, stream)
      return own.connect(stream)
    }
    const transport = new StreamableHTTPServerTransport({})
    await own.connect(transport as never)
    return transport.handleRequest(request, response, said)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const told = { answering, away, hanging, hello, listened, moved, refreshing, refusing, strangers }
  return { url: `${base}/mcp`, sse: `${base}/sse`, base, codes, good, revoked, ...told }
}
