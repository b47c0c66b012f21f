import { expect, test } from 'vitest'
import { family, long, requestsOf } from '../delegation/support.ts'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { heldUntil, type RequestBody, type ScriptedReply, says, status } from '../support/model-server.ts'

const textOf = ({ messages }: RequestBody, at: number) => `${messages.at(at)?.content}`
const agentIn = (body: RequestBody) => /You work as the agent (\w+) now/.exec(textOf(body, 0))?.[1] ?? ''
const workersOf = ({ model }: MemoryBot) => requestsOf(model.requests, 'child').map(agentIn)
const routes = (how: string, agents: string[], more: object = { words: ['compare'] }) => ({
  sections: { agents: { routes: { comparison: { how, agents, ...more } } } },
})

/** The agents look at it, as long as nothing else is said of one of them, and the results are put together. */
const working =
  (one: (agent: string) => ScriptedReply | undefined) =>
  (body: RequestBody): ScriptedReply => {
    const seen = family(
      [],
      Array(1).fill(() => says(long('Looked at.'))),
    )(body)
    return seen === undefined ? says('Put together.') : (one(agentIn(body)) ?? seen)
  }

/** Of three agents, the second one waits until the thread is stopped, after what else is said meanwhile. */
async function stopped(text: string, config: object, ...meanwhile: string[]) {
  let held = true
  const script = working((agent) =>
    held && agent === 'coder' ? heldUntil(new Promise(() => {}), says('')) : undefined,
  )
  const bot = await startMemoryBot({ script, config })
  const { memory } = bot
  const root = await memory.say('ana', text)
  const states = () => bot.rows('select state from calls order by id')
  const asked = text.includes('@agent') ? 3 : 2
  await memory.eventually(() => expect(workersOf(bot)).toHaveLength(asked))
  await memory.eventually(() => expect(states().filter(({ state }) => state === 'done')).toHaveLength(asked - 1))
  for (const said of [...meanwhile, '@bobbin stop']) await memory.say('ana', said, { in: root })
  await memory.eventually(() => expect(bot.rows("select state from turns where state = 'running'")).toEqual([]))
  held = false
  return { bot, memory, root }
}

const parentsLast = ({ model }: MemoryBot) => textOf(requestsOf(model.requests, 'parent').at(-1) as RequestBody, -1)

test.each(['resume', 'retry'])(
  'after `stop` and `%s`, a message is given to the agents that had no result',
  async (command) => {
    const { bot, memory, root } = await stopped('@bobbin @agent @explorer @coder @reviewer look at it', {})
    await memory.say('ana', `@bobbin ${command}`, { in: root })
    await memory.eventually(() => expect(memory.answers(root).at(-1)).toBe('Put together.'))
    expect(workersOf(bot).slice(3)).toEqual(['coder'])
    expect(parentsLast(bot)).toContain('Join their results into one answer')
  },
)

test('after `stop` and `resume`, a chain goes on where it was', async () => {
  const { bot, memory, root } = await stopped(
    '@bobbin compare them',
    routes('chain', ['explorer', 'coder', 'reviewer']),
  )
  await memory.say('ana', '@bobbin resume', { in: root })
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toBe('Put together.'))
  expect(workersOf(bot)).toEqual(['explorer', 'coder', 'coder', 'reviewer'])
})

test.each([[[], ['@bobbin agents off']] as const, [['@bobbin agents off'], []] as const])(
  'after `agents off`, nobody goes on with what was stopped: %j before, %j after it',
  async (meanwhile, then) => {
    const chain = routes('chain', ['explorer', 'coder', 'reviewer'])
    const { bot, memory, root } = await stopped('@bobbin compare them', chain, ...meanwhile)
    for (const said of [...then, '@bobbin resume']) await memory.say('ana', said, { in: root })
    await memory.eventually(() => expect(memory.answers(root).at(-1)).toBe('Put together.'))
    expect(workersOf(bot)).toEqual(['explorer', 'coder'])
  },
)

test('to answer anew, all agents are asked again', async () => {
  const bot = await startMemoryBot({ script: working(() => undefined) })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin @agent @explorer @coder look at it')
  await memory.untilAnswered(root, 'Put together.')
  await memory.say('ana', '@bobbin retry', { in: root })
  await memory.eventually(() => expect(memory.answers(root).filter((one) => one === 'Put together.')).toHaveLength(2))
  expect(workersOf(bot).slice(2).toSorted()).toEqual(['coder', 'explorer'])
})

const byMeaning = {
  sections: {
    agents: {
      by_meaning: true,
      routes: { comparison: { how: 'parallel', agents: ['explorer', 'coder'], for: 'Comparing things.' } },
    },
  },
}
const asksWhoseItIs = (body: RequestBody) => textOf(body, 0).startsWith('Say which of these')

test.each(['resume', 'retry'])('`%s` doesn’t ask again who it is for, but to answer anew does', async (command) => {
  let isDown = true
  const bot = await startMemoryBot({
    script: (body) => {
      if (asksWhoseItIs(body)) return says('none')
      return isDown ? status(401, { message: 'no' }) : says('Answered.')
    },
    config: byMeaning,
  })
  const { memory, model } = bot
  const root = await memory.say('ana', '@bobbin which of the two?')
  const failed = (count: number) =>
    memory.eventually(() =>
      expect(bot.rows("select state from turns where state <> 'running'")).toEqual(
        Array(count).fill({ state: 'failed' }),
      ),
    )
  await failed(1)
  await memory.say('ana', `@bobbin ${command}`, { in: root })
  await failed(2)
  isDown = false
  await memory.say('ana', `@bobbin ${command}`, { in: root })
  const answered = (count: number) =>
    memory.eventually(() => expect(memory.answers(root).filter((one) => one === 'Answered.')).toHaveLength(count))
  await answered(1)
  expect(model.requests.filter(asksWhoseItIs)).toHaveLength(1)
  await memory.say('ana', '@bobbin retry', { in: root })
  await answered(2)
  expect(model.requests.filter(asksWhoseItIs)).toHaveLength(2)
})

test('who a request is for is found out when it is retried, if that was never asked', async () => {
  let isDown = true
  const bot = await startMemoryBot({
    script: (body) => {
      if (isDown) return status(401, { message: 'no' })
      return asksWhoseItIs(body) ? says('comparison') : working(() => undefined)(body)
    },
    config: byMeaning,
  })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin which of the two?')
  await memory.eventually(() => expect(bot.rows('select state from turns')).toEqual([{ state: 'failed' }]))
  isDown = false
  await memory.say('ana', '@bobbin retry', { in: root })
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toBe('Put together.'))
  expect(workersOf(bot).toSorted()).toEqual(['coder', 'explorer'])
})
