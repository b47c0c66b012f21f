import { writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FirstStarts } from '../../src/capabilities/mcp/first-starts.ts'
import { logIn } from '../../src/capabilities/mcp/login/log-in.ts'
import { keptTokens } from '../../src/capabilities/mcp/login/login-of.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { freePort } from '../support/free-port.ts'
import { says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { guarded } from './guarded.ts'
import { botWith, unruly } from './support.ts'

test('a server whose first start fails is started again, with longer and longer pauses', () => {
  const starts = new FirstStarts()
  const minutes = Array.from({ length: 240 }, (_, at) => at / 2)
  const due = minutes.filter((minute) => starts.isDue('x', '', minute * 60_000))
  expect(due).toEqual([0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5, 91.5])
  starts.isOver('x')
  expect([0, 30_000].map((now) => starts.isDue('x', '', now))).toEqual([false, true])
})

test('it is started again at once after a login, but not when it has refreshed its tokens, nor after a logout', () => {
  const starts = new FirstStarts()
  const isDue = (minute: number, login: string) => starts.isDue('x', login, minute * 60_000)
  expect([isDue(0, 'old'), isDue(0.5, 'old')]).toEqual([false, true])
  starts.failed('x', 'refreshed')
  expect([isDue(1, 'refreshed'), isDue(1.1, 'new')]).toEqual([false, true])
  starts.pause('x', 'new')
  expect([isDue(60, ''), isDue(60, 'newer')]).toEqual([false, true])
})

test('somebody who has logged in during an attempt doesn’t wait for the next one either', () => {
  const starts = new FirstStarts()
  const isDue = (minute: number, login: string) => starts.isDue('x', login, minute * 60_000)
  expect([isDue(0, ''), isDue(0.5, '')]).toEqual([false, true])
  starts.failed('x', 'new')
  expect(isDue(0.6, 'new')).toBe(true)
  starts.failed('x', 'new')
  expect(isDue(0.7, 'new')).toBe(false)
})

/** A bot whose clock and whose look for idle servers go on when they are told to. */
async function patient(...[servers, options]: Parameters<typeof botWith>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const at = { ahead: 0 }
  const bot = await botWith(servers, {
    script: () => says('Hi.'),
    clock: { now: () => Date.now() + at.ahead },
    ...options,
  })
  const state = () => bot.chat.get<{ state: string; tools: number }>('/mcp/servers/x')
  const look = (afterMs: number) => {
    at.ahead += afterMs
    vi.advanceTimersByTime(30_000)
  }
  const hasTools = (afterMs: number) =>
    until('its tools', async () => {
      look(afterMs)
      return (await state()).tools > 0
    })
  return { bot, state, look, hasTools }
}

test('a server that isn’t there yet when the bot starts has its tools soon after it is', async () => {
  const { folder, server } = await unruly()
  const [program, ...args] = [server.command, ...server.args]
  const waits = ['-c', `test -e ${folder}/ready || exit 3; exec "$0" "$@"`, program, ...args]
  const { bot, state, hasTools } = await patient({ x: { command: 'sh', args: waits } })
  expect(await state()).toMatchObject({ state: 'failed', tools: 0 })
  await writeFile(`${folder}/ready`, '')
  await hasTools(30_000)
  await bot.chat.say('hello')
  expect(bot.model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).toContain('mcp__x__echo')
})

test('a login from the terminal counts for a running bot at once, also where nothing is listed without one', async () => {
  const { url, strangers } = await guarded()
  const { bot, state, look, hasTools } = await patient({ x: { url } }, { logins: { port: await freePort() } })
  const attempt = async (againMs = 0) => {
    const before = strangers.refused
    look(3_600_000)
    await until('an attempt', async () => {
      // A look is left out while the one before is under way.
      if (strangers.refused === before) look(againMs)
      return strangers.refused > before && (await state()).state === 'failed'
    })
  }
  await attempt(3_600_000)
  // Then the next one by itself is half an hour away, when this test is long over.
  for (let attempts = 0; attempts < 6; attempts++) await attempt()
  const settings = settingsIn(bot.config, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  const named = { name: 'x', server }
  const registered = Promise.withResolvers<URL>()
  const loggedIn = logIn(named, bot.config, settings, { show: registered.resolve })
  const address = await registered.promise
  expect(await keptTokens(named, { config: bot.config, settings, learn: () => {} })).toBe('')
  await attempt()
  await fetch(address)
  expect(await loggedIn).toBe(true)
  await hasTools(0)
})

/** A server that fails whenever it is started, and how to wait for more such starts. */
async function failing(look: () => void) {
  const { server, noted } = await unruly({}, 'dies')
  const starts = () => noted('starts').length
  const untilStarted = async (times: number) => {
    const before = starts()
    await until(`${times} starts`, () => {
      look()
      return starts() >= before + times
    })
  }
  return { server, starts, untilStarted }
}

test('a server that somebody has stopped isn’t started again by itself until somebody starts it', async () => {
  let look = () => {}
  const [x, y] = [await failing(() => look()), await failing(() => look())]
  const opened = await patient({ x: x.server, y: y.server })
  look = () => opened.look(3_600_000)
  await x.untilStarted(2)
  await opened.bot.chat.post('/mcp/servers/x/stop')
  const before = x.starts()
  const url = `http://127.0.0.1:${await freePort()}/mcp`
  expect((await opened.bot.chat.post('/mcp/servers', { name: 'added', url })).status).toBe(201)
  await y.untilStarted(3)
  expect(x.starts()).toBe(before)
  expect((await opened.bot.chat.post('/mcp/servers/x/start')).status).toBe(502)
  await x.untilStarted(1)
})

test('one for workspaces that wants a login isn’t started again by itself: nobody can log in to it', async () => {
  let look = () => {}
  const y = await failing(() => look())
  const { url, strangers } = await guarded()
  const opened = await patient({ x: { url, scope: 'tenant' }, y: y.server })
  look = () => opened.look(3_600_000)
  expect(strangers.refused).toBe(1)
  await until('another attempt', async () => {
    if (strangers.refused === 1) look()
    return strangers.refused > 1 && (await opened.state()).state === 'failed'
  })
  await y.untilStarted(3)
  expect(strangers.refused).toBe(2)
})
