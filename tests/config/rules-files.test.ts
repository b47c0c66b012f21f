import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'

/** What is read with these files of one's own. */
async function load(files: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-config-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return { directory, ...loadConfig({ BOBBIN_CONFIG_DIR: directory }, directory, builtinSections) }
}

async function rulesOf(text: string) {
  const loaded = await load({ 'hitl_rules.yaml': text })
  if (!('config' in loaded)) throw new Error(JSON.stringify(loaded))
  return loaded.config.rules
}

async function complaintsOf(files: Record<string, string>) {
  const loaded = await load(files)
  if (!('complaints' in loaded)) throw new Error('there is nothing to complain about')
  return loaded.complaints.map((one) => ({ ...one, file: one.file.replace(`${loaded.directory}/`, '') }))
}

const shipped = async () => {
  const loaded = loadConfig({ BOBBIN_CONFIG_DIR: shippedConfigDir }, shippedConfigDir, builtinSections)
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  return loaded.config.rules
}

const command = 'commands:\n  - programs: [deploy]\n    risk: high\n    reason: It deploys.\n'
const pattern = 'everywhere:\n  - pattern: HUSH\n    risk: high\n    reason: It is a secret.\n'
const address = 'addresses:\n  - hosts: [a.example]\n    action: deny\n    risk: high\n    reason: Not there.\n'

describe('lists that protect', () => {
  test.each([
    ['commands', command, 'It deploys.'],
    ['everywhere', pattern, 'It is a secret.'],
    ['addresses', address, 'Not there.'],
  ] as const)('%s: one’s own come first, the shipped ones stay', async (name, text, reason) => {
    const before = (await shipped())[name]
    const now = (await rulesOf(text))[name]
    expect(now[0]?.reason).toBe(reason)
    expect(now.slice(1)).toEqual(before)
    expect(before.length).toBeGreaterThan(1)
  })

  test.each([
    ['commands', command],
    ['everywhere', pattern],
    ['addresses', address],
  ] as const)('%s: `replaces` puts one’s own in their place, and only there', async (name, text) => {
    const before = await shipped()
    const now = await rulesOf(`replaces: [${name}]\n${text}`)
    expect(now[name]).toHaveLength(1)
    for (const other of ['commands', 'everywhere', 'addresses'] as const)
      if (other !== name) expect(now[other]).toEqual(before[other])
  })

  test('all of them at once, and an empty list neither adds nor removes anything', async () => {
    const before = await shipped()
    const now = await rulesOf(`${command}${pattern}addresses: []\n`)
    expect(now.commands).toHaveLength(before.commands.length + 1)
    expect(now.everywhere).toHaveLength(before.everywhere.length + 1)
    expect(now.addresses).toEqual(before.addresses)
    expect((await rulesOf('replaces: [addresses]\naddresses: []\n')).addresses).toEqual([])
  })

  test('other lists are replaced: `use`, and what a tool may do', async () => {
    const now = await rulesOf('tools:\n  run_command:\n    allow: [uptime]\n')
    expect(now.tools.run_command).toMatchObject({ allow: ['uptime'], mode: 'confirm' })
  })

  test('`replaces` with an unknown list is reported', async () => {
    const [complaint] = await complaintsOf({ 'hitl_rules.yaml': 'replaces: [tools]\n' })
    expect(complaint).toMatchObject({ file: 'hitl_rules.yaml', line: 1, message: expect.stringMatching(/replaces/) })
  })

  test('a fault is pointed to in the own list, although the shipped ones stand behind', async () => {
    const text = `${command}  - programs: [other]\n    risk: terrible\n    reason: It is.\n`
    const [complaint, ...more] = await complaintsOf({ 'hitl_rules.yaml': text })
    expect(complaint).toMatchObject({ file: 'hitl_rules.yaml', line: 6, column: 11 })
    expect(more).toEqual([])
  })
})

describe('a file that nobody would read', () => {
  test.each([
    ['hitl_rules.yml', 'hitl_rules.yaml'],
    ['hitl-rules.yaml', 'hitl_rules.yaml'],
    ['HITL_Rules.yaml', 'hitl_rules.yaml'],
    ['hitl-rules.YML', 'hitl_rules.yaml'],
    ['bobbin.yml', 'bobbin.yaml'],
    ['Models.yaml', 'models.yaml'],
    ['tools.yml', 'tools.yaml'],
    ['hitl_rule.yaml', 'hitl_rules.yaml'],
    ['boobin.yml', 'bobbin.yaml'],
    ['mcp_servres.yaml', 'mcp_servers.yaml'],
  ])('%s', async (file, meant) => {
    expect(await complaintsOf({ [file]: 'approvals: false\n' })).toEqual([
      { file, message: 'this file is not read', remedy: `Call it ${meant}.` },
    ])
  })

  test('also beside the one that is read', async () => {
    const files = { 'hitl_rules.yaml': 'approvals: true\n', 'hitl_rules.yml': 'approvals: false\n' }
    expect(await complaintsOf(files)).toMatchObject([{ file: 'hitl_rules.yml' }])
  })

  test.each([
    'notes.md',
    'compose.yaml',
    'hitl_rules.yaml.bak',
    'hitl_rules.json',
    'my_hitl_rules.yaml',
    'bobbin2.yaml',
  ])('what is something else is nobody’s business: %s', async (file) => {
    expect(await load({ [file]: 'x: 1\n' })).toHaveProperty('config')
  })
})

