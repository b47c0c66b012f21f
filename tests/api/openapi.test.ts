import type { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/api/app.ts'
import type { ApiDeps } from '../../src/api/deps.ts'
import { operations } from '../../src/api/operations.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { says } from '../support/model-server.ts'
import { raw } from './raw.ts'

interface Operation {
  summary: string
  parameters: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; headers?: object; content?: Record<string, object> }>
}

interface OpenApi {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  security: object[]
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

const document = (bot: TestBot) => bot.chat.get<OpenApi>('/openapi.json')

/** The routes of the app under /api/v1, spelled as OpenAPI spells them. Registering them needs nothing of what they use. */
async function routes(): Promise<string[]> {
  const access = { tokens: undefined, host: '127.0.0.1', port: () => 0 }
  const deps = { about: { version: '0' }, routes: new Map(), endpoints: [] } as unknown as ApiDeps
  const app: Hono = await createApp(deps, access, async () => {})
  return app.routes
    .filter(({ path, method }) => path.startsWith('/api/v1/') && method !== 'ALL')
    .map(({ path, method }) => `${method} ${path.slice('/api/v1'.length).replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`)
    .toSorted()
}

test('every route is documented, and every documented operation is a route', async () => {
  const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
  // The document does not describe itself.
  expect([...documented, 'GET /openapi.json'].toSorted()).toEqual(await routes())
})

test('the document is served, and describes what each operation takes and returns', async () => {
  const bot = await startTestBot()
  const { openapi, servers, paths, components } = await document(bot)
  expect(openapi).toBe('3.1.0')
  expect(servers).toEqual([{ url: '/api/v1' }])
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/skills/{name}/enable', '/mcp/servers/{name}/call']))
  for (const [path, methods] of Object.entries(paths)) {
    for (const operation of Object.values(methods)) {
      expect(operation.summary).not.toBe('')
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(operation.parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name)).toEqual(inPath)
      for (const [code, { content }] of Object.entries(operation.responses)) {
        if (Number(code) >= 400)
          expect(content?.['application/json']).toEqual({ schema: { $ref: '#/components/schemas/Error' } })
      }
    }
  }
  expect(components.schemas.Error).toMatchObject({
    properties: { error: { required: ['code', 'message', 'remedy'] } },
  })
  expect(components.schemas.Event).toMatchObject({
    // What streams has no number.
    required: ['type', 'data', 'timestamp', 'conversation_id'],
    properties: {
      type: { enum: expect.arrayContaining(['output', 'permission_voted', 'permission_moved', 'revoked']) },
    },
  })
})

test('what isn’t JSON is described, too: files, bytes, events, headers, no content, and who may ask', async () => {
  const { paths, security, components } = await document(await startTestBot())
  const chat = paths['/agent/chat']?.post
  const form = chat?.requestBody?.content['multipart/form-data']?.schema
  expect(form).toMatchObject({
    properties: { message: {}, files: { type: 'array', items: { type: 'string', format: 'binary' } } },
  })
  expect(chat?.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header' }])
  expect(chat?.responses['200']).toMatchObject({
    headers: { 'X-Conversation-Id': {} },
    content: { 'text/event-stream': {} },
  })
  const stream = paths['/agent/conversations/{id}/stream']?.get?.parameters
  expect(stream).toContainEqual(expect.objectContaining({ name: 'Last-Event-ID', in: 'header' }))
  const typesOf = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses['200']?.content ?? {})
  expect(typesOf('/agent/conversations/{id}/files/{path}', 'get')).toEqual(['*/*'])
  expect(typesOf('/skills/{name}/package', 'get')).toEqual(['application/zip'])
  expect(Object.keys(paths['/skills']?.post?.requestBody?.content ?? {})).toEqual(['application/zip', 'text/markdown'])
  expect(paths['/agent/conversations/{id}/feedback']?.post?.responses['204']).toEqual({ description: 'Stored' })
  expect(security).toEqual([{ token: [] }, {}])
  expect(components.securitySchemes.token).toEqual({ type: 'http', scheme: 'bearer' })
})

