import { expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { readEvents } from '../support/client.ts'
import { atServer } from '../support/database.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, hang, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { startBeside } from './support.ts'

const change = { path: 'uploads/a.txt', content: 'changed' }

test('a turn of one process is followed from another, with its text as it streams, and stopped there', async () => {
  const script = ({ messages }: RequestBody) =>
    JSON.stringify(messages.at(-1)).includes('again') ? says('Next.') : hang(3)
  const one = await startTestBot({ script })
  const two = await startBeside(one, 'two', { script })
  const { headers, body } = await one.chat.send('go')
  const conversation = headers.get('x-conversation-id') ?? ''
  await until('the model to be asked', () => one.model.requests.length + two.model.requests.length > 0)
  const other = one.model.requests.length > 0 ? two : one
  await other.chat.until(conversation, ({ type }) => type === 'text_delta')
  expect(await (await other.chat.post(`/agent/conversations/${conversation}/stop`)).json()).toEqual({ stopped: true })
  await one.chat.untilType(conversation, 'stopped')
  await body?.cancel()
  // The run that hangs has ended: its claim is free.
  await until(
    'the end of the run',
    async () => (await atServer(one.database, 'select 1 from bobbin_engine.job')).length === 0,
  )
  expect((await two.chat.say('again', { conversation })).text).toBe('Next.')
})

test('what one asks is answered at another: it runs once, and the answer is posted once', async () => {
  const config = { rules: { deciders: { team: { who: ['anyone'], asker: true, needed: 1 } } } }
  const script = ({ messages }: RequestBody) =>
    messages.at(-1)?.role === 'tool' ? says('Changed.') : calls('write_file', change)
  const one = await startMemoryBot({ script, config })
  const { memory } = one
  const two = await startBeside(one, 'two', {
    script,
    platforms: (deps) => [memory.connect(deps)],
    clock: memory.clock,
  })
  const mention = await memory.say('ana', '@bobbin go', { files: { 'a.txt': 'old' } })
  const request = await memory.untilCard(mention)
  await Promise.all([one, two].map(({ chat }) => chat.answer(request.id, { decision: 'approve', user_id: 'ben' })))
  await memory.eventually(() => expect(memory.answers(mention)).toHaveLength(1))
  await one.settled()
  expect(memory.answers(mention)).toHaveLength(1)
  expect(await atServer(one.database, "select attempt from calls where tool = 'write_file'")).toEqual([
    { attempt: '1' },
  ])
})

/** Resolves when the second process has looked into the outbox: it finds an entry there that only it posts. */
async function lookOf(two: TestBot, session: string, key: string): Promise<void> {
  await atServer(
    two.database,
    `insert into outbox (key, session_id, seq, kind, payload, state, attempts, next_at, created_at, holder)
      select '${key}', '${session}', 1 + max(outbox.seq), 'record', '{"segment":0}', 'pending', 0, 0, 9e12, max(locks.holder)
      from outbox, locks where outbox.session_id = '${session}' and locks.name = 'node two'`,
  )
  await until('a look', async () => {
    const waits = `select 1 from outbox where key = '${key}' and state = 'pending'`
    return (await atServer(two.database, waits)).length === 0
  })
}

test('an answer that takes long to post is posted by one process', async () => {
  const one = await startMemoryBot({ script: [says('From one.'), says('Later.')] })
  const { memory } = one
  const held = memory.misbehave.hold('post')
  const mention = await memory.say('ana', '@bobbin go')
  await memory.eventually(() => expect(held.waiting).toBe(1))
  const two = await startBeside(one, 'two', {
    script: [says('Later.')],
    platforms: (deps) => [memory.connect(deps)],
    clock: memory.clock,
  })
  // The next attempt is due by now.
  memory.pass(60_000)
  const { conversation } = await two.chat.say('hello')
  for (const key of ['first', 'second']) await lookOf(two, conversation, key)
  held.release()
  await memory.untilAnswered(mention, 'From one.')
  await one.settled()
  expect(memory.answers(mention)).toEqual(['From one.'])
  expect(memory.misbehave.callsTo('post')).toHaveLength(1)
})

test('the tables of the engine may be emptied in the middle of work: nothing is lost, and nothing is done twice', async () => {
  const go = Promise.withResolvers<void>()
  const script = () => heldUntil(go.promise, says('Done.'))
  const config = { engine: { sweepMs: 300 } }
  const one = await startTestBot({ script, config })
  const two = await startBeside(one, 'two', { script, config })
  const talks = Array.from({ length: 12 }, (_, place) => [one, two][place % 2]?.chat.send(`${place}`))
  const responses = (await Promise.all(talks)).flatMap((response) => response ?? [])
  await atServer(one.database, 'delete from bobbin_engine.job')
  go.resolve()
  for (const response of responses) {
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await Array.fromAsync(readEvents(response))
    await one.chat.untilType(conversation, 'complete')
    await until('its message', async () => (await one.chat.events(conversation)).at(-1)?.type !== 'complete')
    const said = (await two.chat.events(conversation)).filter(({ type }) => type === 'complete')
    expect(said).toHaveLength(1)
  }
  const answers = await atServer(one.database, "select state from outbox where kind = 'answer'")
  expect(answers).toEqual(responses.map(() => ({ state: 'delivered' })))
})
