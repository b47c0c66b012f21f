import { describe, expect, test } from 'vitest'
import { type MemoryBot, type Message, pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'

const minute = 60_000

interface Asked {
  bot: MemoryBot
  first: Message
}

/** A thread that ana began, in which ben wrote too, and a question waits. */
async function asking(input: object = {}, tool = 'ask_human', ...more: ReturnType<typeof says>[]): Promise<Asked> {
  const script = [says('Hello.'), calls(tool, { question: 'Which one?', ...input }), ...more, says('Thank you.')]
  return begin(await startMemoryBot({ script, config: { engine: { clockMs: 20 } } }))
}

/** A question to nobody in particular, which only these people may answer. */
async function askingOf(...who: string[]): Promise<Asked> {
  const script = [says('Hello.'), calls('ask_human', { question: 'Which one?' }), says('Thank you.')]
  return begin(await startMemoryBot({ script, config: { rules: { questions: { who } } } }))
}

async function begin(bot: MemoryBot): Promise<Asked> {
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin hello')
  await memory.untilAnswered(first, 'Hello.')
  await bot.settled()
  await memory.say('ben', 'do it', { in: first })
  return { bot, first }
}

/** What the model read of the thread at its latest request, from its question on. */
function read({ model }: MemoryBot): string[] {
  const messages = model.requests.at(-1)?.messages ?? []
  return messages
    .slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    .map(({ content }) => `${content}`)
}

async function thanked({ bot, first }: Asked): Promise<string[]> {
  await bot.memory.eventually(() => expect(bot.memory.answers(first)).toContain('Thank you.'))
  await bot.settled()
  return read(bot)
}

describe('files answer a question', () => {
  test('with text: the answer names them, and they are in the workspace when the model reads it', async () => {
    const asked = await asking()
    const { memory } = asked.bot
    await memory.untilCard(asked.first)
    await memory.say('ben', 'the second sheet', {
      in: asked.first,
      files: { 'plan a.csv': 'a,b\n1,2\n', 'b.txt': 'b' },
    })
    const [result, uploads] = await thanked(asked)
    expect(result).toBe('ben answered: the second sheet (Files: uploads/plan a.csv, uploads/b.txt)')
    expect(uploads).toContain('- uploads/plan a.csv (plan a.csv, text/csv, 8 bytes)')
    expect(memory.cards(asked.first)).toMatchObject([{ state: 'answered', answeredBy: { id: 'ben' } }])
    expect(asked.bot.rows("select path, state from files where direction = 'in' order by path")).toEqual([
      { path: 'uploads/b.txt', state: 'stored' },
      { path: 'uploads/plan a.csv', state: 'stored' },
    ])
    // Nothing is read twice: the words are the answer, and no message too.
    expect(
      read(asked.bot)
        .join('\n')
        .match(/the second sheet/g),
    ).toHaveLength(1)
  })

  test('without text', async () => {
    const asked = await asking({ options: ['Red', 'Blue'] })
    await asked.bot.memory.untilCard(asked.first)
    await asked.bot.memory.say('ana', '', { in: asked.first, files: { 'scan.txt': 'x' } })
    const [result, uploads] = await thanked(asked)
    expect(result).toBe('ana answered: Files: uploads/scan.txt')
    expect(uploads).toContain('- uploads/scan.txt')
  })

  test('an option and a file both count', async () => {
    const asked = await asking({ options: ['Red', 'Blue'] })
    await asked.bot.memory.untilCard(asked.first)
    await asked.bot.memory.say('ana', '2', { in: asked.first, files: { 'blue.txt': 'x' } })
    expect((await thanked(asked))[0]).toBe('ana answered: Blue (Files: uploads/blue.txt)')
    expect(asked.bot.memory.cards(asked.first)).toMatchObject([{ answer: { option_ids: ['option_2'] } }])
  })

  test('once, however often the message is delivered, even across a restart', async () => {
    const asked = await asking()
    const { memory } = asked.bot
    await memory.untilCard(asked.first)
    await memory.say('ana', 'this', { in: asked.first, files: { 'a.txt': 'x' }, copies: 3 })
    await asked.bot.crashAs()
    expect((await thanked(asked))[0]).toBe('ana answered: this (Files: uploads/a.txt)')
    expect(asked.bot.rows("select count(*) as files from files where direction = 'in'")).toEqual([{ files: 1 }])
  })

  test('of somebody who is not asked are not an answer, but are not lost', async () => {
    const asked = await asking({ to: ['ana'] })
    const { memory } = asked.bot
    await memory.untilCard(asked.first)
    await memory.say('ben', '', { in: asked.first, files: { 'mine.txt': 'x' } })
    await memory.say('ben', '@bobbin use mine', { in: asked.first })
    const line = 'I’m waiting for an answer on the card above. I’ll read your message after that.'
    await memory.eventually(() => expect(memory.answers(asked.first).at(-1)).toBe(line))
    expect(memory.cards(asked.first)).toMatchObject([{ state: 'pending' }])
    await memory.say('ana', 'none', { in: asked.first })
    const [result, others] = await thanked(asked)
    expect(result).toBe('ana answered: none')
    expect(others).toContain('- uploads/mine.txt')
  })
})

test('a file does not say whether to continue a loop: it is read afterwards', async () => {
  const look = calls('list_files', { path: '.' })
  const bot = await startMemoryBot({ script: [look, look, look, says('Enough.'), says('Thank you.')] })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin look')
  expect(await memory.untilCard(first)).toMatchObject({ kind: 'loop' })
  await memory.say('ana', '', { in: first, files: { 'a.txt': 'x' } })
  expect(memory.cards(first)).toMatchObject([{ state: 'pending' }])
  await memory.say('ana', 'skip it', { in: first })
  await memory.eventually(() => expect(memory.answers(first)).toContain('Enough.'))
  await bot.settled()
  expect(read(bot).join('\n')).toMatch(/Cancelled: ana skipped this[\s\S]*- uploads\/a\.txt/)
})

describe('a form of several questions', () => {
  const also = [{ question: 'Whose?' }, { question: 'Which size?', options: ['Small', 'Large'], required: false }]

  test('is answered by its fields', async () => {
    const asked = await asking({ options: ['Red', 'Blue'], also })
    const { memory } = asked.bot
    const card = await memory.untilCard(asked.first)
    expect(card.payload).toMatchObject({ also: [{ question: 'Whose?' }, { question: 'Which size?' }] })
    const given = { kind: 'question' as const, answer: 'option_1', also: ['ana’s', 'option_2'] }
    expect(await memory.click('ben', card, given)).toMatchObject({ kind: 'taken' })
    expect((await thanked(asked))[0]).toBe('ben answered:\n1. Red\n2. ana’s\n3. Large')
  })

  test.each([
    ['1. blue\n2. ana’s\n3. large', '1. Blue\n2. ana’s\n3. Large'],
    ['3) small\n\n1) something darker', '1. something darker\n2. (no answer)\n3. Small'],
    ['2', '1. Blue\n2. (no answer)\n3. (no answer)'],
    ['1. blue\nand nothing else', '1. 1. blue\nand nothing else\n2. (no answer)\n3. (no answer)'],
    ['4. blue', '1. 4. blue\n2. (no answer)\n3. (no answer)'],
    ['1. red\n1. blue', '1. 1. red\n1. blue\n2. (no answer)\n3. (no answer)'],
  ])('is answered in the thread: %j', async (text, answer) => {
    const asked = await asking({ options: ['Red', 'Blue'], also })
    await asked.bot.memory.untilCard(asked.first)
    await asked.bot.memory.say('ana', text, { in: asked.first })
    expect((await thanked(asked))[0]).toBe(`ana answered:\n${answer}`)
  })

  test('a default of a further question is refused with the reason', async () => {
    const form = { also: [{ question: 'Whose?', default: 'mine' }] }
    const asked = await asking(form)
    expect((await thanked(asked))[0]).toMatch(
      /^Error: the arguments of ask_human are not valid. also.0.default: only the/,
    )
    expect(asked.bot.memory.cards(asked.first)).toEqual([])
  })

  test('takes the default of its first question at the deadline', async () => {
    const asked = await asking({ options: ['Red', 'Blue'], also: ['Whose?'], default: 'Blue', timeout_ms: 10 * minute })
    const { memory } = asked.bot
    await memory.untilCard(asked.first)
    memory.pass(11 * minute)
    expect((await thanked(asked))[0]).toBe('Nobody answered in time, so the default was taken: Blue')
  })
})

describe('a question for somebody', () => {
  test('is answered only by them, with a message or a click', async () => {
    const asked = await asking({ to: ['starter'], options: ['Red', 'Blue'] })
    const { memory } = asked.bot
    const card = await memory.untilCard(asked.first)
    const given = { kind: 'question' as const, answer: 'option_1' }
    expect(await memory.click('ben', card, given)).toEqual({
      kind: 'not-allowed',
      reason: 'This question is for ana.',
    })
    await memory.say('ben', 'Blue', { in: asked.first })
    expect(memory.cards(asked.first)).toMatchObject([{ state: 'pending' }])
    await memory.say('ana', 'red', { in: asked.first })
    expect(await thanked(asked)).toEqual(['ana answered: Red', '[ben] Blue'])
  })

  test('that only some may answer is answered by a message of theirs, and of nobody else', async () => {
    const asked = await askingOf('user:ana')
    const { memory } = asked.bot
    const card = await memory.untilCard(asked.first)
    const given = { kind: 'question' as const, answer: 'this' }
    expect(await memory.click('ben', card, given)).toMatchObject({ kind: 'not-allowed' })
    await memory.say('ben', 'this', { in: asked.first })
    expect(memory.cards(asked.first)).toMatchObject([{ state: 'pending' }])
    await memory.say('ana', 'that', { in: asked.first })
    expect(await thanked(asked)).toEqual(['ana answered: that', '[ben] this'])
  })

  test('that whoever asked may answer, or people of the thread', async () => {
    const byAsker = await askingOf('asker')
    await byAsker.bot.memory.untilCard(byAsker.first)
    await byAsker.bot.memory.say('ana', 'this', { in: byAsker.first })
    await byAsker.bot.memory.say('ben', 'that', { in: byAsker.first })
    expect((await thanked(byAsker))[0]).toBe('ben answered: that')

    // Who writes in a thread is one of its people.
    const byAny = await askingOf('participants')
    await byAny.bot.memory.untilCard(byAny.first)
    await byAny.bot.memory.say('cleo', 'this', { in: byAny.first })
    expect((await thanked(byAny))[0]).toBe('cleo answered: this')
  })

  test('that people of the thread may answer is answered from another workspace too', async () => {
    const asked = await askingOf('participants')
    const { memory } = asked.bot
    memory.world.outsiders.add('paz')
    await memory.untilCard(asked.first)
    await memory.say('paz', 'this', { in: asked.first })
    expect((await thanked(asked))[0]).toBe('paz answered: this')
  })

  test('that a group may answer is answered by clicks', async () => {
    const asked = await askingOf('group:heads')
    const { memory } = asked.bot
    memory.world.groups.set('heads', ['ana'])
    const card = await memory.untilCard(asked.first)
    await memory.say('ana', 'this', { in: asked.first })
    expect(memory.cards(asked.first)).toMatchObject([{ state: 'pending' }])
    const answered = await memory.click('ana', card, { kind: 'question', answer: 'that' })
    expect(answered).toMatchObject({ kind: 'taken' })
    expect(await thanked(asked)).toEqual(['ana answered: that', '[ana] this'])
  })

  test('that nobody knows is refused, and the model is told who is there', async () => {
    const asked = await asking({ to: ['Zoe'] })
    expect((await thanked(asked))[0]).toMatch(/^Error: Nobody called Zoe wrote in this thread.* Ask one of: ana, ben;/)
  })

  test('that they leave open for a day may be answered by others who take part, and still by them', async () => {
    for (const who of ['cleo', 'ben']) {
      const asked = await asking({ to: ['@Ben'] })
      const { memory } = asked.bot
      const card = await memory.untilCard(asked.first)
      const given = { kind: 'question' as const, answer: 'this' }
      memory.pass(23 * 60 * minute)
      await memory.eventually(() => expect(memory.answers(asked.first).at(-1)).toMatch(/^This still needs an answer/))
      expect(await memory.click('ana', card, given)).toMatchObject({ kind: 'not-allowed' })
      memory.pass(2 * 60 * minute)
      const opened = 'I haven’t heard from ben. Now the people in this thread or the operator can answer too: '
      await memory.eventually(() => expect(memory.answers(asked.first)).toContain(`${opened}Which one?`))
      await memory.say(who, 'this', { in: asked.first })
      expect((await thanked(asked))[0]).toBe(`${who} answered: this`)
      expect(asked.bot.rows("select type from events where type = 'permission_moved'")).toHaveLength(1)
    }
  })

  test('reminds them by name, again as the rules say, and keeps waiting', async () => {
    const asked = await asking({ to: ['@Ben'], remind_after_ms: 30 * minute })
    const { memory } = asked.bot
    await memory.untilCard(asked.first)
    await asked.bot.settled()
    const before = memory.answers(asked.first).length
    memory.pass(31 * minute)
    await memory.eventually(() => expect(memory.answers(asked.first)).toHaveLength(before + 1))
    expect(memory.answers(asked.first).at(-1)).toBe('This still needs an answer: Which one?')
    memory.pass(180 * minute)
    await asked.bot.settled()
    expect(memory.answers(asked.first)).toHaveLength(before + 1)
    memory.pass(61 * minute)
    await memory.eventually(() => expect(memory.answers(asked.first)).toHaveLength(before + 2))
    await asked.bot.settled()
    expect(asked.bot.rows('select reminded, state from requests')).toEqual([{ reminded: 2, state: 'pending' }])
    memory.pass(30 * 24 * 60 * minute)
    await memory.eventually(() => expect(memory.answers(asked.first)).toHaveLength(before + 3))
    const [row] = asked.bot.rows('select remind_at from requests')
    expect(Number(row?.remind_at) - memory.clock.now()).toBeGreaterThan(7 * 60 * minute)
    await memory.say('ben', 'this one', { in: asked.first })
    expect((await thanked(asked))[0]).toBe('ben answered: this one')
    expect(pageOf(memory.shown(asked.first).at(-1) as Message).kind).toBe('answer')
  })
})

describe('a default is not taken', () => {
  const input = { options: ['Red', 'Blue'], default: 'Blue', timeout_ms: 10 * minute }
  const deadline = ({ bot }: Asked) => Number(bot.rows('select deadline_at from requests')[0]?.deadline_at)

  async function askingUnseen(again: 'later' | 'never'): Promise<Asked> {
    const script = [says('Hello.'), calls('ask_human', { question: 'Which one?', ...input }), says('Thank you.')]
    const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
    const fits = ({ key }: { key?: string }) => key?.startsWith('card_') === true
    bot.memory.misbehave.refuse('post', again, { times: Number.POSITIVE_INFINITY, fits })
    return begin(bot)
  }

  test('while its card can’t be posted; once it is, people have the whole time', async () => {
    const asked = await askingUnseen('later')
    const { memory } = asked.bot
    await memory.eventually(() => expect(deadline(asked)).toBeGreaterThan(0))
    const first = deadline(asked)
    memory.pass(11 * minute)
    await memory.eventually(() => expect(deadline(asked)).toBeGreaterThan(first))
    const tries = memory.misbehave.callsTo('post').length
    memory.pass(2 * minute)
    await memory.eventually(() => expect(memory.misbehave.callsTo('post').length).toBeGreaterThan(tries))
    memory.misbehave.calm()
    // From here on the clock doesn't jump, so the card is posted when its attempt begins, some seconds later.
    const { deadlineAt } = await memory.untilCard(asked.first)
    const card = memory.shown(asked.first).find((message) => pageOf(message).kind === 'card')
    expect(Number(deadlineAt) - Number(card?.at)).toBeGreaterThan(9 * minute)
    await memory.say('ana', 'red', { in: asked.first })
    expect((await thanked(asked))[0]).toBe('ana answered: Red')
  })

  test('if its card can never be posted', async () => {
    expect((await thanked(await askingUnseen('never')))[0]).toBe(
      'Nobody answered in time. Continue without the answer.',
    )
  })

  test('right after the machine was suspended: people have time to answer', async () => {
    let suspended = 0
    const script = [says('Hello.'), calls('ask_human', { question: 'Which one?', ...input }), says('Thank you.')]
    const machine = { now: () => Date.now() + suspended }
    const asked = await begin(await startMemoryBot({ script, config: { engine: { clockMs: 20 } }, machine }))
    const { memory } = asked.bot
    await memory.untilCard(asked.first)
    suspended = 60 * minute
    memory.pass(suspended)
    await memory.eventually(() => expect(deadline(asked)).toBeGreaterThan(memory.clock.now()))
    await memory.say('ana', 'red', { in: asked.first })
    expect((await thanked(asked))[0]).toBe('ana answered: Red')
  })

  test('before what was said while the bot was down is heard', async () => {
    const asked = await asking(input)
    const { memory } = asked.bot
    await memory.untilCard(asked.first)
    await asked.bot.stop()
    const said = await memory.say('ana', 'red', { in: asked.first, copies: 0 })
    memory.pass(11 * minute)
    await asked.bot.restart()
    memory.gap(() => Promise.reject(new Error('not reached')))
    const first = deadline(asked)
    memory.pass(2 * minute)
    await memory.eventually(() => expect(deadline(asked)).toBeGreaterThan(first))
    memory.gap(() => memory.deliver(said))
    memory.pass(2 * minute)
    expect((await thanked(asked))[0]).toBe('ana answered: Red')
  })
})
