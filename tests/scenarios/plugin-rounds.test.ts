import { describe, expect, test } from 'vitest'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'

const listing = calls('list_files', { path: 'temp' })
const other = calls('list_files', { path: 'outputs' })

/** In which requests a text was sent. */
const sentIn = ({ model }: TestBot | MemoryBot, text: string): boolean[] =>
  model.requests.map(({ messages }) => JSON.stringify(messages).includes(text))

/** Every result that was sent has its call, and every call its result. */
function expectPairs({ model }: TestBot | MemoryBot): void {
  for (const { messages } of model.requests) {
    const called = messages.flatMap((one) =>
      one.role === 'assistant' ? (one.tool_calls ?? []).map(({ id }) => id) : [],
    )
    const results = messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : []))
    expect(results).toEqual(called)
  }
}

const once: Capability = {
  name: 'once',
  callDone: ({ tool, result }) => (tool === 'list_files' ? { result: `seen: ${result}`, rounds: 1 } : undefined),
}

/** Has a tool called before the model is asked, once it has been asked so many times. */
function between(asked: number): Capability {
  let requests = 0
  let isDone = false
  return {
    name: 'between',
    async beforeModel() {
      if (requests++ < asked || isDone) return undefined
      isDone = true
      return { kind: 'call', calls: [{ tool: 'now', input: {} }] }
    },
  }
}

describe('for how many rounds something is sent', () => {
  test('a result of one round is sent once, with its call, and the stored history stays whole', async () => {
    const bot = await startMemoryBot({
      plugins: [once],
      script: [listing, calls('now', {}), calls('now', {}), says('Done.')],
    })
    const message = await bot.memory.say('ana', '@bobbin look')
    await bot.memory.untilAnswered(message, 'Done.')
    expect(sentIn(bot, 'seen: ')).toEqual([false, true, false, false])
    expect(sentIn(bot, '"list_files","arguments"')).toEqual([false, true, false, false])
    expectPairs(bot)
    const roles = bot.rows('select role from messages order by seq').map(({ role }) => role)
    expect(roles).toEqual(['user', ...Array.from({ length: 3 }, () => ['assistant', 'tool']).flat(), 'assistant'])
    expect(bot.rows("select text from messages where text like 'seen: %'")).toHaveLength(1)
  })

  test('of two calls of a step, one may go and the other stay', async () => {
    const two = { calls: [...(listing.calls ?? []), ...(calls('now', {}).calls ?? [])] }
    const bot = await startTestBot({ plugins: [once], script: [two, other, says('Done.')] })
    await bot.chat.say('look')
    expect(sentIn(bot, 'UTC: ')).toEqual([false, true, true])
    expect(sentIn(bot, '\\"temp\\"')).toEqual([false, true, false])
    expectPairs(bot)
  })

  test('the text that asks for another round is sent as often as it says', async () => {
    const asking: Capability = {
      name: 'asking',
      replyComplete: ({ round }) => (round === 1 ? { again: 'Are you sure?', rounds: 2 } : undefined),
    }
    const script = [says('Yes.'), calls('now', {}), calls('now', {}), says('Quite.')]
    const bot = await startTestBot({ plugins: [asking], script })
    await bot.chat.say('well?')
    expect(sentIn(bot, 'Are you sure?')).toEqual([false, true, true, false])
  })

  test('a tool or the configuration says it, and the smaller number counts', async () => {
    const tier = { enabled: true, always_available: true, category: 'files', tags: [], rounds: 1 }
    const longer: Capability = { name: 'longer', callDone: () => ({ rounds: 2 }) }
    const script = [listing, calls('now', {}), calls('now', {}), says('Done.')]
    const bot = await startTestBot({ plugins: [longer], config: { tiers: { list_files: tier } }, script })
    await bot.chat.say('look')
    expect(sentIn(bot, '\\"temp\\"')).toEqual([false, true, false, false])
    const [, , third, last] = bot.model.requests.map(
      ({ messages }) => JSON.stringify(messages).split('UTC: ').length - 1,
    )
    expect([third, last]).toEqual([1, 2])
    expectPairs(bot)
  })

  test('less than once counts as once', async () => {
    const never: Capability = { name: 'never', callDone: () => ({ rounds: 0 }) }
    const bot = await startTestBot({ plugins: [never], script: [listing, other, says('Done.')] })
    await bot.chat.say('look')
    expect(sentIn(bot, '\\"temp\\"')).toEqual([false, true, false])
  })

  test('a call in the model’s place comes between without the model reading anything', async () => {
    const script = [listing, calls('now', {}), says('Done.')]
    const bot = await startTestBot({ plugins: [once, between(1)], script })
    await bot.chat.say('look')
    expect(sentIn(bot, 'seen: ')).toEqual([false, true, false])
    expect(sentIn(bot, 'UTC: ')).toEqual([false, true, true])
    expectPairs(bot)
  })

  test('a turn that ends in the model’s place leaves a result for the next one', async () => {
    let isOver = false
    const ending: Capability = {
      name: 'enough',
      callDone: ({ tool }) => {
        isOver = tool === 'list_files'
        return undefined
      },
      beforeModel: async () => (isOver ? { kind: 'stop', text: 'Enough for today.' } : undefined),
    }
    const bot = await startTestBot({ plugins: [once, ending], script: [listing, says('Done.'), says('Bye.')] })
    const { conversation } = await bot.chat.say('look')
    isOver = false
    await bot.chat.say('go on', { conversation })
    await bot.chat.say('thanks', { conversation })
    expect(sentIn(bot, 'seen: ')).toEqual([false, true, false])
    expectPairs(bot)
  })

  test('the text of an upload is shown once, also if a call in the model’s place comes first', async () => {
    const bot = await startTestBot({ plugins: [between(0)], script: [calls('now', {}), says('Done.')] })
    await bot.chat.say('look', { files: { 'note.txt': 'The key is under the mat.' } })
    expect(sentIn(bot, 'The key is under the mat.')).toEqual([true, false])
  })
})
