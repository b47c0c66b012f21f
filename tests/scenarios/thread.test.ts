import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType, storedOf } from '../support/client.ts'
import { calls, hang, heldUntil, says, status } from '../support/model-server.ts'

test('a message is answered, step by step, and ends in one complete', async () => {
  const bot = await startTestBot({
    script: [calls('write_file', { path: 'outputs/a.txt', content: 'hello' }), says('Here it is.')],
  })
  const said = await bot.chat.say('write hello', { user: 'ana' })
  expect(said.text).toBe('Here it is.')
  const stored = storedOf(said.events)
  expect(stored.map(({ event_id }) => event_id)).toEqual(stored.map((_, index) => index + 1))
  expect(said.events[0]).toMatchObject({ type: 'message', data: { role: 'user', person: { id: 'ana' } } })
  expect(ofType(said.events, 'act')[0]?.data).toMatchObject({
    tool_name: 'write_file',
    tool_input: { content: 'hello' },
  })
  expect(ofType(said.events, 'observe')[0]?.data).toMatchObject({ status: 'done' })
  expect(ofType(said.events, 'complete')).toHaveLength(1)

  const posted = await bot.chat.until(
    said.conversation,
    (event) => event.type === 'message' && event.data.role === 'assistant',
  )
  expect(posted.data).toMatchObject({ text: 'Here it is.', files: [{ path: 'outputs/a.txt', size: 5 }] })
  expect(bot.model.violations).toEqual([])
})

test('the same idempotency key returns the same stream and starts nothing', async () => {
  const bot = await startTestBot({ script: [says('Once.')] })
  const first = await bot.chat.say('hi', { key: 'k1' })
  const second = await bot.chat.say('hi', { key: 'k1' })
  expect(storedOf(second.events)).toEqual(storedOf(first.events))
  expect(second.conversation).toBe(first.conversation)
  expect(bot.model.requests).toHaveLength(1)
})

test('a command with the same idempotency key begins one thread, however often and at once it comes', async () => {
  const bot = await startTestBot()
  const first = await bot.chat.say('/help', { key: 'k1' })
  const again = await bot.chat.say('/help', { key: 'k1' })
  expect(again.conversation).toBe(first.conversation)
  expect(storedOf(again.events)).toEqual(storedOf(first.events))
  const atOnce = await Promise.all(['k2', 'k2', 'k2'].map((key) => bot.chat.say('/status', { key })))
  expect(new Set(atOnce.map(({ conversation }) => conversation)).size).toBe(1)
  const { conversations } = await bot.chat.get<{ conversations: unknown[] }>('/agent/conversations')
  expect(conversations).toHaveLength(2)
})

test('a message during a turn joins it, and its stream ends with that turn', async () => {
  const said = Promise.withResolvers<void>()
  const bot = await startTestBot({ script: [heldUntil(said.promise, calls('now', {})), says('Both.')] })
  const first = await bot.chat.send('one', { user: 'ana' })
  const conversation = first.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(conversation, 'start')
  const saying = bot.chat.say('two', { conversation, user: 'ben' })
  await bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.text === 'two')
  said.resolve()
  expect((await saying).text).toBe('Both.')
  const all = await bot.chat.events(conversation)
  expect(ofType(all, 'start')).toHaveLength(1)
  expect(ofType(all, 'complete')).toHaveLength(1)
  const last = bot.model.requests.at(-1)?.messages ?? []
  expect(last.filter(({ role }) => role === 'user').map(({ content }) => String(content).split('\n')[0])).toEqual([
    '[ana] one',
    '[ben] two',
  ])
  await first.body?.cancel()
})

