import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { dataFindings } from '../../src/doctor/data.ts'
import type { ThreadRef } from '../../src/domain/chat.ts'
import { endThread } from '../../src/inbound/thread-deleted.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { insertAlarm } from '../../src/store/alarms.ts'
import { stubDeps } from '../discord/stub.ts'
import { type MemoryBot, type Message, pageOf, startMemoryBot, wordsOf } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { ana, openStore } from '../support/store.ts'
import { inSlack, threadIn } from '../support/threads.ts'
import { eventually } from '../support/until.ts'
import { asked } from './trust.ts'

const hour = 3_600_000
const asks = calls('ask_human', { question: 'Delete the old database?' })

/** The thread of this message refuses everything until it is mended. */
function shutOut({ memory }: MemoryBot, thread: () => string): void {
  const fits = (call: { thread: string }) => call.thread === thread()
  memory.misbehave.refuse('post', 'repairable', { times: Number.POSITIVE_INFINITY, fits })
}

/** A bot whose first thread refuses everything from its first answer on. */
async function stuck(
  script: Parameters<typeof says>[0] | ReturnType<typeof calls>,
  ...more: ReturnType<typeof says>[]
) {
  const first = typeof script === 'string' ? says(script) : script
  const bot = await startMemoryBot({ script: [first, ...more], config: { engine: { clockMs: 20 } } })
  shutOut(bot, () => 'm1')
  const asked = await bot.memory.say('ana', '@bobbin hello')
  await bot.memory.eventually(() => expect(refusedAt(bot)).toBeGreaterThan(0))
  return { bot, asked }
}

const refusedAt = (bot: MemoryBot) => Number(bot.rows('select max(refused_at) as at from outbox')[0]?.at)

/** Attempts to post in the thread itself. */
const attempts = ({ memory }: MemoryBot) =>
  memory.misbehave.callsTo('post').filter(({ thread }) => thread === 'm1').length

/** So much time passes, at least an hour, and what waits in that thread is refused once more, for an hour from then on. */
async function passRefused(bot: MemoryBot, ms: number): Promise<void> {
  const before = attempts(bot)
  bot.memory.pass(ms)
  const next = bot.memory.clock.now() + hour
  await eventually(() => expect(attempts(bot)).toBeGreaterThan(before))
  // An attempt that is under way would be repeated earlier.
  const under = `select key from outbox where state = 'pending' and refused_at is not null and next_at < ${next}`
  await eventually(() => expect(bot.rows(under)).toEqual([]))
}

const warnings = (bot: MemoryBot, code: string) =>
  bot.rows(`select data from events where type = 'warning' and data like '%"${code}"%'`).map(({ data }) => `${data}`)

/** What a person was told in direct messages. */
const toldAlone = ({ memory }: MemoryBot, person: string) =>
  memory.world.messages.flatMap((one) =>
    one.thread.thread === `dm-${person}` && one.author === 'self' ? (wordsOf(pageOf(one)) ?? []) : [],
  )

const mended = async (bot: MemoryBot) => {
  bot.memory.misbehave.calm()
  await bot.memory.mend({ tenant: 'team', project: 'general' })
}

