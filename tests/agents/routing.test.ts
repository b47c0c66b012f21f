import { expect, test } from 'vitest'
import { family, long, requestsOf, resultsIn, taskIn } from '../delegation/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, hang, heldUntil, type RequestBody, type ScriptedReply, says, status } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { eventually } from '../support/until.ts'
import { saidIn } from './support.ts'

/** The thread's turn has only to put together what the subagents report. */
const joins =
  (child: (task: string) => ScriptedReply) =>
  (body: RequestBody): ScriptedReply | undefined =>
    family([], Array(9).fill(child))(body) ?? says('Put together.')
const answers = joins((task) => says(long(`Seen: ${task}`)))
const textOf = ({ messages }: RequestBody, at = 0) => `${messages.at(at)?.content}`
const agentIn = (body: RequestBody) => /You work as the agent (\w+) now/.exec(textOf(body))?.[1]
const toolsIn = (body: RequestBody | undefined) => (body?.tools ?? []).map((tool) => tool.function.name)
const childrenOf = ({ model }: TestBot) => requestsOf(model.requests, 'child')
const parentsOf = ({ model }: TestBot) => requestsOf(model.requests, 'parent')

const route = (how: string, agents: string[], more: object = { words: ['compare'] }) => ({
  sections: { agents: { routes: { comparison: { how, agents, ...more } } } },
})

test.each(['@agent', '@subagent', '＠助手', '@代理'])(
  '%s gives the message to a subagent, and the thread to nobody',
  async (name) => {
    const bot = await startTestBot({ script: answers })
    const files = { 'a.txt': 'one' }
    const { text, events, conversation } = await bot.chat.say(`${name} count the lines`, { files })
    expect(text).toBe('Put together.')
    expect(ofType(events, 'subagent_assigned')).toHaveLength(1)
    const [child] = childrenOf(bot)
    expect(taskIn(child as RequestBody)).toMatch(/^count the lines/)
    expect(taskIn(child as RequestBody)).toContain('uploads/a.txt')
    expect(agentIn(child as RequestBody)).toBeUndefined()
    expect(resultsIn(parentsOf(bot)[0])[0]).toContain('Seen: count the lines')
    // It was for this message only, and its name alone asks for nothing.
    await bot.chat.say('and now?', { conversation })
    await bot.chat.say(name, { conversation })
    expect(childrenOf(bot)).toHaveLength(1)
  },
)

test('@agent with names gives it to these agents, which have no more than those of the thread', async () => {
  const bot = await startTestBot({ script: answers })
  const { conversation } = await bot.chat.say('@explorer hello')
  await bot.chat.say('@agent @coder @reviewer look at it', { conversation })
  const children = childrenOf(bot)
  expect(children.map(agentIn).toSorted()).toEqual(['coder', 'reviewer'])
  expect(children.map(taskIn)).toEqual(['look at it', 'look at it'])
  for (const child of children) expect(toolsIn(child)).toContain('read_file')
  for (const child of children) expect(toolsIn(child)).not.toContain('write_file')
  // The thread is still the explorer’s, who can't delegate by itself.
  expect(toolsIn(parentsOf(bot)[0])).not.toContain('delegate_task')
  const { conversations } = await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')
  expect(conversations).toHaveLength(1)
  const { agents } = await bot.chat.get<{ agents: { name: string; runs: number }[] }>('/agents')
  expect(agents.filter(({ runs }) => runs > 0).map(({ name, runs }) => [name, runs])).toEqual([
    ['explorer', 2],
    ['coder', 1],
    ['reviewer', 1],
  ])
})

test('the model gives a task to an agent by name, and learns which there are', async () => {
  const wrong = { task: 'Look.', agent: 'nobody' }
  const right = { task: 'Look.', agent: 'reviewer' }
  const script = family(
    [calls('delegate_task', wrong), calls('delegate_task', right), says('Done.')],
    [(task) => says(long(task))],
  )
  const bot = await startTestBot({ script })
  expect((await bot.chat.say('go')).text).toBe('Done.')
  expect(textOf(parentsOf(bot)[0] as RequestBody)).toContain('- reviewer: Looks for faults')
  expect(resultsIn(parentsOf(bot)[1])[0]).toContain('There is no agent called nobody.')
  expect(childrenOf(bot).map(agentIn)).toEqual(['reviewer'])
})

test('a route has several agents work side by side, says why, and the results are joined', async () => {
  const bot = await startTestBot({ script: answers, config: route('parallel', ['explorer', 'reviewer']) })
  const { conversation } = await bot.chat.say('Please compare them')
  expect(await saidIn(bot.chat, conversation)).toEqual([
    '**explorer** and **reviewer** work on this side by side, because of “compare”.',
    'Put together.',
  ])
  expect(childrenOf(bot).map(agentIn).toSorted()).toEqual(['explorer', 'reviewer'])
  expect(parentsOf(bot)).toHaveLength(1)
  expect(textOf(parentsOf(bot)[0] as RequestBody, -1)).toContain('Join their results into one answer')
  // Another request, without the word, is Bobbin's own.
  await bot.chat.say('Thank you', { conversation })
  expect(childrenOf(bot)).toHaveLength(2)
})

