import { expect } from 'vitest'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { says } from '../support/model-server.ts'
import { minute } from './trust.ts'

type Options = NonNullable<Parameters<typeof startMemoryBot>[0]>

/** A thread with an alarm that repeats, and that rings once in each `pause`. */
export async function withAlarm({ config, ...options }: Options, every = '15 minutes', pause = 15 * minute) {
  const bot = await startMemoryBot({ ...options, config: { ...config, engine: { clockMs: 20 } } })
  const { memory } = bot
  memory.passQuarter()
  const root = await memory.say('ana', `@bobbin alarm every ${every}: go on`)
  await memory.eventually(() => expect(memory.answers(root)).toHaveLength(1))
  let rung = 0
  const ring = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++) {
      memory.pass(pause)
      await settled(bot, ++rung)
    }
  }
  /** What was posted since the alarm was set. */
  const told = () => memory.answers(root).slice(1)
  return { bot, memory, root, ring, told }
}

export async function settled(bot: MemoryBot, rings: number): Promise<void> {
  await bot.memory.eventually(() => {
    expect(bot.rows("select seq from inbox where kind = 'alarm'")).toHaveLength(rings)
    expect(bot.rows("select seq from inbox where state <> 'taken'")).toEqual([])
    expect(bot.rows("select id from turns where state not in ('done', 'failed')")).toEqual([])
  })
  await bot.settled()
}

/** It is used up by one reply that is costly. */
export const budget = (per: 'thread' | 'person'): Options => ({
  environment: { MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' },
  config: { budgets: { limits: [{ per, within: 'always', usd: 0.01 }] } },
})
export const costly = { ...says('Rang.'), usage: { input: 100, output: 1_000, cached: 0 } }
