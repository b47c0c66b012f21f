import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { atServer } from '../support/database.ts'
import { heldUntil, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { startBeside } from './support.ts'

const environment = { MODEL_BASE_PRICE_INPUT: '0', MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' }
const usage = { input: 100, output: 1_000, cached: 0 }
const cent = 0.01
const turns = 50
const paidFor = 20

test('fifty at once in two processes, in a channel with money for twenty: never more than one reserve over it', async () => {
  const gate = Promise.withResolvers<void>()
  const options = {
    script: () => heldUntil(gate.promise, { ...says('Done.'), usage }),
    environment,
    // Neither may run all that there is money for.
    config: {
      budgets: { limits: [{ per: 'channel' as const, usd: paidFor * cent }] },
      engine: { turnsAtOnce: paidFor - 1 },
    },
  }
  const one = await startTestBot(options)
  const two = await startBeside(one, 'two', options)
  const said = Array.from({ length: turns }, (_, number) =>
    (number % 2 === 0 ? one : two).chat.say(`question ${number}`),
  )
  const asked = () => one.model.requests.length + two.model.requests.length
  const standing = () =>
    atServer<{ calls: string; nanos: string }>(
      one.database,
      `select count(*)::text as calls, sum(nanos)::text as nanos from usage`,
    )
  // All that are under way have reserved what they may cost.
  await until('as many calls as there is money for', () => asked() === paidFor)
  expect(await standing()).toEqual([{ calls: `${paidFor}`, nanos: `${paidFor * cent * 1e9}` }])
  gate.resolve()
  const texts = (await Promise.all(said)).map(({ text }) => text)
  expect(texts.filter((text) => text === 'Done.')).toHaveLength(paidFor)
  expect(texts.filter((text) => text?.includes('the budget of $0.20 for this channel'))).toHaveLength(turns - paidFor)
  expect(asked()).toBe(paidFor)
  expect(Math.min(one.model.requests.length, two.model.requests.length)).toBeGreaterThan(0)
  expect(await standing()).toEqual([{ calls: `${paidFor}`, nanos: `${paidFor * cent * 1e9}` }])
})
