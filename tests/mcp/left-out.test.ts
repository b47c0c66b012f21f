import { PassThrough } from 'node:stream'
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { connectMcp } from '../../src/capabilities/mcp/sdk/connect.ts'
import { listedTool } from '../../src/capabilities/mcp/sdk/content.ts'

/** A client of a server on pipes that lists these tools. */
async function clientOf(tools: object[]) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.on('data', (line) => {
    const { id, method, params } = JSON.parse(String(line))
    const say = (result: object) => output.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
    const serverInfo = { name: 'odd', version: '1' }
    if (method === 'initialize')
      say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
    if (method === 'tools/list') say({ tools, nextCursor: null })
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
  expect(client.leftOut).toEqual(['no-parameters', 'one without a name', 'a-text'])
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
