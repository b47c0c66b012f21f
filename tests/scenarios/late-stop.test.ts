import { expect, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { pausedAfter, says } from '../support/model-server.ts'

const over = 'That was already over.'

/** Ana's question is answered, and the answer to what Ben asked next is held back. */
async function underWay() {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const bot = await startMemoryBot({ script: [says('Done, Ana.'), pausedAfter(0, held, says('Done, Ben.'))] })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin begin')
  await memory.untilAnswered(asked, 'Done, Ana.')
  const late = await memory.say('ana', 'stop', { in: asked, copies: 0 })
  const next = await memory.say('ben', '@bobbin go on', { in: asked })
  await memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
  return { bot, memory, asked, late, next, go }
}

test('a stop that is delivered late stops nothing that was asked after it', async () => {
  const { bot, memory, asked, late, go } = await underWay()
  expect(await memory.command('ana', 'stop', asked, { at: late.at })).toBe(over)
  await memory.deliver(late)
  await memory.eventually(() => expect(memory.answers(asked)).toContain(over))
  go()
  await memory.eventually(() => expect(memory.answers(asked)).toContain('Done, Ben.'))
  await bot.settled()
})

test('a stop that is delivered late leaves what was asked after it, also behind the turn that it meant', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const bot = await startMemoryBot({ script: [pausedAfter(0, held, says('Ana.')), says('Done, Ben.')] })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin begin')
  await memory.eventually(() => expect(bot.model.requests).toHaveLength(1))
  await memory.say('cleo', '@bobbin and then?', { in: asked })
  const late = await memory.say('ana', 'stop', { in: asked, copies: 0 })
  await memory.say('ben', '@bobbin go on', { in: asked })
  memory.pass(60_000)
  await memory.deliver(late)
  await memory.eventually(() => expect(memory.answers(asked)).toContain('Done, Ben.'))
  expect(memory.answers(asked)).toContain('Stopped.')
  go()
  await bot.settled()
})

test('a stop that is delivered late leaves what was asked after it while nothing runs yet', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const config = { engine: { turnsAtOnce: 1 } }
  const bot = await startMemoryBot({ script: [pausedAfter(0, held, says('Elsewhere.')), says('Done, Ben.')], config })
  const { memory } = bot
  const elsewhere = await memory.say('cleo', '@bobbin begin')
  await memory.eventually(() => expect(bot.model.requests).toHaveLength(1))
  const asked = await memory.say('ana', '@bobbin begin')
  const late = await memory.say('ana', 'stop', { in: asked, copies: 0 })
  await memory.say('ben', '@bobbin go on', { in: asked })
  await memory.deliver(late)
  go()
  await memory.untilAnswered(elsewhere, 'Elsewhere.')
  await memory.eventually(() => expect(memory.answers(asked)).toContain('Done, Ben.'))
  expect(memory.answers(asked)).toContain('Stopped.')
})

test('what an edit asked is stopped, and so is an alarm, though the platform’s clock is behind', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const paused = pausedAfter(0, held, says('Never.'))
  const bot = await startMemoryBot({ script: [paused, paused] })
  const { memory } = bot
  // What people say carries the time of the platform, whose clock is five minutes behind.
  memory.pass(5 * 60_000)
  const asked = await memory.say('ana', 'begin')
  await memory.edit(asked, '@bobbin begin')
  await memory.eventually(() => expect(bot.model.requests).toHaveLength(1))
  expect(await memory.command('ana', 'stop', asked, { at: Date.now() })).toBe('Stopped.')
  await memory.say('ana', '@bobbin alarm in 10 minutes: ring', { in: asked })
  memory.pass(10 * 60_000)
  await memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
  expect(await memory.command('ana', 'stop', asked, { at: memory.clock.now() - 5 * 60_000 })).toBe('Stopped.')
  go()
})

test('a stop that was given after what runs was asked stops it, however late it is delivered', async () => {
  const { memory, asked, next, go } = await underWay()
  memory.pass(10 * 60_000)
  expect(await memory.command('ana', 'stop', asked, { at: next.at })).toBe('Stopped.')
  go()
})

test('a stop that was said before an alarm rang does not stop the alarm', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const bot = await startMemoryBot({ script: [says('Hello.'), pausedAfter(0, held, says('Ring.'))] })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin hello')
  await memory.untilAnswered(asked, 'Hello.')
  await memory.say('ana', '@bobbin alarm in 10 minutes: ring', { in: asked })
  const late = await memory.say('ana', 'stop', { in: asked, copies: 0 })
  memory.pass(11 * 60_000)
  await memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
  await memory.deliver(late)
  await memory.eventually(() => expect(memory.answers(asked)).toContain(over))
  go()
  await memory.eventually(() => expect(memory.answers(asked)).toContain('Ring.'))
})

test('a reaction to any message of the thread stops what runs there, also one to what is answered', async () => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const paused = pausedAfter(0, held, says('Never.'))
  const bot = await startMemoryBot({ script: [says('One.'), paused, paused, paused] })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin one')
  await memory.untilAnswered(first, 'One.')
  await bot.settled()
  const [one] = memory.shown(first)
  if (one === undefined) throw new Error('the answer is there')
  const running = (count: number) => memory.eventually(() => expect(bot.model.requests).toHaveLength(count))

  for (const [index, on] of [one, first, 'itself' as const].entries()) {
    const next = await memory.say('ben', '@bobbin go on', { in: first })
    await running(index + 2)
    expect(await memory.command('ana', 'stop', first, { on: on === 'itself' ? next : on })).toBe('Stopped.')
  }
  go()
})
