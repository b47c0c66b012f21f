import { describe, expect, test } from 'vitest'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { bench } from '../tools/support.ts'
import { minute } from './trust.ts'

const next = (at: string) => calls('alarm_set', { at, message: 'go on' })

/** What the model's calls returned, oldest first. */
const results = ({ rows }: MemoryBot): string[] =>
  rows("select text from messages where role = 'tool' order by seq").map(({ text }) => String(text))

describe('in a turn that an alarm began', () => {
  test('the next one rings no sooner than a repeating one would, in the thread too', async () => {
    const script = [
      calls('alarm_set', { at: 'PT10M', message: 'go on' }),
      says('Set.'),
      next('PT1S'),
      next('in 59 seconds'),
      next('PT60S'),
      says('Rang.'),
      says('Rang again.'),
    ]
    const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin wake yourself')
    await memory.untilAnswered(message, 'Set.')
    memory.pass(10 * minute)
    await memory.eventually(() => expect(memory.answers(message)).toContain('Rang.'))
    const refusal = /^Error: ".*" is too soon in a turn that an alarm began\. Set it at least 60 s from now\.$/
    expect(results(bot)).toEqual([
      expect.stringContaining('is set for'),
      expect.stringMatching(refusal),
      expect.stringMatching(refusal),
      expect.stringContaining('is set for'),
    ])
    memory.pass(2 * minute)
    await memory.eventually(() => expect(memory.answers(message)).toContain('Rang again.'))
    expect(bot.rows("select id from alarms where state = 'pending'")).toEqual([])
  })

  test('a person who writes makes the turn theirs, so it may be soon', async () => {
    const script = [next('PT10M'), says('Set.'), says('Rang.'), next('PT2S'), says('Soon.')]
    const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin wake yourself')
    await memory.untilAnswered(message, 'Set.')
    memory.pass(10 * minute)
    await memory.eventually(() => expect(memory.answers(message)).toContain('Rang.'))
    await memory.say('ana', '@bobbin and once more', { in: message })
    await memory.eventually(() => expect(memory.answers(message)).toContain('Soon.'))
    expect(results(bot).at(-1)).toContain('is set for')
  })

  test.each([
    [{ at: 'PT1S' }, true],
    [{ at: 'PT59S' }, true],
    [{ at: '2026-03-10T12:30:00' }, true],
    [{ at: 'PT60S' }, false],
    [{ at: 'in 2 hours' }, false],
    [{ cron: '0 9 * * *' }, false],
  ])('%j is refused: %s', async (times, refused) => {
    const byAlarm = await bench({}, { byAlarm: true })
    const set = byAlarm.run('alarm_set', { message: 'x', ...times })
    if (refused) await expect(set).rejects.toMatchObject({ code: 'bad_time' })
    else expect(await set).toContain('is set for')
    const byPerson = await bench()
    expect(await byPerson.run('alarm_set', { message: 'x', ...times })).toContain('is set for')
  })
})

test('the alarms of somebody who is off the lists by now don’t ring, and those that repeat go on once they are back', async () => {
  const script = [
    calls('alarm_set', { cron: '*/15 * * * *', message: 'go on' }, ['alarm_set', { at: 'PT5M', message: 'once' }]),
    says('Set.'),
    says('Rang.'),
  ]
  const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 }, access: { users: [] } } })
  const { memory } = bot
  memory.passQuarter()
  const message = await memory.say('ana', '@bobbin wake yourself')
  await memory.untilAnswered(message, 'Set.')
  Object.assign(bot.config.access, { users: ['ben'] })
  await bot.restart()
  for (let rings = 0; rings < 3; rings++) {
    const due = () => bot.rows("select due_at from alarms where state = 'pending'")
    const before = due()
    memory.pass(15 * minute)
    await memory.eventually(() => expect(due()).not.toEqual(before))
  }
  expect(bot.rows('select count(*) as count from turns')).toEqual([{ count: 1 }])
  expect(bot.rows('select cron is null as once, state from alarms order by once')).toEqual([
    { once: 0, state: 'pending' },
    { once: 1, state: 'fired' },
  ])
  Object.assign(bot.config.access, { users: ['ana'] })
  await bot.restart()
  memory.pass(15 * minute)
  await memory.eventually(() => expect(memory.answers(message)).toContain('Rang.'))
})

