import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { Store } from '../../src/store/store.ts'
import { bobbinHere } from '../commands/support.ts'
import { emptyDirectory } from './support.ts'

test.each([
  [
    'a rule for a tool that doesn’t exist',
    { 'hitl_rules.yaml': 'tools:\n  wirte_file:\n    mode: confirm\n' },
    /✗ \S+hitl_rules\.yaml:2:3: there is no tool called "wirte_file"\.\n {6}Did you mean write_file\?/,
  ],
  [
    'an agent with a tool that doesn’t exist',
    { 'agents.yaml': 'agents:\n  coder:\n    tools: [raed_file]\n' },
    /✗ \S+agents\.yaml:3:13: there is no tool called "raed_file"\.\n {6}Did you mean read_file\?/,
  ],
  [
    'a section that belongs to no plug-in',
    {
      'bobbin.yaml': 'plugins: [{ path: mine.mjs }]\nhers: {}\n',
      'mine.mjs': 'export default () => ({ name: "mine" })\n',
    },
    /✗ \S+bobbin\.yaml:2:1: there is no setting called hers\./,
  ],
  [
    'a tool whose name is used already',
    {
      'bobbin.yaml': 'plugins: [{ path: mine.mjs }]\n',
      'mine.mjs': `const input = { safeParse: (data) => ({ success: true, data }) }
        const tool = { kind: 'run', name: 'read_file', description: 'Reads.', effect: 'read', run: async () => 'read' }
        export default () => ({ name: 'mine', tools: [{ ...tool, input, parameters: {} }] })\n`,
    },
    /✗ The plug-in mine has a tool called read_file, and so has Bobbin\.\n {6}\w/,
  ],
  [
    'a plug-in that can’t be loaded',
    { 'bobbin.yaml': 'plugins: [{ path: gone.mjs }]\n' },
    /✗ The plug-in \S+gone\.mjs cannot be loaded: .*\n {6}Correct its path in config\/bobbin\.yaml/,
  ],
  [
    'a plug-in that imports what isn’t there',
    {
      'bobbin.yaml': 'plugins: [{ path: mine.mjs }]\n',
      'mine.mjs': 'import { z } from "zod"\nexport default () => ({ name: "mine" })\n',
    },
    /✗ The plug-in \S+mine\.mjs cannot be loaded: .*zod.*\n {6}Install the package in the plug-in’s folder/,
  ],
  [
    'a plug-in that fails',
    {
      'bobbin.yaml': 'plugins: [{ path: mine.mjs }]\n',
      'mine.mjs': 'export default () => { throw new Error("no tracker") }\n',
    },
    /✗ The plug-in \S+mine\.mjs cannot be loaded: no tracker\.\n {6}Correct the plug-in/,
  ],
  [
    'a plug-in of another shape',
    {
      'bobbin.yaml': 'plugins: [{ path: mine.mjs }]\n',
      'mine.mjs': 'export default () => ({ name: "mine", commands: [] })\n',
    },
    /✗ The plug-in \S+mine\.mjs can’t be used: `commands` isn’t a function\.\n {6}\w/,
  ],
  [
    'a web search without its key',
    { 'bobbin.yaml': 'web: { search: { provider: brave } }\n' },
    /✗ \S+bobbin\.yaml:1:16: The web search by brave needs a key\.\n {6}Put it into WEB_SEARCH_API_KEY\./,
  ],
])('doctor reports %s, and everything else', async (_, files, said) => {
  const home = await emptyDirectory()
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
  const { code, out, err } = await bobbinHere(home, 'doctor', { BOBBIN_HOME: home, BOBBIN_CONFIG_DIR: home })
  expect({ code, err }).toEqual({ code: 1, err: '' })
  expect(out).toMatch(said)
  expect(out).toMatch(/^Data$/m)
  expect(out).not.toMatch(/The configuration in .* is fine/)
})

test('doctor reports a bot on PostgreSQL without a name; what `config check` checks is the same for all bots', async () => {
  const home = await emptyDirectory()
  const environment = { BOBBIN_HOME: home, DATABASE_URL: 'postgres://127.0.0.1:1/bobbin' }
  const { out } = await bobbinHere(home, 'doctor', environment)
  expect(out).toMatch(/✗ environment: DATABASE_URL is set, but BOBBIN_NODE is missing\.\n {6}Give each Bobbin/)
  expect(out).not.toMatch(/The configuration in .* is fine/)
  expect(await bobbinHere(home, 'config', 'check', environment)).toMatchObject({ code: 0, err: '' })
})

test('doctor warns of a bot with a name that shares no database', async () => {
  const home = await emptyDirectory()
  const { out } = await bobbinHere(home, 'doctor', { BOBBIN_HOME: home, BOBBIN_NODE: 'bot-1' })
  expect(out).toMatch(/! BOBBIN_NODE is set, but DATABASE_URL is missing.*\n {6}Set DATABASE_URL, or remove/)
})

test('doctor reports a database of a newer version', async () => {
  const home = await emptyDirectory()
  await (await Store.open(join(home, 'bobbin.db'), systemClock)).close()
  const database = new Sqlite(join(home, 'bobbin.db'))
  database.exec(`insert into kysely_migration (name, timestamp) values ('999-from-tomorrow', '2030-01-01')`)
  // It may have changed anything.
  database.exec('drop table postings; alter table outbox rename to shipments')
  database.close()
  const { code, out } = await bobbinHere(home, 'doctor')
  expect(code).toBe(1)
  expect(out).toMatch(/✗ The database belongs to a newer version of Bobbin: .*\n {6}Start that version/)
  expect(out).not.toMatch(/The database is sound|damaged/)
  expect(out).toContain('No bot runs on it now.')
})

test('doctor reports a restore that isn’t finished, and leaves it as it is', async () => {
  const home = await emptyDirectory()
  await mkdir(join(home, '.restoring'))
  for (let looks = 0; looks < 2; looks++) {
    const { code, out } = await bobbinHere(home, 'doctor')
    expect(code).toBe(1)
    expect(out).toMatch(/✗ A restore into .* isn’t finished\.\n {6}Run the same `bobbin restore` again/)
    expect(out).not.toContain('The first start creates it')
  }
})
