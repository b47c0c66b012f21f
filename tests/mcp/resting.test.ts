import { expect, onTestFinished, test, vi } from 'vitest'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { botWith, unruly } from './support.ts'

test('a thread’s server rests when nobody uses it, and one that starts with the bot goes on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const own = await unruly({ scope: 'session', lazy_startup: false })
  const shared = await unruly({ lazy_startup: false })
  const script = [calls('mcp__own__echo', { text: 'hello' }), says('Done.')]
  const config = { rules: { approvals: false } }
  const bot = await botWith({ own: own.server, shared: shared.server }, { script, limits: { idle_ms: 1 }, config })
  const states = async () => {
    const { servers } = await bot.chat.get<{ servers: { name: string; state: string }[] }>('/mcp/servers')
    return servers.map(({ name, state }) => `${name} ${state}`)
  }
  await bot.chat.say('go')
  expect(own.noted('calls')).toEqual(['echo'])
  await until('its rest', async () => {
    vi.advanceTimersByTime(30_000)
    return (await states()).includes('own stopped')
  })
  expect(await states()).toContain('shared running')
})

test('a server that keeps saying that its tools have changed rests, too', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, noted } = await unruly({}, 'restless')
  let ahead = 0
  const bot = await botWith({ x: server }, { clock: { now: () => Date.now() + ahead }, limits: { idle_ms: 600_000 } })
  ahead = 700_000
  const before = noted('lists').length
  // All but the last one have been read.
  await until('two more lists', () => noted('lists').length > before + 1)
  await until('its rest', async () => {
    vi.advanceTimersByTime(30_000)
    return (await bot.chat.get<{ state: string }>('/mcp/servers/x')).state === 'stopped'
  })
})