describe('deciders', () => {
  const decider = (body: string) => `deciders:\n  two:\n${body.replace(/^/gm, '    ')}\n`

  test.each([
    ['one person where two are needed', 'who: ["user:a"]\nneeded: 2', '1 can, and 2 are needed'],
    ['the same person twice', 'who: ["user:a", "user:a"]\nneeded: 2', '1 can, and 2 are needed'],
    ['two where three are needed', 'who: [operator, "user:a"]\nneeded: 3', '2 can, and 3 are needed'],
    ['the asker, who may not', 'who: [asker]\nasker: false', '0 can, and 1 are needed'],
    ['the asker and one more, without the asker', 'who: [asker, "user:a"]\nasker: false\nneeded: 2', '1 can, and 2'],
  ])('that nobody can be: %s', async (_, body, message) => {
    const [complaint, ...more] = await complaintsOf({ 'hitl_rules.yaml': decider(body) })
    expect(complaint).toMatchObject({ file: 'hitl_rules.yaml', line: 3 })
    expect(complaint?.message).toContain(`deciders.two: nobody can ever decide this: ${message}`)
    expect(more).toEqual([])
  })

  test.each([
    'who: ["user:a", "user:b"]\nneeded: 2',
    'who: [group:g]\nneeded: 5',
    'who: [participants]\nasker: false\nneeded: 2',
    'who: [anyone]\nneeded: 20',
    'who: [asker]',
  ])('that somebody can be: %j', async (body) => {
    expect((await rulesOf(decider(body))).deciders).toHaveProperty('two')
  })

  const next = (names: Record<string, string>) =>
    `deciders:\n${Object.entries(names)
      .map(([name, to]) => `  ${name}:\n    who: [anyone]\n    next: { after_ms: 60000, decider: ${to} }\n`)
      .join('')}`

  test.each<[string, Record<string, string>, string[]]>([
    ['to itself', { a: 'a' }, ['a']],
    ['to each other', { a: 'b', b: 'a' }, ['a', 'b']],
    ['of three', { a: 'b', b: 'c', c: 'a' }, ['a', 'b', 'c']],
    ['that others lead to', { x: 'a', a: 'b', b: 'a' }, ['a', 'b']],
    ['by the shipped one', { a: 'team', team: 'a' }, ['a', 'team']],
  ])('go round: %s', async (_, names, round) => {
    const complaints = await complaintsOf({ 'hitl_rules.yaml': next(names) })
    const found = complaints.map(({ message }) => /^deciders\.(\w+)\.next: asks others/.exec(message)?.[1])
    expect(found.toSorted()).toEqual(round)
  })

  test('that end are fine, and one that is not there is complained of', async () => {
    expect((await rulesOf(next({ a: 'b', b: 'team' }))).deciders).toHaveProperty('b')
    const [complaint] = await complaintsOf({ 'hitl_rules.yaml': next({ a: 'nobody' }) })
    expect(complaint?.message).toMatch(/there is no decider "nobody"; there are: /)
    for (const name of ['constructor', 'toString', '__proto__x']) {
      const [odd] = await complaintsOf({ 'hitl_rules.yaml': `decide:\n  low: ${name}\n` })
      expect(odd?.message).toContain(`there is no decider "${name}"`)
    }
  })

  test.each(['everyone', 'user:', 'group:', 'user:a b', 'Asker'])('of words that mean nobody: %j', async (word) => {
    const [complaint] = await complaintsOf({ 'hitl_rules.yaml': decider(`who: ["${word}"]`) })
    expect(complaint?.message).toContain('must be asker, participants, anyone, operator, user:<id> or group:<id>')
  })
})

describe('a rule for commands', () => {
  test.each([
    ['that names nothing', '  - risk: high\n    reason: All.\n', /names no programs, text or writes/],
    ['of options alone', '  - options: [[r]]\n    risk: high\n    reason: All.\n', /names no programs, text or writes/],
    ['of an empty list', '  - programs: []\n    risk: high\n    reason: All.\n', /programs/],
    ['of an empty pattern', "  - programs: ['']\n    risk: high\n    reason: All.\n", /programs/],
    ['of options that are none', '  - programs: [a]\n    options: [[]]\n    risk: high\n    reason: A.\n', /options/],
    ['of an expression that is none', "  - text: ['/(/']\n    risk: high\n    reason: All.\n", /text/],
    ['that allows', '  - programs: [a]\n    action: allow\n    risk: high\n    reason: A.\n', /action/],
    ['without a reason', '  - programs: [a]\n    risk: high\n', /reason/],
    [
      'with an address as host',
      "  - programs: [a]\n    risk: high\n    reason: A.\n    hosts: ['https://a.example']\n",
      /hosts/,
    ],
  ])('%s is complained of', async (_, text, message) => {
    const complaints = await complaintsOf({ 'hitl_rules.yaml': `commands:\n${text}` })
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toMatchObject({ file: 'hitl_rules.yaml', message: expect.stringMatching(message) })
    expect(complaints[0]?.line).toBeGreaterThan(1)
  })
})
