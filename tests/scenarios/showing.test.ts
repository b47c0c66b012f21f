import { describe, expect, test } from 'vitest'
import type { EventData, EventType, SessionEvent } from '../../src/domain/events.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { PlanStatus } from '../../src/domain/plan.ts'
import { TurnFold } from '../../src/outbound/fold-turn.ts'
import { type MemoryBot, type Message, type Page, pageOf, startMemoryBot } from '../support/memory-platform.ts'
import {
  both,
  calls,
  cutAfter,
  hang,
  manyCalls,
  pausedAfter,
  type ScriptedReply,
  says,
  slowly,
  status,
} from '../support/model-server.ts'

const words = (count: number, word = 'word') => Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')
const soon = { show: { firstMs: 1, everyMs: 20 } }
const shownText = (page: Page) =>
  page.kind === 'progress'
    ? page.view.parts.map((part) => (part.kind === 'text' ? part.text : part.tool)).join(' ')
    : ''

/** Begins a reply, and goes on with it when the test says so. */
function halting(reply: ScriptedReply) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { reply: pausedAfter(8, promise, reply), goOn: resolve }
}

const edit = calls('write_file', { path: 'uploads/a.txt', content: 'new' })
const approve = { kind: 'approval', answer: { decision: 'approve' } } as const

/** Every message of progress was ended by somebody, and none shows progress any more. */
async function expectAllEnded(bot: MemoryBot): Promise<void> {
  await bot.settled()
  await bot.memory.eventually(() => expect(bot.memory.lives.open).toBe(0))
  const shown = bot.memory.world.messages.filter(({ author, deleted }) => author === 'self' && !deleted).map(pageOf)
  expect(shown.filter(({ kind }) => kind === 'progress')).toEqual([])
}

const postsOf = (bot: MemoryBot) => bot.memory.misbehave.callsTo('post').map(({ page }) => page?.kind)