describe('a refusal that somebody can fix', () => {
  test('is over as soon as it is fixed, in order, and the person was told once', async () => {
    const { bot, asked } = await stuck('first', says('elsewhere'), says('second'))
    const { memory } = bot
    await eventually(() => expect(toldAlone(bot, 'ana')).toHaveLength(1))
    const [told] = toldAlone(bot, 'ana')
    expect(told).toMatch(
      /^I couldn’t post my answer in \[this thread\]\(https:.+\) because refused: repairable\. Mend it\./,
    )

    const other = await memory.say('ben', '@bobbin and me?')
    await memory.untilAnswered(other, 'elsewhere')
    await memory.say('ana', 'two', { in: asked })
    await eventually(() => expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(2))
    memory.pass(hour)
    await eventually(() => expect(attempts(bot)).toBeGreaterThan(1))
    expect(memory.answers(asked)).toEqual([])

    await mended(bot)
    await memory.untilAnswered(asked, 'first', 'second')
    await bot.settled()
    expect(toldAlone(bot, 'ana')).toHaveLength(1)
    expect(warnings(bot, 'waits_to_be_posted')).toHaveLength(1)
    expect(warnings(bot, 'not_posted')).toEqual([])
  })

  test('is reported to everybody who waits there, each once', async () => {
    const { bot, asked } = await stuck('first', says('second'), says('third'))
    const { memory } = bot
    await eventually(() => expect(toldAlone(bot, 'ana')).toHaveLength(1))
    await memory.say('ben', '@bobbin and me?', { in: asked })
    await memory.say('ana', '@bobbin and?', { in: asked })
    await eventually(() => expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(3))
    for (let hours = 0; hours < 2; hours++) await passRefused(bot, hour)
    await eventually(() => expect(toldAlone(bot, 'ben')).toHaveLength(1))
    await mended(bot)
    await memory.untilAnswered(asked, 'first', 'second', 'third')
    await bot.settled()
    expect([toldAlone(bot, 'ana'), toldAlone(bot, 'ben')].map(({ length }) => length)).toEqual([1, 1])
  })

  test('is reported once, also if what it was reported for is lost and the next is refused too', async () => {
    const { bot, asked } = await stuck('first', says('second'))
    const { memory } = bot
    await eventually(() => expect(toldAlone(bot, 'ana')).toHaveLength(1))
    await memory.say('ana', '@bobbin and?', { in: asked })
    await eventually(() => expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(2))
    memory.misbehave.calm()
    memory.misbehave.refuse('post', 'never', { fits: ({ thread }) => thread === 'm1' })
    shutOut(bot, () => 'm1')
    memory.pass(hour)
    const second = () => bot.rows("select key from outbox where state = 'pending' and refused_at is not null")
    await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
    await eventually(() => expect(second()).toHaveLength(1))
    const before = attempts(bot)
    memory.pass(hour)
    await eventually(() => expect(attempts(bot)).toBeGreaterThan(before))
    await mended(bot)
    await memory.untilAnswered(asked, 'second')
    await bot.settled()
    expect(toldAlone(bot, 'ana')).toEqual([
      expect.stringContaining('as soon as I can'),
      expect.stringContaining('because refused: never'),
    ])
  })

  test('is reported by health and doctor until it is fixed', async () => {
    const { bot, asked } = await stuck('first')
    const waiting = { count: 1, reason: 'refused: repairable', remedy: 'Mend it' }
    const health = async () =>
      (await (await fetch(`${bot.chat.url}/health`)).json()) as { platforms: { memory: object } }
    expect((await health()).platforms.memory).toMatchObject({ ok: true, waiting: [waiting] })
    const place = { dataDir: bot.dataDir, database: bot.database, silentMs: 60_000 }
    const findings = async () => (await Array.fromAsync(dataFindings(place))).map(({ fact }) => fact)
    expect(await findings()).toContain('1 message waits to be posted on memory: refused: repairable.')
    await mended(bot)
    await bot.memory.untilAnswered(asked, 'first')
    await bot.settled()
    expect((await health()).platforms.memory).not.toHaveProperty('waiting')
    expect((await findings()).join()).not.toContain('to be posted')
  })

  test('survives a restart, and is tried again at the start', async () => {
    const { bot, asked } = await stuck('first')
    await eventually(() => expect(toldAlone(bot, 'ana')).toHaveLength(1))
    bot.memory.misbehave.calm()
    await bot.restart()
    await bot.memory.untilAnswered(asked, 'first')
    await bot.settled()
    expect(toldAlone(bot, 'ana')).toHaveLength(1)
  })

  test('is retried less and less often, and given up after a week, with the reason', async () => {
    const { bot, asked } = await stuck('first', says('second'))
    const before = attempts(bot)
    const next = () => Number(bot.rows("select next_at from outbox where state = 'pending'")[0]?.next_at)
    expect(next() - refusedAt(bot)).toBeGreaterThanOrEqual(5_000)
    bot.memory.pass(3 * hour)
    await eventually(() => expect(attempts(bot)).toBe(before + 1))
    await eventually(() => expect(next() - bot.memory.clock.now()).toBeGreaterThan(hour - 60_000))
    expect(next() - bot.memory.clock.now()).toBeLessThanOrEqual(hour)

    bot.memory.pass(7 * 24 * hour)
    await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
    expect(bot.rows('select state, reason from outbox')).toEqual([{ state: 'failed', reason: 'refused: repairable' }])
    bot.memory.misbehave.calm()
    await bot.memory.say('ana', 'two', { in: asked })
    await bot.memory.untilAnswered(asked, 'second')
  })

  test('is reported in the channel if the person takes no direct messages', async () => {
    const bot = await startMemoryBot({ script: [says('first')] })
    const refused = (thread: string) => thread === 'm1' || thread === 'dm-ana'
    bot.memory.misbehave.refuse('post', 'repairable', { times: 99, fits: ({ thread }) => refused(thread) })
    await bot.memory.say('ana', '@bobbin hello')
    const inChannel = () =>
      bot.memory.world.messages.filter(({ thread, author }) => author === 'self' && thread.thread === '')
    await eventually(() => expect(inChannel()).toHaveLength(1))
    await eventually(() => expect(bot.rows('select key from outbox where told_at is not null')).toHaveLength(1))
  })
})

