import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { callFailure } from '../../src/capabilities/mcp/sdk/failures.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { eventually, until } from '../support/until.ts'
import { botWith, isRunning, unruly } from './support.ts'

const open = { approvals: false }
const secret = 'q7RkVx2mWz9LbTn4JpYc'

test('a server that crashes, hangs, floods or sends too much ends its call, not the turn, and nothing runs twice', async () => {
  const { server, noted } = await unruly({}, 'readonly-liar')
  const { server: other } = await unruly({ call_ms: 1_500 }, 'readonly-liar')
  const script = [
    calls('mcp__x__crash', {}),
    calls('mcp__x__echo', { text: 'again' }),
    calls('mcp__y__hang', {}),
    calls('mcp__x__large', { bytes: 100_000 }),
    calls('mcp__x__large', { bytes: 2_000_000 }),
    calls('mcp__x__echo', { text: 'still' }),
    calls('mcp__x__flood', {}),
    says('Done.'),
  ]
  const bot = await botWith({ x: server, y: other }, { script, config: { rules: open } })
  const { events, text, conversation } = await bot.chat.say('go')
  expect(text).toBe('Done.')
  const results = ofType(events, 'observe').map(
    ({ data }) => `${data.tool_name.slice(8)} ${data.status} ${data.result}`,
  )
  expect(results[0]).toMatch(/^crash unknown Unknown outcome: .*it may have taken effect/)
  expect(results[1]).toBe('echo done echo: again')
  expect(results[2]).toMatch(/^hang unknown Unknown outcome: y did not answer within 1500 ms/)
  expect(results[3]).toMatch(
    /^large done x+\n\[Cut: \d+ of 100000 bytes are shown\. All of it is in temp\/call_\w+\.txt/,
  )
  expect(results[4]).toMatch(/^large unknown Unknown outcome: .*too large/)
  expect(results[5]).toBe('echo done echo: still')
  expect(results[6]).toMatch(/^flood /)
  expect(noted('calls').filter((name) => name === 'crash')).toHaveLength(1)
  await bot.chat.say('more', { conversation })
  await bot.stop()
  expect(noted('starts').filter(isRunning)).toEqual([])
})

test('a server that sends parts without end, or asks for a form of them, costs its call and nothing else', async () => {
  const { server } = await unruly({}, 'readonly-liar')
  const script = [
    calls('mcp__x__hollow', { parts: 300_000 }),
    calls('mcp__x__many', { parts: 5_002 }),
    calls('mcp__x__broad', { fields: 20_000 }),
    calls('mcp__x__broad', { fields: 100 }),
    says('Done.'),
  ]
  const bot = await botWith({ x: server }, { script, config: { rules: open } })
  const results = ofType((await bot.chat.say('go')).events, 'observe').map(
    ({ data }) => `${data.status} ${data.result}`,
  )
  expect(results[0]).toMatch(/^unknown Unknown outcome: its answer breaks the protocol \(content\.0\.type: /)
  expect(results[1]).toMatch(/^done 0\.\n1\.\n/)
  expect(results[1]).toContain('[2 more parts left out: at most 5000 are read.]')
  expect(results[2]).toMatch(/^done .*too many parts/)
  expect(results[3]).toMatch(/^done .*breaks the protocol \(properties\.0\.type: /)
  for (const sent of results.slice(2)) expect(sent.length).toBeLessThan(300)
})

test('a stop cancels the call, a question of the server is put to people, and its thread is its workspace', async () => {
  const { server, noted } = await unruly({ scope: 'session', sampling: true, env: { SECRET: secret } })
  const script = [
    calls('mcp__x__form', {}, ['mcp__x__roots', {}]),
    calls('mcp__x__form', {}),
    calls('mcp__x__sample', {}),
    says('five seven five'),
    says('Booked.'),
    calls('mcp__x__slow', {}),
    says('unsaid'),
  ]
  const bot = await botWith({ x: server }, { script, config: { rules: open, agent: { parallelCalls: 1 } } })
  const said = bot.chat.say('book')
  const asked = await until('a question', async () => (await bot.chat.requests())[0])
  expect(asked).toMatchObject({ kind: 'question', question: 'City' })
  expect(JSON.stringify(asked)).toContain('The MCP server x asks: Where to?')
  await bot.chat.answer(asked.id, { answer: 'Rome', also: ['3'] })
  const next = await until('a question', async () => (await bot.chat.requests()).find(({ id }) => id !== asked.id))
  await bot.chat.answer(next.id, { declined: true })
  const { text, events, conversation } = await said
  expect(text).toBe('Booked.')
  const results = ofType(events, 'observe').map(({ data }) => data.result)
  expect(JSON.parse(results[0] ?? '')).toEqual({ action: 'accept', content: { city: 'Rome', nights: 3 } })
  expect(results[1]).toContain(`/workspace/${conversation}`)
  expect(JSON.parse(results[2] ?? '')).toEqual({ action: 'decline' })
  expect(results[3]).toContain('five seven five')

  const threads = await readdir(join(bot.dataDir, 'mcp/threads'))
  expect(await readdir(join(bot.dataDir, 'mcp/threads', threads[0] ?? ''))).toContain(conversation)

  const response = await bot.chat.send('slow', { conversation })
  const progress = await bot.chat.until(conversation, (event) => JSON.stringify(event).includes('1 of 3: reading'))
  expect(JSON.stringify(progress)).toContain('[secret: ')
  expect(JSON.stringify(progress)).not.toContain(secret.slice(0, 4))
  await bot.chat.post(`/agent/conversations/${conversation}/stop`, {})
  await response.body?.cancel()
  await eventually(() => expect(noted('cancelled')).toHaveLength(1))
  await bot.stop()
  expect(await readdir(join(bot.dataDir, 'mcp/threads'))).toEqual([])
  expect(noted('starts').filter(isRunning)).toEqual([])
})

test('questions that a server puts at once are asked one after the other', async () => {
  const { server } = await unruly()
  const bot = await botWith(
    { x: server },
    { script: [calls('mcp__x__form', { times: 2 }), says('Booked.')], config: { rules: open } },
  )
  const said = bot.chat.say('book')
  const asked = new Set<string>()
  for (const city of ['Rome', 'Oslo']) {
    const { id } = await until('a question', async () => (await bot.chat.requests()).find((one) => !asked.has(one.id)))
    asked.add(id)
    await bot.chat.answer(id, { answer: city, also: ['3'] })
  }
  const [observed] = ofType((await said).events, 'observe')
  expect(JSON.parse(observed?.data.result ?? '')).toEqual(
    ['Rome', 'Oslo'].map((city) => ({ action: 'accept', content: { city, nights: 3 } })),
  )
})

test('the result of a call says what its server may not ask for', async () => {
  const { server } = await unruly({ sampling: true })
  const script = [
    calls('mcp__x__form', { times: 2, fields: 4 }),
    calls('mcp__x__form', { times: 12 }),
    calls('mcp__x__sample', { bytes: 50_000 }),
    calls('mcp__x__form', { fields: 4, strict: true }),
    calls('mcp__x__sample', { bytes: 50_000, strict: true }),
    says('Done.'),
  ]
  const bot = await botWith({ x: server }, { script, config: { rules: open } })
  const said = bot.chat.say('go')
  const asked = new Set<string>()
  while (asked.size < 10) {
    const { id } = await until('a question', async () => (await bot.chat.requests()).find((one) => !asked.has(one.id)))
    asked.add(id)
    await bot.chat.answer(id, { declined: true })
  }
  const results = ofType((await said).events, 'observe').map(({ data }) => data.result)
  const cancelled = { action: 'cancel' }
  expect(results).toEqual([
    `${JSON.stringify([cancelled, cancelled])}\n[The server asked for more than fits into a form, so nobody was asked.]`,
    expect.stringMatching(/\n\[The server asked more than 10 questions, so nobody was asked the others\.\]$/),
    expect.stringMatching(
      /No model writes this\."\n\[The server wanted more of a model than one call may, and was refused\.\]$/,
    ),
    'Error: the user gave nothing. [The server asked for more than fits into a form, so nobody was asked.]',
    'Error: The server refused the call: no text. [The server wanted more of a model than one call may, and was refused.]',
  ])
})

test('of a server with many tools, the list says how many more there are', async () => {
  const { folder, server } = await unruly()
  await writeFile(join(folder, 'more'), '60')
  const bot = await botWith({ x: server }, { script: [] })
  const { tools } = await bot.chat.get<{ tools: number }>('/mcp/servers/x')
  const { events } = await bot.chat.say('/mcp x')
  expect(JSON.stringify(events)).toContain(`- and ${tools - 50} more`)
})

test('a server that never says hello holds up nothing, and is ended', async () => {
  const { server, noted } = await unruly({}, 'silent')
  const bot = await botWith({ x: server }, { script: [says('Hi.')], limits: { start_ms: 1_000 } })
  expect(await bot.chat.get('/mcp/servers/x')).toMatchObject({ state: 'failed' })
  expect((await bot.chat.say('hello')).text).toBe('Hi.')
  expect(noted('starts').filter(isRunning)).toEqual([])
})

test('nor does one that dies at once, or that is not there', async () => {
  const [dead, good] = [await unruly({}, 'dies'), await unruly()]
  const servers = { dead: dead.server, good: good.server, none: { command: '/no/such/program' } }
  const bot = await botWith(servers, { script: () => says('Hi.') })
  const { text, conversation } = await bot.chat.say('hello')
  expect(text).toBe('Hi.')
  const all = await eventually(async () => {
    const { servers: seen } = await bot.chat.get<{ servers: { name: string; state: string; why: string }[] }>(
      '/mcp/servers',
    )
    expect(seen.map(({ name, state }) => `${name} ${state}`)).toEqual(['dead failed', 'good running', 'none failed'])
    return seen
  })
  // The first turn may have begun before the good one was ready.
  await bot.chat.say('again', { conversation })
  expect(bot.model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).toContain('mcp__good__echo')
  expect(all[0]?.why).toContain('it wrote: the licence has expired')
})

test('why a server ended is told, also where a program that it has left keeps its errors open', async () => {
  const leaves = 'env -i setsid sh -c "touch left; exec sleep 3" </dev/null >/dev/null & until [ -e left ]; do :; done'
  const dies = `${leaves}; echo "the licence has expired" >&2; exit 3`
  const bot = await botWith({ x: { command: 'sh', args: ['-c', dies] } })
  const { why } = await bot.chat.get<{ why: string }>('/mcp/servers/x')
  expect(why).toContain('it ended with code 3; it wrote: the licence has expired')
})

test('of the secrets that a server writes before it dies, nothing is shown', async () => {
  const { server } = await unruly({ env: { SECRET: secret } }, 'dies')
  const bot = await botWith({ x: server })
  const { why } = await bot.chat.get<{ why: string }>('/mcp/servers/x')
  expect(why).toMatch(/it wrote: .*x SECRET/)
  for (const piece of [secret.slice(0, 4), secret.slice(8, 12), secret.slice(-4)]) expect(why).not.toContain(piece)
})

test('an answer that breaks the protocol leaves the outcome of its call unknown, and says how', () => {
  const { error } = CallToolResultSchema.safeParse({ content: 'done' })
  const fact = 'its answer breaks the protocol (content: Invalid input: expected array, received string)'
  expect(callFailure(error, String)).toMatchObject({ code: 'mcp_bad_answer', message: fact })
})
