import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { ofType } from '../support/client.ts'
import { scratch } from '../support/store.ts'
import { guarded } from './guarded.ts'
import { botWith, unruly } from './support.ts'

test('what mcp can’t do is said for what it is, in chat and in the terminal', async () => {
  const { server: dead } = await unruly({}, 'dies')
  const bot = await botWith({ dead }, { script: [] })
  const say = async (text: string) =>
    ofType((await bot.chat.say(text)).events, 'message').findLast(({ data }) => data.role === 'assistant')?.data.text
  expect(await say('/mcp stat dead')).toMatch(/^Say `mcp` and `prompts`, `test`/)
  expect(await say('/mcp prompts dead')).toContain('it ended with code 3')
  expect(await say('/mcp login dead')).toBe(
    'dead isn’t reached over HTTP, so nobody logs in to it. It’s used without a login.',
  )

  const configDir = await scratch()
  await writeFile(join(configDir, 'mcp_servers.yaml'), JSON.stringify({ servers: { dead } }))
  const { err } = await bobbin(bot.dataDir, 'mcp', 'login', 'dead', { BOBBIN_CONFIG_DIR: configDir })
  expect(err).toBe('dead isn’t reached over HTTP, so nobody logs in to it. It’s used without a login.\n')
})

test('the command line knows the servers that were added over HTTP', async () => {
  const { server } = await unruly()
  const bot = await botWith({ x: server })
  const { url } = await guarded()
  expect((await bot.chat.post('/mcp/servers', { name: 'crm', url })).status).toBe(201)
  const run = (...args: string[]) => bobbin(bot.dataDir, 'mcp', ...args)
  expect((await run('list')).out).toBe(`crm  http, enabled, added over HTTP  ${url}\n`)
  expect((await run('test', 'crm')).err).toContain('run `bobbin mcp login crm`.')
  expect((await run('logout', 'crm')).out).toBe('The login of crm is deleted.\n')
  expect((await run('test', 'cmr')).err).toBe('There is no MCP server cmr. There are: crm.\n')
})

test('a database that can’t be opened keeps mcp from nothing that doesn’t need it', async () => {
  const { server } = await unruly()
  const dataDir = await scratch()
  await writeFile(join(dataDir, 'bobbin.db'), 'no database')
  await writeFile(join(dataDir, 'mcp_servers.yaml'), JSON.stringify({ servers: { x: server } }))
  const run = (...args: string[]) => bobbin(dataDir, 'mcp', ...args, { BOBBIN_CONFIG_DIR: dataDir })
  expect((await run()).err).toMatch(/^Usage: mcp list/)
  expect((await run('frobnicate', 'x')).err).toMatch(/^Usage: mcp list/)
  expect((await run('test', 'y', 'z')).err).toMatch(/^Usage: mcp list/)
  expect((await run('test', 'x')).out).toContain('x is unruly')
  const listed = await run('list')
  expect(listed.out).toMatch(/^x {2}stdio, enabled {2}/)
  expect(listed.err).toContain('database')
})
