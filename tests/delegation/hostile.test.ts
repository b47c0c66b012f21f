import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Tool } from '../../src/domain/tool.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { rowsIn, tablesIn } from '../support/rows.ts'
import { shippedConfig } from '../support/shipped.ts'
import { eventually } from '../support/until.ts'
import { family, long, requestsOf, resultsIn } from './support.ts'

const give = (count: number, more: object = {}) => {
  const [first, ...rest] = Array.from({ length: count }, (_, place) => ({ task: `part ${place + 1}`, ...more }))
  return calls('delegate_task', first, ...rest.map((task): [string, object] => ['delegate_task', task]))
}
/** The tables that hold a word, apart from the audit log, which stays. */
const tablesWith = (database: string, word: string): string[] =>
  [...tablesIn(database)].flatMap(([name, rows]) => (name !== 'audit' && rows.includes(word) ? [name] : []))
const change = (text: string) => calls('write_file', { path: 'uploads/a.txt', content: text })

test('a thread that is deleted while subagents work leaves nothing, and nobody goes on', async () => {
  const script = family([give(2)], [calls('list_files', {}), hang()])
  const bot = await startTestBot({ script, config: { engine: { clockMs: 20 } } })
  const stream = await bot.chat.send('a topic', { files: { 'topic.txt': 'topic' } })
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(requestsOf(bot.model.requests, 'child')).toHaveLength(4))
  await bot.chat.say('delete yes', { conversation })
  await eventually(() => expect(bot.model.givenUp).toHaveLength(2))
  await eventually(() => {
    for (const word of ['topic', 'part 1', 'part 2', 'list_files {']) expect(tablesWith(bot.database, word)).toEqual([])
  })
  expect(rowsIn(bot.database, 'select distinct state from turns')).toEqual([{ state: 'stopped' }])
  await expect(stat(`${bot.dataDir}/workspace/${conversation}`)).rejects.toMatchObject({ code: 'ENOENT' })
  await bot.restart()
  expect(bot.model.requests).toHaveLength(5)
})

test('in plan mode, a subagent changes nothing either', async () => {
  const script = family(
    [says('Read.'), give(1), says('Looked.')],
    [change('new'), (_, body) => says(long(`${resultsIn(body)[0]}`))],
  )
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say('here', { files: { 'a.txt': 'old' } })
  await bot.chat.say('plan on', { conversation })
  expect(rowsIn(bot.database, 'select mode from sessions')).toEqual([{ mode: 'plan' }])
  await bot.chat.say('go', { conversation })
  expect(resultsIn(requestsOf(bot.model.requests, 'parent').at(-1))[0]).toContain(
    'Plan mode is on, and write_file may change something',
  )
  expect(await bot.chat.requests()).toEqual([])
})

test('“always allow” on a subagent’s card holds in its thread, and for its next subagent', async () => {
  const script = family(
    [give(1), give(1), change('third'), says('Done.')],
    [change('first'), (task) => says(long(task))],
  )
  const bot = await startTestBot({ script })
  const said = bot.chat.say('go', { files: { 'a.txt': 'old' } })
  const asked = await eventually(async () => {
    const [request] = await bot.chat.requests()
    if (request === undefined) throw new Error('nothing is asked yet')
    return request
  })
  const always = { pattern: 'wide', scope: 'thread' }
  expect((await bot.chat.answer(asked.id, { decision: 'approve', always, user_id: 'ana' })).status).toBe(200)
  const { conversation } = await said
  await bot.chat.untilType(conversation, 'complete')
  const written = rowsIn(
    bot.database,
    "select state, count(*) as count from calls where tool = 'write_file' group by state",
  )
  expect(written).toEqual([{ state: 'done', count: 3 }])
  expect(rowsIn(bot.database, "select count(*) as count from requests where kind = 'approval'")).toEqual([{ count: 1 }])
})

test('five at once with money for three: no more than three ask a model', async () => {
  const environment = { MODEL_BASE_PRICE_INPUT: '0', MODEL_BASE_PRICE_OUTPUT: '10', MODEL_BASE_OUTPUT: '1000' }
  // Each call costs one cent, and that is also what is reserved for it; the parent's first call is one of four.
  const usage = { input: 100, output: 1_000, cached: 0 }
  const script = family([{ ...give(5), usage }], [(task) => ({ ...says(long(task)), usage })])
  const limits = [{ per: 'turn' as const, usd: 0.04 }]
  const bot = await startTestBot({ script, environment, config: { budgets: { limits }, engine: { turnsAtOnce: 9 } } })
  const { conversation } = await bot.chat.say('go')
  await bot.chat.untilType(conversation, 'complete')
  expect(requestsOf(bot.model.requests, 'child')).toHaveLength(3)
  expect(rowsIn(bot.database, 'select sum(nanos) as nanos from usage')).toEqual([{ nanos: 40_000_000 }])
  const states = "select state, count(*) as count from calls where tool = 'delegate_task' group by state order by state"
  expect(rowsIn(bot.database, states)).toEqual([
    { state: 'done', count: 3 },
    { state: 'failed', count: 2 },
  ])
})

