import { expect, test } from 'vitest'
import { pauseAfter } from '../../src/capabilities/mcp/connection.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { isRunning, shippedMcp, unruly, untilKnown } from './support.ts'

test.each([
  [1, 0],
  [2, 1_000],
  [5, 8_000],
  [50, 60_000],
])('after %i failures in a row, a server is left alone for %i ms', (failures, pause) => {
  expect(pauseAfter(failures)).toBe(pause)
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
    await bot.memory.until(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
  }
  expect(noted('starts').length - before).toBe(2)
  expect(noted('calls')).toEqual(['echo', 'echo', 'echo'])

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
