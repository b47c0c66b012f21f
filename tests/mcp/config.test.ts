import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loginClientOf } from '../../src/capabilities/mcp/addresses.ts'
import { openServer } from '../../src/capabilities/mcp/open.ts'
import type { McpHost } from '../../src/capabilities/mcp/port.ts'
import { Marks } from '../../src/capabilities/mcp/process/marks.ts'
import { mcpSection, type ServerSettings } from '../../src/capabilities/mcp/settings.ts'
import { complaintText } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load.ts'
import { settingsIn } from '../../src/config/section.ts'
import type { Sandbox, SandboxRun } from '../../src/kit/sandbox/port.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { scratch } from '../support/store.ts'
import { unruly } from './support.ts'

async function configured(servers: object, rules?: string) {
  const directory = await scratch()
  await writeFile(join(directory, 'mcp_servers.yaml'), JSON.stringify({ servers }, null, 1))
  if (rules !== undefined) await writeFile(join(directory, 'hitl_rules.yaml'), rules)
  return directory
}

const complaintsOn = async (servers: object, environment: Record<string, string> = {}) => {
  const directory = await configured(servers)
  const loaded = loadConfig({ BOBBIN_CONFIG_DIR: directory, ...environment }, directory, builtinSections)
  return 'complaints' in loaded ? loaded.complaints.map(complaintText) : loaded.config
}

const reference = (name: string) => `$\{${name}}`

test('no two servers can give their tools the same names', async () => {
  const servers = { a: { command: 'x' }, a__b: { command: 'x' }, a_: { command: 'x' }, 'a-_b-': { command: 'x' } }
  expect(await complaintsOn(servers)).toEqual([
    expect.stringMatching(/servers\.a__b: .*not __/),
    expect.stringMatching(/servers\.a_: .*no _ at its end/),
  ])
})

test('variables that a server needs are looked up, and a wrong entry is named with its line', async () => {
  const servers = {
    x: { command: 'x', env: { KEY: reference('SOME_KEY') } },
    off: { url: `https://a.b/${reference('NEITHER')}`, enabled: false },
  }
  expect(await complaintsOn(servers)).toEqual([
    expect.stringMatching(/mcp_servers\.yaml:6:\d+: servers\.x\.env\.KEY: there is no environment variable SOME_KEY/),
  ])
  expect(await complaintsOn(servers, { SOME_KEY: 'one' })).toMatchObject({ variables: { SOME_KEY: 'one' } })
  const wrong = { x: { command: 'x', url: 'https://a.b' }, y: { url: 'ftp://a.b' }, 'a b': { command: 'x' } }
  expect(await complaintsOn(wrong)).toEqual([
    expect.stringMatching(/servers\.x\.command: give either a command or a url/),
    expect.stringMatching(/servers\.y\.url: it begins with https/),
    expect.stringMatching(/servers\.a b: .*up to 32 letters/),
  ])
})

test('a setting that would have no effect is complained about', async () => {
  const command = 'x'
  const url = 'https://a.b'
  const servers = {
    a: { command, directory: '/srv', sandbox: true },
    b: { command, hosts: ['a.b'] },
    c: { url, directory: '/srv' },
    d: { url, args: ['a'] },
    e: { command, hosts: ['a.b'], sandbox: true, env: { A: 'b' } },
    f: { command, directory: '/srv', args: ['a'] },
  }
  expect(await complaintsOn(servers)).toEqual([
    expect.stringMatching(/servers\.a\.directory: in the sandbox, it runs in a folder of its own/),
    expect.stringMatching(/servers\.b\.hosts: they are only for a command in the sandbox/),
    expect.stringMatching(/servers\.c\.directory: only a command has a directory/),
    expect.stringMatching(/servers\.d\.args: only a command has arguments/),
  ])
})

