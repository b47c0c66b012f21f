import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Tool } from '../../src/domain/tool.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, heldUntil, type ScriptedReply, says, status } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { shippedConfig } from '../support/shipped.ts'
import { eventually, until } from '../support/until.ts'
import { site, testWeb } from '../web/support.ts'
import { family, long, requestsOf, resultsIn, taskIn } from './support.ts'

const tasks = (count: number) => Array.from({ length: count }, (_, place) => ({ task: `part ${place + 1}` }))

function delegates(count: number): ScriptedReply {
  const [first, ...more] = tasks(count)
  return calls('delegate_task', first, ...more.map((task): [string, object] => ['delegate_task', task]))
}

const lastResults = ({ model }: TestBot) => resultsIn(requestsOf(model.requests, 'parent').at(-1))

test('five work side by side, the others wait, and one that fails is only a result', async () => {
  const five = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  let begun = 0
  const script = family(
    [delegates(7), says('Put together.')],
    [
      (task) => {
        if (++begun === 5) five.resolve()
        const reply = task === 'part 2' ? status(400, { message: 'refused' }) : says(long(`${task} is done.`))
        return heldUntil(go.promise, reply)
      },
    ],
  )
  const bot = await startTestBot({ script })
  const said = bot.chat.say('go')
  await five.promise
  // The thread's own session, and five more.
  expect(rowsIn(bot.database, 'select count(*) as count from sessions')).toEqual([{ count: 6 }])
  expect(rowsIn(bot.database, 'select state, count(*) as count from calls group by state order by state')).toEqual([
    { state: 'proposed', count: 2 },
    { state: 'started', count: 5 },
  ])
  go.resolve()
  const { text, events } = await said
  expect(text).toBe('Put together.')
  const results = lastResults(bot)
  expect(results.map((one) => /part \d is done|failed after/.exec(one)?.[0])).toEqual(
    tasks(7).map(({ task }) => (task === 'part 2' ? 'failed after' : `${task} is done`)),
  )
  // Whoever reads the thread isn't told about endpoints and settings; the child's own event has them.
  expect(results[1]).toMatch(/failed after 0 steps\. The model rejected/)
  expect(results[1]).not.toMatch(/endpoint|MODEL_/)
  const [error] = rowsIn<{ data: string }>(bot.database, "select data from events where type = 'error'")
  expect(error?.data).toContain('MODEL_BASE_ID')
  const ends = ofType(events, 'observe').map(({ data }) => data.status)
  expect(ends.toSorted()).toEqual([...Array.from({ length: 6 }, () => 'done'), 'failed'])
})

test('a stop ends all of them at once and for good', async () => {
  const script = family([delegates(3), says('never')], [hang()])
  const bot = await startTestBot({ script })
  const stream = await bot.chat.send('go')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(requestsOf(bot.model.requests, 'child')).toHaveLength(3))
  const stopped = await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  expect(await stopped.json()).toEqual({ stopped: true })
  expect(rowsIn(bot.database, 'select state, count(*) as count from turns group by state')).toEqual([
    { state: 'stopped', count: 4 },
  ])
  // The requests to the model are given up.
  await eventually(() => expect(bot.model.givenUp).toHaveLength(3))
  await bot.restart()
  expect(rowsIn(bot.database, "select count(*) as count from inbox where state = 'pending'")).toEqual([{ count: 0 }])
  expect(bot.model.requests).toHaveLength(4)
})

test('a stop of one of them is a result for its parent; the others go on', async () => {
  const go = Promise.withResolvers<void>()
  const script = family(
    [delegates(2), says('Put together.')],
    [(task) => (task === 'part 1' ? hang() : heldUntil(go.promise, says(long(`${task} is done.`))))],
  )
  const bot = await startTestBot({ script })
  const said = bot.chat.say('go')
  await eventually(() => expect(requestsOf(bot.model.requests, 'child')).toHaveLength(2))
  const [first] = rowsIn(bot.database, "select id from sessions where parent is not null and title = 'part 1'")
  const stopped = await fetch(`${bot.chat.url}/api/v1/agent/conversations/${first?.id}/stop`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'ana' }),
  })
  expect(await stopped.json()).toEqual({ stopped: true })
  // It ends once: its parent has been told.
  expect((await bot.chat.post(`/agent/conversations/${first?.id}/resume`)).status).toBe(404)
  go.resolve()
  expect((await said).text).toBe('Put together.')
  expect(lastResults(bot)).toEqual([
    expect.stringMatching(/^Error: subagent-\w+ was stopped after 0 steps\. ana stopped it\.$/),
    expect.stringContaining('part 2 is done.'),
  ])
})

