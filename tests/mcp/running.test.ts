import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Connection, pauseAfter } from '../../src/capabilities/mcp/connection.ts'
import { Patience } from '../../src/capabilities/mcp/patience.ts'
import { Failure } from '../../src/kit/failure.ts'
import { family, long } from '../delegation/support.ts'
import { ofType } from '../support/client.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { botWith, isRunning, shippedMcp, unruly, untilKnown } from './support.ts'

test.each([
  [1, 0],
  [2, 1_000],
  [5, 8_000],
  [50, 60_000],
])('after %i failures in a row, a server is left alone for %i ms', (failures, pause) => {
  expect(pauseAfter(failures)).toBe(pause)
})

/** A connection to a server that works on one thing at a time, so it answers no ping meanwhile. */
function singleMinded() {
  const at = { now: 0, isHung: false, working: 0, started: 0, stopped: 0 }
  const connection = new Connection({
    name: 'x',
    now: () => at.now,
    startMs: 30_000,
    learned: async () => {},
    report: () => {},
    mask: (text) => text,
    async open() {
      at.started++
      at.isHung = false
      const ping = async () => {
        if (at.isHung || at.working > 0) throw new Error('no answer')
      }
      const client = { about: '', listTools: async () => [], call: () => Promise.reject(), ping, close: async () => {} }
      return {
        client,
        tools: [],
        calls: new Set(),
        ended: new Promise<string>(() => {}),
        stop: async () => void at.stopped++,
      }
    },
  })
  const work = async (long?: Promise<void>) =>
    connection.use(async () => {
      at.working++
      await long
      at.working--
    })
  return { at, connection, work }
}

test('a server that works on a long call isn’t replaced when another one comes', async () => {
  const { at, connection, work } = singleMinded()
  const done = Promise.withResolvers<void>()
  const long = work(done.promise)
  await until('the long call', () => at.working === 1)
  at.now = 40_000
  await work()
  expect(at).toMatchObject({ started: 1, stopped: 0 })
  // Another call has come to nothing, but the long one tells how far it is.
  connection.suspect()
  connection.heard()
  await work()
  expect(at).toMatchObject({ started: 1, stopped: 0 })
  done.resolve()
  await long
})

test('a server that has said nothing for long, or let a call down, is replaced if it doesn’t answer', async () => {
  const { at, connection, work } = singleMinded()
  await work()
  Object.assign(at, { now: 40_000, isHung: true })
  await Promise.all([work(), work()])
  expect(at).toMatchObject({ started: 2, stopped: 1 })
  const over = Promise.withResolvers<void>()
  const hanging = work(over.promise)
  await until('the call that hangs', () => at.working === 1)
  connection.suspect()
  await work()
  expect(at).toMatchObject({ started: 3, stopped: 2 })
  over.resolve()
  await hanging
})

test('a server that wants a login is replaced before the next call, once nobody else works with it', async () => {
  const { at, connection, work } = singleMinded()
  const refused = () => connection.use(() => Promise.reject(new Failure('mcp_login', 'it wants a login', '')))
  const done = Promise.withResolvers<void>()
  const long = work(done.promise)
  await until('the long call', () => at.working === 1)
  await expect(refused()).rejects.toMatchObject({ code: 'mcp_login' })
  await work()
  expect(at).toMatchObject({ started: 1, stopped: 0 })
  done.resolve()
  await long
  await Promise.all([work(), work()])
  expect(at).toMatchObject({ started: 2, stopped: 1 })
})

