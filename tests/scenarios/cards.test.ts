import { describe, expect, test } from 'vitest'
import { type MemoryBot, type Message, pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'

const write = (path: string) => ({ path: `uploads/${path}`, content: 'new' })
const edit = calls('write_file', write('a.txt'))
const files = { 'a.txt': 'old a', 'b.txt': 'old b' }
const approve = { kind: 'approval', answer: { decision: 'approve' } } as const
const deny = { kind: 'approval', answer: { decision: 'deny', reason: 'not today' } } as const

const isCard = { fits: ({ key }: { key?: string }) => key?.startsWith('card_') === true }

async function expectOneCard(bot: MemoryBot, asked: Message, card: object): Promise<void> {
  await bot.settled()
  expect(bot.memory.cards(asked)).toEqual([expect.objectContaining(card)])
  expect(bot.rows("select data from events where type = 'warning'")).toEqual([])
}

describe('a card', () => {
  test('is posted once, is answered once, and shows who decided what', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')] })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    const request = await bot.memory.untilCard(asked)
    expect(request).toMatchObject({ kind: 'approval', payload: { tool: 'write_file', input: write('a.txt') } })
    const clicks = await Promise.all([
      bot.memory.click('ben', request, approve),
      bot.memory.click('cleo', request, deny),
    ])
    expect(clicks.map(({ kind }) => kind)).toEqual(['taken', 'too-late'])
    expect(clicks).toMatchObject([{ request: { state: 'answered' } }, { request: { answeredBy: { id: 'ben' } } }])
    await bot.memory.untilAnswered(asked, 'Done.')
    await expectOneCard(bot, asked, {
      state: 'answered',
      answeredBy: { id: 'ben', name: 'ben' },
      answer: approve.answer,
    })
    expect(bot.memory.kinds(asked)).toEqual(['card', 'answer'])
  })

  test('that is decided before it is posted is posted once, as decided', async () => {
    const bot = await startMemoryBot({ script: [edit, says('As you wish.')] })
    const held = bot.memory.misbehave.hold('post', isCard)
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    const [request] = await bot.chat.requests()
    await bot.chat.answer(request?.id ?? '', { decision: 'deny', user_id: 'ben' })
    held.release()
    await bot.memory.untilAnswered(asked, 'As you wish.')
    await expectOneCard(bot, asked, { state: 'answered', answer: expect.objectContaining({ decision: 'deny' }) })
    expect(bot.memory.kinds(asked)).toEqual(['card', 'answer'])
  })

  test('that may have been posted is looked for, before and after it is decided', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')] })
    bot.memory.hurry = 500
    bot.memory.misbehave.failAfter('post', isCard)
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    const request = await bot.memory.untilCard(asked)
    await bot.memory.click('ben', request, approve)
    await bot.memory.untilAnswered(asked, 'Done.')
    await expectOneCard(bot, asked, { state: 'answered' })
  })

  test('is still there after a restart, and can be decided', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')] })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    await bot.memory.untilCard(asked)
    await bot.settled()
    await bot.crashAs(
      "update outbox set state = 'pending', delivered_at = null",
      'update postings set platform_id = null',
    )
    await bot.settled()
    const [request] = bot.memory.cards(asked)
    if (request === undefined) throw new Error('the card is there')
    expect((await bot.memory.click('ben', request, deny)).kind).toBe('taken')
    await bot.memory.untilAnswered(asked, 'Done.')
    await expectOneCard(bot, asked, { answer: deny.answer })
  })

  test('is withdrawn by a stop', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Never.')] })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    const request = await bot.memory.untilCard(asked)
    expect(await bot.memory.command('cleo', 'stop', asked)).toBe('Stopped.')
    await bot.settled()
    await expectOneCard(bot, asked, { state: 'cancelled', answeredBy: { id: 'cleo', name: 'cleo' } })
    expect((await bot.memory.click('ben', request, approve)).kind).toBe('too-late')
    await bot.settled()
    expect(bot.model.requests).toHaveLength(1)
  })

  test('of a question ends at its deadline with the default', async () => {
    const question = { question: 'Which?', options: ['Red', 'Blue'], default: 'Blue', timeout_ms: 60_000 }
    const bot = await startMemoryBot({ script: [calls('ask_human', question), says('Blue it is.')] })
    const asked = await bot.memory.say('ana', '@bobbin paint it')
    await bot.memory.untilCard(asked)
    bot.memory.pass(61_000)
    await bot.memory.untilAnswered(asked, 'Blue it is.')
    await expectOneCard(bot, asked, {
      state: 'answered',
      answer: { text: 'Blue', option_ids: ['option_2'], by: 'deadline' },
    })
  })

  test('of a question can be answered in the thread too', async () => {
    const bot = await startMemoryBot({ script: [calls('ask_human', { question: 'Which?' }), says('Green it is.')] })
    const asked = await bot.memory.say('ana', '@bobbin paint it')
    const request = await bot.memory.untilCard(asked)
    expect((await bot.memory.click('ben', request, approve)).kind).toBe('unfit')
    await bot.memory.say('ben', 'green', { in: asked })
    await bot.memory.untilAnswered(asked, 'Green it is.')
    await expectOneCard(bot, asked, {
      answer: { text: 'green', option_ids: [], by: 'person' },
      answeredBy: { id: 'ben', name: 'ben' },
    })
  })

  test('that somebody deleted without our knowing does not stop later messages', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')] })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    const request = await bot.memory.untilCard(asked)
    await bot.settled()
    cardOf(bot, asked).deleted = true
    await bot.memory.click('ben', request, approve)
    await bot.memory.untilAnswered(asked, 'Done.')
    await bot.settled()
    expect(bot.memory.kinds(asked)).toEqual(['answer'])
    expect(bot.rows("select data from events where type = 'warning'")).toEqual([])
  })
})

