import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { complaintText } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load.ts'
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

test('`doctor` calls each server, and rules may be about tools that a server may have', async () => {
  const data = await scratch()
  const good = await unruly({ tools: { echo: { alias: 'say_again' }, nothing: { enabled: false } } })
  const dead = await unruly({}, 'dies')
  const odd = await unruly({}, 'malformed')
  const rules = 'tools:\n  say_again: { mode: auto }\n  mcp__x__form: { mode: auto }\n  mcp__y__form: { mode: auto }\n'
  const configDir = await configured({ x: good.server, dead: dead.server, odd: odd.server }, rules)
  const { err } = await bobbin(data, 'config', 'check', { BOBBIN_CONFIG_DIR: configDir })
  expect(err.trim().split('\n')).toEqual([expect.stringMatching(/:4:\d+: there is no tool called "mcp__y__form"/)])

  const { out } = await bobbin(data, 'doctor', { BOBBIN_CONFIG_DIR: configDir })
  expect(out).toMatch(/x \(unruly 1\.2\.3, stdio\) has 17 tools\. It has no nothing\./)
  const tools = await bobbin(data, 'mcp', 'tools', 'x', { BOBBIN_CONFIG_DIR: configDir })
  expect(tools.out).toMatch(/^x is unruly 1\.2\.3, with 17 tools\.\n {2}echo \(say_again\): Does echo\.\n/)
  expect(out).toMatch(/dead can’t be used: it ended with code 3; it wrote: the licence has expired/)
  expect(out).toContain('odd can’t be used: its answer breaks the protocol (tools.0.inputSchema: Invalid input')
})
