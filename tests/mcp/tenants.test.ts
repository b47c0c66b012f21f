import { expect, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { shippedMcp, unruly, untilKnown } from './support.ts'

test('each workspace has a server of its own', async () => {
  const { server, noted } = await unruly({ scope: 'tenant' })
  const bot = await startMemoryBot({
    script: ({ messages }: RequestBody) =>
      messages.at(-1)?.role === 'tool' ? says('Done.') : calls('mcp__x__echo', { text: 'hello' }),
    config: { rules: { approvals: false }, sections: { mcp_servers: { servers: { x: server }, limits: shippedMcp } } },
  })
  await untilKnown(bot.chat)
  const before = noted('starts').length
  for (const tenant of ['one', 'two', 'one']) {
    const message = await bot.memory.say('ana', '@bobbin go', { tenant })
    await bot.memory.until(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
  }
  expect(noted('starts').length - before).toBe(2)
  expect(noted('calls')).toEqual(['echo', 'echo', 'echo'])
})