test('variables are put in where a server may reach, and what a login is for', async () => {
  const servers = {
    x: { command: 'x', sandbox: true, hosts: [reference('SOME_HOST')] },
    y: { url: 'https://a.b', oauth: { scope: reference('SOME_SCOPE') } },
  }
  const config = await complaintsOn(servers, { SOME_HOST: 'api.example', SOME_SCOPE: 'read' })
  if (Array.isArray(config)) throw new Error(config.join())
  const settings = settingsIn(config, mcpSection)
  const [x, y] = ['x', 'y'].map((name) => settings.servers.get(name)) as [ServerSettings, ServerSettings]
  const reached: string[] = []
  const sandbox = {
    facts: async () => ({ kind: 'bubblewrap' }),
    run: async ({ hosts }: SandboxRun) => {
      reached.push(...hosts)
      return { by: 'itself', exitCode: 3 }
    },
  } as unknown as Sandbox
  const own = { dataDir: await scratch() }
  const marks = new Marks(own.dataDir)
  const deps = { config: { ...config, ...own }, settings, sandbox, marks, mask: (text: string) => text, learn() {} }
  const opened = openServer({ name: 'x', server: x, scope: '' }, {} as McpHost, { signal: AbortSignal.any([]), deps })
  await expect(opened).rejects.toThrow()
  expect(reached).toEqual(['api.example'])
  expect(loginClientOf(y, config.variables)).toEqual({ scope: 'read' })
})

test('rules may say who decides on `mcp`, which is no tool, and nothing else of it', async () => {
  const check = async (rule: string) => {
    const configDir = await configured({}, `tools:\n  mcp: ${rule}\n`)
    return bobbin(await scratch(), 'config', 'check', { BOBBIN_CONFIG_DIR: configDir })
  }
  expect(await check('{ decider: team }')).toMatchObject({ code: 0, err: '' })
  const { code, err } = await check('{ mode: confirm, decider: team }')
  expect(code).toBe(1)
  expect(err).toMatch(
    /hitl_rules\.yaml:2:\d+: there is no tool called "mcp"\.?\s+Under this name, give only a decider\./,
  )
})

test('`doctor` calls each server, and rules may be about tools that a server may have', async () => {
  const data = await scratch()
  const good = await unruly({
    tools: { echo: { alias: 'say_again' }, nothing: { enabled: false }, hang: { enabled: false } },
  })
  const dead = await unruly({}, 'dies')
  const odd = await unruly({}, 'malformed')
  const half = await unruly({}, 'partly')
  const rules = 'tools:\n  say_again: { mode: auto }\n  mcp__x__form: { mode: auto }\n  mcp__y__form: { mode: auto }\n'
  const configDir = await configured({ x: good.server, dead: dead.server, odd: odd.server, half: half.server }, rules)
  const { err } = await bobbin(data, 'config', 'check', { BOBBIN_CONFIG_DIR: configDir })
  expect(err.trim().split('\n')).toEqual([expect.stringMatching(/:4:\d+: there is no tool called "mcp__y__form"/)])

  const { out } = await bobbin(data, 'doctor', { BOBBIN_CONFIG_DIR: configDir })
  expect(out).toMatch(/x \(unruly 1\.2\.3, stdio\) has \d+ tools\. It has no nothing\./)
  const tools = await bobbin(data, 'mcp', 'tools', 'x', { BOBBIN_CONFIG_DIR: configDir })
  expect(tools.out).toMatch(/^x is unruly 1\.2\.3, with \d+ tools\.\n {2}echo \(say_again\): Does echo\.\n/)
  expect(tools.out).not.toMatch(/^ {2}hang /m)
  expect(out).toMatch(/dead can’t be used: it ended with code 3; it wrote: the licence has expired/)
  expect(out).toMatch(
    /half \(unruly 1\.2\.3, stdio\) has \d+ tools\. Left out, because what it says of them breaks the protocol: bare\./,
  )
  expect(out).toContain('odd can’t be used: its answer breaks the protocol (tools.0.inputSchema: Invalid input')
})
