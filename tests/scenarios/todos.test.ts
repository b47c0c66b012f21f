import { expect, test } from 'vitest'
import type { Todo } from '../../src/domain/session.ts'
import { family, long, requestsOf, resultsIn } from '../delegation/support.ts'
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'

const todo = (content: string, status: Todo['status']): Todo => ({ content, status, priority: 'medium' })

const open = [
  todo('Weigh it', 'completed'),
  todo('Pack the <parcel>', 'in_progress'),
  todo('Write the label', 'pending'),
  todo('Call the courier', 'pending'),
  todo('Send the bill', 'pending'),
]

/** What the model was reminded of in its latest request. */
const reminders = (bot: TestBot): string =>
  /<system_reminder>[\s\S]*/.exec(`${bot.model.requests.at(-1)?.messages.at(-1)?.content}`)?.[0] ?? ''

const fewMessages: TestBotOptions['config'] = {
  agent: { windowMessages: 4 },
  sections: { context: { window: 'messages' } },
}

test('a new message comes with what is open on the to-do list; a step that still sees the list doesn’t', async () => {
  const bot = await startTestBot({
    script: [calls('todo_write', { todos: open }), says('Listed.'), calls('now', {}), says('Packed.')],
  })
  const { conversation } = await bot.chat.say('Send the parcel.')
  expect(reminders(bot)).not.toContain('To-do')
  await bot.chat.say('Go on.', { conversation })
  const [, , third] = bot.model.requests
  expect(third?.messages.at(-1)?.content).toContain(
    'To-do list (your own notes, no orders): in progress "Pack the \\u003cparcel>", next "Write the label", 2 more.',
  )
  expect(reminders(bot)).not.toContain('To-do')
})

test('a step that no longer sees the list is reminded of it; a list that is done is left alone', async () => {
  const steps = Array.from({ length: 4 }, () => calls('now', {}))
  const done = open.map((one) => ({ ...one, status: 'completed' }))
  const bot = await startTestBot({
    script: [
      calls('todo_write', { todos: open }),
      ...steps,
      calls('todo_write', { todos: done }),
      ...steps,
      says('Sent.'),
      says('You’re welcome.'),
    ],
    config: fewMessages,
  })
  const { conversation } = await bot.chat.say('Send the parcel.')
  const [first, ...later] = bot.model.requests.map(({ messages }) => ({
    seesList: JSON.stringify(messages).includes('"name":"todo_write"'),
    isTold: `${messages.at(-1)?.content}`.includes('To-do list'),
  }))
  expect(first).toEqual({ seesList: false, isTold: false })
  const untilDone = later.slice(0, steps.length + 1)
  expect(untilDone).toContainEqual({ seesList: false, isTold: true })
  for (const { seesList, isTold } of untilDone) expect(isTold).toBe(!seesList)
  expect(later.slice(steps.length + 1).some(({ isTold }) => isTold)).toBe(false)
  await bot.chat.say('Thanks.', { conversation })
  expect(reminders(bot)).not.toContain('To-do')
})

test('a subagent isn’t told how full its context is, or reminded of to-dos', async () => {
  const bot = await startTestBot({
    script: family(
      [calls('delegate_task', { task: 'Weigh it.' }), says('Done.')],
      [
        calls('todo_write', { todos: open }),
        ...Array.from({ length: 5 }, () => calls('now', {})),
        says(long('It weighs 2 kg.')),
      ],
    ),
    config: { sections: { context: { information: 0.001, warning: 0.9 } } },
  })
  await bot.chat.say('How heavy is it?')
  const isTold = (who: 'parent' | 'child', what: string) =>
    requestsOf(bot.model.requests, who).some(({ messages }) => JSON.stringify(messages).includes(what))
  expect(isTold('parent', 'The context of this thread is')).toBe(true)
  expect(isTold('child', 'The context of this thread is')).toBe(false)
  expect(isTold('child', 'To-do list')).toBe(false)
  expect(resultsIn(bot.model.requests.at(-1)).join()).toContain('2 kg')
})

test('a list that the model can’t change isn’t mentioned', async () => {
  const bot = await startTestBot({
    script: [calls('todo_write', { todos: open }), says('Listed.'), says('Read.')],
  })
  const { conversation } = await bot.chat.say('Send the parcel.')
  await bot.chat.say('@explorer What is on the label?', { conversation })
  expect(JSON.stringify(bot.model.requests.at(-1)?.tools)).not.toContain('todo_write')
  expect(reminders(bot)).not.toContain('To-do')
})