const cardOf = (bot: MemoryBot, asked: Message): Message => {
  const card = bot.memory.shown(asked).find((one) => pageOf(one).kind === 'card')
  if (card === undefined) throw new Error('the card is there')
  return card
}

test('a card that can no longer be changed stays, and no second one is posted', async () => {
  const rules = { deciders: { team: { who: ['anyone'], asker: true, needed: 1, remind_ms: 60_000 } } }
  const bot = await startMemoryBot({ script: [edit, says('Done.')], config: { rules, engine: { clockMs: 20 } } })
  const asked = await bot.memory.say('ana', '@bobbin change it', { files })
  await bot.memory.untilCard(asked)
  await bot.settled()
  bot.memory.misbehave.refuse('edit', 'never')
  bot.memory.pass(60_000)
  await bot.memory.eventually(() => expect(bot.memory.answers(asked)).toHaveLength(1))
  await bot.settled()
  expect(bot.memory.misbehave.callsTo('post').filter(({ page }) => page?.kind === 'card')).toHaveLength(1)
  expect(bot.memory.kinds(asked)).toEqual(['card', 'answer'])
})

describe('a card that somebody deletes while it waits', () => {
  const hour = 3_600_000
  const reminding = {
    deciders: { team: { who: ['anyone'], asker: true, needed: 1, remind_ms: hour } },
    questions: { who: ['anyone'], remind_ms: hour },
  }

  async function started(call: ReturnType<typeof calls>, rules: object = reminding) {
    const bot = await startMemoryBot({
      script: [call, says('Done.')],
      config: { rules, engine: { clockMs: 20 } },
    })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    const request = await bot.memory.untilCard(asked)
    await bot.settled()
    return { bot, asked, request }
  }

  test('is shown again at once, and can be decided', async () => {
    const { bot, asked, request } = await started(edit)
    await bot.memory.delete(cardOf(bot, asked))
    await bot.memory.untilCard(asked)
    await bot.memory.click('ben', request, approve)
    await bot.memory.untilAnswered(asked, 'Done.')
    await expectOneCard(bot, asked, { state: 'answered' })
  })

  test.each([
    ['an approval', edit],
    ['a question', calls('ask_human', { question: 'Which?' })],
  ])('again is shown with the next reminder of %s, so that no two programs fight over it', async (_, call) => {
    const { bot, asked } = await started(call)
    await bot.memory.delete(cardOf(bot, asked))
    await bot.memory.untilCard(asked)
    await bot.settled()
    await bot.memory.delete(cardOf(bot, asked))
    await bot.settled()
    expect(bot.memory.cards(asked)).toEqual([])
    bot.memory.pass(hour)
    await bot.memory.untilCard(asked)
  })

  test.each([
    ['a question', calls('ask_human', { question: 'Which?', default: 'red', timeout_ms: 1_200_000 }), {}],
    ['an approval', edit, { deciders: { team: { ...reminding.deciders.team, deny_ms: 1_200_000 } } }],
  ])('twice is shown again before %s ends', async (_, call, rules) => {
    const { bot, asked } = await started(call, { questions: { who: ['anyone'] }, ...rules })
    await bot.memory.delete(cardOf(bot, asked))
    await bot.memory.untilCard(asked)
    await bot.settled()
    await bot.memory.delete(cardOf(bot, asked))
    await bot.settled()
    bot.memory.pass(1_260_000)
    await bot.memory.untilCard(asked)
    await bot.settled()
    expect(bot.rows('select state from requests')).toEqual([{ state: 'pending' }])
    bot.memory.pass(1_260_000)
    await bot.memory.untilAnswered(asked, 'Done.')
  })

  test.each([
    ['a question', calls('ask_human', { question: 'Which?', default: 'red', timeout_ms: 1_200_000 }), {}],
    ['an approval', edit, { deciders: { team: { ...reminding.deciders.team, deny_ms: 1_200_000 } } }],
  ])('each time it is shown is seen by nobody, and %s ends without its default', async (_, call, rules) => {
    const { bot, asked } = await started(call, { questions: { who: ['anyone'] }, ...rules })
    for (let times = 0; times < 5; times++) {
      await bot.memory.delete(cardOf(bot, asked))
      if (times > 0) bot.memory.pass(1_260_000)
      await bot.memory.untilCard(asked)
      await bot.settled()
    }
    await bot.memory.delete(cardOf(bot, asked))
    await bot.settled()
    bot.memory.pass(1_260_000)
    await bot.memory.untilAnswered(asked, 'Done.')
    const [{ state, answer } = {}] = bot.rows('select state, answer from requests')
    expect(state).toBe('answered')
    expect(JSON.parse(String(answer))).toMatchObject(
      call === edit ? { decision: 'deny', by: 'deadline' } : { text: '', by: 'deadline', declined: true },
    )
  })

  test('again is shown to whoever answers the question, and is not looked for again while it can’t be posted', async () => {
    const { bot, asked } = await started(calls('ask_human', { question: 'Which?' }))
    await bot.memory.delete(cardOf(bot, asked))
    await bot.memory.untilCard(asked)
    await bot.settled()
    await bot.memory.delete(cardOf(bot, asked))
    await bot.settled()
    const held = bot.memory.misbehave.hold('post')
    await bot.memory.say('ana', '@bobbin blue', { in: asked })
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    await bot.memory.say('ana', '@bobbin blue, I said', { in: asked })
    expect(bot.rows("select key from outbox where key like '%looked%'")).toHaveLength(1)
    held.release()
    await bot.memory.untilCard(asked)
  })

  test('without our knowing is shown with the next reminder, and the answer to the question is what is said below it', async () => {
    const { bot, asked } = await started(calls('ask_human', { question: 'Which?' }))
    cardOf(bot, asked).deleted = true
    bot.memory.pass(hour)
    await bot.memory.untilCard(asked)
    await bot.memory.eventually(() => expect(bot.memory.answers(asked)).toHaveLength(1))
    await bot.settled()
    await bot.memory.say('ben', 'green', { in: asked })
    await bot.memory.eventually(() => expect(bot.memory.answers(asked)).toContain('Done.'))
    await expectOneCard(bot, asked, { answer: { text: 'green', option_ids: [], by: 'person' } })
  })

  test('without our knowing is shown as soon as somebody is told that it is above', async () => {
    const { bot, asked } = await started(edit)
    cardOf(bot, asked).deleted = true
    await bot.memory.say('cleo', '@bobbin and?', { in: asked })
    await bot.memory.untilCard(asked)
    await bot.memory.eventually(() => expect(bot.memory.kinds(asked)).toEqual(['card', 'answer']))
  })

  test('before the platform’s reply arrives is shown again', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')] })
    const held = bot.memory.misbehave.hold('post', { ...isCard, done: true })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    await bot.memory.delete(cardOf(bot, asked))
    held.release()
    const request = await bot.memory.untilCard(asked)
    await bot.memory.click('ben', request, approve)
    await bot.memory.untilAnswered(asked, 'Done.')
    await expectOneCard(bot, asked, { state: 'answered' })
  })

  test('is no longer what people are reminded of, as long as it can’t be shown again', async () => {
    const { bot, asked } = await started(edit)
    bot.memory.misbehave.refuse('post', 'repairable', { ...isCard, times: Number.POSITIVE_INFINITY })
    await bot.memory.delete(cardOf(bot, asked))
    const waiting = () => bot.rows("select kind from outbox where state = 'pending' and refused_at is not null")
    await bot.memory.eventually(() => expect(waiting()).toEqual([{ kind: 'card' }]))
    bot.memory.pass(hour)
    const due = () => bot.rows(`select id from requests where remind_at <= ${bot.memory.clock.now()}`)
    await bot.memory.eventually(() => expect(due()).toEqual([]))
    expect(bot.rows('select reminded from requests')).toEqual([{ reminded: 0 }])
    bot.memory.misbehave.calm()
    await bot.memory.mend()
    await bot.memory.untilCard(asked)
    await bot.settled()
    expect(bot.memory.kinds(asked)).toEqual(['card'])
  })

  test('takes no answer until it is shown again', async () => {
    const { bot, asked } = await started(calls('ask_human', { question: 'Which?' }))
    const held = bot.memory.misbehave.hold('post')
    await bot.memory.delete(cardOf(bot, asked))
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    await bot.memory.say('ben', 'green', { in: asked })
    expect(bot.rows('select state from requests')).toEqual([{ state: 'pending' }])
    held.release()
    await bot.memory.untilCard(asked)
    await bot.memory.eventually(() => expect(bot.rows("select key from outbox where state = 'pending'")).toEqual([]))
    expect(bot.rows('select state from requests')).toEqual([{ state: 'pending' }])
    await bot.memory.say('ben', 'blue', { in: asked })
    await bot.memory.untilAnswered(asked, 'Done.')
    await expectOneCard(bot, asked, { answer: { text: 'blue', option_ids: [], by: 'person' } })
  })

  test('stands once if the process dies while it is shown again, even if it was decided meanwhile', async () => {
    const { bot, asked, request } = await started(edit)
    const held = bot.memory.misbehave.hold('post', {
      done: true,
      fits: ({ key }) => key?.startsWith('card_') === true,
    })
    await bot.memory.delete(cardOf(bot, asked))
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    await bot.memory.click('ben', request, approve)
    await bot.crashAs()
    await bot.memory.untilAnswered(asked, 'Done.')
    await expectOneCard(bot, asked, { state: 'answered' })
  })
})