test('a call’s time stands still while people are asked, also two things at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const patience = new Patience(30_000)
    vi.advanceTimersByTime(10_000)
    const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const asking = [patience.during(one.promise)]
    vi.advanceTimersByTime(15_000)
    asking.push(patience.during(other.promise))
    one.resolve()
    await asking[0]
    vi.advanceTimersByTime(60_000)
    expect(patience.signal.aborted).toBe(false)
    other.resolve()
    await asking[1]
    vi.advanceTimersByTime(19_000)
    expect(patience.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(patience.signal.aborted).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('each workspace has a server of its own, and one that isn’t lazy runs from the start until it is stopped', async () => {
  const { server, noted } = await unruly({ scope: 'tenant' })
  const eager = await unruly({ lazy_startup: false })
  const bot = await startMemoryBot({
    script: ({ messages }: RequestBody) =>
      messages.at(-1)?.role === 'tool' ? says('Done.') : calls('mcp__x__echo', { text: 'hello' }),
    config: {
      rules: { approvals: false },
      sections: { mcp_servers: { servers: { x: server, eager: eager.server }, limits: shippedMcp } },
    },
  })
  await untilKnown(bot.chat)
  const before = noted('starts').length
  for (const tenant of ['one', 'two', 'one']) {
    const message = await bot.memory.say('ana', '@bobbin go', { tenant })
    await bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
  }
  expect(noted('starts').length - before).toBe(2)
  expect(noted('calls')).toEqual(['echo', 'echo', 'echo'])

  // All direct messages of Discord share one tenant, but their people are strangers.
  for (const [person, channel] of [
    ['ana', 'one'],
    ['ben', 'two'],
  ] as const) {
    const message = await bot.memory.say(person, '@bobbin go', { tenant: 'dm', channel })
    await bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
  }
  expect(noted('starts').length - before).toBe(4)

  await bot.restart()
  const states = async () => {
    const { servers } = await bot.chat.get<{ servers: { name: string; state: string }[] }>('/mcp/servers')
    return servers.map(({ name, state }) => `${name} ${state}`)
  }
  await until('the eager one', async () => (await states()).includes('eager running'))
  expect(await (await bot.chat.post('/mcp/servers/eager/stop')).json()).toMatchObject({ state: 'stopped' })
  expect(await states()).toEqual(['x stopped', 'eager stopped'])
  expect(eager.noted('starts').filter(isRunning)).toEqual([])
})

test('while tools are learnt again, the server of a thread goes on with its call', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { folder, server, noted } = await unruly()
  const waits = ['-c', `test -e ${folder}/ready || exit 3; exec "$0" "$@"`, server.command, ...server.args]
  const script = [says('Hi.'), calls('mcp__x__form', {}), says('Booked.')]
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  const servers = { x: { command: 'sh', args: waits, scope: 'session' } }
  const bot = await botWith(servers, { script, clock, config: { rules: { approvals: false } } })
  await writeFile(`${folder}/ready`, '')
  const { conversation } = await bot.chat.say('hello')
  await bot.chat.say('mcp test x', { conversation })
  const said = bot.chat.say('book', { conversation })
  const asked = await until('a question', async () => (await bot.chat.requests())[0])
  const [own = ''] = noted('starts')
  await until('the end of the one that told its tools', () => {
    const [, other] = noted('starts')
    if (other !== undefined) return !isRunning(other)
    // It is started again within a minute. However slow the machine is, the question's time isn't over.
    if (ahead < 120_000) ahead += 30_000
    vi.advanceTimersByTime(30_000)
    return false
  })
  expect(isRunning(own)).toBe(true)
  await bot.chat.answer(asked.id, { answer: 'Rome', also: ['3'] })
  const { text, events } = await said
  expect(text).toBe('Booked.')
  expect(ofType(events, 'observe')[0]?.data.result).toContain('Rome')
})

test('a thread’s server that begins while an earlier one is ending keeps its folder', async () => {
  const { server, noted } = await unruly({ scope: 'session' }, 'stubborn')
  const script = [
    calls('mcp__x__echo', { text: '1' }),
    says('One.'),
    calls('mcp__x__echo', { text: '2' }),
    says('Two.'),
  ]
  const bot = await botWith({ x: server }, { script, config: { rules: { approvals: false } } })
  const { conversation } = await bot.chat.say('one')
  const stopping = bot.chat.post('/mcp/servers/x/stop')
  await until('the stop', async () => (await bot.chat.get<{ state: string }>('/mcp/servers/x')).state === 'stopped')
  expect((await bot.chat.say('two', { conversation })).text).toBe('Two.')
  await stopping
  const [pid] = noted('starts').filter(isRunning)
  const home = /(?:^|\0)HOME=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1] ?? ''
  expect(home).toContain(conversation)
  expect(existsSync(home)).toBe(true)
})

