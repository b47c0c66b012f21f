import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../support/store.ts'
import { bobbinHere as bobbin } from './support.ts'

/** What `config check` says of these files, in a directory of their own. */
async function check(files: Record<string, string>, environment: Record<string, string> = {}) {
  const directory = await scratch()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const { code, out, err } = await bobbin(
    directory,
    { ...environment, BOBBIN_CONFIG_DIR: directory },
    'config',
    'check',
  )
  return { code, out, err: err.replaceAll(`${directory}/`, '') }
}

const use = 'use:\n  - tools: [now, run_comand]\n    people: [operator]\n'

test.each([
  [
    'an unknown tool in tools.yaml',
    'tools.yaml',
    'tools:\n  run_comand:\n    enabled: false',
    ['2:3: there is no tool called "run_comand". Did you mean run_command?'],
  ],
  [
    'an unknown tool in a rule for use',
    'hitl_rules.yaml',
    use,
    ['2:18: there is no tool called "run_comand". Did you mean run_command?'],
  ],
  [
    'an unknown tool among the rules of tools',
    'hitl_rules.yaml',
    'tools:\n  wirte_file:\n    mode: confirm',
    ['2:3: there is no tool called "wirte_file". Did you mean write_file?'],
  ],
  [
    'one that resembles none',
    'tools.yaml',
    'tools:\n  teleport:\n    enabled: false',
    [
      '2:3: tools.teleport: always_available is missing',
      '2:3: tools.teleport: category is missing',
      '2:3: tools.teleport: tags is missing',
    ],
  ],
  [
    'unknown tools and servers of an agent',
    'agents.yaml',
    'agents:\n  coder:\n    tools: [raed_file, web_*, wbe_*]\n    mcp_servers: [tracker]\n    rules:\n      ask: [run_comand]',
    [
      '3:13: there is no tool called "raed_file". Did you mean read_file?',
      '3:31: there is no tool called "wbe_*".',
      '4:19: there is no MCP server called "tracker". There are: none.',
      '6:13: there is no tool called "run_comand". Did you mean run_command?',
    ],
  ],
  ['a wrong type', 'bobbin.yaml', 'server:\n  port: "many"', ['2:9: server.port: ']],
  [
    'unknown keys, each at its own place',
    'bobbin.yaml',
    'server:\n  prot: 1\n  hosst: x',
    ['2:3: there is no setting called server.prot', '3:3: there is no setting called server.hosst'],
  ],
  [
    'a key deep down',
    'hitl_rules.yaml',
    'commands:\n  - programs: [now]\n    action: deny\n    risk: high\n    reason: So.\n    hots: [a]',
    ['6:5: there is no setting called commands.0.hots'],
  ],
  ['a key twice', 'bobbin.yaml', 'server:\n  port: 1\n  port: 2', ['3:3: ']],
  ['no YAML', 'bobbin.yaml', 'server:\n  port: [1', ['2:11: ']],
])('config check places %s', async (_, file, text, said) => {
  const { code, out, err } = await check({ [file]: text })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  const lines = err.trim().split('\n')
  expect(lines).toEqual(said.map((line) => expect.stringContaining(`${file}:${line}`)))
})

test.each<[string, string, Record<string, string>, string]>([
  ['no key', '{ provider: brave }', {}, 'The web search by brave needs a key. Put it into WEB_SEARCH_API_KEY.'],
  ['no address', '{ provider: searxng }', {}, 'The web search by searxng has no address. Set `web.search.url`'],
  ['a key cut in two', '{ provider: jina }', { WEB_SEARCH_API_KEY: 'a b' }, 'WEB_SEARCH_API_KEY isn’t a valid key.'],
])('config check refuses a web search with %s, as start does', async (_, search, environment, said) => {
  const { code, err } = await check({ 'bobbin.yaml': `web:\n  search: ${search}` }, environment)
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`bobbin.yaml:2:11: ${said}`) })
})

test('the configuration that is shipped is fine', async () => {
  expect(await check({})).toMatchObject({ code: 0, err: '' })
})
