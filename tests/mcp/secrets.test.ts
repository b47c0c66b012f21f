import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { secretsIn } from '../../src/capabilities/mcp/secrets.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { botWith, box, shippedMcp } from './support.ts'

const key = 'NDk3OGQ1YjItOTM3Mi00Zjk4'
const reference = (name: string) => `$\{${name}}`

function secretsOf(server: object, variables: Record<string, string> = {}): string[] {
  const mcp_servers = { servers: { x: server }, limits: shippedMcp, sandbox: box }
  const settings = settingsIn({ sections: { mcp_servers } }, mcpSection)
  return secretsIn(settings, variables).map(({ name, value }) => `${name}: ${value}`)
}

test('a key in the address of an MCP server is masked in what is said of its failures', async () => {
  const server = createServer((request, response) => response.writeHead(404).end(`Cannot POST ${request.url}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const bot = await botWith({ x: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/s/${key}/mcp` } })
  const tested = await (await bot.chat.post('/mcp/servers/x/test')).text()
  expect(tested).toContain('/s/[secret: the bot’s own x address]/mcp')
  expect(tested).not.toContain(key)
  expect(JSON.stringify(await bot.chat.get('/mcp/servers'))).not.toContain(key)
})

test('the name of a header or a variable of its own decides, wherever its value comes from', () => {
  const token = 'a/b/c1+meadow/'
  const Authorization = `Bearer ${reference('JIRA_PAT')}`
  expect(secretsOf({ url: 'https://a.example/mcp', headers: { Authorization } }, { JIRA_PAT: token })).toEqual([
    `x Authorization: Bearer ${token}`,
    `x Authorization: ${token}`,
  ])
  const env = { JIRA_TOKEN: reference('JIRA_PAT'), LEVEL: reference('LEVEL') }
  expect(secretsOf({ command: 'x', env }, { JIRA_PAT: token, LEVEL: 'info' })).toEqual([`x JIRA_TOKEN: ${token}`])
  expect(secretsOf({ command: 'x', env, enabled: false })).toEqual([])
})

test.each([
  [['--api-key', 'meadow'], ['x --api-key: meadow']],
  [['--api-key=meadow'], ['x --api-key: meadow']],
  [
    ['mcp-remote', `https://a.example/${key}/mcp`, '--header', 'Authorization: Bearer meadow'],
    [`x argument: ${key}`, 'x Authorization: Bearer meadow', 'x Authorization: meadow'],
  ],
  [['--database', 'postgres://ana:meadow@db.example/app'], ['x --database: meadow']],
  [['--header=Authorization: Bearer meadow'], ['x Authorization: Bearer meadow', 'x Authorization: meadow']],
  [
    ['--auth-timeout', '60', '--token-limit=4000', '--no-auth', `https://a.example/mcp?keyword=${'wide'}&author=ana`],
    [],
  ],
  [['-y', '--no-auth', '--verbose', `--sheet=${key}`, '--project', key, '/srv/shared'], []],
])('of its arguments, those are secret that say so, and keys in addresses: %j', (args, expected) => {
  expect(secretsOf({ command: 'npx', args })).toEqual(expected)
})
