import { expect, test } from 'vitest'
import type { Capability } from '../../src/turn/port/capability.ts'
import { type ModelScript, type RequestBody, says, status } from '../support/model-server.ts'
import { budget, costly, settled, withAlarm } from './ringing.ts'
import { minute } from './trust.ts'

const limit = expect.stringContaining('the budget of $0.01 for this thread is used up')
const outage = expect.stringContaining('I couldn’t continue')

test('that the budget is used up is said at one ring, and to whoever asks', async () => {
  const { memory, root, ring, told } = await withAlarm({ script: [costly], ...budget('thread') })
  await ring(4)
  expect(told()).toEqual(['Rang.', limit])
  await memory.say('ana', '@bobbin and now?', { in: root })
  await memory.eventually(() => expect(told()).toEqual(['Rang.', limit, limit]))
  await ring(1)
  expect(told()).toHaveLength(3)
})

test('why a turn stops before the model is asked is said again once it has worked in between, or is another', async () => {
  let text: string | undefined = 'The office is closed.'
  const beforeModel: Capability['beforeModel'] = async () => (text === undefined ? undefined : { kind: 'stop', text })
  const { ring, told } = await withAlarm({ script: () => says('Rang.'), plugins: [{ name: 'closed', beforeModel }] })
  await ring(3)
  expect(told()).toEqual(['The office is closed.'])
  text = undefined
  await ring(1)
  text = 'The office is closed.'
  await ring(3)
  expect(told()).toEqual(['The office is closed.', 'Rang.', 'The office is closed.'])
  text = 'The office has moved.'
  await ring(2)
  expect(told().slice(3)).toEqual(['The office has moved.'])
})

test('an outage of the model is told at one ring, and again once it has worked in between', async () => {
  let reply = status(401)
  const { ring, told, bot } = await withAlarm({ script: () => reply })
  await ring(3)
  expect(told()).toEqual([outage])
  expect(bot.rows("select id from events where type = 'error'")).toHaveLength(3)
  reply = says('Rang.')
  await ring(1)
  reply = status(401)
  await ring(3)
  expect(told()).toEqual([outage, 'Rang.', outage])
})

test('two alarms that ring together don’t say it at each ring either', async () => {
  const { memory, root, told, bot } = await withAlarm({ script: () => status(401) })
  await memory.say('ana', '@bobbin alarm every 15 minutes: and tea', { in: root })
  await memory.eventually(() => expect(told()).toHaveLength(1))
  memory.pass(15 * minute)
  await settled(bot, 2)
  const once = told()
  expect(once).toContainEqual(outage)
  for (const rings of [4, 6]) {
    memory.pass(15 * minute)
    await settled(bot, rings)
  }
  expect(told()).toEqual(once)
})

const isBens = ({ messages }: RequestBody) => JSON.stringify(messages.at(-1)).includes('tea')

test.each<[string, ModelScript, number]>([
  ['whose budget is used up', (body) => (isBens(body) ? says('Rang.') : costly), 1],
  ['whose budgets are both used up', () => costly, 2],
  ['one of which the model fails', (body) => (isBens(body) ? says('Rang.') : status(401)), 1],
])('what another alarm says in between doesn’t repeat it: alarms of two people, %s', async (_, script, times) => {
  const thread = await withAlarm({ script, ...budget('person') }, 'day at 9', 12 * 60 * minute)
  await thread.memory.say('ben', '@bobbin alarm every day at 21: tea', { in: thread.root })
  await thread.memory.eventually(() => expect(thread.told()).toHaveLength(1))
  await thread.ring(8)
  const reasons = thread
    .told()
    .slice(1)
    .filter((text) => text !== 'Rang.')
  expect(reasons).toEqual(Array(times).fill(expect.stringMatching(/is used up|I couldn’t continue/)))
})

/** Ana asks in a thread and gets an answer. */
async function ask({ memory, root, told }: Awaited<ReturnType<typeof withAlarm>>): Promise<void> {
  const before = told().length
  await memory.say('ana', '@bobbin and now?', { in: root })
  await memory.eventually(() => expect(told()).toHaveLength(before + 1))
}

test('an outage is told again at a ring once people were answered in between', async () => {
  let reply = status(401)
  const thread = await withAlarm({ script: () => reply })
  await thread.ring(2)
  reply = says('Yes?')
  await ask(thread)
  reply = status(401)
  await thread.ring(2)
  expect(thread.told()).toEqual([outage, 'Yes?', outage])
})

test('why a turn stops is said again at a ring once people were answered in between', async () => {
  let isClosed = true
  const beforeModel: Capability['beforeModel'] = async () => (isClosed ? { kind: 'stop', text: 'Closed.' } : undefined)
  const thread = await withAlarm({ script: () => says('Yes?'), plugins: [{ name: 'closed', beforeModel }] })
  await thread.ring(2)
  isClosed = false
  await ask(thread)
  isClosed = true
  await thread.ring(2)
  expect(thread.told()).toEqual(['Closed.', 'Yes?', 'Closed.'])
})

test('each alarm tells of it', async () => {
  const { memory, root, ring, told, bot } = await withAlarm({ script: () => status(401) })
  await ring(2)
  await memory.say('ana', '@bobbin alarm in 5 minutes: tea', { in: root })
  await memory.eventually(() => expect(told()).toHaveLength(2))
  memory.pass(5 * minute)
  await settled(bot, 3)
  expect(told()).toEqual([outage, expect.anything(), outage])
})
