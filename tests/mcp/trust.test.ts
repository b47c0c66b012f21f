import { expect, test } from 'vitest'
import { ofType } from '../support/client.ts'
import { pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { botWith, shippedMcp, unruly, untilKnown } from './support.ts'

test('what a server says of itself lowers nothing, and a tool that changes is asked about anew', async () => {
  const { server, noted } = await unruly({ tools: { change: { effect: 'read' } } }, 'readonly-liar')
  const script = [
    // It claims to be read-only; a person is asked all the same, and lets it run from now on.
    calls('mcp__x__echo', { text: 'one' }),
    says('First.'),
    calls('mcp__x__echo', { text: 'two' }),
    says('Second.'),
    // The operator said that this one only reads. Then echo becomes another tool.
    calls('mcp__x__change', {}),
    says('Third.'),
    calls('mcp__x__echo', { text: 'three' }),
    says('Fourth.'),
    calls('mcp__x__echo', { text: 'four' }, ['mcp__x__numbers', {}]),
    says('Fifth.'),
    says('Hi.'),
  ]
  const bot = await botWith(
    { x: server },
    { script, config: { rules: { untrusted: { action: 'allow', lasts: 'thread' } } } },
  )
  const { conversation } = await bot.chat.say('one')
  const first = await until('a request', async () => (await bot.chat.requests())[0])
  expect(first).toMatchObject({ tool_name: 'mcp__x__echo', tool_input: { text: 'one' } })
  expect(noted('calls')).toEqual([])
  await bot.chat.answer(first.id, { decision: 'approve', always: { pattern: 'wide', scope: 'thread' } })
  await bot.chat.untilType(conversation, 'complete')
  const toolsOf = (place: number) => bot.model.requests[place]?.tools?.map((tool) => tool.function) ?? []

  const second = await bot.chat.say('two', { conversation })
  expect(second.text).toBe('Second.')
  expect(ofType(second.events, 'permission_asked')).toEqual([])
  expect((await bot.chat.say('change', { conversation })).text).toBe('Third.')
  const before = toolsOf(0)

  await until('the new list', async () => {
    const { tools } = await bot.chat.get<{ tools: { name: string }[] }>('/mcp/servers/x/tools')
    return tools.some(({ name }) => name === 'added')
  })
  await bot.chat.say('three', { conversation })
  const asked = await until('a request', async () => (await bot.chat.requests())[0])
  const events = await bot.chat.events(conversation)
  const reason = JSON.stringify(ofType(events, 'permission_asked').at(-1)?.data)
  expect(reason).toContain('x has changed this tool since it was last approved')
  expect(reason).toContain('Says it again, and sends a copy to me.')
  // What the model was offered before stays as it was, in its order; what is new comes last.
  const now = toolsOf(bot.model.requests.length - 1)
  expect(now.slice(0, before.length)).toEqual(before)
  expect(now.at(-1)?.name).toBe('mcp__x__added')
  expect(noted('calls')).toEqual(['echo', 'echo', 'change'])
  await bot.chat.answer(asked.id, { decision: 'approve' })
  await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Fourth.')
  expect(noted('calls')).toEqual(['echo', 'echo', 'change', 'echo'])

  const last = await bot.chat.say('four', { conversation })
  expect(last.text).toBe('Fifth.')
  expect(
    ofType(last.events, 'observe').find(({ data }) => data.tool_name === 'mcp__x__numbers')?.data.result,
  ).toContain('no longer has the tool numbers')
  await bot.chat.say('hello')
  expect(toolsOf(bot.model.requests.length - 1).find(({ name }) => name === 'mcp__x__echo')?.description).toContain(
    'sends a copy',
  )
  expect(toolsOf(bot.model.requests.length - 1).map(({ name }) => name)).not.toContain('mcp__x__numbers')
})

test('what is new of a tool is posted in full above the card, also in the middle of a long text', async () => {
  const { server } = await unruly({ tools: { change: { effect: 'read' } } }, 'wordy')
  const script = [calls('mcp__x__change', {}), says('Changed.'), calls('mcp__x__echo', { text: 'one' }), says('Done.')]
  const sections = { mcp_servers: { servers: { x: server }, limits: shippedMcp } }
  const rules = { untrusted: { action: 'allow', lasts: 'thread' } } as const
  const bot = await startMemoryBot({ script, config: { rules, sections } })
  await untilKnown(bot.chat)
  const message = await bot.memory.say('ana', '@bobbin change')
  await bot.memory.untilAnswered(message, 'Changed.')
  await until('the new list', async () => {
    const { tools } = await bot.chat.get<{ tools: { name: string }[] }>('/mcp/servers/x/tools')
    return tools.some(({ name }) => name === 'added')
  })
  await bot.memory.say('ana', '@bobbin go on', { in: message })
  const card = await bot.memory.untilCard(message)
  expect(bot.memory.shown(message).map((shown) => pageOf(shown).kind)).toEqual(['answer', 'answer', 'card'])
  const above = bot.memory.answers(message).at(-1) ?? ''
  const pieces = Array.from(above.matchAll(/^- (?:it now says|then) “…?(.*)”$/gm), ([, piece]) => piece)
  const filler = 'It is kind and quick. '.repeat(50)
  expect(pieces.join('')).toContain(`${filler}Says it again, and sends a copy to me. ${filler.trim()}`)
  await bot.memory.click('ana', card, { kind: 'approval', answer: { decision: 'approve' } })
  await bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
})

test('a wider grant still holds once the results of its own tool are in the thread', async () => {
  const { server, noted } = await unruly()
  const script = [
    calls('mcp__x__echo', { text: 'one' }),
    says('First.'),
    calls('mcp__x__echo', { text: 'two' }),
    says('Second.'),
  ]
  const bot = await botWith({ x: server }, { script })
  const { conversation } = await bot.chat.say('one')
  const first = await until('a request', async () => (await bot.chat.requests())[0])
  await bot.chat.answer(first.id, { decision: 'approve', always: { pattern: 'wide', scope: 'thread' } })
  await bot.chat.untilType(conversation, 'complete')
  const second = await bot.chat.say('two', { conversation })
  expect(ofType(second.events, 'permission_asked')).toEqual([])
  expect(second.text).toBe('Second.')
  expect(noted('calls')).toEqual(['echo', 'echo'])
})
