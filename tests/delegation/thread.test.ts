import { expect, test } from 'vitest'
import { pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, hang, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { family, long, requestsOf, resultsIn } from './support.ts'

const two = calls('delegate_task', { task: 'part 1' }, ['delegate_task', { task: 'part 2' }])
const soon = { show: { firstMs: 1, everyMs: 20 } }

test('what subagents do stands in the live message of the thread, which becomes the answer', async () => {
  const seen = Promise.withResolvers<void>()
  const script = family(
    [two, says('Put together.')],
    [calls('list_files', {}), (task) => heldUntil(seen.promise, says(long(task)))],
  )
  const bot = await startMemoryBot({ script, config: soon })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin go')
  const message = await memory.untilProgress(asked, ({ view }) => {
    const outputs = view.parts.flatMap((part) => (part.kind === 'call' ? (part.output ?? '') : []))
    return outputs.length === 2 && outputs.every((text) => /^subagent-[0-9a-f]{8}: Listing the files$/m.test(text))
  })
  seen.resolve()
  await memory.untilAnswered(asked, 'Put together.')
  await bot.settled()
  await memory.eventually(() => expect(memory.lives.open).toBe(0))
  expect(memory.shown(asked)).toEqual([message])
  expect(pageOf(message)).toMatchObject({
    record: { state: 'done', parts: [{ status: 'done' }, { status: 'done' }] },
  })
})

test('after a restart, what they do goes on in the message of their parent, which rests', async () => {
  const seen = Promise.withResolvers<void>()
  let asked = 0
  const script = family(
    [calls('delegate_task', { task: 'part 1' }), says('Put together.')],
    [() => (++asked === 1 ? hang() : calls('list_files', {})), (task) => heldUntil(seen.promise, says(long(task)))],
  )
  const bot = await startMemoryBot({ script, config: soon })
  const { memory } = bot
  const message = await memory.say('ana', '@bobbin go')
  await memory.eventually(() => expect(asked).toBe(1))
  await memory.untilProgress(message)
  await bot.restart()
  await memory.untilProgress(message, ({ view }) => JSON.stringify(view.parts).includes('Listing the files'))
  seen.resolve()
  await memory.untilAnswered(message, 'Put together.')
  await bot.settled()
  await memory.eventually(() => expect(memory.lives.open).toBe(0))
  expect(memory.shown(message)).toHaveLength(1)
})

test('a card of one says who asks; whoever may decide in the thread does, and an answer below it counts', async () => {
  const change = calls('write_file', { path: 'uploads/a.txt', content: 'new' })
  const script = family(
    [calls('delegate_task', { task: 'part 1' }), says('Put together.')],
    [change, calls('ask_human', { question: 'Which one?' }), (_, body) => says(long(`${resultsIn(body).at(-1)}`))],
  )
  const bot = await startMemoryBot({
    script,
    config: { rules: { deciders: { team: { who: ['participants'], asker: true, needed: 1 } } } },
  })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin go', { files: { 'a.txt': 'old' } })
  const request = await memory.untilCard(asked)
  expect(request).toMatchObject({ payload: { reason: expect.stringMatching(/^subagent-[0-9a-f]{8} asks\. /) } })
  const approve = { kind: 'approval', answer: { decision: 'approve' } } as const
  expect(await memory.click('ben', request, approve)).toMatchObject({ kind: 'not-allowed' })
  expect(await memory.click('ana', request, approve)).toMatchObject({ kind: 'taken' })
  await memory.eventually(() => expect(memory.cards(asked)).toHaveLength(2))
  await bot.memory.say('ana', 'the second', { in: asked })
  await memory.untilAnswered(asked, 'Put together.')
  await memory.eventually(() => expect(memory.cards(asked).map(({ state }) => state)).toEqual(['answered', 'answered']))
  expect(resultsIn(bot.model.requests.at(-1))[0]).toContain('ana answered: the second')
})

test('one may ask somebody who wrote in the thread, by name', async () => {
  const ask = calls('ask_human', { question: 'Which one?', to: ['Ben'] })
  const script = family(
    [says('Hello.'), calls('delegate_task', { task: 'part 1' }), says('Put together.')],
    [ask, (_, body) => says(long(`${resultsIn(body).at(-1)}`))],
  )
  const bot = await startMemoryBot({ script })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin hello')
  await memory.untilAnswered(asked, 'Hello.')
  await memory.say('ben', '@bobbin go', { in: asked })
  expect(await memory.untilCard(asked)).toMatchObject({ payload: { to: [{ name: 'ben' }] } })
  await memory.say('ben', 'the second', { in: asked })
  await memory.eventually(() => expect(memory.answers(asked).at(-1)).toBe('Put together.'))
  expect(resultsIn(bot.model.requests.at(-1))[0]).toContain('ben answered: the second')
})

test('`stop` in the thread ends it', async () => {
  const script = family([calls('delegate_task', { task: 'part 1' })], [heldUntil(new Promise(() => {}), says('never'))])
  const bot = await startMemoryBot({ script })
  const asked = await bot.memory.say('ana', '@bobbin go')
  await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
  await bot.memory.say('ana', '@bobbin stop', { in: asked })
  await bot.memory.untilAnswered(asked, 'Stopped.')
  await bot.settled()
  expect(bot.rows('select distinct state from turns')).toEqual([{ state: 'stopped' }])
  expect(bot.rows('select state from calls')).toEqual([{ state: 'unknown' }])
})

test('a live message whose first post is still under way when its turn rests is not posted again by a subagent', async () => {
  const [isBegun, isSeen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const delegates = family(
    [heldUntil(isBegun.promise, calls('delegate_task', { task: 'part 1' })), says('Put together.')],
    [calls('list_files', {}), (task) => heldUntil(isSeen.promise, says(long(task)))],
  )
  const script = (body: RequestBody) => (JSON.stringify(body).includes('aside') ? says('Hello.') : delegates(body))
  const bot = await startMemoryBot({ script, config: soon })
  const { memory } = bot
  const late = memory.misbehave.hold('post')
  const asked = await memory.say('ana', '@bobbin go')
  await memory.eventually(() => expect(late.waiting).toBe(1))
  isBegun.resolve()
  await memory.eventually(() => expect(requestsOf(bot.model.requests, 'child')).toHaveLength(2))
  // Nothing tells when it would have looked, so something else happens first.
  for (const _ of Array(5)) expect((await bot.chat.say('aside')).text).toBe('Hello.')
  expect(late.waiting).toBe(1)
  late.release()
  await memory.untilProgress(asked, ({ view }) => view.parts.length > 0)
  isSeen.resolve()
  await memory.untilAnswered(asked, 'Put together.')
  expect(memory.misbehave.callsTo('post')).toHaveLength(1)
})