test('the alarms of a platform whose token was taken out wait until it is back, and then each rings once, late', async () => {
  const sets = calls('alarm_set', { cron: '*/15 * * * *', message: 'go on' }, [
    'alarm_set',
    { at: 'PT20M', message: 'once' },
  ])
  const script = [sets, says('Set.'), says('Tea.'), says('Rang.'), says('Rang.')]
  const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
  const { memory } = bot
  memory.passQuarter()
  const message = await memory.say('ana', '@bobbin wake yourself')
  await memory.untilAnswered(message, 'Set.')
  await bot.chat.say('alarm in 30 minutes: tea')
  const alarms = () => bot.rows("select state, due_at from alarms where message <> 'tea' order by cron is null")
  const rung = () => bot.rows("select payload from inbox where kind = 'alarm'").map(({ payload }) => `${payload}`)
  const before = alarms()
  memory.isConfigured = false
  await bot.restart()
  memory.pass(60 * minute)
  await memory.eventually(() => expect(rung()).toEqual([expect.stringContaining('tea')]))
  expect(alarms()).toEqual(before)
  memory.isConfigured = true
  await bot.restart()
  await memory.eventually(() => expect(memory.answers(message)).toContain('Rang.'))
  await bot.settled()
  expect(rung()).toEqual(['tea', 'go on', 'once'].map((text) => expect.stringContaining(text)))
  expect(alarms()).toMatchObject([{ state: 'pending' }, { state: 'fired' }])
})

test('in a thread that refuses messages, an alarm that repeats rings again once the answer to its last ring is posted', async () => {
  const script = [
    calls('alarm_set', { cron: '*/15 * * * *', message: 'go on' }, ['alarm_set', { at: 'PT40M', message: 'once' }]),
    says('Set.'),
    says('Rang.'),
    says('Once.'),
    says('Rang again.'),
  ]
  const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
  const { memory } = bot
  memory.passQuarter()
  const message = await memory.say('ana', '@bobbin wake yourself')
  await memory.untilAnswered(message, 'Set.')
  memory.misbehave.refuse('post', 'repairable', { times: 999, fits: ({ thread }) => thread === message.id })
  const rings = () => bot.rows("select seq from inbox where kind = 'alarm'").length
  for (const expected of [1, 1, 2, 2]) {
    const due = () => bot.rows('select due_at from alarms where cron is not null')
    const before = due()
    memory.pass(15 * minute)
    await memory.eventually(() => expect(due()).not.toEqual(before))
    await memory.eventually(() => expect(bot.rows("select id from turns where state <> 'done'")).toEqual([]))
    await memory.eventually(() => expect(bot.rows('select key from outbox where refused_at > 0')).toHaveLength(1))
    expect(rings()).toBe(expected)
  }
  memory.misbehave.calm()
  await memory.mend()
  await memory.untilAnswered(message, 'Set.', 'Rang.', 'Once.')
  memory.pass(15 * minute)
  await memory.untilAnswered(message, 'Set.', 'Rang.', 'Once.', 'Rang again.')
})

describe('how many wait in a thread', () => {
  test('at most 100, and cancelling one makes room', async () => {
    const { run, alarms } = await bench()
    const set = () => run('alarm_set', { at: 'in 1 hour', message: 'x' })
    for (let count = 0; count < 100; count++) await set()
    await expect(set()).rejects.toMatchObject({ code: 'too_many_alarms' })
    expect(alarms).toHaveLength(100)
    await run('alarm_cancel', { alarm_id: alarms[0]?.id })
    expect(await set()).toContain('is set for')
  })

  test('in the thread, however many steps ask for them, and not those of others', async () => {
    const many = (count: number) => {
      const all = Array.from({ length: count }, (_, place): [string, unknown] => [
        'alarm_set',
        { at: 'in 3 days', message: `${place}` },
      ])
      return calls('alarm_set', { at: 'in 2 days', message: 'first' }, ...all)
    }
    const bot = await startMemoryBot({
      script: [...Array.from({ length: 4 }, () => many(24)), many(0), says('Done.'), many(0), says('Done.')],
    })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin wake yourself')
    await memory.untilAnswered(message, 'Done.')
    const waiting = () => bot.rows("select id from alarms where state = 'pending'").length
    expect(waiting()).toBe(100)
    const refused = bot.rows(
      "select text from messages where role = 'tool' and text like '%This thread has 100 alarms.%'",
    )
    expect(refused).toHaveLength(1)
    const other = await memory.say('ben', '@bobbin and you')
    await memory.untilAnswered(other, 'Done.')
    expect(waiting()).toBe(101)
  })
})