/** The described operation that a request is for, if there is one. */
function operationFor({ paths }: OpenApi, method: string, address: string): Operation | undefined {
  const { pathname } = new URL(address, 'http://localhost')
  const fits = (path: string) =>
    new RegExp(`^/api/v1${path.replace('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
  const [, methods = {}] = Object.entries(paths).find(([path]) => fits(path)) ?? []
  return methods[method.toLowerCase()]
}

describe('errors', () => {
  test.each([
    ['an unknown path', 'GET', '/api/v1/nothing', 404],
    ['an unknown page', 'GET', '/nothing.html', 404],
    ['an asset that there is none of', 'GET', '/assets/none.js', 404],
    ['a package that is not served', 'GET', '/vendor/kysely.js', 404],
    ['an asset outside', 'GET', '/assets/..%2f..%2f..%2fmain.ts', 404],
    ['the wrong method', 'DELETE', '/api/v1/agent/conversations', 405],
    ['GET of what is POST', 'GET', '/api/v1/agent/chat', 405],
    ['an unknown conversation', 'GET', '/api/v1/agent/conversations/ses_none', 404],
    ['its events', 'GET', '/api/v1/agent/conversations/ses_none/events', 404],
    ['its status', 'GET', '/api/v1/agent/conversations/ses_none/execution-status', 404],
    ['its calls', 'GET', '/api/v1/agent/conversations/ses_none/tool-executions', 404],
    ['its files', 'GET', '/api/v1/agent/conversations/ses_none/files', 404],
    ['one of its files', 'GET', '/api/v1/agent/conversations/ses_none/files/uploads/a', 404],
    ['stopping it', 'POST', '/api/v1/agent/conversations/ses_none/stop', 404],
    ['a hostile id', 'GET', "/api/v1/agent/conversations/'%20or%201=1%20--", 404],
    ['a limit that is none', 'GET', '/api/v1/agent/conversations?limit=-1', 400],
    ['a grant that there is none of', 'DELETE', '/api/v1/grants/grant_none', 404],
    ['grants of an unknown conversation', 'GET', '/api/v1/grants?conversation_id=ses_none', 404],
    ['a number that is none', 'GET', '/api/v1/audit?before=x', 400],
    ['a status that is none', 'GET', '/api/v1/requests?status=gone', 400],
    ['JSON that isn’t called so', 'POST', '/api/v1/agent/chat', 415],
    ['a page of events that is none', 'GET', '/api/v1/agent/conversations/ses_none/events?limit=0', 404],
    ['a name that nobody has', 'POST', '/api/v1/agent/conversations/ses_none/feedback', 404],
  ])('of %s have code, message and remedy', async (_, method, path, code) => {
    const bot = await startTestBot({ script: () => says('Hello.') })
    const answer = await raw(bot.chat.url, path, { method })
    expect(answer.status).toBe(code)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    const body = answer.json<Record<string, unknown>>()
    expect(Object.keys(body)).toEqual(['error'])
    expect(Object.keys(body.error as object).toSorted()).toEqual(['code', 'message', 'remedy'])
    for (const text of Object.values(body.error as object)) expect(text).toMatch(/\w/)
    const operation = operationFor(await document(bot), method, path)
    if (operation !== undefined) expect(operation.responses).toHaveProperty(`${code}`)
  })

  test.each(['stop', 'resume'])('of %s with a body that is broken or hostile', async (action) => {
    const bot = await startTestBot({ script: () => says('Hello.') })
    const { conversation } = await bot.chat.say('hi')
    for (const body of [
      '{"user_id": ',
      '[]',
      '{"user_id": 7}',
      '{"user_id": "a\\nb"}',
      `{"x": "${'x'.repeat(20_000)}"}`,
    ]) {
      const headers = { 'content-type': 'application/json' }
      const answer = await raw(bot.chat.url, `/api/v1/agent/conversations/${conversation}/${action}`, {
        method: 'POST',
        headers,
        body,
      })
      expect([400, 413]).toContain(answer.status)
      expect(answer.json().error.remedy).toMatch(/\w/)
    }
  })
})

test('a conversation is listed with what a screen needs of it', async () => {
  const bot = await startTestBot({ script: () => says('Hello.') })
  const { conversation } = await bot.chat.say('the first words of it', { user: 'ana', project: 'sales' })
  await bot.chat.untilPosted(conversation)
  await bot.chat.say('another', { project: 'general' })
  const { conversations } = await bot.chat.get<{ conversations: object[] }>('/agent/conversations?project_id=sales')
  expect(conversations).toMatchObject([
    {
      id: conversation,
      title: 'the first words of it',
      platform: 'console',
      project_id: 'sales',
      user: { id: 'ana' },
      state: 'completed',
      turns: 1,
      messages: 2,
      pending_requests: 0,
    },
  ])
  expect(await bot.chat.get(`/agent/conversations/${conversation}`)).toEqual(conversations[0])
  const latest = await bot.chat.get<{ conversations: object[] }>('/agent/conversations?limit=1')
  expect(latest.conversations).toMatchObject([{ title: 'another' }])
})

test('the bot says what it is', async () => {
  const bot = await startTestBot()
  expect(await bot.chat.get('/about')).toMatchObject({
    name: 'Bobbin',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    model: { practice: true },
    projects: ['general'],
  })
})
