import { expect, test } from 'vitest'
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