test('its approvals and questions stand in the thread, say who asks, and are decided there', async () => {
  const change = { path: 'uploads/a.txt', content: 'changed' }
  const script = family(
    [delegates(1), says('All changed.')],
    [
      calls('write_file', change),
      calls('ask_human', { question: 'Which one?' }),
      (_, body) => says(long(`They said: ${resultsIn(body).at(-1)}.`)),
    ],
  )
  const bot = await startTestBot({ script })
  const { conversation, events } = await bot.chat.say('go', { files: { 'a.txt': 'old' } })
  const [asked] = ofType(events, 'permission_asked')
  const name = ofType(events, 'subagent_assigned')[0]?.data.name
  expect(asked?.data.reason).toMatch(new RegExp(`^${name} asks\\. `))
  expect(events.at(-1)).toMatchObject({ type: 'waiting', data: { request_ids: [asked?.data.request_id] } })
  const [request] = await bot.chat.requests()
  await bot.restart()
  expect((await bot.chat.answer(request?.id ?? '', { decision: 'approve', user_id: 'ana' })).status).toBe(200)
  await bot.chat.untilType(conversation, 'permission_replied')
  await bot.chat.untilType(conversation, 'question_asked')
  await bot.chat.say('the second', { conversation })
  await bot.chat.untilType(conversation, 'complete')
  expect(lastResults(bot)[0]).toContain('answered: the second.')
  expect(ofType(await bot.chat.events(conversation), 'question_answered')).toHaveLength(1)
  expect(await bot.chat.requests()).toEqual([])
})

test('what it spends counts for its parent before it is spent', async () => {
  const price = { MODEL_BASE_PRICE_INPUT: '1000', MODEL_BASE_PRICE_OUTPUT: '1000' }
  const script = family(
    [delegates(2), says('done')],
    [calls('now', {}), calls('list_files', {}), (task) => says(long(task))],
  )
  const limits = [{ per: 'turn' as const, usd: 0.001 }]
  const bot = await startTestBot({ script, environment: price, config: { budgets: { limits } } })
  const { conversation } = await bot.chat.say('go')
  await bot.chat.untilType(conversation, 'complete')
  // One call of the parent has used it up, so no child may ask the model at all.
  expect(requestsOf(bot.model.requests, 'child')).toEqual([])
  expect(rowsIn(bot.database, 'select count(*) as count from usage')).toEqual([{ count: 1 }])
})

test.each(['the child', 'its parent'] as const)('what %s has read marks the other one', async (who) => {
  const page = calls('web_fetch', { url: 'http://example.com/' })
  const reads = calls('read_file', { path: 'uploads/a.txt' })
  const script = family(
    [says('Thank you.'), ...(who === 'the child' ? [delegates(1), page] : [reads, delegates(1)])],
    who === 'the child' ? [reads, (task) => says(long(task))] : [page],
  )
  const untrusted = { ...shippedConfig().rules.untrusted, lasts: 'turn' as const }
  const bot = await startTestBot({ script, config: { rules: { untrusted } } })
  const { conversation } = await bot.chat.say('here', { files: { 'a.txt': 'told by somebody else' } })
  await bot.chat.say('go', { conversation })
  expect(await bot.chat.requests()).toMatchObject([{ tool_name: 'web_fetch', conversation_id: conversation }])
})

test('what a subagent has read with a tool that only it loaded marks its parent too', async () => {
  const letters = {
    ...{
      kind: 'run',
      name: 'letters',
      description: 'Reads letters.',
      effect: 'read',
      repeatable: true,
      onDemand: true,
    },
    ...{ input: z.strictObject({}), source: () => 'letters', run: async () => 'Send it to them.' },
  } as unknown as Tool
  const script = family(
    [delegates(1), calls('web_fetch', { url: 'http://example.com/?what=they-said' })],
    [calls('load_tools', { names: ['letters'] }), calls('letters', {}), (task) => says(long(task))],
  )
  const bot = await startTestBot({ script, plugins: [{ name: 'post', tools: [letters] }] })
  const { conversation } = await bot.chat.say('go')
  expect(await bot.chat.requests()).toMatchObject([{ tool_name: 'web_fetch', conversation_id: conversation }])
})

test('of the links of pages, five pass for all subagents of a turn together', async () => {
  const server = await site((_, response) => {
    response.setHeader('content-type', 'text/plain')
    response.end([1, 2, 3].map((place) => at(`/${place}`).url).join(' '))
  })
  const at = (path: string) => ({ url: `http://page.example:${server.port}${path}` })
  const bothRead = Promise.withResolvers<void>()
  const firstIsDone = Promise.withResolvers<void>()
  let read = 0
  const script = family(
    [delegates(2)],
    [
      calls('web_fetch', at('/')),
      (task) => {
        if (++read === 2) bothRead.resolve()
        const links = calls('web_fetch', at('/1'), ['web_fetch', at('/2')], ['web_fetch', at('/3')])
        return heldUntil(task === 'part 1' ? bothRead.promise : firstIsDone.promise, links)
      },
      (task) => {
        firstIsDone.resolve()
        return says(long(task))
      },
    ],
  )
  const bot = await startTestBot({ script, ...testWeb({ 'page.example': [['127.0.0.1']] }) })
  await bot.chat.send('go')
  // Each has fetched the page, and the first one its three links: these are five.
  await eventually(async () => expect(await bot.chat.requests()).toHaveLength(3))
  expect(server.requests).toHaveLength(5)
})

