import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { family, long, requestsOf, resultsIn } from './support.ts'

test('a subagent does its task in a session of its own, and the thread answers with its result', async () => {
  const script = family(
    [calls('delegate_task', { task: 'Count the lines of a.txt.', files: ['uploads/a.txt'] }), says('It has two.')],
    [calls('read_file', { path: 'uploads/a.txt' }), says('Two.'), says(long('Two lines: one, two.'))],
  )
  const bot = await startTestBot({ script })
  const { conversation, events, text } = await bot.chat.say('secret words', { files: { 'a.txt': 'one\ntwo\n' } })
  expect(text).toBe('It has two.')

  const children = requestsOf(bot.model.requests, 'child')
  expect(children).toHaveLength(3)
  const [first] = children
  expect(JSON.stringify(first)).not.toContain('secret words')
  expect(`${first?.messages.at(-1)?.content}`).toContain('Count the lines of a.txt.')
  expect(`${first?.messages.at(-1)?.content}`).toContain('uploads/a.txt')
  const names = (first?.tools ?? []).map((tool) => tool.function.name)
  expect(names).toContain('read_file')
  expect(names).not.toContain('delegate_task')
  // A short result is asked for once more.
  expect(`${children[2]?.messages.at(-1)?.content}`).toContain('once more, in detail')
  const [result] = resultsIn(requestsOf(bot.model.requests, 'parent').at(-1))
  expect(result).toMatch(/subagent-[0-9a-f]{8}, 3 steps\]\n\nTwo lines: one, two\./)

  const [assigned] = ofType(events, 'subagent_assigned')
  expect(assigned?.data.name).toMatch(/^subagent-[0-9a-f]{8}$/)
  expect(ofType(events, 'output').map(({ data }) => data.text)).toEqual([
    `${assigned?.data.name}: begins\n`,
    `${assigned?.data.name}: Reading uploads/a.txt\n`,
  ])
  const { conversations } = await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')
  expect(conversations.map(({ id }) => id)).toEqual([conversation])
  expect(rowsIn(bot.database, 'select state from turns order by started_at')).toEqual([
    { state: 'done' },
    { state: 'done' },
  ])
  const own = await bot.chat.events(assigned?.data.conversation_id ?? '')
  expect(ofType(own, 'complete')[0]?.data.content).toContain('Two lines')
  // Nobody can write to it.
  const refused = await bot.chat.send('hello', { conversation: assigned?.data.conversation_id ?? '' })
  expect(refused.status).toBe(404)
})

test('the practice model delegates, so that it can be tried without an account', async () => {
  const bot = await startTestBot()
  const files = { 'a.txt': 'apples are red', 'b.txt': 'bananas are yellow', 'c.txt': 'cherries are dark' }
  const { text, events } = await bot.chat.say('compare these three files', { files })
  expect(ofType(events, 'subagent_assigned')).toHaveLength(3)
  for (const word of ['apples', 'bananas', 'cherries']) expect(text).toContain(word)
})