describe('a refusal that is final', () => {
  const ofThread = ({ thread }: { thread: string }) => thread === 'm1'

  test('is reported to whoever waits, once', async () => {
    const bot = await startMemoryBot({ script: [says('first'), says('second')] })
    bot.memory.misbehave.refuse('post', 'never', { fits: ofThread })
    const asked = await bot.memory.say('ana', '@bobbin hello')
    await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
    expect(toldAlone(bot, 'ana')).toEqual([
      expect.stringMatching(
        /^I couldn’t post my answer in \[this thread\]\(https:.+\) because refused: never\. The operator/,
      ),
    ])
    await bot.memory.say('ana', 'two', { in: asked })
    await bot.memory.untilAnswered(asked, 'second')
    await bot.restart()
    await bot.settled()
    expect(toldAlone(bot, 'ana')).toHaveLength(1)
  })

  test('is reported in the channel if the person takes no direct messages, and given up if nobody can be told', async () => {
    const bot = await startMemoryBot({ script: [says('first'), says('second')] })
    const inChannel = () =>
      bot.memory.world.messages.filter(({ thread, author }) => author === 'self' && thread.thread === '')
    const fits = ({ thread }: { thread: string }) => thread === 'm1' || thread === 'dm-ana'
    bot.memory.misbehave.refuse('post', 'never', { times: 2, fits })
    const asked = await bot.memory.say('ana', '@bobbin hello')
    await eventually(() => expect(inChannel()).toHaveLength(1))

    bot.memory.misbehave.refuse('post', 'never', { times: 3 })
    await bot.memory.say('ana', 'two', { in: asked })
    await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(2))
    expect(inChannel()).toHaveLength(1)
  })

  test('of a card is reported, and that the turn continues', async () => {
    const bot = await startMemoryBot({ script: [asks, says('Then not.')] })
    bot.memory.misbehave.refuse('post', 'never', { fits: ({ key }) => key?.startsWith('card_') === true })
    const asked = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.untilAnswered(asked, 'Then not.')
    expect(toldAlone(bot, 'ana')).toEqual([
      expect.stringMatching(/something that needs your answer .+ I’ll go on without/),
    ])
  })

  test('waits until a delayed direct message can be sent, and is reported once', async () => {
    const bot = await startMemoryBot({ script: [says('first')], config: { engine: { clockMs: 20 } } })
    bot.memory.misbehave.refuse('post', 'never', { fits: ofThread, times: 9 })
    bot.memory.misbehave.refuse('post', 'later', { fits: ({ thread }) => thread === 'dm-ana', afterMs: 20 })
    await bot.memory.say('ana', '@bobbin hello')
    await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
    expect(toldAlone(bot, 'ana')).toHaveLength(1)
  })
})

