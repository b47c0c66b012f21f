import { expect, test } from 'vitest'
import { runScript } from '../../src/capabilities/commands/run-script.ts'
import { learn } from '../../src/capabilities/mcp/catalog.ts'
import { serverEntry } from '../../src/capabilities/mcp/settings.ts'
import { toolsOf } from '../../src/capabilities/mcp/tools/tools.ts'
import { runSkillScript } from '../../src/capabilities/skills/run-skill-script.ts'
import { httpFetch } from '../../src/capabilities/web/http-fetch.ts'
import type { RunTool } from '../../src/domain/tool.ts'

/** Whether a call is refused for a mask. */
function isMasked(tool: Pick<RunTool<never, never>, 'input' | 'check'>, given: object): boolean {
  try {
    tool.check?.(tool.input.parse(given), { secrets: new Map() } as never)
    return false
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'masked' })
    return true
  }
}

const shown = 'db:\n  PASSWORD: [secret: a password]\n'

test('a request sends no mask to where it would replace the value; one that only reads may look for it', () => {
  const request = (method: string, body: string) => ({ url: 'https://api.example/settings', method, body })
  const refused = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'].filter((method) =>
    isMasked(httpFetch, request(method, shown)),
  )
  expect(refused).toEqual(['POST', 'PUT', 'PATCH', 'DELETE'])
  expect(isMasked(httpFetch, request('PUT', JSON.stringify({ text: shown })))).toBe(true)
  const field = new URLSearchParams({ password: '[secret: a password]' })
  expect(isMasked(httpFetch, request('POST', `${field}`))).toBe(true)
  expect(isMasked(httpFetch, { url: `https://api.example/settings?${field}`, method: 'POST' })).toBe(true)
  expect(isMasked(httpFetch, { ...request('POST', ''), headers: { 'x-key': '[secret: a token]' } })).toBe(true)
  expect(isMasked(httpFetch, request('PUT', shown.replace('[secret: a password]', '(hidden)')))).toBe(false)
})

test.each([
  [runScript, { language: 'bash', code: 'echo "$1" > outputs/.env' }],
  [runSkillScript, { skill: 'notes', script: 'scripts/write.mjs' }],
])('nor does a program get one as an argument: %o', (tool, given) => {
  expect(isMasked(tool, { ...given, arguments: ['--token', '[secret: a token]'] })).toBe(true)
  expect(isMasked(tool, { ...given, arguments: ['--token', 'a token'] })).toBe(false)
})

test('nor does a call of an MCP server’s tool, unless it counts as one that only reads', () => {
  const put = { name: 'put', description: '', parameters: { type: 'object' }, destructive: false }
  const known = learn(undefined, 'i', [put], { tools: 10, bytes: 100_000 })
  const limits = { definitionBytes: 32_768 } as Parameters<typeof toolsOf>[3]
  const refused = ['external', 'write', 'read'].filter((effect) => {
    const [tool] = toolsOf('s', serverEntry.parse({ url: 'https://a.example', effect }), known, limits)
    return tool?.kind === 'run' && isMasked(tool, { files: [{ path: 'a.yml', content: shown }] })
  })
  expect(refused).toEqual(['external', 'write'])
})
