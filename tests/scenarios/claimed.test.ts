import { describe, expect, test } from 'vitest'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { says } from '../support/model-server.ts'

// The transaction that ends a turn claims the answer's posting along, so that nothing is written between it and the call.

const postings = (bot: MemoryBot) =>
  bot.rows('select o.attempts, p.platform_id from outbox o left join postings p on p.session_id = o.session_id')

describe('an answer that was claimed but not settled when the process ended', () => {
  test.each([
    ['before the platform had it', { done: false, posts: 2 }],
    ['after the platform had it', { done: true, posts: 1 }],
  ])('is posted once by the next one: %s', async (_, { done, posts }) => {
    const bot = await startMemoryBot({ script: [says('Here.')] })
    const held = bot.memory.misbehave.hold('post', { done })
    const root = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    // Of the same commit: the turn's end, the claim, and the posting that has no id yet.
    expect(bot.rows('select state from turns')).toEqual([{ state: 'done' }])
    expect(postings(bot)).toEqual([{ attempts: 1, platform_id: null }])
    bot.memory.misbehave.calm()
    await bot.crashAs()
    await bot.settled()
    expect(bot.memory.answers(root)).toEqual(['Here.'])
    expect(bot.memory.misbehave.callsTo('post')).toHaveLength(posts)
    expect(bot.memory.misbehave.callsTo('find')).not.toHaveLength(0)
  })

  test('comes before what was said after it', async () => {
    const bot = await startMemoryBot({ script: [says('First.'), says('Second.')] })
    const held = bot.memory.misbehave.hold('post')
    const root = await bot.memory.say('ana', '@bobbin one')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    await bot.memory.say('ana', 'two', { in: root })
    await bot.memory.eventually(() => expect(bot.rows('select key from outbox')).toHaveLength(2))
    expect(bot.rows('select attempts from outbox order by seq')).toEqual([{ attempts: 1 }, { attempts: 0 }])
    bot.memory.misbehave.calm()
    await bot.crashAs()
    await bot.settled()
    expect(bot.memory.answers(root)).toEqual(['First.', 'Second.'])
  })
})

test('an answer is not claimed ahead of one that waits in its thread until somebody fixes something', async () => {
  const bot = await startMemoryBot({ script: [says('First.'), says('Second.')] })
  bot.memory.misbehave.refuse('post', 'repairable')
  const root = await bot.memory.say('ana', '@bobbin one')
  await bot.memory.eventually(() =>
    expect(bot.rows('select refused_at from outbox where refused_at > 0')).toHaveLength(1),
  )
  await bot.memory.say('ana', 'two', { in: root })
  await bot.memory.eventually(() => expect(bot.rows("select key from outbox where kind = 'answer'")).toHaveLength(2))
  await bot.memory.mend()
  await bot.settled()
  expect(bot.memory.answers(root)).toEqual(['First.', 'Second.'])
})
