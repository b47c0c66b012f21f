import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { mcp } from '../../src/capabilities/mcp/mcp.ts'
import { startBot } from '../../src/main.ts'
import { printedBy } from '../commands/support.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { calls, says } from '../support/model-server.ts'
import { turnServices } from '../support/services.ts'
import { openStore } from '../support/store.ts'
import { until } from '../support/until.ts'
import { botWith, shippedMcp, untilKnown } from './support.ts'

/** The SDK's own server with one tool. */
function adder(): McpServer {
  const server = new McpServer({ name: 'adder', version: '2' })
  const inputSchema = { a: z.number(), b: z.number() }
  server.registerTool('add', { description: 'Adds.', inputSchema }, async ({ a, b }, { sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? 0
    await sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress: 1, message: 'adding' },
    })
    return { content: [{ type: 'text', text: `${a + b}` }] }
  })
  return server
}

async function listening(server: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const closedPort = async (): Promise<string> => `http://127.0.0.1:${await freePort()}/mcp`

/** Streamable HTTP at /mcp, the older SSE at /sse, a redirect elsewhere at /away, and an answer that never ends at /endless. */
async function remote(): Promise<{ url: string; tokens: (string | undefined)[] }> {
  const tokens: (string | undefined)[] = []
  const sse = new Map<string, SSEServerTransport>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    if (pathname === '/away') return response.writeHead(307, { location: 'http://127.0.0.1:1/mcp' }).end()
    if (pathname === '/endless') {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more).on('error', () => {})
      return more()
    }
    if (pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response)
      sse.set(transport.sessionId, transport)
      return adder().connect(transport)
    }
    if (pathname === '/messages')
      return sse.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response)
    tokens.push(request.headers.authorization)
    if (request.method !== 'POST') return response.writeHead(405).end()
    const transport = new StreamableHTTPServerTransport({})
    await adder().connect(transport as never)
    return transport.handleRequest(request, response)
  })
  const sockets = new WebSocketServer({ server, path: '/ws' })
  sockets.on('connection', (socket) => void adder().connect(overSocket(socket)))
  return { url: await listening(server), tokens }
}

/** The SDK has only the client's side. */
function overSocket(socket: WebSocket): Transport {
  const transport: Transport = {
    start: async () => {},
    send: async (message) => socket.send(JSON.stringify(message)),
    close: async () => socket.close(),
  }
  socket.on('message', (data) => transport.onmessage?.(JSON.parse(String(data))))
  return transport
}

test('servers are spoken to over HTTP, SSE and WebSockets, with secrets from the environment, and stay within their limits', async () => {
  const { url, tokens } = await remote()
  const servers = {
    http: { url: `${url}/mcp`, headers: { Authorization: 'Bearer t0k3n-9f4Kq27Zr81mXw35' } },
    sse: { url: `${url}/sse`, transport: 'sse' },
    socket: { url: `${url.replace('http', 'ws')}/ws` },
    away: { url: `${url}/away` },
    endless: { url: `${url}/endless` },
    nobody: { url: await closedPort() },
  }
  const script = [
    calls('mcp__http__add', { a: 2, b: 3 }, ['mcp__sse__add', { a: 4, b: 5 }], ['mcp__socket__add', { a: 6, b: 7 }]),
    says('Bearer t0k3n-9f4Kq27Zr81mXw35 it was.'),
  ]
  const bot = await botWith(servers, { script, config: { rules: { approvals: false } } })
  const { events } = await bot.chat.say('add')
  expect(
    ofType(events, 'observe')
      .map(({ data }) => data.result)
      .toSorted(),
  ).toEqual(['13', '5', '9'])
  expect(tokens.length).toBeGreaterThan(2)
  expect(new Set(tokens)).toEqual(new Set(['Bearer t0k3n-9f4Kq27Zr81mXw35']))
  expect(JSON.stringify(events)).not.toContain('9f4Kq27Zr81mXw35')
  const { servers: all } = await bot.chat.get<{ servers: { name: string; why: string }[] }>('/mcp/servers')
  const why = Object.fromEntries(all.map((one) => [one.name, one.why]))
  expect(why.away).toMatch(/redirect/i)
  expect(why.endless).toContain('too large')
  expect(why.nobody).toContain('ECONNREFUSED')
})

