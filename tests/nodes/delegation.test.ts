import { expect, test } from 'vitest'
import { family, long, requestsOf, resultsIn } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { atServer } from '../support/database.ts'
import { calls, hang, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { startBeside } from './support.ts'

const four = [2, 3, 4].map((number): [string, object] => ['delegate_task', { task: `part ${number}` }])
const delegates = calls('delegate_task', { task: 'part 1' }, ...four)

test('subagents of one thread work in several processes, and a stop reaches them all', async () => {
  const gate = Promise.withResolvers<void>()
  const script = family([delegates, says('Put together.')], [(task) => heldUntil(gate.promise, says(long(task)))])
  const endless = family(
    [calls('delegate_task', { task: 'for ever 1' }, ['delegate_task', { task: 'for ever 2' }])],
    [hang()],
  )
  const either = (body: RequestBody) => (JSON.stringify(body).includes('for ever') ? endless : script)(body)
  const options = { script: either, config: { engine: { turnsAtOnce: 2 } } }
  const one = await startTestBot(options)
  const two = await startBeside(one, 'two', options)
  const all = () => [...one.model.requests, ...two.model.requests]
  const children = (bot: typeof one) => requestsOf(bot.model.requests, 'child').length
  const said = one.chat.say('go')
  await until('all four work', () => children(one) + children(two) === 4)
  expect(Math.min(children(one), children(two))).toBeGreaterThan(0)
  gate.resolve()
  const { text, events } = await said
  expect(text).toBe('Put together.')
  expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['done', 'done', 'done', 'done'])
  const last = requestsOf(all(), 'parent').find((body) => resultsIn(body).length > 0)
  expect(resultsIn(last).map((result) => /part \d/.exec(result)?.[0])).toEqual(['part 1', 'part 2', 'part 3', 'part 4'])

  const stream = await two.chat.send('for ever')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await until('both work', () => children(one) + children(two) === 6)
  await one.chat.post(`/agent/conversations/${conversation}/stop`)
  const given = () => one.model.givenUp.length + two.model.givenUp.length
  await until('the models are given up', () => given() === 2)
  expect(
    await atServer(one.database, `select state, count(*)::int as count from turns group by state order by state`),
  ).toEqual([
    { state: 'done', count: 5 },
    { state: 'stopped', count: 3 },
  ])
})
