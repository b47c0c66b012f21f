import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { connectMcp } from '../../src/capabilities/mcp/sdk/connect.ts'
import { listedTool } from '../../src/capabilities/mcp/sdk/content.ts'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { scratch } from '../support/store.ts'
import { botWith, unruly } from './support.ts'

/** The program's output with this server set up. */
async function withServer(server: object, limits: object = {}) {
  const configDir = await scratch()
  await writeFile(join(configDir, 'mcp_servers.yaml'), JSON.stringify({ servers: { x: server }, limits }))
  return async (...args: string[]) => (await bobbin(await scratch(), ...args, { BOBBIN_CONFIG_DIR: configDir })).out
}

/** A client of a server on pipes that lists these tools. */
async function clientOf(tools: object[], nextCursor: string | null = null) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.on('data', (line) => {
    const { id, method, params } = JSON.parse(String(line))
    const say = (result: object) => output.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
    const serverInfo = { name: 'odd', version: '1' }
    if (method === 'initialize')
      say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
    if (method === 'tools/list') say({ tools, nextCursor })
  })
  const host = { roots: () => [], elicit: async () => ({ action: 'cancel' as const }), sample: undefined }
  const limits = { messageBytes: 65_536, tools: 20, definitionBytes: 2_048 }
  const link = { kind: 'stdio' as const, input, output }
  return connectMcp(link, { ...host, toolsChanged() {}, closed() {}, mask: String }, limits, AbortSignal.any([]))
}

const inputSchema = { type: 'object' }

test('a tool that breaks the protocol takes none of the others away, nor does what nobody uses of one', async () => {
  const client = await clientOf([
    { name: 'sane', inputSchema },
    { name: 'no-parameters' },
    { name: 'any-data', inputSchema: { ...inputSchema, properties: { data: true } } },
    { name: 'none-required', inputSchema: { ...inputSchema, properties: [], required: null } },
    { name: 'odd-output', inputSchema, outputSchema: { properties: {} }, icons: 'none', _meta: 'none' },
    { name: 'nothing-said', inputSchema, title: null, description: null, annotations: null },
    { description: 'Nameless.', inputSchema },
    { name: 'a-text', inputSchema: { type: 'string' } },
  ])
  const names = (await client.listTools(AbortSignal.any([]))).map(({ name }) => name)
  expect(names).toEqual(['sane', 'any-data', 'none-required', 'odd-output', 'nothing-said'])
  expect(client.leftOut?.broken).toEqual(['no-parameters', 'one without a name', 'a-text'])
  await client.close()
})

test('a server of whose tools all break the protocol can’t be used, and says why', async () => {
  const client = await clientOf([{ name: 'a', inputSchema: { type: 'string' } }, { name: 'b' }])
  await expect(client.listTools(AbortSignal.any([]))).rejects.toMatchObject({
    code: 'mcp_unreachable',
    message: expect.stringContaining('its answer breaks the protocol (tools.0.inputSchema.type: '),
  })
  await client.close()
})

test('a tool that keeps to the protocol is known by what it was before', async () => {
  const tool = {
    inputSchema: {
      additionalProperties: false,
      required: ['b'],
      $defs: {},
      properties: { b: {}, a: {} },
      type: 'object',
    },
    annotations: { title: 'Looks', readOnlyHint: false, destructiveHint: true },
    ...{ description: 'Looks.', title: 'Look', name: 'look', outputSchema: inputSchema },
  }
  const client = await clientOf([tool])
  const { title, description, ...others } = ToolSchema.parse(tool)
  const before = listedTool({ ...others, title, description }, String)
  expect(JSON.stringify(await client.listTools(AbortSignal.any([])))).toBe(JSON.stringify([before]))
  await client.close()
})

test('of the tools beyond the limit, the first ones are known by name', async () => {
  const tools = Array.from({ length: 42 }, (_, at) => ({ name: `tool-${at}`, inputSchema }))
  const client = await clientOf(tools)
  expect(await client.listTools(AbortSignal.any([]))).toHaveLength(20)
  expect(client.leftOut).toMatchObject({ beyond: tools.slice(20, 40).map(({ name }) => name), more: true })
  await client.close()
  const paging = await clientOf(tools.slice(0, 20), 'next')
  await paging.listTools(AbortSignal.any([]))
  expect(paging.leftOut).toMatchObject({ beyond: [], more: true })
  await paging.close()
})

test('tools that models don’t get are named with the reason, and count nowhere', async () => {
  const { server } = await unruly({}, 'heavy', 'partly')
  const limits = { tools: 5, definition_bytes: 1024 }
  const run = await withServer(server, limits)
  const large =
    'Left out, because their parameters are nested too deeply, or take more than limits.definition_bytes (1.0 kB): long, deep.'
  const beyond = /Left out, because limits\.tools allows 5: fails, refuses, slow, .*\.$/m
  const tested = await run('mcp', 'test', 'x')
  expect(tested).toContain('x is unruly 1.2.3, with 3 tools.')
  expect(tested).toContain(large)
  expect(tested).toMatch(beyond)
  const listed = (await run('mcp', 'tools', 'x')).matchAll(/^ {2}(\w+)/gm)
  expect([...listed].map(([, name]) => name)).toEqual(['echo', 'mixed', 'numbers'])
  const checked = await run('doctor')
  expect(checked).toContain(`x (unruly 1.2.3, stdio) has 3 tools. ${large}`)
  expect(checked).toMatch(beyond)

  const bot = await botWith({ x: server }, { limits })
  const { tools } = await bot.chat.get<{ tools: { name: string }[] }>('/mcp/servers/x/tools')
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'mixed', 'numbers'])
  expect(await bot.chat.get('/mcp/servers/x')).toMatchObject({ tools: 3 })
  expect(await (await bot.chat.post('/mcp/servers/x/test')).json()).toMatchObject({ tools: 3 })
})

test('a tool that is set up and left out isn’t missing, and one that is switched off isn’t left out', async () => {
  const tools = { fails: { enabled: false }, slow: { alias: 'slowly' }, gone: {} }
  const { server } = await unruly({ tools })
  const limited = await (await withServer(server, { tools: 3 }))('doctor')
  expect(limited).toMatch(/Left out, because limits\.tools allows 3: refuses, slow, crash, .* It has no gone\.$/m)
  const { server: larger, folder } = await unruly({ tools })
  await writeFile(join(folder, 'more'), '10')
  expect(await (await withServer(larger, { tools: 3 }))('doctor')).not.toContain('It has no')
  const { server: broken } = await unruly({ tools: { bare: { alias: 'bear' } } }, 'partly')
  const partly = await (await withServer(broken))('doctor')
  expect(partly).toContain('breaks the protocol: bare.')
  expect(partly).not.toContain('It has no')
})
