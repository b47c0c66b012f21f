import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { botWith, isRunning, unruly } from './support.ts'

const open = { approvals: false }

test('a server that an operator names has tools, which run and bring back what there is', async () => {
  const { server, noted } = await unruly({
    env: { SECRET: 'k3y-9f4Kq27Zr81mXw35' },
    tools: { numbers: { alias: 'the_numbers' }, refuses: { enabled: false }, hang: { always_available: false } },
  })
  const script = [
    calls('mcp__x__echo', { text: 'hello' }, ['mcp__x__mixed', {}], ['the_numbers', {}], ['mcp__x__fails', {}]),
    calls('mcp__x__environment', {}, ['mcp__x__secret', {}], ['mcp__x__roots', {}], ['mcp__x__echo', { word: 1 }]),
    calls('mcp__x__sample', {}, ['mcp__x__child', {}]),
    says('Done.'),
  ]
  const bot = await botWith({ x: server }, { script, config: { rules: open } })
  const { events, text } = await bot.chat.say('go')
  expect(text).toBe('Done.')
  const results = ofType(events, 'observe').map(({ data }) => [data.tool_name, data.status, data.result] as const)
  const resultOf = (name: string) => results.find(([tool]) => tool === name)

  const offered = bot.model.requests[0]?.tools?.map((tool) => tool.function) ?? []
  const names = offered.map(({ name }) => name)
  expect(names.slice(-2)).toEqual(['mcp__x__large', 'mcp__x__child'])
  expect(names).toContain('the_numbers')
  expect(names).not.toContain('mcp__x__refuses')
  expect(names).not.toContain('mcp__x__hang')
  expect(offered.find(({ name }) => name === 'mcp__x__echo')).toMatchObject({
    description: 'From the MCP server x, in its words: Does echo.',
    parameters: { type: 'object', required: ['text'] },
  })

  expect(resultOf('mcp__x__echo')?.[2]).toBe('echo: hello')
  expect(resultOf('the_numbers')?.[2]).toContain('"answer": 42')
  expect(resultOf('mcp__x__fails')).toEqual(['mcp__x__fails', 'failed', 'Error: no such account.'])
  expect(resultOf('mcp__x__mixed')?.[2]).toMatch(
    /^a picture and more\n\[A file, image\/png, 70 bytes: saved as temp\/mcp\/call_\w+-1\.png.*\n.*note:\/\/one\]\nfrom a resource\n.*report\.pdf.*\n.*a link <https:\/\/example\.com\/a>\]$/,
  )
  expect(resultOf('mcp__x__environment')?.[2]).toBe('BOBBIN_MCP_SERVER HOME LANG PATH SECRET TMPDIR')
  expect(resultOf('mcp__x__secret')?.[2]).not.toContain('9f4Kq27Zr81mXw35')
  const byHand = await bot.chat.post('/mcp/servers/x/call', { tool: 'secret' })
  expect(await byHand.text()).toMatch(/"text":"\[secret: [^"]+\]"/)
  const off = await bot.chat.post('/mcp/servers/x/call', { tool: 'refuses' })
  expect([off.status, await off.text()]).toEqual([404, expect.stringContaining('is switched off')])
  const { tools } = await bot.chat.get<{ tools: { name: string }[] }>('/mcp/servers/x/tools')
  expect(tools.map(({ name }) => name)).not.toContain('refuses')
  expect(await bot.chat.get('/mcp/servers/x')).toMatchObject({ tools: tools.length })
  expect(await (await bot.chat.post('/mcp/servers/x/test', {})).json()).toMatchObject({ tools: tools.length })
  expect(resultOf('mcp__x__roots')?.[2]).toBe('[]')
  expect(results.filter(([tool]) => tool === 'mcp__x__echo')[1]?.[2]).toMatch(/text is missing; .*there is no word/)
  expect(resultOf('mcp__x__sample')?.[2]).toContain('method not found')
  expect(JSON.parse(noted('clients')[0] ?? '{}')).not.toHaveProperty('sampling')
  const sent = bot.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
  expect(sent[0]?.content).toBe('<data source="the MCP server x">\necho: hello\n</data>')

  await bot.stop()
  expect([...noted('starts'), ...noted('children')].filter(isRunning)).toEqual([])

  const configDir = await scratch()
  await writeFile(join(configDir, 'mcp_servers.yaml'), JSON.stringify({ servers: { x: server } }))
  const { out } = await bobbin(bot.dataDir, 'policy', 'explain', 'mcp__x__echo', '{"text":"a"}', {
    BOBBIN_CONFIG_DIR: configDir,
  })
  expect(out).toContain('Decided by: effect, defaults.external')
  expect(out).toContain('mcp__x__echo')
})
