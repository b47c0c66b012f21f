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
    ['2:3: there is no tool called "teleport". There are: '],
  ],
  [
    'an agent with the name of a tool',
    'agents.yaml',
    'agents:\n  now:\n    description: Tells it.\n    prompt: Tell it.',
    ['3:5: @now means a tool, so nobody can write to an agent of this name. Give it another name.'],
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
    'misspelt sections and keys',
    'bobbin.yaml',
    'sever:\n  port: 1\nagent:\n  max_stpes: 3\nweb:\n  serach: {}',
    [
      '4:3: there is no setting called agent.max_stpes. Did you mean max_steps?',
      '6:3: there is no setting called web.serach. Remove it',
    ],
  ],
  [
    'a misspelt section',
    'bobbin.yaml',
    'sever:\n  port: 1',
    ['1:1: there is no setting called sever. Did you mean server?'],
  ],
  [
    'what is missing',
    'agents.yaml',
    'agents:\n  newone:\n    description: Does it.',
    ['2:3: agents.newone.prompt is missing. Add it.'],
  ],
  [
    'a value of the wrong kind where nothing is shipped',
    'agents.yaml',
    'agents:\n  newone:\n    description: Does it.\n    prompt: 3',
    ['4:13: agents.newone.prompt: Invalid input: expected string, received number. Correct the value.'],
  ],
  [
    'a word that only older YAML takes for true',
    'hitl_rules.yaml',
    'approvals: yes',
    [
      '1:12: approvals: Invalid input: expected boolean, received string. Write true or false, without quotation marks.',
    ],
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

test.each([
  ['undefined', 'its default export returns no object'],
  ['{}', '`name` isn’t a text'],
  ['{ name: "mine", tools: {} }', '`tools` isn’t a list of tools'],
  ['{ name: "mine", tools: ["read"] }', 'one of its tools has no name'],
  ['{ name: "mine", settings: { section: "mine" } }', '`settings` isn’t a section with a schema'],
  ['{ name: "mine", commands: [] }', '`commands` isn’t a function'],
  ['{ name: "mine", beforeCall: true }', '`beforeCall` isn’t a function'],
])('config check refuses a plug-in that returns %s', async (made, said) => {
  const { code, err } = await check({
    'bobbin.yaml': 'plugins: [{ path: mine.mjs }]\n',
    'mine.mjs': `export default () => (${made})\n`,
  })
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(new RegExp(`^The plug-in mine\\.mjs can’t be used: ${said}\\. .*capability\\.ts`)),
  })
})

test('an entry of tools.yaml needs only the lines that differ', async () => {
  expect(
    await check({ 'tools.yaml': 'tools:\n  now: { enabled: false }\n  grep_files: { rounds: 2 }\n' }),
  ).toMatchObject({
    code: 0,
    err: '',
  })
})

test('a pattern among an agent’s rules may be about compositions, work plans and tools of servers', async () => {
  const files = {
    'agents.yaml':
      'agents:\n  coder:\n    description: Codes.\n    prompt: Code.\n    rules:\n      ask: [release_*, plan_*, crm_*, mcp__crm__cre*, mcp__desk__*]',
    'compositions.yaml':
      'compositions:\n  release_notes:\n    description: Writes them.\n    steps: [{ tool: now, input: {} }]',
    'mcp_servers.yaml': 'servers:\n  crm:\n    command: crm\n    tools: { find: { alias: crm_find } }',
  }
  const { err } = await check(files)
  expect(err.trim().split('\n')).toEqual([
    expect.stringContaining('agents.yaml:6:55: there is no tool called "mcp__desk__*"'),
  ])
})

test('a rule of an agent for a tool that doesn’t exist, as the start refuses it, is told how to name one of an added server', async () => {
  const rules = 'rules: { ask: [run_comand, mcp__desk__find] }'
  const { err } = await check({ 'agents.yaml': `agents: { coder: { description: Codes., prompt: Code., ${rules} } }` })
  expect(err.trim().split('\n')).toEqual([
    expect.stringMatching(/"run_comand".* Did you mean run_command\? If an MCP server .* write run_comand\*\.$/),
    expect.not.stringContaining('If an MCP server'),
  ])
})

test('the configuration that is shipped is fine', async () => {
  expect(await check({})).toMatchObject({ code: 0, err: '' })
})
