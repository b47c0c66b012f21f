import { writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FirstStarts } from '../../src/capabilities/mcp/first-starts.ts'
import { logIn } from '../../src/capabilities/mcp/login/log-in.ts'
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

test('it is started again at once when somebody has logged in, but not when it has changed its login itself', () => {
  const starts = new FirstStarts()
  const isDue = ([minute, login]: [number, string]) => starts.isDue('x', login, minute * 60_000)
  const seen: [number, string][] = [
    [0, ''],
    [0.5, ''],
    [1, 'refreshed'],
    [1.1, 'refreshed'],
    [1.2, 'new'],
    [1.3, 'new'],
  ]
  expect(seen.map(isDue)).toEqual([false, true, false, false, true, false])
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
  const hasTools = (afterMs: number) =>
    until('its tools', async () => {
      at.ahead += afterMs
      vi.advanceTimersByTime(30_000)
      return (await state()).tools > 0
    })
  return { bot, state, hasTools }
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

test('a login from the terminal counts for a running bot, also where nothing is listed without one', async () => {
  const { url } = await guarded()
  const { bot, state, hasTools } = await patient({ x: { url } }, { logins: { port: await freePort() } })
  expect(await state()).toMatchObject({ state: 'failed', tools: 0 })
  const settings = settingsIn(bot.config, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  vi.advanceTimersByTime(30_000)
  expect(await logIn({ name: 'x', server }, bot.config, settings, { show: (address) => void fetch(address) })).toBe(
    true,
  )
  await hasTools(0)
})