test.each([
  ['because the thread is gone ends its alarms, and says so', true, 'cancelled'],
  ['for another reason ends no alarms', false, 'pending'],
])('a final refusal %s', async (_, gone, state) => {
  const every = calls('alarm_set', { cron: '0 9 1 1 *', message: 'stand-up' })
  const bot = await startMemoryBot({ script: [every, says('Set.'), every, says('Set.'), says('Next.')] })
  const asked = await bot.memory.say('ana', '@bobbin wake us')
  await bot.memory.untilAnswered(asked, 'Set.')
  const other = await bot.memory.say('ben', '@bobbin wake us too')
  await bot.memory.untilAnswered(other, 'Set.')
  bot.memory.misbehave.refuse('post', 'never', { gone, fits: ({ thread }) => thread === 'm1' })
  await bot.memory.say('ana', '@bobbin and?', { in: asked })
  await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
  expect(bot.rows('select state from alarms order by created_at')).toEqual([{ state }, { state: 'pending' }])
  const ended = 'The thread is gone, so its alarm has ended.'
  for (const said of [toldAlone(bot, 'ana'), warnings(bot, 'not_posted')])
    expect(said).toEqual([gone ? expect.stringContaining(ended) : expect.not.stringContaining(ended)])
})

test('a thread that somebody deletes loses its alarms at once, and no other one does', async () => {
  const every = calls('alarm_set', { cron: '0 9 1 1 *', message: 'stand-up' })
  const bot = await startMemoryBot({ script: [every, says('Set.'), every, says('Set.')] })
  const asked = await bot.memory.say('ana', '@bobbin wake us')
  await bot.memory.untilAnswered(asked, 'Set.')
  const other = await bot.memory.say('ben', '@bobbin wake us too')
  await bot.memory.untilAnswered(other, 'Set.')
  const thread = bot.memory.world.messages[0]?.thread
  for (let times = 0; times < 2; times++) await bot.memory.deleteThread(thread as ThreadRef)

  expect(bot.rows('select state from alarms order by created_at')).toEqual([
    { state: 'cancelled' },
    { state: 'pending' },
  ])
  const ended = expect.stringContaining('The thread is gone, so its alarm has ended.')
  expect(warnings(bot, 'thread_deleted')).toEqual([ended])
})

test('a turn that waits for a card ends with a thread that somebody deletes, so nothing reminds anybody there', async () => {
  const bot = await startMemoryBot({ script: [asks, says('Not heard.')] })
  const asked = await bot.memory.say('ana', '@bobbin hello')
  await bot.memory.untilCard(asked)
  await bot.memory.deleteThread(asked.thread)
  await bot.settled()

  expect(bot.rows('select state from turns')).toEqual([{ state: 'stopped' }])
  expect(bot.rows('select state from requests')).toEqual([{ state: 'cancelled' }])
  expect(bot.memory.answers(asked)).toEqual([])
})

test.each([
  ['once the thread is gone', true],
  ['unless a reminder was refused for another reason', false],
])('nobody is reminded again of a card %s', async (_, gone) => {
  const script = [calls('ask_human', { question: 'Which one?', to: ['starter'], remind_after_ms: hour })]
  const rules = { questions: { who: ['anyone'], remind_ms: hour } }
  const bot = await startMemoryBot({ script, config: { rules, engine: { clockMs: 20 } } })
  const { memory } = bot
  await memory.untilCard(await memory.say('ana', '@bobbin hello'))
  await bot.settled()
  memory.misbehave.refuse('post', 'never', { gone, fits: ({ thread }) => thread === 'm1' })
  memory.pass(hour)
  await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
  const next = gone ? null : expect.any(Number)
  await eventually(() =>
    expect(bot.rows('select remind_at, state from requests')).toEqual([{ remind_at: next, state: 'pending' }]),
  )
})

describe('a card whose thread is gone still waits for others, who are asked in time', () => {
  /** Its first reminder finds the thread gone. */
  async function reminded(call: ReturnType<typeof calls>, rules: Partial<Config['rules']>) {
    const bot = await startMemoryBot({ script: [call, says('Done.')], config: { rules, engine: { clockMs: 20 } } })
    const { memory } = bot
    await memory.untilCard(await memory.say('ana', '@bobbin hello'))
    await bot.settled()
    const gone = { gone: true, fits: ({ thread }: { thread: string }) => thread === 'm1' }
    memory.misbehave.refuse('post', 'never', { ...gone, times: Number.POSITIVE_INFINITY })
    memory.pass(hour)
    await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
    const read = () => bot.rows('select * from requests')[0] as Record<string, number | string>
    await eventually(() => expect(read().remind_at).toBe(Number(read().asked_at) + 4 * hour))
    memory.pass(3 * hour)
    return { memory, read }
  }

  test('as an approval, which is denied in the end', async () => {
    const owners = { who: ['group:admins'], asker: true, needed: 1, deny_ms: hour }
    const rules = asked({ remind_ms: hour, next: { after_ms: 4 * hour, decider: 'owners' } }, { deciders: { owners } })
    const { memory, read } = await reminded(calls('write_file', { path: 'outputs/a.txt', content: 'a' }), rules)
    await eventually(() => expect(JSON.parse(`${read().decided}`)).toMatchObject({ decider: 'owners' }))
    memory.pass(hour)
    await eventually(() => expect(JSON.parse(`${read().answer}`)).toMatchObject({ decision: 'deny' }))
  })

  test('as a question, which opens', async () => {
    const questions = { who: ['anyone'], open_ms: 4 * hour }
    const call = calls('ask_human', { question: 'Which one?', to: ['starter'], remind_after_ms: hour })
    const { read } = await reminded(call, { questions })
    await eventually(() => expect(JSON.parse(`${read().payload}`)).toHaveProperty('opened_to'))
  })
})

