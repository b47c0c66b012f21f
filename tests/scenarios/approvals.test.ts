import { describe, expect, test } from 'vitest'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { asked, audited, heard, hour, minute, no, results, told, yes } from './trust.ts'

const write = calls('write_file', { path: 'outputs/a.txt', content: 'made' })
const both = calls('write_file', { path: 'outputs/a.txt', content: 'a' }, [
  'write_file',
  { path: 'outputs/b.txt', content: 'b' },
])

/** ana asked for a file, and its card waits. */
async function waiting(team = {}, script = [write, says('Done.')]) {
  const bot = await startMemoryBot({ script, config: { rules: asked(team), engine: { clockMs: 20 } } })
  const message = await bot.memory.say('ana', '@bobbin write it')
  const card = await bot.memory.untilCard(message)
  return { bot, memory: bot.memory, message, card }
}

const done = ({ memory }: MemoryBot, message: Message) =>
  memory.eventually(() => expect(memory.answers(message).at(-1)).toBe('Done.'))

/** The turn has come to no end by itself. */
async function stillWaits(bot: MemoryBot, message: Message) {
  await bot.settled()
  expect(bot.memory.cards(message).at(-1)).toMatchObject({ state: 'pending' })
  expect(bot.rows('select id from calls where ended_at is not null')).toEqual([])
}

test('whoever writes to the bot below a card hears, once, that it takes a click', async () => {
  const { bot, memory, message, card } = await waiting()
  await memory.say('ana', 'should we let it?', { in: message })
  await memory.say('ben', 'why not', { in: message })
  expect(bot.rows("select key from outbox where kind = 'answer'")).toEqual([])
  await memory.say('ana', '@bobbin yes', { in: message })
  await memory.say('ana', '@bobbin yes, go ahead', { in: message })
  const line = 'I’m waiting for an answer on the card above, which takes a click. I’ll read your message after that.'
  await memory.untilAnswered(message, line)
  expect(bot.rows("select key from outbox where kind = 'answer'")).toHaveLength(1)
  expect(memory.cards(message)).toMatchObject([{ state: 'pending' }])
  await memory.click('ana', card, yes)
  await done(bot, message)
  expect(memory.answers(message)).toEqual([line, 'Done.'])
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).not.toContain('which takes a click')
})

