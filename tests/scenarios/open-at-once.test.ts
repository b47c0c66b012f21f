import { describe, expect, test } from 'vitest'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { hang, says } from '../support/model-server.ts'

// Where nothing but words has come, a turn begins and reads them in one transaction. Where a gap in the thread is to be read
// first, the same is done step by step.

const tables = ['sessions', 'inbox', 'turns', 'messages', 'events', 'outbox', 'prompts']

/** Two lives may be minutes apart. */
const atSomeTime = (text: string) => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '… UTC')

/** Whatever differs between two lives of the same: ids by the order in which they come, and no times. */
function stored(bot: MemoryBot): string[] {
  const known = new Map<string, string>()
  const named = (id: string) => {
    if (!known.has(id)) known.set(id, `id ${known.size}`)
    return known.get(id) ?? ''
  }
  return tables.flatMap((table) =>
    bot.rows(`select * from ${table}`).map((row) => {
      const kept = Object.entries(row).filter(([name]) => !/(_at|^at|^epoch)$/.test(name))
      const text = atSomeTime(JSON.stringify(Object.fromEntries(kept)))
      return `${table}: ${text.replace(/\b[a-z]+_[0-9A-Za-z]{20,}|\b[0-9a-f]{8}-[0-9a-f-]{27}/g, named).replace(/\\?"(at|ms|[a-z_]*_at)\\?":\d+/g, '')}`
    }),
  )
}

const sent = (bot: MemoryBot) =>
  bot.model.requests.map(({ messages, tools }) => ({
    messages: messages.map((message) => atSomeTime(JSON.stringify(message))),
    tools,
  }))

const talks: Record<string, (bot: MemoryBot) => Promise<Message>> = {
  async 'one message'(bot) {
    const root = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.untilAnswered(root, 'First.')
    return root
  },
  async 'a message with what a stop has left'(bot) {
    const root = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.untilAnswered(root, 'First.')
    await bot.settled()
    await bot.memory.say('ana', 'wait', { in: root })
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
    await bot.memory.say('ben', 'me too', { in: root })
    await bot.memory.command('ana', 'stop', root)
    await bot.memory.say('ana', 'go on', { in: root })
    await bot.memory.eventually(() => expect(bot.memory.answers(root).at(-1)).toBe('Third.'))
    return root
  },
}

async function lived(talk: string, stepByStep: boolean): Promise<MemoryBot> {
  const bot = await startMemoryBot({
    script: [says('First.'), hang(), says('Third.')],
  })
  if (stepByStep) bot.memory.gap(async () => {})
  await talks[talk]?.(bot)
  await bot.settled()
  return bot
}

describe.each(Object.keys(talks))('%s', (talk) => {
  test('is read in one transaction just as step by step', async () => {
    const [atOnce, stepByStep] = [await lived(talk, false), await lived(talk, true)]
    expect(sent(atOnce)).toEqual(sent(stepByStep))
    expect(stored(atOnce)).toEqual(stored(stepByStep))
  })
})

test('a gap that cannot be read back holds nothing up, and leaves no rejected promise behind', async () => {
  const bot = await startMemoryBot({ script: [says('Here.')] })
  const rejected: unknown[] = []
  const hear = (thrown: unknown) => rejected.push(thrown)
  process.on('unhandledRejection', hear)
  bot.memory.gap(() => Promise.reject(new Error('not reached')))
  await bot.memory.untilAnswered(await bot.memory.say('ana', '@bobbin hello'), 'Here.')
  process.off('unhandledRejection', hear)
  expect(rejected).toEqual([])
})

test('a process that dies right after it leaves one turn that has read the message once', async () => {
  const bot = await startMemoryBot({ script: [hang(), says('Here.')] })
  const root = await bot.memory.say('ana', '@bobbin hello')
  await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(1))
  const before = bot.rows('select id, inbox_seq from turns')
  await bot.crashAs()
  await bot.memory.untilAnswered(root, 'Here.')
  await bot.settled()
  expect(bot.rows('select id, inbox_seq from turns')).toEqual(before)
  expect(bot.rows("select role from messages where role = 'user'")).toHaveLength(1)
  expect(bot.rows("select id from events where type = 'start'")).toHaveLength(1)
})