describe('a turn', () => {
  test('that is quick posts its answer and nothing else', async () => {
    const bot = await startMemoryBot({
      script: [says('Hi.'), says('Hi again.')],
    })
    const asked = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.untilAnswered(asked, 'Hi.')
    await bot.memory.say('ana', 'hello again', { in: asked })
    await bot.memory.untilAnswered(asked, 'Hi.', 'Hi again.')
    await expectAllEnded(bot)
    expect(postsOf(bot)).toEqual(['answer', 'answer'])
    expect(bot.memory.misbehave.callsTo('edit')).toEqual([])
  })

  test('that takes long shows its progress in the message that becomes its answer', async () => {
    const text = words(30)
    const talk = halting(says(text))
    const bot = await startMemoryBot({ script: [calls('list_files', {}), talk.reply], config: soon })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    const message = await bot.memory.untilProgress(asked, (page) => /list_files.*word3/.test(shownText(page)))
    talk.goOn()
    await bot.memory.untilAnswered(asked, text)
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toEqual([message])
    expect(pageOf(message)).toMatchObject({
      record: { state: 'done', parts: [{ tool: 'list_files', status: 'done' }] },
    })
    expect(postsOf(bot)).toEqual(['progress'])
  })

  test('that waits closes its message; its card is below, and what follows is a new message', async () => {
    const [before, after] = [halting(both(says(words(10)), edit)), halting(says(words(20, 'after')))]
    const bot = await startMemoryBot({ script: [before.reply, after.reply], config: soon })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files: { 'a.txt': 'old' } })
    await bot.memory.untilProgress(asked)
    before.goOn()
    const request = await bot.memory.untilCard(asked)
    await expectAllEnded(bot)
    expect(bot.memory.kinds(asked)).toEqual(['record', 'card'])
    expect(bot.memory.shown(asked).map(pageOf)[0]).toMatchObject({ record: { state: 'waiting', segment: 0 } })

    await bot.memory.click('ben', request, approve)
    await bot.memory.untilProgress(asked, (page) => shownText(page).includes('after3'))
    expect(bot.memory.kinds(asked)).toEqual(['record', 'card', 'progress'])
    after.goOn()
    await bot.memory.untilAnswered(asked, words(20, 'after'))
    await expectAllEnded(bot)
    expect(bot.memory.kinds(asked)).toEqual(['record', 'card', 'answer'])
    const last = bot.memory.shown(asked).map(pageOf)[2]
    expect(last).toMatchObject({
      record: { segment: 1, parts: [{ kind: 'call', tool: 'write_file', status: 'done' }] },
    })
  })

  test('that waits before it has shown anything leaves its card alone', async () => {
    const bot = await startMemoryBot({ script: [edit, says('Done.')] })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files: { 'a.txt': 'old' } })
    const request = await bot.memory.untilCard(asked)
    await bot.memory.click('ben', request, approve)
    await bot.memory.untilAnswered(asked, 'Done.')
    await expectAllEnded(bot)
    expect(bot.memory.kinds(asked)).toEqual(['card', 'answer'])
  })

  test('that is stopped ends its message as the record of what it came to', async () => {
    const bot = await startMemoryBot({ script: [hang(8, says(words(200)))], config: soon })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    await bot.memory.untilProgress(asked, (page) => shownText(page).includes('word2'))
    await bot.memory.say('ben', 'stop', { in: asked })
    await bot.memory.untilAnswered(asked, 'Stopped.')
    await expectAllEnded(bot)
    expect(bot.memory.kinds(asked)).toEqual(['record', 'answer'])
    const [page] = bot.memory.shown(asked).map(pageOf)
    expect(page).toMatchObject({ record: { state: 'stopped', stoppedBy: { id: 'ben' } } })
    expect(page?.kind === 'record' && page.record.parts).toMatchObject([{ text: expect.stringContaining('word2') }])
  })

  test('that fails ends its message with the error', async () => {
    const talk = halting(cutAfter(12, says(words(30))))
    const bot = await startMemoryBot({ script: [calls('list_files', {}), talk.reply, status(401)], config: soon })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    await bot.memory.untilProgress(asked)
    talk.goOn()
    await bot.memory.eventually(() =>
      expect(bot.memory.answers(asked)).toEqual([expect.stringMatching(/couldn’t continue/)]),
    )
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toHaveLength(1)
    expect(bot.memory.shown(asked).map(pageOf)).toMatchObject([
      { record: { state: 'failed', parts: [{ kind: 'call' }] } },
    ])
  })

  test('that answers in between continues in another message', async () => {
    const [first, second] = [halting(says(words(12, 'first'))), halting(says(words(20, 'second')))]
    const bot = await startMemoryBot({ script: [first.reply, second.reply], config: soon })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    await bot.memory.untilProgress(asked, (page) => shownText(page).includes('first2'))
    await bot.memory.say('ben', 'and this?', { in: asked })
    first.goOn()
    const next = await bot.memory.untilProgress(asked, (page) => shownText(page).includes('second2'))
    expect(bot.memory.answers(asked)).toEqual([words(12, 'first')])
    second.goOn()
    await bot.memory.untilAnswered(asked, words(12, 'first'), words(20, 'second'))
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toHaveLength(2)
    expect(bot.memory.shown(asked)[1]).toBe(next)
    expect(bot.rows('select id from turns')).toHaveLength(1)
  })

  test('whose model starts over shows only what counts', async () => {
    const broken = halting(cutAfter(12, says(words(30, 'wrong'))))
    const script = [broken.reply, slowly(40, says(words(20, 'right')))]
    const bot = await startMemoryBot({ script, config: soon })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    const message = await bot.memory.untilProgress(asked, (page) => shownText(page).includes('wrong2'))
    broken.goOn()
    await bot.memory.untilAnswered(asked, words(20, 'right'))
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toEqual([message])
    const mixed = message.pages.map(shownText).filter((text) => text.includes('right') && text.includes('wrong'))
    expect(mixed).toEqual([])
    expect(pageOf(message)).toMatchObject({ record: { parts: [] } })
  })

  test('of very many steps has them all in its record', async () => {
    const bot = await startMemoryBot({
      script: [manyCalls(32), manyCalls(32), manyCalls(32), manyCalls(32), says('Done.')],
    })
    const asked = await bot.memory.say('ana', '@bobbin look often')
    await bot.memory.untilAnswered(asked, 'Done.')
    const [page] = bot.memory.shown(asked).map(pageOf)
    expect(page?.kind === 'answer' && page.record?.parts).toHaveLength(128)
  })

  test('of long ago that is posted now has its own record', async () => {
    const turns = 12
    const bot = await startMemoryBot({
      script: (_, number) =>
        number % 2 === 0 ? calls('list_files', { path: `temp/${number}` }) : says(`Turn ${number}.`),
    })
    bot.memory.misbehave.refuse('post', 'later', { afterMs: 3_600_000, times: 1 })
    const asked = await bot.memory.say('ana', '@bobbin one')
    for (let turn = 1; turn <= turns; turn++) {
      const done = () => expect(bot.rows("select id from turns where state = 'done'")).toHaveLength(turn)
      await bot.memory.eventually(done)
      if (turn < turns) await bot.memory.say('ana', `another ${turn}`, { in: asked })
    }
    expect(bot.memory.shown(asked)).toEqual([])
    bot.memory.pass(3_601_000)
    await bot.memory.eventually(() => expect(bot.memory.answers(asked)).toHaveLength(turns))
    const abouts = bot.memory
      .shown(asked)
      .map(pageOf)
      .map((page) => {
        const parts = page.kind === 'answer' ? (page.record?.parts ?? []) : []
        return parts.map((part) => (part.kind === 'call' ? part.about : part.text))
      })
    expect(abouts).toEqual(Array.from({ length: turns }, (_, index) => [`temp/${index * 2}`]))
  })

  test('that runs alongside many others keeps to its own messages', async () => {
    const bot = await startMemoryBot({
      // About as long as it takes until something is shown.
      script: (_, number) => slowly(5 + (number % 7) * 7, says(words(20, `to${number}-`))),
      config: { show: { firstMs: 100, everyMs: 20 } },
    })
    const asked = await Promise.all(Array.from({ length: 30 }, (_, index) => bot.memory.say('ana', `@bobbin ${index}`)))
    await bot.memory.eventually(() => expect(asked.flatMap((one) => bot.memory.answers(one))).toHaveLength(30))
    await expectAllEnded(bot)
    for (const one of asked) expect(bot.memory.kinds(one)).toEqual(['answer'])
    expect(new Set(asked.flatMap((one) => bot.memory.answers(one))).size).toBe(30)
  })
})

