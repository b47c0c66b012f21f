import { expect, onTestFinished, test, vi } from 'vitest'
import { guarded } from '../mcp/guarded.ts'
import { botWith, unruly } from '../mcp/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { atServer } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { startBeside } from './support.ts'

interface Servers {
  servers: { name: string; state: string; tools: number }[]
}

const serversOf = async ({ chat }: TestBot) => (await chat.get<Servers>('/mcp/servers')).servers

test('a server that is added at one process is there at the other, a login begun at one counts at the other, and both forget it', async () => {
  const { url } = await guarded()
  const logins = { port: await freePort() }
  const config = { sections: { mcp_servers: { logins } } }
  const one = await startTestBot({ config })
  const two = await startBeside(one, 'two', { config })
  expect((await one.chat.post('/mcp/servers', { name: 'far', url })).status).toBe(201)
  await until('the server at the other', async () => (await serversOf(two)).some(({ name }) => name === 'far'))

  let conversation: string | undefined
  const say = async ({ chat }: TestBot, text: string) => {
    const { conversation: thread, events } = await chat.say(text, {
      user: 'ana',
      ...(conversation && { conversation }),
    })
    conversation ??= thread
    return ofType(events, 'message').findLast(({ data }) => data.role === 'assistant')?.data.text ?? ''
  }
  const [address = ''] = /http\S+$/.exec(await say(one, 'mcp login far')) ?? []
  const shown = await (await fetch(address)).text()
  const [, code = ''] = /mcp login far (\d{6})/.exec(shown) ?? []
  expect(await say(two, `mcp login far ${code === '111111' ? '222222' : '111111'}`)).toContain('This isn’t the number')
  const loggedIn = 'I’m logged in to far with ana’s account. It has 1 tool.'
  expect(await say(two, `mcp login far ${code}`)).toBe(loggedIn)
  // It may be delivered again, to whichever process.
  expect(await say(one, `mcp login far ${code}`)).toBe(loggedIn)
  await until('its tool at the one', async () => (await serversOf(one))[0]?.tools === 1)

  const removed = await fetch(`${two.chat.url}/api/v1/mcp/servers/far`, { method: 'DELETE' })
  expect(removed.status).toBe(204)
  await until('the end of it at the one', async () => (await serversOf(one)).length === 0)
})

test('servers of a drained bot rest, also those that start with it, and it starts none that another adds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server } = await unruly({ lazy_startup: false })
  const one = await botWith({ always: server }, { limits: { idle_ms: 1 } })
  const two = await startBeside(one, 'two')
  const stateAfter = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    return (await serversOf(one))[0]?.state
  }
  await until('its start', async () => (await stateAfter(30_000)) === 'running')
  await atServer(one.database, "update locks set state = 'draining' where name = 'node one'")
  await until('its rest', async () => (await stateAfter(30_000)) === 'stopped')

  const { url } = await guarded()
  const stateAt = async (bot: TestBot, server: string) =>
    (await serversOf(bot)).find(({ name }) => name === server)?.state ?? 'unknown'
  // The second is followed after the first.
  for (const name of ['far', 'further']) {
    await two.chat.post('/mcp/servers', { name, url, lazy_startup: false })
    await until('its start at the other', async () => !['unknown', 'stopped'].includes(await stateAt(two, name)))
    await until('the server at the drained one', async () => (await stateAt(one, name)) !== 'unknown')
  }
  expect(await stateAt(one, 'far')).toBe('stopped')
})