test('a server is added over HTTP, kept over a restart, called by hand, and removed', async () => {
  const { url } = await remote()
  const bot = await startTestBot({
    config: { rules: { approvals: false } },
    script: [
      says('It is Meadow-Quiet-Marmot-77.'),
      calls('mcp__far__add', { a: 1, b: 2 }),
      says('Still Meadow-Quiet-Marmot-77.'),
    ],
  })
  const send = (method: string, path: string, body?: object) =>
    fetch(`${bot.chat.url}/api/v1/mcp/servers${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  expect(await bot.chat.get('/mcp/servers')).toEqual({ servers: [] })
  for (const refused of [
    { name: 'x', command: 'sh' },
    { name: 'x', url: 'https://a.example/$'.concat('{HOME}') },
    { name: 'x y', url },
  ])
    expect((await send('POST', '', refused)).status).toBe(400)
  const headers = { 'X-Team-Key': 'Bearer Meadow-Quiet-Marmot-77' }
  expect((await send('POST', '', { name: 'far', url: `${url}/mcp`, headers })).status).toBe(201)
  await untilKnown(bot.chat)
  const again = await send('POST', '', { name: 'far', url: await closedPort() })
  expect(again.status).toBe(409)
  expect(await again.json()).toMatchObject({ error: { code: 'exists', remedy: expect.stringContaining('DELETE') } })
  const masked = '[secret: the bot’s own far X-Team-Key].'
  const told = await bot.chat.say('which key?')
  expect(ofType(told.events, 'complete')[0]?.data.content).toBe(`It is ${masked}`)

  await bot.restart()
  await untilKnown(bot.chat)
  expect((await send('POST', '', { name: 'far', url: await closedPort() })).status).toBe(409)
  const called = await send('POST', '/far/call', { tool: 'add', arguments: { a: 20, b: 22 } })
  expect(await called.json()).toMatchObject({ isError: false, content: [{ kind: 'text', text: '42' }] })
  const { entries } = await bot.chat.get<{ entries: { data: object }[] }>('/audit?limit=50')
  const input = { a: 20, b: 22 }
  expect(entries.map(({ data }) => data)).toContainEqual({ by: 'operator', tool: 'far/add', input })
  const { events } = await bot.chat.say('go')
  expect(ofType(events, 'observe')[0]?.data.result).toBe('3')
  expect(ofType(events, 'complete')[0]?.data.content).toBe(`Still ${masked}`)

  expect((await send('DELETE', '/far')).status).toBe(204)
  await bot.restart()
  expect(await bot.chat.get('/mcp/servers')).toEqual({ servers: [] })
})

test('a start names rules that are about no tool, but not those about tools of servers that were added', async () => {
  const { url } = await remote()
  const rules = { ask: ['mcp__far__add', 'mcp__fra__add', 'sum_*', 'usm_*'] }
  const agents = { agents: { coder: { description: 'Codes.', prompt: 'Code.', rules } } }
  const bot = await startTestBot({ config: { sections: { agents, mcp_servers: { limits: shippedMcp } } } })
  const add = (name: string, tools = {}) => bot.chat.post('/mcp/servers', { name, url: `${url}/mcp`, tools })
  await add('far')
  await add('near', { add: { alias: 'sum_up' } })
  await untilKnown(bot.chat)
  await bot.stop()
  const { err } = await printedBy(async () => {
    const started = await startBot({ ...bot.config, logLevel: 'warn' })
    await started.stop()
    return 0
  })
  const said = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  expect(said).toEqual(
    ['1: there is no tool called "mcp__fra__add".', '3: there is no tool called "usm_*".'].map(
      (fact) => `agents.yaml: agents.coder.rules.ask.${fact}`,
    ),
  )
})

test('two servers that are added at once to a bot without any are both there, and rest when nobody uses them', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { url } = await remote()
  const bot = await startTestBot({ config: { sections: { mcp_servers: { limits: { ...shippedMcp, idle_ms: 1 } } } } })
  const states = async () => {
    const { servers } = await bot.chat.get<{ servers: { name: string; state: string }[] }>('/mcp/servers')
    return servers.map(({ name, state }) => `${name} ${state}`).toSorted()
  }
  const add = (name: string) => bot.chat.post('/mcp/servers', { name, url: `${url}/mcp` })
  expect((await Promise.all([add('one'), add('two')])).map(({ status }) => status)).toEqual([201, 201])
  await until('both', async () => (await states()).join() === 'one running,two running')
  await until('their rest', async () => {
    vi.advanceTimersByTime(30_000)
    return (await states()).join() === 'one stopped,two stopped'
  })
})

test('a bot that stops begins with no servers, and waits for those that are just beginning', async () => {
  const services = await turnServices(await openStore())
  const beginning = Promise.withResolvers<void>()
  const bot = {
    ...services,
    report: () => () => {},
    get sandbox() {
      beginning.resolve()
      return services.sandbox
    },
  }
  const answer = mcp.routes?.(bot)
  const servers = 'http://x/api/v1/mcp/servers'
  const add = async (name: string) => {
    const body = JSON.stringify({ name, url: await closedPort() })
    return await answer?.(new Request(servers, { method: 'POST', body }))
  }
  const adding = add('one')
  await beginning.promise
  await mcp.stop?.(bot)
  await adding
  expect(await (await answer?.(new Request(servers)))?.json()).toEqual({ servers: [] })
  const refused = await add('two')
  expect(refused?.status).toBe(502)
  expect(await refused?.json()).toMatchObject({ error: { code: 'stopping' } })
})

test.each(['exact', 'wide'] as const)(
  'what was always allowed (%s) is not for the next server of that name',
  async (pattern) => {
    const [first, second] = [await remote(), await remote()]
    const add = calls('mcp__far__add', { a: 1, b: 2 })
    const bot = await startTestBot({ script: [add, says('One.'), add, says('Two.'), add, says('Three.')] })
    const servers = `${bot.chat.url}/api/v1/mcp/servers`
    const use = async ({ url }: { url: string }) => {
      await fetch(servers, { method: 'POST', body: JSON.stringify({ name: 'far', url: `${url}/mcp` }) })
      await untilKnown(bot.chat)
    }
    await use(first)
    const { conversation } = await bot.chat.say('go')
    const asked = await until('a request', async () => (await bot.chat.requests())[0])
    await bot.chat.answer(asked.id, { decision: 'approve', always: { pattern, scope: 'tenant' } })
    await bot.chat.untilType(conversation, 'complete')
    expect((await bot.chat.say('again')).text).toBe('Two.')

    await fetch(`${servers}/far`, { method: 'DELETE' })
    await use(second)
    await bot.chat.say('and again')
    expect(await bot.chat.requests()).toMatchObject([{ tool_name: 'mcp__far__add' }])
  },
)