test('a thread whose server had no tools for a while has them again once somebody tests it there', async () => {
  const { server, noted, folder } = await unruly({ scope: 'session' })
  const script = [1, 2].flatMap(() => [calls('mcp__x__echo', { text: 'hello' }), says('Done.')])
  const bot = await botWith({ x: server }, { script, config: { rules: { approvals: false } } })
  await writeFile(`${folder}/away`, 'yes')
  const { conversation, events } = await bot.chat.say('go')
  expect(ofType(events, 'observe')[0]?.data.result).toContain('no longer has the tool echo')
  await rm(`${folder}/away`)
  const tested = await bot.chat.say('mcp test x', { conversation })
  expect(JSON.stringify(tested.events)).toMatch(/answers, and has \d\d tools/)
  await bot.chat.say('go', { conversation })
  expect(noted('calls')).toEqual(['echo'])
})

test('a bot that stops waits for a server that somebody has stopped just before', async () => {
  const { server, noted } = await unruly({}, 'stubborn')
  const bot = await botWith({ x: server })
  const stopping = bot.chat.post('/mcp/servers/x/stop').catch(() => undefined)
  await until('the stop', async () => {
    const { state } = await bot.chat.get<{ state: string }>('/mcp/servers/x')
    return state === 'stopped'
  })
  await bot.stop()
  expect(noted('starts').filter(isRunning)).toEqual([])
  await stopping
})

test('somebody who may not use a server is told what they may not do', async () => {
  const { server } = await unruly()
  const rules = { deciders: { team: { who: ['user:zoe'], asker: true, needed: 1 } } }
  const sections = { mcp_servers: { servers: { x: server }, limits: shippedMcp } }
  const bot = await startMemoryBot({ script: [says('Hello.')], config: { rules, sections } })
  await untilKnown(bot.chat)
  const message = await bot.memory.say('ana', '@bobbin hello')
  await bot.memory.untilAnswered(message, 'Hello.')
  const said = async (text: string) => {
    await bot.memory.say('ana', `@bobbin ${text}`, { in: message })
    await bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toMatch(/^Only/))
    return bot.memory.answers(message).at(-1)
  }
  expect(await said('mcp prompts x')).toMatch(/^Only .* can list the prompts of MCP servers\.$/)
})

test('where each thread has a server of its own, a thread also stops those of its subagents', async () => {
  const { server, noted } = await unruly({ scope: 'session' })
  const script = family(
    [calls('delegate_task', { task: 'look' }), says('Done.')],
    [calls('mcp__x__hang', {}), says(long('Nothing came.'))],
  )
  const sections = { mcp_servers: { servers: { x: server }, limits: shippedMcp } }
  const bot = await startMemoryBot({ script, config: { rules: { approvals: false }, sections } })
  await untilKnown(bot.chat)
  const message = await bot.memory.say('ana', '@bobbin go')
  await until('the call', () => noted('calls').includes('hang'))
  const pid = noted('starts').at(-1) ?? ''
  expect(isRunning(pid)).toBe(true)
  await bot.memory.say('ana', '@bobbin mcp stop x', { in: message })
  await until('the answer', () => bot.memory.answers(message).some((answer) => answer.startsWith('x is stopped.')))
  expect(isRunning(pid)).toBe(false)
  await until('the end', () => bot.memory.answers(message).includes('Done.'))
})
