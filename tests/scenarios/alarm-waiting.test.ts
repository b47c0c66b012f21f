import { expect, test } from 'vitest'
import { alarms } from '../../src/capabilities/alarms/alarms.ts'
import type { Failure } from '../../src/kit/failure.ts'
import { insertAlarm } from '../../src/store/alarms.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, says } from '../support/model-server.ts'
import { shippedConfig } from '../support/shipped.ts'
import { ana, openStore } from '../support/store.ts'
import { inSlack, threadIn } from '../support/threads.ts'
import { asked, heard, hour, minute, yes } from './trust.ts'

const sets = (times: object) =>
  calls('alarm_set', { message: 'call Eve', ...times }, ['write_file', { path: 'outputs/a.txt', content: 'made' }])

/** A slow machine may ring late. */
const notice = expect.stringMatching(
  /^⏰ call Eve(; it is .* late)?\n\nI’m waiting for an answer on the card above\. I’ll deal with this alarm after that\.$/,
)

const answered = ({ memory }: MemoryBot, message: Message, ...texts: string[]) =>
  memory.eventually(() => expect(memory.answers(message)).toEqual([notice, ...texts]))

/** A card waits in a thread with an alarm. */
async function waiting(times: object) {
  const config = { rules: asked(), engine: { clockMs: 20 } }
  const bot = await startMemoryBot({ script: [sets(times), says('Done.')], config })
  bot.memory.passQuarter()
  const message = await bot.memory.say('ana', '@bobbin write it, and wake me')
  const card = await bot.memory.untilCard(message)
  await bot.memory.eventually(() => expect(bot.rows('select id from alarms')).toHaveLength(1))
  return { bot, memory: bot.memory, message, card }
}

test('an alarm that rings while a card waits is posted, and read with how late it is by then', async () => {
  const { bot, memory, message, card } = await waiting({ at: 'in 10 minutes' })
  memory.pass(10 * minute)
  await answered(bot, message)
  memory.pass(72 * hour)
  await memory.click('ana', card, yes)
  await answered(bot, message, 'Done.')
  expect(heard(bot)).toMatch(/^\[Alarm set by ana for .*; it is 72 hours late\] call Eve$/)
})

test('so is one that rings while the model writes the call that asks, once', async () => {
  const rung = Promise.withResolvers<void>()
  const asks = calls('write_file', { path: 'outputs/a.txt', content: 'a' }, [
    'write_file',
    { path: 'outputs/b.txt', content: 'b' },
  ])
  const script = [
    calls('alarm_set', { message: 'call Eve', at: 'in 10 minutes' }),
    heldUntil(rung.promise, asks),
    says('Done.'),
  ]
  const bot = await startMemoryBot({ script, config: { rules: asked(), engine: { clockMs: 20 } } })
  const { memory } = bot
  const message = await memory.say('ana', '@bobbin write them, and wake me')
  await memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
  memory.pass(10 * minute)
  await memory.eventually(() => expect(bot.rows("select seq from inbox where kind = 'alarm'")).toHaveLength(1))
  rung.resolve()
  await memory.eventually(() => expect(memory.cards(message)).toHaveLength(2))
  await answered(bot, message)
  for (const card of memory.cards(message)) await memory.click('ana', card, yes)
  await answered(bot, message, 'Done.')
})

test('one that repeats is posted once for the same card, also across a restart', async () => {
  const { bot, memory, message, card } = await waiting({ cron: '*/15 * * * *' })
  const dueAt = () => bot.rows('select due_at from alarms')
  for (let rings = 0; rings < 3; rings++) {
    const before = dueAt()
    memory.pass(15 * minute)
    await memory.eventually(() => expect(dueAt()).not.toEqual(before))
    if (rings === 1) await bot.restart()
  }
  await answered(bot, message)
  await memory.click('ana', card, yes)
  await answered(bot, message, 'Done.')
})

test('one that repeats daily is posted each time it rings, and read once', async () => {
  const { bot, memory, message, card } = await waiting({ cron: '0 9 * * *' })
  const posted = (count: number) =>
    memory.eventually(() => {
      expect(memory.answers(message)).toEqual(Array.from({ length: count }, () => notice))
      expect(bot.rows("select key from outbox where state = 'pending'")).toEqual([])
    })
  for (let days = 1; days <= 3; days++) {
    memory.pass(24 * hour)
    await posted(days)
  }
  await memory.click('ana', card, yes)
  await answered(bot, message, notice, notice, 'Done.')
  expect(bot.rows("select seq from inbox where kind = 'alarm'")).toHaveLength(1)
})

test('that one which repeats was not read before it rings again is said to the log once, and later that its setter is barred', async () => {
  const store = await openStore()
  const { id: session } = await threadIn(store, inSlack(), 'tea')
  const alarm = { id: 'alarm_a' as const, message: 'tea', dueAt: 1_000, cron: '* * * * *', timeZone: 'UTC' }
  await store.transaction((tx) => insertAlarm(tx, { ...alarm, session, person: ana }))
  const access = structuredClone(shippedConfig().access)
  const skipped: string[] = []
  let ring = async () => {}
  let now = Date.now()
  const platforms = new Map([['slack', { progress: 'posted' }]])
  const bot = {
    ...{ config: { access }, store, engine: { wake: () => {} }, platforms, clock: { now: () => now } },
    report: () => (thrown: Failure) => skipped.push(`${thrown.code}: ${thrown.message}`),
    whenDue: (_: string, __: unknown, look: () => Promise<void>) => {
      ring = look
    },
  }
  alarms.start?.(bot as never, {} as never)
  const rings = async (times: number) => {
    for (let count = 0; count < times; count++, now += 2 * minute) await ring()
  }
  await rings(1)
  expect(skipped).toEqual([])
  await rings(2)
  expect(skipped).toEqual(['unread: Its last ring hasn’t been read yet.'])
  Object.assign(access, { users: ['ben'] })
  await rings(2)
  expect(skipped).toEqual(['unread: Its last ring hasn’t been read yet.', expect.stringMatching(/^barred: /)])
})