test.each(['compare the two', 'look at it, @agent'])('“%s” reaches agents without a mention too', async (text) => {
  const script = family(
    [says('Hello.')],
    Array(2).fill((task: string) => says(long(`Seen: ${task}`))),
  )
  const bot = await startMemoryBot({
    script: (body) => script(body) ?? says('Put together.'),
    config: route('parallel', ['explorer', 'reviewer']),
  })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin hello')
  await memory.untilAnswered(root, 'Hello.')
  await memory.say('ana', text, { in: root })
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toBe('Put together.'))
  expect(childrenOf(bot)).not.toEqual([])
})

test('in a chain, each builds on the one before, and it ends where one fails', async () => {
  let fails = false
  const script = joins((task) =>
    fails ? status(400, { message: 'refused' }) : says(long(`Seen: ${task.slice(0, 12)}`)),
  )
  const bot = await startTestBot({ script, config: route('chain', ['explorer', 'coder', 'reviewer']) })
  await bot.chat.say('compare one')
  const children = childrenOf(bot)
  expect(children.map(agentIn)).toEqual(['explorer', 'coder', 'reviewer'])
  expect(taskIn(children[1] as RequestBody)).toContain('The agent explorer has done a part of it')
  expect(taskIn(children[1] as RequestBody)).toContain('Seen: compare one')
  expect(taskIn(children[2] as RequestBody)).toContain('The agent coder has done a part of it')
  fails = true
  expect((await bot.chat.say('compare two')).text).toBe('Put together.')
  expect(childrenOf(bot)).toHaveLength(4)
})

