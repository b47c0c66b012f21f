import { expect, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { family, long } from './support.ts'

const soon = { show: { firstMs: 1, everyMs: 20 } }

test('what somebody says in the thread doesn’t freeze the message that shows its subagents', async () => {
  const [isHeard, isSeen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const delegates = family(
    [calls('delegate_task', { task: 'part 1' }), says('Put together.')],
    [
      calls('list_files', {}),
      heldUntil(isHeard.promise, calls('now', {})),
      (task) => heldUntil(isSeen.promise, says(long(task))),
    ],
  )
  const script = (body: RequestBody) => (JSON.stringify(body).includes('aside') ? says('Hello.') : delegates(body))
  const bot = await startMemoryBot({ script, config: soon })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin go')
  await memory.untilProgress(asked, ({ view }) => JSON.stringify(view.parts).includes('Listing the files'))
  const { opened } = memory.lives
  await memory.say('ben', 'I wonder how long this takes.', { in: asked })
  // Nothing tells when it has looked at that, so something else happens first.
  for (const _ of Array(5)) expect((await bot.chat.say('aside')).text).toBe('Hello.')
  isHeard.resolve()
  await memory.untilProgress(asked, ({ view }) => JSON.stringify(view.parts).includes('the time'))
  expect(memory.lives.opened).toBe(opened)
  isSeen.resolve()
  await memory.untilAnswered(asked, 'Put together.')
})

test('nor does the end of one of them, after which the turn rests again at once', async () => {
  const [isShown, isTaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const isSeen = Promise.withResolvers<void>()
  const script = family(
    [calls('delegate_task', { task: 'part 1' }, ['delegate_task', { task: 'part 2' }]), says('Put together.')],
    [
      (task) => (task === 'part 1' ? calls('list_files', {}) : heldUntil(isShown.promise, says(long(task)))),
      heldUntil(isTaken.promise, calls('now', {})),
      (task) => heldUntil(isSeen.promise, says(long(task))),
    ],
  )
  const bot = await startMemoryBot({ script, config: soon })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin go')
  await memory.untilProgress(asked, ({ view }) => JSON.stringify(view.parts).includes('Listing the files'))
  isShown.resolve()
  await memory.eventually(() => {
    expect(bot.rows("select id from calls where state = 'done' and tool = 'delegate_task'")).toHaveLength(1)
    expect(bot.rows("select id from turns where state = 'waiting'")).toHaveLength(1)
  })
  isTaken.resolve()
  await memory.untilProgress(asked, ({ view }) => JSON.stringify(view.parts).includes('the time'))
  isSeen.resolve()
  await memory.untilAnswered(asked, 'Put together.')
})
