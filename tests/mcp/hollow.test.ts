import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { boundedFetch } from '../../src/capabilities/mcp/sdk/bounded-fetch.ts'
import { connectMcp } from '../../src/capabilities/mcp/sdk/connect.ts'
import type { JsonObject } from '../../src/kit/json.ts'

/** Few bytes, which the SDK would describe in gigabytes. */
const hollow = Array<object>(200_000).fill({})

/** Connects to a server that gives these answers, by method. */
function connected(answers: Record<string, object>) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  createInterface({ input }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const { protocolVersion } = params ?? {}
    const hello = {
      protocolVersion,
      capabilities: { resources: {}, prompts: {} },
      serverInfo: { name: 'x', version: '1' },
    }
    const result = { ...(method === 'initialize' && hello), ...answers[method] }
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  })
  const host = {
    roots: () => [],
    elicit: async () => ({ action: 'cancel' }),
    toolsChanged() {},
    closed() {},
    mask: String,
  }
  const limits = { messageBytes: 1_000_000, tools: 10, definitionBytes: 1_000 }
  return connectMcp({ kind: 'stdio', input, output }, host as never, limits, new AbortController().signal)
}

test.each<{ from: string; with: object; tool: string; input: JsonObject }>([
  { from: 'resources/list', with: { resources: hollow }, tool: 'resources', input: {} },
  { from: 'resources/read', with: { contents: hollow }, tool: 'resources', input: { uri: 'a:b' } },
  { from: 'prompts/list', with: { prompts: hollow }, tool: 'prompts', input: {} },
  { from: 'prompts/list', with: { prompts: [{ name: 'p', arguments: hollow }] }, tool: 'prompts', input: {} },
  { from: 'prompts/get', with: { messages: hollow }, tool: 'prompts', input: { name: 'p' } },
  { from: 'tools/call', with: { content: hollow }, tool: 'other', input: {} },
  {
    from: 'tools/call',
    with: { content: [{ type: 'text', text: 't', annotations: { audience: hollow } }, {}] },
    tool: 'other',
    input: {},
  },
])('a broken answer to $from ends its call at its first fault', async ({ from, tool, input, ...answer }) => {
  const client = await connected({ [from]: answer.with })
  const called = client.call(tool, input, new AbortController().signal, () => {})
  const failure = await called.catch((thrown: Error) => thrown)
  expect(failure).toMatchObject({
    code: 'mcp_bad_answer',
    message: expect.stringMatching(/\.[01]\.\w+: /),
  })
  await client.close()
})

const image = (data: string) => ({ content: [{ type: 'image', mimeType: 'image/png', data }] })
const contents = (more: object) => ({ contents: [{ uri: 'a:b', ...more }] })

test.each<{ what: string; with: object; tool: string }>([
  { what: 'an image', with: { 'tools/call': image('not base64!!') }, tool: 'other' },
  { what: 'a resource', with: { 'resources/read': contents({ blob: 'not base64!!' }) }, tool: 'resources' },
])('$what that isn’t base64 is a fault of the server, and no file', async ({ tool, ...answer }) => {
  const client = await connected(answer.with as Record<string, object>)
  const called = client.call(tool, { uri: 'a:b' }, new AbortController().signal, () => {})
  const message = expect.stringMatching(/\.0\.(data|blob): isn’t base64/)
  await expect(called).rejects.toMatchObject({ code: 'mcp_bad_answer', message })
  await client.close()
})

test('one as a data URL, or in lines, is a file', async () => {
  const client = await connected({
    'tools/call': image('data:image/png;base64,aGk='),
    'resources/read': contents({ blob: 'aG\r\nk=\n', text: null }),
  })
  const { signal } = new AbortController()
  const results = [await client.call('other', {}, signal, () => {})]
  results.push(await client.call('resources', { uri: 'a:b' }, signal, () => {}))
  for (const { content } of results) {
    const [file] = content
    expect(Buffer.from(file?.kind === 'file' ? file.base64 : '', 'base64').toString()).toBe('hi')
  }
  await client.close()
})

test.each([
  ['one long page', { 'resources/list': { resources: Array(5_001).fill({ name: 'n', uri: 'a:b' }) } }, 5_000],
  ['pages without end', { 'resources/list': { resources: [{ name: 'n', uri: 'a:b' }], nextCursor: 'next' } }, 20],
])('a list of %s is cut, and says so', async (_, answers, most) => {
  const lists = { ...answers, 'resources/templates/list': { resourceTemplates: [] } }
  const client = await connected(lists as Record<string, object>)
  const { content } = await client.call('resources', {}, new AbortController().signal, () => {})
  const text = `${Array(most).fill('- n <a:b>').join('\n')}\n[more are left out]`
  expect(content).toEqual([{ kind: 'text', text }])
  await client.close()
})

test('a prompt with more arguments than are named says so, and a list that fits ends with its last item', async () => {
  const prompt = (name: string, wanted: number) => ({ name, arguments: Array(wanted).fill({ name: 'x' }) })
  const client = await connected({ 'prompts/list': { prompts: [prompt('a', 33), prompt('b', 1), prompt('c', 0)] } })
  const { content } = await client.call('prompts', {}, new AbortController().signal, () => {})
  expect(content).toEqual([{ kind: 'text', text: `- a (${'x?, '.repeat(32)}…)\n- b (x?)\n- c` }])
  await client.close()
})

test('a server whose hello is one of those is not connected to', async () => {
  const serverInfo = { name: 'x', version: '1', icons: hollow }
  await expect(connected({ initialize: { serverInfo } })).rejects.toThrow('its answer has too many parts')
})

test('what a server says of where to log in is read only while it is small', async () => {
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ scopes_supported: Array(100_000).fill(1) })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  const fetching = boundedFetch(1_000_000, url)
  const spoken = await fetching(url, { headers: { accept: 'application/json, text/event-stream' } })
  expect(await spoken.json()).toMatchObject({ scopes_supported: expect.any(Array) })
  const described = await fetching(url, { headers: { accept: 'application/json' } })
  await expect(described.text()).rejects.toThrow('too large')
})