describe('while a card can’t be posted', () => {
  const day = 24 * hour
  const timed = asked(
    { remind_ms: 4 * hour, deny_ms: 30 * hour, next: { after_ms: 20 * hour, decider: 'owners' } },
    {
      deciders: { owners: { who: ['group:admins'], asker: true, needed: 1 } },
      questions: { who: ['anyone'], remind_ms: 4 * hour, open_ms: day, decline_ms: 30 * hour },
    },
  )
  const kinds = [
    ['an approval', calls('write_file', { path: 'outputs/a.txt', content: 'a' }), { decision: 'approve' }],
    ['a question', asks, { answer: 'yes' }],
  ] as const

  /** Its card is refused for some days. */
  async function unposted(call: ReturnType<typeof calls>, days: number) {
    const config = { rules: timed, engine: { clockMs: 20 } }
    const bot = await startMemoryBot({ script: [call, says('Done.')], config })
    shutOut(bot, () => 'm1')
    const asking = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.eventually(() => expect(refusedAt(bot)).toBeGreaterThan(0))
    for (let passed = 0; passed < days; passed++) {
      await passRefused(bot, day)
      const due = () => bot.rows(`select id from requests where remind_at < ${bot.memory.clock.now()}`)
      await eventually(() => expect(due()).toEqual([]))
    }
    return { bot, asking }
  }

  test.each(kinds)(
    'nobody is reminded of %s, so the thread hears nothing of it once it is decided',
    async (_, call, answer) => {
      const { bot, asking } = await unposted(call, 3)
      const [request] = await bot.chat.requests()
      await bot.chat.answer(request?.id ?? '', answer)
      await mended(bot)
      await bot.memory.untilAnswered(asking, 'Done.')
      await bot.settled()
      expect(bot.memory.kinds(asking)).toEqual(['card', 'answer'])
    },
  )

  test.each(kinds)('no time passes for %s, which begins with its card', async (_, call) => {
    const { bot, asking } = await unposted(call, 2)
    await mended(bot)
    await bot.memory.untilCard(asking)
    await bot.settled()
    const [request] = await bot.chat.requests()
    expect(JSON.stringify(request)).not.toContain('admins')
    bot.memory.pass(4 * hour)
    await eventually(() => expect(bot.memory.answers(asking)).toEqual([expect.stringMatching(/still needs/)]))
    bot.memory.pass(27 * hour)
    await bot.settled()
    await eventually(() => expect(bot.rows("select id from requests where state = 'pending'")).toEqual([]))
  })

  test('no time passes for those to whom alone a question is put', async () => {
    const call = calls('ask_human', { question: 'Which one?', to: ['starter'], remind_after_ms: 6 * hour })
    const { bot, asking } = await unposted(call, 2)
    const isOpen = () => `${bot.rows('select payload from requests')[0]?.payload}`.includes('opened_to')
    await mended(bot)
    await bot.memory.untilCard(asking)
    await bot.settled()
    bot.memory.pass(7 * hour)
    await eventually(() => expect(bot.memory.answers(asking).at(-1)).toMatch(/still needs/))
    expect(isOpen()).toBe(false)
    bot.memory.pass(17 * hour)
    await eventually(() => expect(isOpen()).toBe(true))
  })
})

