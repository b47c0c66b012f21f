import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startBot } from '../../src/main.ts'
import { aloneName } from '../../src/store/lock-names.ts'
import { newestSchema } from '../../src/store/migrations/index.ts'
import { createLog } from '../../src/wiring/log.ts'
import { bobbin, printedBy } from '../commands/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { changeIn } from '../support/rows.ts'

const environmentOf = ({ dataDir }: TestBot) => ({
  PATH: process.env.PATH,
  BOBBIN_HOME: dataDir,
  BOBBIN_DATA_DIR: dataDir,
  BOBBIN_PORT: '0',
})

test('a second bot on the same data says who is running, and disturbs nothing', async () => {
  const bot = await startTestBot({ config: { engine: { silentMs: 500 } } })
  const second = spawn(process.execPath, ['src/bin.js', 'start'], {
    env: environmentOf(bot),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')])
  expect(code).toBe(1)
  expect(said).toContain(`Another Bobbin is running on this data directory (process ${process.pid}`)
  expect((await bot.chat.say('hello')).text).toBeDefined()
})

test('a port in use is named with a remedy, and the data is released again', async () => {
  const first = await startTestBot()
  const second = await startTestBot()
  await second.stop()
  const port = Number(new URL(first.chat.url).port)
  const config = { ...second.config, server: { ...second.config.server, port } }
  await expect(startBot(config)).rejects.toMatchObject({
    code: 'port_taken',
    remedy: expect.stringContaining('BOBBIN_PORT'),
  })
  await second.restart()
})

test('secrets do not reach the log', () => {
  const lines: string[] = []
  const log = createLog('info', undefined, { write: (line) => void lines.push(line) })
  log.info({ apiKey: 'sk-1', base: { apiKey: 'sk-2', headers: { authorization: 'Bearer sk-3' } } }, 'configured')
  expect(lines.join()).toContain('configured')
  expect(lines.join()).not.toContain('sk-')
})

const withAgentRules = ({ config }: TestBot, rules: object) => {
  const shipped = config.sections.agents as object
  const agents = { ...shipped, agents: { coder: { description: 'Codes.', prompt: 'Code.', rules } } }
  return { ...config, sections: { ...config.sections, agents } }
}

test('a rule for an unknown tool, also an agent’s, and a data directory that is a file, stop the start with a message', async () => {
  const bot = await startTestBot()
  await bot.stop()
  const rules = { ...bot.config.rules, use: [{ tools: ['wirte_file'], channels: ['C1'] }] }
  await expect(startBot({ ...bot.config, rules })).rejects.toMatchObject({ code: 'unknown_tool' })
  await expect(startBot(withAgentRules(bot, { deny: { run_comand: ['git push*'] } }))).rejects.toMatchObject({
    code: 'unknown_tool',
    message: 'agents.yaml: agents.coder.rules.deny.run_comand: there is no tool called "run_comand".',
    remedy:
      'Did you mean run_command? If an MCP server that was added while Bobbin ran has a tool with this alias, write run_comand*.',
  })
  const dataDir = join(bot.dataDir, 'bobbin.db', 'below')
  await expect(startBot({ ...bot.config, dataDir })).rejects.toMatchObject({ code: 'bad_data_dir' })
})

test('a bot starts although rules are about tools of a server that isn’t in the file, and patterns that nothing fits, and says so', async () => {
  const bot = await startTestBot()
  await bot.stop()
  const { tools } = bot.config.rules
  const rules = { ...bot.config.rules, tools: { ...tools, mcp__crm__create: tools.run_command ?? expect.fail() } }
  const config = withAgentRules(bot, { ask: ['mcp__crm__create', 'web_*', 'crm_*'] })
  const { err } = await printedBy(async () => {
    const started = await startBot({ ...config, logLevel: 'warn', rules })
    await started.stop()
    return 0
  })
  const said = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  expect(said).toEqual([
    'hitl_rules.yaml: there is no tool called "mcp__crm__create".',
    'agents.yaml: agents.coder.rules.ask.0: there is no tool called "mcp__crm__create".',
    'agents.yaml: agents.coder.rules.ask.2: there is no tool called "crm_*".',
  ])
})

test('a rule whose name no MCP server’s tool can have keeps a bot from starting', async () => {
  const bot = await startTestBot()
  await bot.stop()
  await expect(startBot(withAgentRules(bot, { ask: ['mcp__github_delete'] }))).rejects.toMatchObject({
    code: 'unknown_tool',
  })
})

test('rules that keep a bot from starting leave the tables of an older version as they are', async () => {
  const bot = await startTestBot()
  await bot.stop()
  // The changes of its newest step are there, so that doing it fails.
  changeIn(bot.database, `delete from kysely_migration where name = '${newestSchema}'`)
  await expect(startBot(withAgentRules(bot, { ask: ['run_comand'] }))).rejects.toMatchObject({ code: 'unknown_tool' })
  const sections = { ...bot.config.sections, sever: {} }
  await expect(startBot({ ...bot.config, sections })).rejects.toMatchObject({ code: 'bad_setting' })
  const settings = { section: 'greeter', schema: z.object({ greeting: z.string().default('Hello') }) }
  const faulty = { ...bot.config, sections: { ...bot.config.sections, greeter: { greeting: 7 } } }
  await expect(startBot(faulty, { plugins: [{ name: 'greeter', settings }] })).rejects.toMatchObject({
    code: 'bad_setting',
  })
  await expect(startBot(bot.config)).rejects.toMatchObject({ code: 'migration_failed' })
})

test('a start that is refused leaves the tables of an older version as they are', async () => {
  const bot = await startTestBot({ config: { engine: { silentMs: 600_000 } } })
  await bot.stop()
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  onTestFinished(() => void other.kill('SIGKILL'))
  // The changes of its newest step are there, so that doing it fails.
  changeIn(
    bot.database,
    `delete from kysely_migration where name = '${newestSchema}'`,
    `insert into locks (name, holder, host, pid, beat_at)
      values ('${aloneName}', 'node_other', '${hostname()}', ${other.pid}, ${Date.now()})`,
  )
  const beating = setInterval(() => changeIn(bot.database, 'update locks set beat_at = beat_at + 1'), 100)
  onTestFinished(() => clearInterval(beating))
  await expect(startBot(bot.config)).rejects.toMatchObject({ code: 'already_running' })
  clearInterval(beating)
  other.kill('SIGKILL')
  await once(other, 'exit')
  await expect(startBot(bot.config)).rejects.toMatchObject({ code: 'migration_failed' })
})

test.each(['migrate', 'move --to postgres://127.0.0.1:1/bobbin', 'move --undo'])(
  '`%s` of a newer version leaves the tables of a bot that runs as they are',
  async (command) => {
    const bot = await startTestBot()
    // The changes of its newest step are there, so that doing it fails.
    changeIn(bot.database, `delete from kysely_migration where name = '${newestSchema}'`)
    const { code, err } = await bobbin(bot.dataDir, ...command.split(' '))
    expect(code).toBe(1)
    expect(err).toContain(`Another Bobbin is running on this data directory (process ${process.pid}`)
  },
)

test('a bot that needs a name and has none is refused before the server is asked', async () => {
  const bot = await startTestBot()
  await bot.stop()
  const databaseUrl = 'postgres://127.0.0.1:1/bobbin'
  await expect(startBot({ ...bot.config, databaseUrl })).rejects.toMatchObject({ code: 'node_missing' })
})

test('the process that an older Node restarts ends when that one is killed', async () => {
  const bot = await startTestBot()
  await bot.stop()
  const child = spawn(process.execPath, ['src/bin.js', 'start'], {
    env: { ...environmentOf(bot), BOBBIN_STARTED_AGAIN: '1' },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})
