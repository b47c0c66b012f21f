import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Capability } from '../../src/turn/port/capability.ts'
import type { Operation } from '../../src/turn/port/operation.ts'
import { startTestBot } from '../support/bot.ts'
import { raw } from './raw.ts'

const json = { 'content-type': 'application/json' }

test('what capabilities can’t read is refused with a remedy, and nothing breaks on it', async () => {
  const bot = await startTestBot({ config: { uploads: { fileBytes: 2_000, filesPerMessage: 1 } } })
  const { host } = new URL(bot.chat.url)
  await raw(bot.chat.url, '/api/v1/mcp/servers', {
    method: 'POST',
    headers: { host, ...json },
    body: JSON.stringify({ name: 'far', url: 'http://127.0.0.1:9/' }),
  })
  const cases: [method: string, path: string, status: number, body?: string][] = [
    ['GET', '/agents/%E0%A4', 400],
    ['GET', '/skills/%E0%A4', 400],
    ['GET', '/mcp/servers/%E0%A4', 400],
    ['POST', '/agents', 400, 'null'],
    ['POST', '/agents', 400, '{"name":"__proto__","description":"It","prompt":"It"}'],
    ['PATCH', '/agents/explorer', 400, '[]'],
    ['PATCH', '/agents/explorer', 413, `{"prompt":"${'a'.repeat(2_000)}"}`],
    ['POST', '/skills', 413, 'a'.repeat(2_001)],
    ['POST', '/skills/pdf/constructor', 405],
    ['POST', '/mcp/servers/far/call', 400, 'null'],
    ['POST', '/mcp/servers/far/call', 400, '{"tool":"x","arguments":[]}'],
    ['POST', '/mcp/servers/far/call', 400, '{"tool":"x","argument":{}}'],
  ]
  for (const [method, path, status, body] of cases) {
    const headers = { host, ...json, ...(body !== undefined && { 'content-length': String(body.length) }) }
    const answer = await raw(bot.chat.url, `/api/v1${path}`, { method, headers, ...(body !== undefined && { body }) })
    expect([method, path, answer.status]).toEqual([method, path, status])
    const { error } = answer.json()
    expect([path, error.code === 'internal', error.message === '', error.remedy === '']).toEqual([
      ...[path, false, false, false],
    ])
  }
})

const operation = (path: string, more: Partial<Operation> = {}): Operation => ({
  ...{ path, method: 'get', summary: 'Something', answers: { 200: 'It' } },
  ...more,
})

test('the description of the interface names what plug-ins add, and bears what they get wrong', async () => {
  const told = (name: string, operations: readonly Operation[]): Capability => ({
    name,
    operations: async () => operations,
  })
  const plugins: Capability[] = [
    { name: 'broken', operations: () => Promise.reject(new Error('no')) },
    told('listless', {} as never),
    told('loud', [operation('/loud', { method: 'GET' as never })]),
    told('odd', [operation('/odd', { method: 'summary' as never })]),
    told('silent', [operation('/silent', { summary: undefined as never })]),
    told('dated', [operation('/day', { query: z.object({ on: z.date() }) }), operation('/other')]),
    told('greedy', [operation('/about', { summary: 'Mine' }), operation('/capabilities/greedy/items')]),
  ]
  const bot = await startTestBot({ plugins })
  const { paths } = await bot.chat.get<{ paths: Record<string, { get?: { summary: string } }> }>('/openapi.json')
  expect(paths['/about']?.get?.summary).not.toBe('Mine')
  expect(Object.keys(paths).filter((path) => path.startsWith('/capabilities/'))).toEqual([
    '/capabilities/dated/other',
    '/capabilities/greedy/about',
    '/capabilities/greedy/items',
  ])
})

test('a route of a plug-in that returns nothing is answered with an error that names it', async () => {
  const bot = await startTestBot({ plugins: [{ name: 'forgetful', routes: () => () => undefined as never }] })
  const { host } = new URL(bot.chat.url)
  const { status, json } = await raw(bot.chat.url, '/api/v1/capabilities/forgetful/x', { headers: { host } })
  expect([status, json().error.code]).toEqual([500, 'bad_plugin'])
  expect(json().error.message).toContain('capabilities/forgetful')
})