test('that alarms end with a thread which somebody deletes is in the log', async () => {
  const store = await openStore()
  const session = await threadIn(store, inSlack(), 'tea')
  const alarm = { id: 'alarm_a' as const, message: 'tea', dueAt: 1_000, cron: undefined, timeZone: 'UTC', person: ana }
  await store.transaction((tx) => insertAlarm(tx, { ...alarm, session: session.id }))
  const { lines, log } = stubDeps()
  for (let times = 0; times < 2; times++)
    await endThread(session.thread, { store, liveTexts: liveTextsHere({ now: Date.now }), log })

  const what = 'The thread is gone, so its alarm has ended.'
  expect(lines).toEqual([{ level: 'warn', about: { session: session.id }, what }])
})

test('a thread that takes nothing for a week loses its alarms, and says so', async () => {
  const sets = calls('alarm_set', { at: 'in 60 days', message: 'stand-up' })
  const { bot } = await stuck(sets, says('Set.'))
  const before = attempts(bot)
  bot.memory.pass(3 * hour)
  await eventually(() => expect(attempts(bot)).toBe(before + 1))
  expect(bot.rows('select state from alarms')).toEqual([{ state: 'pending' }])
  bot.memory.pass(7 * 24 * hour)
  await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
  expect(bot.rows('select state from alarms')).toEqual([{ state: 'cancelled' }])
  const ended = expect.stringContaining('Nothing could be posted in the thread for a week, so its alarm has ended.')
  expect(warnings(bot, 'not_posted')).toEqual([ended])
  expect(toldAlone(bot, 'ana').at(-1)).toEqual(ended)
})

test('all who wait in a thread that takes nothing for a week are told that its alarms ended, even if nobody waits for what blocked it', async () => {
  const sets = calls('alarm_set', { at: 'in 60 days', message: 'stand-up' })
  const script = [sets, asks, says('Kept.'), says('And you.')]
  const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin hello')
  await memory.untilCard(asked)
  await bot.settled()
  for (const what of ['post', 'edit'] as const)
    memory.misbehave.refuse(what, 'repairable', {
      times: Number.POSITIVE_INFINITY,
      fits: ({ thread }) => thread === 'm1',
    })
  const [request] = await bot.chat.requests()
  await bot.chat.answer(request?.id ?? '', { answer: 'no' })
  const waiting = () => bot.rows("select kind from outbox where state = 'pending' order by seq").map(({ kind }) => kind)
  await eventually(() => expect(waiting()).toEqual(['outcome', 'answer']))
  await memory.say('ben', '@bobbin and me?', { in: asked })
  await eventually(() => expect(waiting()).toEqual(['outcome', 'answer', 'answer']))
  memory.pass(8 * 24 * hour)
  await eventually(() => expect(waiting()).toEqual([]))
  const lost = (person: string) => toldAlone(bot, person).filter((text) => text.includes('after a week'))
  for (const person of ['ana', 'ben']) expect(lost(person)).toEqual([expect.stringContaining('its alarm has ended.')])
})

test('each person is told once of all that waited in a thread that is gone, and again of what is lost later', async () => {
  const { bot, asked } = await stuck('first', says('second'), asks, says('Then not.'))
  const { memory } = bot
  const waiting = (kind: string) => bot.rows(`select key from outbox where state = 'pending' and kind = '${kind}'`)
  await memory.say('ben', '@bobbin and?', { in: asked })
  await eventually(() => expect(waiting('answer')).toHaveLength(2))
  await memory.say('ana', '@bobbin and?', { in: asked })
  await eventually(() => expect(waiting('card')).toHaveLength(1))
  memory.misbehave.calm()
  const fits = ({ thread }: { thread: string }) => thread === 'm1'
  memory.misbehave.refuse('post', 'never', { gone: true, times: Number.POSITIVE_INFINITY, fits })
  await memory.mend({ tenant: 'team', project: 'general' })
  await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(4))
  const of = (person: string) => toldAlone(bot, person).filter((text) => !text.includes('as soon as I can'))
  expect(of('ana')).toEqual([
    expect.stringMatching(
      /^I couldn’t post 2 messages in .+ all of them in the console. I’ll go on without your answer.$/,
    ),
    expect.stringMatching(/^I couldn’t post my answer in .+ read it in the console.$/),
  ])
  expect(of('ben')).toEqual([expect.stringMatching(/^I couldn’t post my answer in .+ read it in the console.$/)])
})