test('a subagent can’t approve, delegate, wake itself, leave plan mode, or reach another thread’s files', async () => {
  const other = { 'secret.txt': 'the secret of another thread' }
  const tries = (thread: string) =>
    calls(
      'delegate_task',
      { task: 'go on' },
      ['alarm_set', { at: 'PT1S', message: 'wake' }],
      ['plan_exit', { plan: 'x' }],
      ['transfer_to_coder', { why: 'x' }],
      ['load_tools', { names: ['delegate_task', 'run_command', 'alarm_set', 'transfer_to_coder'] }],
      ['read_file', { path: `../${thread}/uploads/secret.txt` }],
      ['read_file', { path: `../../${thread}/uploads/secret.txt` }],
      ['write_file', { path: 'uploads/a.txt', content: 'yes, approve' }],
    )
  let thread = ''
  const script = family(
    [give(1), says('Done.')],
    [
      () => tries(thread),
      calls('delegate_task', { task: 'go on' }, ['run_command', { command: 'touch x' }]),
      says(long('-')),
    ],
  )
  const isFirst = (body: RequestBody) => JSON.stringify(body).includes('keep this')
  const bot = await startTestBot({ script: (body) => (isFirst(body) ? says('Kept.') : script(body)) })
  thread = (await bot.chat.say('keep this', { files: other })).conversation
  expect(await readFile(`${bot.dataDir}/workspace/${thread}/uploads/secret.txt`, 'utf8')).toBe(other['secret.txt'])
  const said = bot.chat.say('go', { files: { 'a.txt': 'old' } })
  const [asked] = await eventually(async () => {
    const all = await bot.chat.requests()
    expect(all).toHaveLength(1)
    return all
  })
  // What it writes into a file, or says, is no answer.
  expect(asked?.tool_name).toBe('write_file')
  await bot.chat.answer(asked?.id ?? '', { decision: 'deny' })
  const { conversation } = await said
  await bot.chat.untilType(conversation, 'complete')
  const results = resultsIn(requestsOf(bot.model.requests, 'child').at(-1))
  expect(results.join('\n')).not.toContain('the secret of another thread')
  const states = rowsIn(
    bot.database,
    `select tool, state from calls where session_id in (select id from sessions where parent is not null)
      and tool <> 'load_tools' order by tool, place`,
  )
  expect(states.map(({ tool, state }) => `${tool} ${state}`)).toEqual([
    'alarm_set failed',
    'delegate_task failed',
    'delegate_task failed',
    'plan_exit failed',
    'read_file failed',
    'read_file failed',
    'run_command failed',
    'transfer_to_coder failed',
    'write_file denied',
  ])
  expect(rowsIn(bot.database, 'select count(*) as count from sessions where parent is not null')).toEqual([
    { count: 1 },
  ])
})

test('an agent that works in it doesn’t shed what the thread has read', async () => {
  const reads = calls('read_file', { path: 'uploads/a.txt' })
  const script = family(
    [says('Thank you.'), reads, give(1, { agent: 'researcher' })],
    [calls('web_fetch', { url: 'http://example.com/' })],
  )
  const untrusted = { ...shippedConfig().rules.untrusted, lasts: 'turn' as const }
  const bot = await startTestBot({ script, config: { rules: { untrusted } } })
  const { conversation } = await bot.chat.say('here', { files: { 'a.txt': 'told by somebody else' } })
  await bot.chat.say('go', { conversation })
  expect(await bot.chat.requests()).toMatchObject([{ tool_name: 'web_fetch', conversation_id: conversation }])
})

test('what goes on after a stop because it doesn’t listen is written nowhere', async () => {
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const input = { safeParse: (data: unknown) => ({ success: true, data }), toJSONSchema: () => ({ type: 'object' }) }
  const stubborn = {
    ...{ kind: 'run', name: 'stubborn', description: 'Goes on.', effect: 'read', repeatable: true },
    ...{ input, parameters: { type: 'object', properties: {} } },
    async run() {
      begun.resolve()
      await goOn.promise
      over.resolve()
      return 'It went on.'
    },
  } as unknown as Tool
  const plugin: Capability = { name: 'stubborn', tools: [stubborn] }
  const script = family([give(1)], [calls('stubborn', {}), heldUntil(goOn.promise, says('never'))])
  const bot = await startTestBot({ script, plugins: [plugin] })
  const stream = await bot.chat.send('go')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await begun.promise
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  goOn.resolve()
  await over.promise
  await bot.restart()
  expect(rowsIn(bot.database, 'select distinct state from calls order by state')).toEqual([{ state: 'unknown' }])
  expect(rowsIn(bot.database, 'select distinct state from turns')).toEqual([{ state: 'stopped' }])
  expect(rowsIn(bot.database, "select count(*) as count from messages where text like '%went on%'")).toEqual([
    { count: 0 },
  ])
  expect(requestsOf(bot.model.requests, 'child')).toHaveLength(1)
  expect(ofType(await bot.chat.events(conversation), 'stopped')).toHaveLength(1)
})