describe('what the messages of a turn show', () => {
  const turn = 'turn_1' as const
  const event = <Type extends EventType>(id: number, type: Type, data: Partial<EventData[Type]>) => {
    const envelope = { timestamp: new Date(id * 1000).toISOString(), event_id: id, conversation_id: 'ses_1' }
    // With as much of its data as the test is about.
    return { type, data: { turn_id: turn, ...data }, ...envelope } as unknown as SessionEvent
  }
  const act = { call_id: 'call_1' as const, tool_name: 'read_file', tool_input: { path: 'uploads/a.txt' }, attempt: 1 }

  test('is nothing after it has begun to wait, until what it waits for has come', () => {
    const fold = new TurnFold(turn, 0)
    fold.add(event(1, 'act', act))
    fold.add(event(2, 'waiting', { request_ids: [] }))
    expect(fold.segments).toMatchObject([
      { state: 'waiting', parts: [{ about: 'uploads/a.txt' }] },
      { state: 'waiting' },
    ])
    fold.add(event(3, 'waiting', { request_ids: [], queued: true }))
    fold.add(event(4, 'message', { role: 'assistant', text: 'late' }))
    for (const type of ['permission_voted', 'permission_moved', 'warning'] as const) fold.add(event(5, type, {}))
    expect(fold.current).toMatchObject({ segment: 1, state: 'waiting' })
    fold.add(event(9, 'question_answered', { answer: 'yes' }))
    expect(fold.current).toMatchObject({ segment: 1, state: 'running', startedAt: 9000, parts: [] })
  })

  test('has each step of a plan once, with the call that works for it, from when the plan runs', () => {
    const fold = new TurnFold(turn, 0)
    const plan = (id: number, status: PlanStatus, ...steps: [PlanStatus, CallId?, number?][]) =>
      event(id, 'work_plan', {
        ...{ plan_id: 'plan_1', title: 'Two things', status },
        steps: steps.map(([state, call_id, attempt = 1], place) => ({
          ...{ step: place + 1, what: 'look', gives: '', after: [], words: [], status: state, attempt },
          ...(call_id && { call_id }),
        })),
      })
    const step = { tool_name: 'plan_step', tool_input: {}, attempt: 1 }
    fold.add(plan(1, 'planning', ['planning'], ['planning']))
    expect(fold.current.plan).toBeUndefined()
    fold.add(plan(2, 'in_progress', ['planning', 'call_1'], ['planning', 'call_2']))
    fold.add(event(3, 'act', { call_id: 'call_1', ...step }))
    fold.add(plan(4, 'in_progress', ['in_progress', 'call_1'], ['planning', 'call_2']))
    fold.add(event(5, 'output', { call_id: 'call_1', text: 'subagent: reading\n' }))
    expect(fold.current).toMatchObject({ parts: [], plan: { steps: [{ output: 'subagent: reading\n' }, {}] } })
    // A person is asked, and meanwhile it fails.
    fold.add(event(6, 'waiting', { request_ids: [] }))
    fold.add(event(7, 'question_answered', { answer: 'yes' }))
    fold.add(event(8, 'observe', { call_id: 'call_1', tool_name: 'plan_step', status: 'failed', result: '' }))
    fold.add(plan(9, 'in_progress', ['planning', 'call_3', 2], ['completed', 'call_2']))
    fold.add(event(10, 'act', { call_id: 'call_3', ...step }))
    fold.add(plan(11, 'failed', ['failed', 'call_3', 2], ['completed', 'call_2']))
    fold.add(event(12, 'observe', { call_id: 'call_3', tool_name: 'plan_step', status: 'failed', result: '' }))
    expect(fold.segments[0]?.plan?.steps).toMatchObject([{ status: 'in_progress' }, { status: 'pending' }])
    expect(fold.current).toMatchObject({ segment: 1, parts: [], plan: { title: 'Two things' } })
    expect(fold.current.plan?.steps).toEqual([
      { content: '1. look (attempt 2)', status: 'failed', call: 'call_3' },
      { content: '2. look', status: 'completed', call: 'call_2' },
    ])
    // The next message begins without a plan that is over.
    fold.add(event(13, 'said', { message_id: 'msg_1' }))
    expect(fold.current).not.toHaveProperty('plan')
  })

  test('is of this turn alone, and its text as it ended', () => {
    const fold = new TurnFold(turn, 0)
    fold.add(event(1, 'text_end', { turn_id: 'turn_2', text_id: 'text_0', text: 'not mine' }))
    fold.add(event(2, 'text_end', { text_id: 'text_1', text: '\n\n' }))
    fold.add(event(3, 'text_start', { text_id: 'text_2' }))
    fold.hear({ turn, text: 'text_2', shown: 'so f', at: 4 })
    expect(fold.current.parts).toEqual([{ kind: 'text', text: 'so f' }])
    fold.add(event(5, 'text_end', { text_id: 'text_2', text: 'so far' }))
    fold.hear({ turn, text: 'text_3', shown: 'wro', at: 6 })
    fold.add(event(6, 'warning', { code: 'cut', message: 'Trying again.' }))
    fold.hear({ turn, text: 'text_3', shown: 'wro', at: 6 })
    expect(fold.current.warning).toBe('Trying again.')
    fold.hear({ turn, text: 'text_3', shown: 'wrong', at: 7 })
    expect(fold.current.warning).toBeUndefined()
    fold.add(event(7, 'text_start', { text_id: 'text_3' }))
    fold.add(event(8, 'text_end', { text_id: 'text_3', text: '', discarded: true }))
    fold.add(event(9, 'message', { turn_id: undefined, role: 'alarm', text: 'another alarm' }))
    fold.add(event(10, 'complete', { content: 'so far' }))
    expect(fold.current).toMatchObject({ state: 'done', parts: [{ kind: 'text', text: 'so far' }] })
    expect(fold.current.alarm).toBeUndefined()
  })
})