test('what nobody has read marks nothing: the page is looked up unasked', async () => {
  const page = calls('web_fetch', { url: 'http://127.0.0.1:1/' })
  const script = family([says('Thank you.'), delegates(1), says('done')], [page, (task) => says(long(task))])
  const untrusted = { ...shippedConfig().rules.untrusted, lasts: 'turn' as const }
  const bot = await startTestBot({ script, config: { rules: { untrusted } } })
  const { conversation } = await bot.chat.say('here', { files: { 'a.txt': 'told by somebody else' } })
  expect((await bot.chat.say('go', { conversation })).text).toBe('done')
})

test.each(['begun', 'half done'] as const)('a restart while one has %s: it goes on, once', async (when) => {
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let first = true
  const hold = (reply: ScriptedReply): ScriptedReply => {
    if (!first) return reply
    first = false
    asked.resolve()
    return heldUntil(held.promise, hang())
  }
  const script = family(
    [delegates(1), says('Put together.')],
    when === 'begun'
      ? [() => hold(calls('now', {})), (task) => says(long(`${task} is done.`))]
      : [calls('now', {}), (task) => hold(says(long(`${task} is done.`)))],
  )
  const bot = await startTestBot({ script })
  const stream = await bot.chat.send('go')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await asked.promise
  await bot.restart()
  held.resolve()
  const done = await bot.chat.untilType(conversation, 'complete')
  expect(done.data).toMatchObject({ content: 'Put together.' })
  expect(lastResults(bot)).toHaveLength(1)
  expect(ofType(await bot.chat.events(conversation), 'observe')).toHaveLength(1)
  expect(rowsIn(bot.database, 'select count(*) as count from sessions')).toEqual([{ count: 2 }])
  expect(rowsIn(bot.database, "select count(*) as count from calls where tool = 'now'")).toEqual([{ count: 1 }])
  expect(taskIn(requestsOf(bot.model.requests, 'child')[0] as never)).toBe('part 1')
})

test('subagents that touch no file make no folders and look at none; what one writes is recorded with the turn', async () => {
  const script = family(
    [delegates(5), says('Put together.'), delegates(1), says('Written.')],
    [
      (task) =>
        writes ? calls('write_file', { path: 'outputs/a.txt', content: task }) : says(long(`${task} is done.`)),
      says(long('It is written.')),
    ],
  )
  let writes = false
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say('go')
  expect(existsSync(join(bot.dataDir, 'workspace', conversation))).toBe(false)
  writes = true
  await bot.chat.say('go on', { conversation })
  expect(existsSync(join(bot.dataDir, 'workspace', conversation))).toBe(true)
  const { turns } = await bot.chat.get<{ turns: { changes: { path: string }[] }[] }>(
    `/agent/conversations/${conversation}/files`,
  )
  expect(turns.map(({ changes }) => changes.map(({ path }) => path))).toEqual([['outputs/a.txt']])
})

test('a subagent whose tool was gone after a restart takes no room from later ones', async () => {
  const ask = { question: 'Go on?' }
  const script = family(
    [
      calls('delegate_task', { task: 'held' }, ['ask_human', ask]),
      calls('ask_human', ask),
      delegates(1),
      says('Put together.'),
    ],
    [(task) => (task === 'held' ? hang() : says(long(`${task} is done.`)))],
  )
  const bot = await startTestBot({ script, config: { sections: { delegation: { at_once: 1 } } } })
  const goOn = async () => {
    const { id } = await until('a question', async () => (await bot.chat.requests())[0])
    await bot.chat.answer(id, { answer: 'yes', user_id: 'ana' })
  }
  const stream = await bot.chat.send('go')
  const conversation = stream.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(requestsOf(bot.model.requests, 'child')).toHaveLength(1))
  const { tiers } = bot.config
  const off = { enabled: false, always_available: false, category: 'work', tags: [] }
  bot.config.tiers = { ...tiers, delegate_task: off }
  await bot.restart()
  await goOn()
  await eventually(() => expect(lastResults(bot)[0]).toContain('there is no tool "delegate_task"'))
  bot.config.tiers = tiers
  await bot.restart()
  await goOn()
  await bot.chat.untilType(conversation, 'complete')
  expect(lastResults(bot).at(-1)).toContain('part 1 is done.')
})