test('a chain ends when the message that it works on is deleted', async () => {
  const [isSaid, isDeleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const child = (task: string) => heldUntil(isDeleted.promise, says(long(`Seen: ${task}`)))
  let asked = 0
  const script = (body: RequestBody) =>
    family([], Array(9).fill(child))(body) ??
    (asked++ === 0 ? heldUntil(isSaid.promise, calls('list_files', {})) : says('Put together.'))
  const bot = await startMemoryBot({ script, config: route('chain', ['explorer', 'coder']) })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin hello')
  await memory.eventually(() => expect(asked).toBe(1))
  // It is read by the turn that is under way, which goes on for the other message.
  const asking = await memory.say('ben', '@bobbin compare them', { in: root })
  isSaid.resolve()
  const children = () => requestsOf(bot.model.requests, 'child')
  await memory.eventually(() => expect(children()).toHaveLength(1))
  await memory.delete(asking)
  isDeleted.resolve()
  await memory.eventually(() => expect(JSON.stringify(memory.answers(root))).toContain('Put together.'))
  expect(children()).toHaveLength(1)
})

test.each([
  ['@bobbin @agent @reviewer look at it', ['explorer', 'coder', 'reviewer']],
  ['@bobbin compare those too', ['explorer', 'coder', 'explorer', 'coder']],
  ['@bobbin @reviewer look at it', ['explorer', 'coder']],
])('a chain goes on when somebody else says “%s” meanwhile', async (text, agents) => {
  const isSaid = Promise.withResolvers<void>()
  const script = joins((task) => heldUntil(isSaid.promise, says(long(`Seen: ${task.slice(0, 12)}`))))
  const bot = await startMemoryBot({ script, config: route('chain', ['explorer', 'coder']) })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin compare them')
  await memory.eventually(() => expect(childrenOf(bot)).toHaveLength(1))
  await memory.say('ben', text, { in: root })
  isSaid.resolve()
  await memory.eventually(() => expect(JSON.stringify(memory.answers(root))).toContain('Put together.'))
  await bot.settled()
  expect(childrenOf(bot).map(agentIn)).toEqual(agents)
  expect(toolsIn(childrenOf(bot)[1])).toContain('write_file')
})

test('a parent that delegates is told to whom', async () => {
  const script = family(
    [calls('delegate_task', { task: 'Half of it.', agent: 'coder' }), says('Done.')],
    [(task) => says(long(task))],
  )
  const bot = await startTestBot({ script, config: route('delegate', ['coder', 'reviewer']) })
  const { conversation } = await bot.chat.say('compare them')
  expect((await saidIn(bot.chat, conversation))[0]).toBe(
    'I’ll hand out parts of this to **coder** and **reviewer**, because of “compare”.',
  )
  expect(textOf(parentsOf(bot)[0] as RequestBody, -1)).toContain(
    'one of these agents with delegate_task: coder, reviewer',
  )
  expect(childrenOf(bot).map(agentIn)).toEqual(['coder'])
})

const isOrder = ({ messages: [system] }: RequestBody) => `${system?.content}`.startsWith('Say which of these')

test.each([
  ['comparison', ['explorer', 'reviewer'], 'work on this side by side, because it looks like this: Comparing things.'],
  ['coder', ['coder'], '**Bobbin** hands this thread to **coder**: it looks like this: Writes and changes code'],
  ['none', [], undefined],
  ['whatever you say', [], undefined],
] as const)('by meaning, the model says %s', async (named, agents, said) => {
  const script = (body: RequestBody): ScriptedReply | undefined => {
    if (isOrder(body)) return says(named)
    return agents.length === 1 ? says('Coded.') : answers(body)
  }
  const config = route('parallel', ['explorer', 'reviewer'], { for: 'Comparing things.' })
  Object.assign(config.sections.agents, { by_meaning: true })
  const bot = await startTestBot({ script, config })
  const { conversation } = await bot.chat.say('Which of the two?')
  await bot.chat.untilType(conversation, 'complete')
  const [asked, ...more] = bot.model.requests.filter(isOrder)
  expect(more).toEqual([])
  expect(textOf(asked as RequestBody, -1)).toContain('1. comparison: Comparing things.')
  expect(textOf(asked as RequestBody, -1)).toContain('Which of the two?')
  const words = (await saidIn(bot.chat, conversation))[0]
  if (said === undefined) expect(words).toBe('Put together.')
  else expect(words).toContain(said)
  expect(childrenOf(bot).map(agentIn).toSorted()).toEqual(agents.length === 1 ? [] : [...agents])
  if (agents.length !== 1) return
  expect(textOf(bot.model.requests.at(-1) as RequestBody, -1)).toContain('You work as the agent coder now')
  // It has the thread, so nobody is asked again.
  await bot.chat.say('And this?', { conversation })
  expect(bot.model.requests.filter(isOrder)).toHaveLength(1)
})

test('by meaning goes before what the step itself may cost', async () => {
  const usage = { input: 100, output: 100, cached: 0 }
  const script = (body: RequestBody) => ({ ...says(isOrder(body) ? 'coder' : 'Coded.'), usage })
  const environment = { MODEL_BASE_PRICE_INPUT: '0', MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' }
  // What one request reserves.
  const limits = [{ per: 'thread' as const, usd: 0.01 }]
  const bot = await startTestBot({
    script,
    environment,
    config: { sections: { agents: { by_meaning: true } }, budgets: { limits } },
  })
  const { conversation, text } = await bot.chat.say('Which of the two?')
  expect(text).toBe('Coded.')
  expect((await saidIn(bot.chat, conversation))[0]).toContain('hands this thread to **coder**')
})

test('by meaning, an agent gets the request after people were asked about a budget instead', async () => {
  const usage = { input: 0, output: 1_000, cached: 0 }
  const script = (body: RequestBody) => ({ ...says(isOrder(body) ? 'coder' : 'Coded.'), usage })
  const environment = { MODEL_BASE_PRICE_INPUT: '0', MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' }
  const config = {
    sections: { agents: { by_meaning: true } },
    budgets: { limits: [{ per: 'thread' as const, usd: 0.1, soft: 0.1 }] },
  }
  const bot = await startTestBot({ script, environment, config })
  const { conversation } = await bot.chat.say('Which of the two?')
  expect(ofType(await bot.chat.events(conversation), 'decision_asked')).toHaveLength(1)
  await bot.restart()
  await bot.chat.say('Go on', { conversation })
  await bot.chat.untilType(conversation, 'complete')
  expect(textOf(bot.model.requests.at(-1) as RequestBody, -1)).toContain('You work as the agent coder now')
  expect(bot.model.requests.filter(isOrder)).toHaveLength(1)
})

test('a restart between a route and its agents’ ends: each works once', async () => {
  let held = true
  const script = joins((task) => (held ? hang() : says(long(task))))
  const bot = await startTestBot({ script, config: route('parallel', ['explorer', 'reviewer']) })
  const stream = await bot.chat.send('compare them')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(childrenOf(bot)).toHaveLength(2))
  held = false
  await bot.restart()
  expect((await bot.chat.untilType(conversation, 'complete')).data).toMatchObject({ content: 'Put together.' })
  expect(rowsIn(bot.database, 'select count(*) as count from sessions')).toEqual([{ count: 3 }])
  expect(rowsIn(bot.database, 'select tool, state, count(*) as count from calls group by tool, state')).toEqual([
    { tool: 'delegate_task', state: 'done', count: 2 },
  ])
})

test('a part whose agent is gone by then is done by nobody', async () => {
  const bot = await startTestBot({
    script: (body) => {
      if (requestsOf([body], 'child').length === 0) return says('Put together.')
      const isTold = body.messages.some(({ role }) => role === 'tool')
      return isTold ? says(long('Seen.')) : calls('ask_human', { question: 'Which?' })
    },
    config: route('chain', ['explorer', 'coder']),
  })
  const { conversation } = await bot.chat.say('compare them')
  await fetch(`${bot.chat.url}/api/v1/agents/coder/disable`, { method: 'POST' })
  const [request] = await bot.chat.requests()
  await bot.chat.answer(request?.id ?? '', { answer: 'both', user_id: 'ana' })
  await bot.chat.untilType(conversation, 'complete')
  expect(new Set(childrenOf(bot).map(agentIn))).toEqual(new Set(['explorer']))
  expect(resultsIn(parentsOf(bot)[0]).at(-1)).toContain('There is no agent called coder.')
})