test('two cards at once are decided one by one, and the turn continues after both', async () => {
  const bot = await startMemoryBot({
    script: [calls('write_file', write('a.txt'), ['write_file', write('b.txt')]), says('One of two.')],
  })
  const asked = await bot.memory.say('ana', '@bobbin change both', { files })
  await bot.memory.untilCard(asked, 2)
  const [first, second] = bot.memory.cards(asked)
  if (first === undefined || second === undefined) throw new Error('both are there')
  await bot.memory.click('ben', second, deny)
  await bot.memory.eventually(() =>
    expect(bot.memory.cards(asked).map(({ state }) => state)).toEqual(['pending', 'answered']),
  )
  await bot.settled()
  expect(bot.model.requests).toHaveLength(1)
  await bot.memory.click('ben', first, approve)
  await bot.memory.untilAnswered(asked, 'One of two.')
  await bot.settled()
  expect(bot.memory.kinds(asked)).toEqual(['card', 'card', 'answer'])
  expect(bot.memory.cards(asked).map(({ answer }) => answer)).toEqual([approve.answer, deny.answer])
})

describe('who may decide', () => {
  test('is anybody who may use the bot', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')], config: { access: { users: ['ana'] } } })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    const request = await bot.memory.untilCard(asked)
    expect(await bot.memory.click('ben', request, approve)).toEqual({
      kind: 'not-allowed',
      reason: 'You’re not allowed to use me here.',
    })
    expect(await bot.memory.command('ben', 'stop', asked)).toContain('not allowed')
    await bot.settled()
    expect(bot.memory.cards(asked)).toMatchObject([{ state: 'pending' }])
    expect((await bot.memory.click('ana', request, approve)).kind).toBe('taken')
    await bot.memory.untilAnswered(asked, 'Done.')
  })

  test('is nobody in another place who knows the id', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')] })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files })
    const request = await bot.memory.untilCard(asked)
    expect(await bot.memory.click('ana', request, approve, { project: 'random' })).toEqual({ kind: 'not-found' })
    expect(await bot.memory.click('ana', request, approve, { tenant: 'others' })).toEqual({ kind: 'not-found' })
    expect(await bot.memory.click('ana', { id: 'req_1' }, approve)).toEqual({ kind: 'not-found' })
    expect(bot.memory.cards(asked)).toMatchObject([{ state: 'pending' }])
  })

  test('is nobody who knows the id of a console request', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')] })
    await bot.chat.say('change it', { files, project: 'general' })
    const [pending] = await bot.chat.requests()
    const id = (pending?.id ?? '') as `req_${string}`
    expect(await bot.memory.click('ana', { id }, approve, { tenant: 'local' })).toEqual({ kind: 'not-found' })
    expect(await bot.chat.requests()).toHaveLength(1)
  })
})
