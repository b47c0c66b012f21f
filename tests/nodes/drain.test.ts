import { writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import type { JobKind } from '../../src/jobs/kind.ts'
import { unlessAborted } from '../../src/kit/abort.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { bobbin } from '../commands/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { atServer } from '../support/database.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, hang, type RequestBody, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { eventually, until } from '../support/until.ts'
import { startBeside } from './support.ts'

/** On a busy machine nobody may be taken for silent. */
const silentMs = 600_000
const config = { engine: { silentMs } }

async function command(bot: TestBot, ...args: string[]) {
  const BOBBIN_CONFIG_DIR = await scratch()
  await writeFile(join(BOBBIN_CONFIG_DIR, 'bobbin.yaml'), `engine: { silent_ms: ${silentMs} }`)
  return bobbin(bot.dataDir, ...args, { DATABASE_URL: bot.database, BOBBIN_CONFIG_DIR })
}

const statesIn = ({ database }: TestBot) =>
  atServer<{ name: string; state: string }>(database, 'select name, state from locks order by name')

async function untilDrained(bot: TestBot, name: string): Promise<void> {
  await until('the drained state', async () =>
    (await statesIn(bot)).some((lock) => lock.name === `node ${name}` && lock.state === 'drained'),
  )
}

test('a drained node leaves its turn to another one, takes nothing new, and works again once it is started again', async () => {
  const one = await startTestBot({ script: [hang(2), says('From one again.')], config })
  const { headers, body } = await one.chat.send('Count the sheep')
  const conversation = headers.get('x-conversation-id') ?? ''
  await one.chat.until(conversation, ({ type }) => type === 'text_delta')
  const two = await startBeside(one, 'two', { script: () => says('From two.'), config })
  const before = await command(one, 'nodes')
  expect(before.out).toMatch(
    /^one +working .*\n {4}turn {2}Count the sheep {2}\(ses_\w+, since [\d: -]+\)\ntwo +working /m,
  )

  expect(await command(one, 'nodes', 'drain', 'one', '--wait')).toEqual({ code: 0, out: 'one is drained.\n', err: '' })
  await two.chat.untilType(conversation, 'complete')
  await body?.cancel()
  expect(ofType(await two.chat.events(conversation), 'complete').map(({ data }) => data.content)).toEqual(['From two.'])
  expect((await command(one, 'nodes')).out).toMatch(/^one +drained .*\ntwo +working /)
  // The other one answers whatever is said to the drained one.
  expect((await one.chat.say('hi')).text).toBe('From two.')
  expect(one.model.requests).toHaveLength(1)

  await one.restart()
  expect(await statesIn(one)).toEqual([
    { name: 'node one', state: 'working' },
    { name: 'node two', state: 'working' },
  ])
  expect((await command(one, 'nodes', 'drain', 'two', '--wait')).code).toBe(0)
  expect((await two.chat.say('hi')).text).toBe('From one again.')
})

/** A tool, and a job, that last until they are told to end; and how often each was begun. */
function lasting() {
  const go = Promise.withResolvers<void>()
  const begun: string[] = []
  const tool = defineTool({
    ...{ kind: 'run', name: 'wait', description: 'Waits.', effect: 'read', timeoutMs: 600_000 },
    input: z.strictObject({}),
    async run() {
      begun.push('tool')
      await go.promise
      return 'Waited.'
    },
  })
  const job: JobKind = {
    name: 'wait',
    async run({ signal, checkpoint, save }) {
      begun.push(`job after ${checkpoint ?? 'nothing'}`)
      await save('the first step')
      await unlessAborted(signal, () => go.promise)
      return undefined
    },
  }
  const plugin: Capability = { name: 'waiting', tools: [tool], jobs: () => [job] }
  return { go: () => go.resolve(), begun, plugin }
}

const nameOf = async (bot: TestBot, table: 'sessions' | 'jobs'): Promise<string> => {
  // On a busy machine, what each does when it starts may still be under way.
  const which = table === 'jobs' ? "where kind = 'wait'" : ''
  const query = `select name from locks join ${table} on ${table}.holder = locks.holder ${which}`
  const [row] = await atServer<{ name: string }>(bot.database, query)
  return row?.name.replace('node ', '') ?? ''
}

test('a tool that runs is finished where it runs, and the answer comes once from another node', async () => {
  const { go, begun, plugin } = lasting()
  const script = ({ messages }: RequestBody) => (messages.at(-1)?.role === 'tool' ? says('Ready.') : calls('wait', {}))
  const one = await startMemoryBot({ script, plugins: [plugin], config })
  const { memory } = one
  await startBeside(one, 'two', {
    ...{ script, plugins: [plugin], config, clock: memory.clock },
    platforms: (deps) => [memory.connect(deps)],
  })
  const mention = await memory.say('ana', '@bobbin wait')
  await memory.eventually(() => expect(begun).toEqual(['tool']))
  const name = await nameOf(one, 'sessions')
  expect((await command(one, 'nodes', 'drain', name)).out).toContain(`${name} is draining: it takes nothing new`)
  expect((await command(one, 'nodes')).out).toMatch(new RegExp(`^${name} +draining .*\n    turn  `, 'm'))
  go()
  await memory.untilAnswered(mention, 'Ready.')
  await untilDrained(one, name)
  await one.settled()
  expect(memory.answers(mention)).toEqual(['Ready.'])
  expect(begun).toEqual(['tool'])
  expect(await nameOf(one, 'sessions')).toBe(name === 'one' ? 'two' : 'one')
})

test('a job goes on at another node from its checkpoint', async () => {
  const { go, begun, plugin } = lasting()
  const one = await startTestBot({ plugins: [plugin], config })
  await startBeside(one, 'two', { plugins: [plugin], config })
  await atServer(
    one.database,
    `insert into jobs (id, kind, key, owner, input, state, due_at, depth, attempts, epoch, created_at, updated_at)
      values ('job_1', 'wait', 'wait', 'bot', 'null', 'open', 0, 0, 0, 0, 0, 0)`,
  )
  await until('the job', () => Promise.resolve(begun.length === 1))
  await until('its checkpoint', async () => {
    const rows = await atServer(one.database, "select 1 from jobs where id = 'job_1' and checkpoint is not null")
    return rows.length === 1
  })
  const name = await nameOf(one, 'jobs')
  expect((await command(one, 'nodes')).out).toMatch(new RegExp(`^${name} .*\n(?: {4}.*\n)*? {4}job {3}wait`, 'm'))
  expect((await command(one, 'nodes', 'drain', name, '--wait')).code).toBe(0)
  await until('the job elsewhere', () => Promise.resolve(begun.length === 2))
  expect(await nameOf(one, 'jobs')).toBe(name === 'one' ? 'two' : 'one')
  go()
  await until(
    'its end',
    async () => (await atServer(one.database, "select 1 from jobs where kind = 'wait'")).length === 0,
  )
  expect(begun).toEqual(['job after nothing', 'job after the first step'])
})

test('only one of several that work can be drained, and each refusal is a sentence', async () => {
  const one = await startTestBot({ config })
  const refused = async (...args: string[]) => (await command(one, 'nodes', ...args)).err.trim()
  expect(await refused('drain', 'one')).toBe(
    'one is the only bot at work, so nobody could take over. Start another one first, or stop this one.',
  )
  expect(await refused('drain', 'three')).toBe(
    'No bot called "three" runs on this database. `bobbin nodes` lists them.',
  )
  expect(await refused('drain')).toContain('Which one should be drained?')
  expect(await refused('stop', 'one')).toContain('There is no "nodes stop one".')
  expect((await statesIn(one)).map(({ state }) => state)).toEqual(['working'])
})

test('health and doctor tell of all nodes', async () => {
  const one = await startTestBot({ config })
  const two = await startBeside(one, 'two', { config })
  expect((await command(one, 'nodes', 'drain', 'two', '--wait')).code).toBe(0)
  const health = async ({ chat }: TestBot, path: string) => {
    const response = await fetch(`${chat.url}${path}`)
    return { code: response.status, body: await response.json() }
  }
  // The database may take longer than a probe waits.
  const eventuallyTold = (bot: TestBot, path: string, told: object) =>
    eventually(async () => expect(await health(bot, path)).toMatchObject(told))
  await eventuallyTold(one, '/ready', {
    code: 200,
    body: {
      nodes: {
        ...{ silent: 0, draining: 1 },
        all: [
          { name: 'one', here: true, state: 'working', silent: false },
          { name: 'two', here: false, state: 'drained', silent: false },
        ],
      },
    },
  })
  expect(await health(two, '/ready')).toMatchObject({ code: 503, body: { status: 'degraded' } })
  const readyz = { ready: true, reasons: [], connected: ['console'] }
  await eventuallyTold(one, '/readyz', { code: 200, body: readyz })
  await eventuallyTold(two, '/readyz', { code: 503, body: { ...readyz, ready: false, reasons: ['draining'] } })
  expect(await health(two, '/healthz')).toEqual({ code: 200, body: { status: 'ok' } })
  const metrics = await (await fetch(`${two.chat.url}/metrics`)).text()
  expect(metrics).toContain('service_instance_id="two"')
  // There are no processes with such numbers.
  await atServer(
    one.database,
    `insert into locks (name, holder, host, pid, beat_at) values ('node gone', 'node_gone', '${hostname()}', 9999999, 5)`,
  )
  const { out } = await command(one, 'doctor')
  expect(out).toMatch(/3 bots share it, 1 silent, 1 draining or drained: one \(process \d+ on .*\); two \(process/)
  expect(out).toContain(`The bot gone (process 9999999 on ${hostname()}) ended without shutting down properly.`)
  expect(out).toMatch(/The bot two \(process \d+ on \S+\) is drained/)
})

test('what concerns a process alone goes on while it is drained', async () => {
  const looks = { own: 0, shared: 0 }
  const plugin: Capability = {
    name: 'looking',
    async start(bot) {
      bot.often('what is its own', async () => void looks.own++, 20, { isOwn: true })
      bot.often('what others do too', async () => void looks.shared++, 20)
    },
  }
  const one = await startTestBot({ plugins: [plugin], config })
  await startBeside(one, 'two', { config })
  expect((await command(one, 'nodes', 'drain', 'one', '--wait')).code).toBe(0)
  const { own, shared } = { ...looks }
  await until('it to look again', () => looks.own > own + 2)
  expect(looks.shared).toBe(shared)
})