test('a person who can’t be told keeps nobody else from being told that alarms ended', async () => {
  const { bot, asked } = await stuck(
    calls('alarm_set', { at: 'in 60 days', message: 'tea' }),
    says('Set.'),
    says('Two.'),
  )
  const { memory } = bot
  await eventually(() => expect(toldAlone(bot, 'ana')).toHaveLength(1))
  await memory.say('ben', '@bobbin and?', { in: asked })
  await eventually(() => expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(2))
  memory.misbehave.calm()
  memory.misbehave.refuse('post', 'never', { gone: true, times: 2, fits: ({ thread }) => thread === 'm1' })
  memory.misbehave.failBefore('post', { fits: ({ thread }) => thread === 'dm-ana' })
  await memory.mend({ tenant: 'team', project: 'general' })
  await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(2))
  expect(toldAlone(bot, 'ana')).toHaveLength(1)
  expect(toldAlone(bot, 'ben')).toEqual([expect.stringContaining('its alarm has ended.')])
})

test('an alarm that is set while people are told of a thread that is gone is among those that are said to end', async () => {
  const sets = calls('alarm_set', { at: 'in 60 days', message: 'tea' })
  const bot = await startMemoryBot({ script: [says('first'), sets, says('Set.')] })
  const { memory } = bot
  memory.misbehave.refuse('post', 'never', { gone: true, times: 2, fits: ({ thread }) => thread === 'm1' })
  const held = memory.misbehave.hold('post', { fits: ({ thread }) => thread === 'dm-ana' })
  const asked = await memory.say('ana', '@bobbin hello')
  await eventually(() => expect(held.waiting).toBe(1))
  await memory.say('ben', '@bobbin and?', { in: asked })
  await eventually(() => expect(bot.rows('select state from alarms')).toEqual([{ state: 'pending' }]))
  held.release()
  await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(2))
  expect(bot.rows('select state from alarms')).toEqual([{ state: 'cancelled' }])
  expect(warnings(bot, 'not_posted')[0]).toContain('The thread is gone, so its alarm has ended.')
})

test('if no token was accepted anywhere for a week, alarms go on', async () => {
  const sets = calls('alarm_set', { at: 'in 60 days', message: 'stand-up' })
  const bot = await startMemoryBot({ script: [sets, says('Set.')], config: { engine: { clockMs: 20 } } })
  bot.memory.misbehave.refuse('post', 'repairable', { times: Number.POSITIVE_INFINITY, everywhere: true })
  await bot.memory.say('ana', '@bobbin hello')
  await bot.memory.eventually(() => expect(refusedAt(bot)).toBeGreaterThan(0))
  bot.memory.pass(8 * 24 * hour)
  await eventually(() => expect(warnings(bot, 'not_posted')).toHaveLength(1))
  expect(bot.rows('select state from alarms')).toEqual([{ state: 'pending' }])
})

test('what a thread has refused for a week is given up together with all that has waited there for long, and each person is told once', async () => {
  const { bot, asked } = await stuck('first', says('second'), says('third'), says('fourth'), says('fifth'))
  const { memory } = bot
  memory.pass(3 * 24 * hour)
  for (const [index, person] of ['ana', 'ben', 'ana'].entries()) {
    await memory.say(person, '@bobbin and?', { in: asked })
    await eventually(() => expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(index + 2))
  }
  memory.pass(4 * 24 * hour - hour)
  await eventually(() => expect(toldAlone(bot, 'ben')).toHaveLength(1))
  await memory.say('cleo', '@bobbin and?', { in: asked })
  await eventually(() => expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(5))
  memory.pass(2 * hour)
  // What is an hour old can still be posted, and its person hears what to do.
  await eventually(() => expect(toldAlone(bot, 'cleo')).toEqual([expect.stringContaining('Mend it. I’ll post it')]))
  expect(warnings(bot, 'not_posted')).toHaveLength(4)
  const lost = (what: string) =>
    expect.stringMatching(
      new RegExp(`^I couldn’t post ${what} in .+ because refused: repairable, and I’ve given up .+ in the console.$`),
    )
  expect(toldAlone(bot, 'ana')).toEqual([expect.stringContaining('as soon as I can'), lost('3 messages')])
  expect(toldAlone(bot, 'ben')).toEqual([expect.stringContaining('as soon as I can'), lost('my answer')])
  await mended(bot)
  await memory.untilAnswered(asked, 'fifth')
})