test('a question waits, across a restart, for a reply in the thread', async () => {
  const bot = await startTestBot({
    script: [calls('ask_human', { question: 'Which?', options: ['Red', 'Blue'] }), says('Blue it is.')],
  })
  const said = await bot.chat.say('paint it', { user: 'ana' })
  expect(said.events.at(-1)?.type).toBe('waiting')
  await bot.restart()
  const reply = await bot.chat.say('blue', { conversation: said.conversation, user: 'ben' })
  expect(reply.text).toBe('Blue it is.')
  const answered = ofType(reply.events, 'question_answered')[0]
  expect(answered?.data).toMatchObject({ answer: 'Blue', option_ids: ['option_2'], person: { id: 'ben' } })
  expect(bot.model.requests.at(-1)?.messages.at(-1)?.content).toContain('ben answered: Blue')
  expect(await bot.chat.requests()).toEqual([])
})

test('changing an uploaded file is asked; denying says why; approving runs it', async () => {
  const edit = { path: 'uploads/notes.md', old_string: 'old', new_string: 'new' }
  const bot = await startTestBot({
    script: [calls('edit_file', edit), says('I will not.'), calls('edit_file', edit), says('Done.')],
  })
  const said = await bot.chat.say('change it', { files: { 'notes.md': 'old text' } })
  const [denied] = await bot.chat.requests()
  expect(denied).toMatchObject({ kind: 'approval', tool_name: 'edit_file', tool_input: edit })
  expect(
    (await bot.chat.answer(denied?.id ?? '', { decision: 'deny', reason: 'keep it', user_id: 'ana' })).status,
  ).toBe(200)
  await bot.chat.untilType(said.conversation, 'complete')
  let events = await bot.chat.events(said.conversation)
  expect(ofType(events, 'act')).toEqual([])
  expect(ofType(events, 'observe')[0]?.data).toMatchObject({
    status: 'denied',
    result: 'Cancelled: ana denied this: keep it',
  })

  await bot.chat.say('then change it again', { conversation: said.conversation })
  const [asked] = await bot.chat.requests()
  expect((await bot.chat.answer(asked?.id ?? '', { decision: 'approve', user_id: 'ana' })).status).toBe(200)
  expect((await bot.chat.answer(asked?.id ?? '', { decision: 'deny', user_id: 'ben' })).status).toBe(409)
  await bot.chat.untilType(said.conversation, 'complete', events.length)
  events = await bot.chat.events(said.conversation)
  expect(ofType(events, 'act')).toHaveLength(1)
  const file = await fetch(`${bot.chat.url}/api/v1/agent/conversations/${said.conversation}/files/uploads/notes.md`)
  expect(await file.text()).toBe('new text')
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(file.headers.get('content-security-policy')).toBe('sandbox')
})

test('stop ends a turn at once, and the thread continues with the next message', async () => {
  const bot = await startTestBot({
    script: [hang(8, says('a b c d e f g h i j k l m n o p q r s t u v w x y z')), says('Hello.')],
  })
  const response = await bot.chat.send('talk', { user: 'ana' })
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(conversation, 'text_delta')
  expect(await (await bot.chat.post(`/agent/conversations/${conversation}/stop`, { user_id: 'ana' })).json()).toEqual({
    stopped: true,
  })
  const events = await bot.chat.events(conversation)
  expect(events.at(-1)).toMatchObject({ type: 'stopped', data: { person: { id: 'ana' } } })
  expect((await bot.chat.say('hello?', { conversation })).text).toBe('Hello.')
  await response.body?.cancel()
})

test('a failed turn can be resumed once', async () => {
  const bot = await startTestBot({
    script: (_, number) => (number < 3 ? status(503) : says('Back.')),
  })
  const said = await bot.chat.say('hi')
  expect(said.events.at(-1)).toMatchObject({ type: 'error' })
  const resumed = await bot.chat.post(`/agent/conversations/${said.conversation}/resume`)
  expect(resumed.status).toBe(202)
  await bot.chat.untilType(said.conversation, 'complete')
  expect((await bot.chat.post(`/agent/conversations/${said.conversation}/resume`)).status).toBe(404)
})