describe('progress that fails', () => {
  const text = words(25)
  const talk = slowly(40, says(text))
  const progress = { fits: ({ page }: { page?: Page }) => page?.kind === 'progress' }
  const end = { fits: ({ page }: { page?: Page }) => page?.kind === 'answer' }

  async function expectOne(bot: MemoryBot, asked: Message): Promise<void> {
    bot.memory.hurry = 500
    await bot.memory.untilAnswered(asked, text)
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toHaveLength(1)
  }

  test('because it is refused: the answer is not', async () => {
    const bot = await startMemoryBot({ script: [talk], config: soon })
    bot.memory.misbehave.refuse('post', 'later', { ...progress, times: 1000 })
    await expectOne(bot, await bot.memory.say('ana', '@bobbin talk'))
  })

  test('because nobody knows whether it was posted: it is looked for, and becomes the answer', async () => {
    const bot = await startMemoryBot({ script: [talk], config: soon })
    bot.memory.misbehave.failAfter('post', progress)
    await expectOne(bot, await bot.memory.say('ana', '@bobbin talk'))
    expect(bot.memory.misbehave.callsTo('post')).toHaveLength(1)
  })

  test('because its post is slow: the answer waits for it, and takes its place', async () => {
    const talk = halting(says(text))
    const bot = await startMemoryBot({ script: [talk.reply], config: soon })
    const held = bot.memory.misbehave.hold('post', progress)
    const asked = await bot.memory.say('ana', '@bobbin talk')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    talk.goOn()
    await bot.memory.eventually(() =>
      expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(1),
    )
    held.release()
    await expectOne(bot, asked)
    expect(bot.memory.misbehave.callsTo('post')).toHaveLength(1)
  })

  test('at its end: the answer is retried in the same message', async () => {
    const talk = halting(says(text))
    const bot = await startMemoryBot({ script: [talk.reply], config: soon })
    bot.memory.misbehave.failBefore('edit', { ...end, times: 2 })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    await bot.memory.untilProgress(asked)
    talk.goOn()
    await expectOne(bot, asked)
  })

  test('because somebody deleted it: the answer is still posted, once', async () => {
    const talk = halting(says(text))
    const bot = await startMemoryBot({ script: [talk.reply], config: soon })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    const message = await bot.memory.untilProgress(asked)
    await bot.memory.delete(message)
    bot.memory.misbehave.failAfter('post', end)
    talk.goOn()
    await expectOne(bot, asked)
  })

  test('an answer that is in the outbox before its message begins is posted once', async () => {
    const bot = await startMemoryBot({
      script: [says('First.'), slowly(80, says(words(10)))],
    })
    // What came before it in the thread is not through.
    const held = bot.memory.misbehave.hold('post', end)
    const asked = await bot.memory.say('ana', '@bobbin one')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    const before = bot.memory.lives.opened
    await bot.memory.say('ana', 'two', { in: asked })
    await bot.memory.eventually(() =>
      expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(2),
    )
    expect(bot.memory.lives.opened).toBe(before + 1)
    // It wants to begin, and may not.
    bot.memory.showNow()
    await bot.memory.eventually(() => expect(bot.memory.lives.open).toBe(0))
    expect(postsOf(bot)).toEqual(['answer'])
    held.release()
    await bot.memory.untilAnswered(asked, 'First.', words(10))
    await expectAllEnded(bot)
    expect(postsOf(bot)).toEqual(['answer', 'answer'])
  })

  for (const done of [false, true]) {
    test(`a stop comes while its post is ${done ? 'there and not known' : 'on its way'}: it becomes the record`, async () => {
      const bot = await startMemoryBot({ script: [hang(5)], config: soon })
      const held = bot.memory.misbehave.hold('post', { ...progress, done })
      const asked = await bot.memory.say('ana', '@bobbin talk')
      await bot.memory.eventually(() => expect(held.waiting).toBe(1))
      expect(await bot.memory.command('ana', 'stop', asked)).toBe('Stopped.')
      held.release()
      await expectAllEnded(bot)
      expect(bot.memory.kinds(asked)).toEqual(['record'])
    })
  }

  test('a stop comes before anything was shown: nothing is shown', async () => {
    const bot = await startMemoryBot({ script: [hang()] })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    await bot.memory.eventually(() => expect(bot.memory.lives.opened).toBe(1))
    await bot.memory.command('ana', 'stop', asked)
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toEqual([])
  })
})