describe('a question whose card is refused', () => {
  test('is not answered by messages sent meanwhile; once its card is posted, it can be', async () => {
    const { bot, asked } = await stuck(asks, says('Kept.'), says('And that.'))
    await bot.memory.say('ana', 'yes please hurry', { in: asked })
    expect(bot.rows('select state from requests')).toEqual([{ state: 'pending' }])
    await eventually(() => expect(toldAlone(bot, 'ana')[0]).toContain('something that needs your answer'))

    await mended(bot)
    await bot.memory.untilCard(asked)
    expect(bot.rows('select state from requests')).toEqual([{ state: 'pending' }])
    await bot.memory.say('ana', 'no, keep it', { in: asked })
    await bot.memory.eventually(() =>
      expect(bot.memory.cards(asked)).toMatchObject([{ answer: { text: 'no, keep it' } }]),
    )
    await bot.memory.untilAnswered(asked, 'Kept.')
    // What was said too early is read as what it is: a message.
    const heard = JSON.stringify(bot.model.requests.at(-1)?.messages)
    expect(heard).toContain('ana answered: no, keep it')
    expect(heard).toContain('yes please hurry')
  })

  test('can be answered in the console, and its card then shows the answer', async () => {
    const { bot, asked } = await stuck(asks, says('Kept.'))
    const [request] = await bot.chat.requests()
    expect((await bot.chat.answer(request?.id ?? '', { answer: 'no' })).status).toBe(200)
    await mended(bot)
    await bot.memory.untilAnswered(asked, 'Kept.')
    await bot.settled()
    expect(bot.memory.cards(asked)).toMatchObject([{ state: 'answered', answer: { text: 'no' } }])
  })

  test('ends if it can never be shown, so the thread does not wait for ever', async () => {
    const bot = await startMemoryBot({ script: [asks, says('Then not.')], config: { engine: { clockMs: 20 } } })
    bot.memory.misbehave.refuse('post', 'never', { fits: ({ key }) => key?.startsWith('card_') === true })
    const asked = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.untilAnswered(asked, 'Then not.')
    expect(bot.rows('select state from requests')).toEqual([{ state: 'answered' }])
    expect(warnings(bot, 'not_posted')).toHaveLength(1)
  })
})

describe('a card that is posted before the bot knows it', () => {
  const posted = { done: true, fits: ({ key }: { key?: string }) => key?.startsWith('card_') === true }

  /** Ana sees the card and answers, while the bot still waits for the platform. */
  async function answeredEarly(options: { files?: Record<string, string> } = {}) {
    const bot = await startMemoryBot({ script: [asks, says('Kept.')] })
    const held = bot.memory.misbehave.hold('post', posted)
    const asked = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.untilCard(asked)
    await bot.memory.say('ana', 'no, keep it', { in: asked, ...options })
    expect(bot.rows('select state from requests')).toEqual([{ state: 'pending' }])
    return { bot, asked, held }
  }

  const kept = async (bot: MemoryBot, asked: Message) => {
    await bot.memory.untilAnswered(asked, 'Kept.')
    await bot.settled()
    expect(bot.rows("select kind from inbox where kind = 'answer'")).toHaveLength(1)
    expect(JSON.stringify(bot.model.requests.at(-1)?.messages).match(/no, keep it/g)).toHaveLength(1)
  }

  test('is answered by a message below it', async () => {
    const { bot, asked, held } = await answeredEarly()
    held.release()
    await kept(bot, asked)
  })

  test('is answered by a message with files below it', async () => {
    const { bot, asked, held } = await answeredEarly({ files: { 'a.txt': 'a' } })
    held.release()
    await kept(bot, asked)
    expect(bot.rows('select path, state from files')).toEqual([{ path: 'uploads/a.txt', state: 'stored' }])
  })

  test('is answered by such a message after a crash too', async () => {
    const { bot, asked } = await answeredEarly()
    bot.memory.misbehave.calm()
    await bot.crashAs()
    await kept(bot, asked)
    expect(bot.memory.cards(asked)).toHaveLength(1)
  })
})
