import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { scratch } from '../support/store.ts'
import { botWith, unruly } from './support.ts'

const secret = 'q7Rt2Kp9Zx4Wm8Bv5Nc1'.repeat(2)
const part = secret.slice(0, 6)

test('secrets in what an MCP server lists are masked where it comes in, before anybody reads it', async () => {
  const { server } = await unruly({ env: { SECRET: secret } }, 'telling')
  const bot = await botWith({ x: server }, { script: [{ text: 'Hello.' }] })
  const { tools } = await bot.chat.get<{ tools: { name: string; description: string }[] }>('/mcp/servers/x/tools')
  expect(tools.find(({ name }) => name === 'telling')?.description).toMatch(/^\[secret: the bot’s own x SECRET\] word/)
  expect(JSON.stringify(tools)).not.toContain(part)
  expect(await (await bot.chat.post('/mcp/servers/x/test')).text()).not.toContain(part)
  await bot.chat.say('hello')
  const asked = JSON.stringify(bot.model.requests)
  expect(asked).toContain('mcp__x__telling')
  expect(asked).not.toContain(part)
})

test('in the terminal, too', async () => {
  const { server } = await unruly({ env: { SECRET: secret } }, 'telling')
  const configDir = await scratch()
  await writeFile(join(configDir, 'mcp_servers.yaml'), JSON.stringify({ servers: { x: server } }))
  const { out } = await bobbin(await scratch(), 'mcp', 'tools', 'x', { BOBBIN_CONFIG_DIR: configDir })
  expect(out).toContain('telling (mcp__x__telling): [secret: the bot’s own x SECRET] word')
  expect(out).not.toContain(part)
})