describe('a decision is taken once', () => {
  test.each([
    ['two who approve', yes, yes],
    ['one who approves, one who denies', yes, no],
    ['one who denies, one who approves', no, yes],
  ])('by %s at the same instant', async (_, first, second) => {
    const { bot, memory, message, card } = await waiting()
    const outcomes = await Promise.all([memory.click('ben', card, first), memory.click('cleo', card, second)])
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['taken', 'too-late'])
    await done(bot, message)
    const [row] = bot.rows('select answer, answered_by from requests')
    const winner = outcomes.findIndex(({ kind }) => kind === 'taken')
    expect(JSON.parse(String(row?.answered_by)).id).toBe(['ben', 'cleo'][winner])
    expect(JSON.parse(String(row?.answer)).decision).toBe([first, second][winner]?.answer.decision)
    expect(results(bot)).toEqual([[first, second][winner] === yes ? 'done' : 'denied'])
    expect(bot.model.requests).toHaveLength(2)
  })

  test('by one person who clicks seven times', async () => {
    const { bot, memory, message, card } = await waiting()
    const outcomes = await Promise.all(Array.from({ length: 7 }, () => memory.click('ben', card, yes)))
    expect(outcomes.filter(({ kind }) => kind === 'taken')).toHaveLength(1)
    await done(bot, message)
    expect(await audited(bot)).toEqual(['asked', 'decided', 'started', 'ended'])
    expect(await memory.click('ben', card, no)).toMatchObject({ kind: 'too-late', request: { state: 'answered' } })
  })

  test('separately for each of two cards of a step', async () => {
    const bot = await startMemoryBot({ script: [both, says('Done.')], config: { rules: asked() } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin write both')
    await memory.untilCard(message, 2)
    const [first, second] = memory.cards(message)
    if (first === undefined || second === undefined) throw new Error('there are two')
    const clicks = [memory.click('ben', first, yes), memory.click('cleo', second, no), memory.click('ana', first, no)]
    const outcomes = await Promise.all(clicks)
    expect(outcomes[1]?.kind).toBe('taken')
    await done(bot, message)
    expect(results(bot)).toContain('denied')
    expect(bot.model.requests).toHaveLength(2)
  })

  test('and not from another channel or tenant', async () => {
    const { bot, memory, message, card } = await waiting()
    expect(await memory.click('ben', card, yes, { project: 'elsewhere' })).toEqual({ kind: 'not-found' })
    expect(await memory.click('ben', card, yes, { tenant: 'others' })).toEqual({ kind: 'not-found' })
    await stillWaits(bot, message)
  })
})

describe('the model reads three different refusals', () => {
  test.each([
    [{ decision: 'deny' as const }, 'Cancelled: ben denied this.'],
    [{ decision: 'deny' as const, reason: 'not today' }, 'Cancelled: ben denied this: not today'],
    [{ decision: 'deny' as const, instead: 'write b.txt' }, 'Corrected: ben said no. Do this instead: write b.txt'],
    [
      { decision: 'deny' as const, reason: 'taken', instead: 'write b.txt' },
      'Corrected: ben said no (taken). Do this instead: write b.txt',
    ],
  ])('%j', async (answer, words) => {
    const { bot, memory, message, card } = await waiting()
    await memory.click('ben', card, { kind: 'approval', answer })
    await done(bot, message)
    expect(heard(bot)).toBe(words)
    expect(results(bot)).toEqual(['denied'])
  })

  test('and a rule’s', async () => {
    const rules = asked({}, { tools: { write_file: { approvals: true, risk: 'medium', deny: ['outputs/*'] } } })
    const bot = await startMemoryBot({ script: [write, says('Done.')], config: { rules } })
    const message = await bot.memory.say('ana', '@bobbin write it')
    await done(bot, message)
    expect(heard(bot)).toBe('Forbidden by rule: A rule forbids write_file to do this.')
    expect(bot.memory.cards(message)).toEqual([])
    expect(await audited(bot)).toEqual(['refused'])
  })
})

describe('a crash', () => {
  test('between card and click leaves one card, and the click counts', async () => {
    const { bot, memory, message, card } = await waiting()
    await bot.crashAs("update outbox set state = 'pending' where kind = 'card'")
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(memory.cards(message)).toHaveLength(1)
    expect(results(bot)).toEqual(['done'])
  })

  test('between click and run: it runs once, and nobody is asked again', async () => {
    const { bot, memory, message, card } = await waiting()
    await memory.click('ben', card, yes)
    await bot.stop()
    await bot.restart()
    await done(bot, message)
    expect(memory.cards(message)).toHaveLength(1)
    expect(bot.rows('select attempt from calls')).toEqual([{ attempt: 1 }])
    expect(await audited(bot)).toEqual(['asked', 'decided', 'started', 'ended'])
  })

  test('and a click right after the start', async () => {
    const { bot, memory, message, card } = await waiting()
    await bot.stop()
    await expect(async () => memory.click('ben', card, yes)).rejects.toThrow('not connected')
    await bot.restart()
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(results(bot)).toEqual(['done'])
  })
})

describe('a deadline', () => {
  test('denies it, once', async () => {
    const { bot, memory, message, card } = await waiting({ deny_ms: hour })
    expect(card.deadlineAt).toBe(card.askedAt + hour)
    memory.pass(hour + minute)
    await done(bot, message)
    expect(heard(bot)).toBe('Cancelled: nobody decided in time.')
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'too-late' })
    expect(await audited(bot)).toEqual(['asked', 'decided', 'ended'])
  })

  test('holds between its time and the next check of the clock', async () => {
    const rules = asked({ deny_ms: hour })
    const engine = { clockMs: 3_600_000 }
    const bot = await startMemoryBot({ script: [write, says('Done.')], config: { rules, engine } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin write it')
    const card = await memory.untilCard(message)
    memory.pass(hour)
    expect(await memory.click('ben', card, yes)).toEqual({
      kind: 'not-allowed',
      reason: 'The time for this has run out.',
    })
    await stillWaits(bot, message)
    memory.pass(-hour)
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('that has passed is not undone by a clock that goes back', async () => {
    const { bot, memory, message, card } = await waiting({ deny_ms: hour })
    memory.pass(2 * hour)
    await done(bot, message)
    memory.pass(-2 * hour)
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'too-late' })
    expect(results(bot)).toEqual(['denied'])
  })

  test('that passed while the bot was down ends at the start, without a reminder', async () => {
    const { bot, memory, message } = await waiting({ deny_ms: 2 * hour, remind_ms: hour })
    await bot.stop()
    memory.pass(3 * hour)
    await bot.restart()
    await done(bot, message)
    expect(told(bot, message)).toEqual(['Done.'])
  })

  test('without one, it waits however the clock jumps', async () => {
    const { bot, memory, message, card } = await waiting()
    memory.pass(1000 * hour)
    await stillWaits(bot, message)
    memory.pass(-2000 * hour)
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })
})