describe('a restart in the middle', () => {
  const config = soon
  const script = () => [hang(5), slowly(30, says('Shorter than before.'))]

  test('continues in the same message', async () => {
    const bot = await startMemoryBot({ script: script(), config })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    const message = await bot.memory.untilProgress(asked, (page) => shownText(page).includes('three'))
    await bot.restart()
    await bot.memory.untilAnswered(asked, 'Shorter than before.')
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toEqual([message])
    expect(bot.memory.misbehave.callsTo('post')).toHaveLength(1)
  })

  test('is not needed when the session is taken over and comes back: it continues in the same message', async () => {
    const lost = halting(says(words(60)))
    const bot = await startMemoryBot({
      script: [lost.reply, slowly(30, says('Again.'))],
      // A sweep would continue it before somebody says something.
      config: { ...config, engine: { sweepMs: 3_600_000 } },
    })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    const message = await bot.memory.untilProgress(asked, (page) => shownText(page).includes('word2'))
    bot.change('update sessions set epoch = epoch + 1')
    lost.goOn()
    await bot.memory.eventually(() => expect(bot.memory.lives.open).toBe(0))
    await bot.memory.say('ana', 'still there?', { in: asked })
    await bot.memory.untilAnswered(asked, 'Again.')
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toEqual([message])
  })

  for (const done of [false, true]) {
    test(`while the post is ${done ? 'there and not known' : 'on its way'}: there is one message`, async () => {
      const bot = await startMemoryBot({ script: script(), config })
      const held = bot.memory.misbehave.hold('post', { done, times: 1 })
      const asked = await bot.memory.say('ana', '@bobbin talk')
      await bot.memory.eventually(() => expect(held.waiting).toBe(1))
      await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(1))
      await bot.crashAs()
      await bot.memory.untilAnswered(asked, 'Shorter than before.')
      await expectAllEnded(bot)
      expect(bot.memory.shown(asked)).toHaveLength(1)
      expect(bot.memory.misbehave.callsTo('find')).not.toEqual([])
    })
  }

  test('and a stop after it close the same message', async () => {
    const bot = await startMemoryBot({ script: [hang(5), hang(3)], config })
    const asked = await bot.memory.say('ana', '@bobbin talk')
    const message = await bot.memory.untilProgress(asked, (page) => shownText(page).includes('three'))
    await bot.restart()
    await bot.memory.command('ana', 'stop', asked)
    await expectAllEnded(bot)
    expect(bot.memory.shown(asked)).toEqual([message])
    expect(pageOf(message)).toMatchObject({ kind: 'record', record: { state: 'stopped' } })
  })

  test('of a turn that has waited keeps its messages apart', async () => {
    const bot = await startMemoryBot({
      script: [slowly(30, both(says(words(8)), edit)), hang(5), slowly(30, says('All done.'))],
      config,
    })
    const asked = await bot.memory.say('ana', '@bobbin change it', { files: { 'a.txt': 'old' } })
    const request = await bot.memory.untilCard(asked)
    await bot.restart()
    await bot.memory.click('ana', request, approve)
    const second = await bot.memory.untilProgress(asked, (page) => shownText(page).includes('three'))
    await bot.restart()
    await bot.memory.untilAnswered(asked, 'All done.')
    await expectAllEnded(bot)
    expect(bot.memory.kinds(asked).filter((kind) => kind !== 'record')).toEqual(['card', 'answer'])
    expect(bot.memory.shown(asked).at(-1)).toBe(second)
    expect(pageOf(second)).toMatchObject({ record: { segment: 1 } })
  })

  test('answers that are being posted arrive before the bot stops', async () => {
    const bot = await startMemoryBot({ script: [says('Bye.')] })
    const held = bot.memory.misbehave.hold('post')
    const asked = await bot.memory.say('ana', '@bobbin go')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    const stopped = bot.stop()
    setTimeout(held.release, 300)
    await stopped
    expect(bot.memory.answers(asked)).toEqual(['Bye.'])
    expect(bot.rows('select state from outbox')).toEqual([{ state: 'delivered' }])
  })
})
