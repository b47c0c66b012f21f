import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Tool } from '../../src/domain/tool.ts'
import { bobbinHere } from '../commands/support.ts'
import { family, long, requestsOf, resultsIn, taskIn } from '../delegation/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { calls, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const send = async (bot: TestBot, method: string, path: string, body?: object) => {
  const response = await fetch(`${bot.chat.url}/api/v1/agents${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const poet = { description: 'Writes verse.', prompt: 'Answer in verse.', triggers: ['poem'], tools: ['read_file'] }

const sentTo = (bot: TestBot) => JSON.stringify(bot.model.requests.at(-1)?.messages)

test('an agent is added, changed, switched off and taken away over HTTP, and that outlives a restart', async () => {
  const bot = await startTestBot({
    script: () => says('Roses are red.'),
    config: { sections: { agents: { by_words: true } } },
  })
  expect(await send(bot, 'POST', '', { name: 'poet', ...poet })).toEqual({ status: 201, body: { name: 'poet' } })
  expect((await send(bot, 'POST', '', { name: 'poet', ...poet })).status).toBe(409)
  expect((await send(bot, 'GET', '/poet')).body).toMatchObject({ from: 'added', tools: ['read_file'], runs: 0 })

  const found = await send(bot, 'POST', '/match', { message: 'a poem about rain' })
  expect(found.body).toEqual({
    choice: { name: 'poet', how: 'one', agents: ['poet'] },
    words: ['poem'],
    by_meaning: false,
  })
  expect((await send(bot, 'POST', '/match', { message: 'rain' })).body.choice).toBe(null)

  await bot.chat.say('@poet about rain')
  expect(sentTo(bot)).toContain('Answer in verse.')

  await bot.restart()
  expect((await send(bot, 'PATCH', '/poet', { prompt: 'Answer in prose.', tools: null })).status).toBe(200)
  expect((await send(bot, 'GET', '/poet')).body).toMatchObject({ prompt: 'Answer in prose.', tools: null, runs: 1 })
  await bot.chat.say('@poet about snow')
  expect(sentTo(bot)).toContain('Answer in prose.')

  await send(bot, 'POST', '/poet/disable')
  expect((await send(bot, 'POST', '/match', { message: 'a poem about rain' })).body.choice).toBe(null)
  await bot.chat.say('@poet about wind')
  expect(sentTo(bot)).not.toContain('Answer in prose')

  expect((await send(bot, 'DELETE', '/poet')).status).toBe(204)
  expect((await send(bot, 'GET', '/poet')).status).toBe(404)
})

test('an agent of the file goes back to what the file says, and what isn’t valid is refused', async () => {
  const bot = await startTestBot()
  const { body: before } = await send(bot, 'GET', '/explorer')
  expect(before.from).toBe('file')
  expect((await send(bot, 'DELETE', '/explorer')).status).toBe(409)
  for (const [change, why] of [
    [{ steps: 0 }, 'explorer.steps'],
    [{ colour: 'red' }, 'colour'],
    [{ transfers_to: ['nobody'] }, 'nobody'],
    [{ prompt: null }, 'explorer.prompt'],
  ] as const) {
    const { status, body } = await send(bot, 'PATCH', '/explorer', change)
    expect([status, body.error.code]).toEqual([400, 'bad_agent'])
    expect(body.error.message).toContain(why)
  }
  expect((await send(bot, 'POST', '', { name: 'Not a name', ...poet })).status).toBe(400)
  expect((await send(bot, 'PATCH', '/nobody', {})).status).toBe(404)
  await send(bot, 'PATCH', '/explorer', { steps: 3 })
  expect((await send(bot, 'GET', '/explorer')).body).toMatchObject({ from: 'changed', steps: 3 })
  expect((await send(bot, 'DELETE', '/explorer')).status).toBe(200)
  expect((await send(bot, 'GET', '/explorer')).body).toEqual(before)
})

test('an agent isn’t changed or enabled with a rule for a tool that doesn’t exist', async () => {
  const rules = { ask: ['wbe_*'] }
  const coder = { description: 'Codes.', prompt: 'Code.', rules, enabled: false }
  const bot = await startTestBot({
    config: {
      sections: {
        agents: { agents: { coder } },
        mcp_servers: { servers: { crm: { url: 'http://127.0.0.1:1/mcp', tools: { find: { alias: 'crm_find' } } } } },
      },
      tiers: { now: { enabled: false } },
    },
  })
  const misspelt = { deny: { run_comand: ['git push*'] } }
  for (const [path, change, why] of [
    ['/coder', { rules: misspelt }, 'coder.rules: there is no tool called run_comand.'],
    ['/coder/enable', undefined, 'coder.rules: there is no tool called wbe_*.'],
    ['', { name: 'poet', ...poet, rules }, 'poet.rules: there is no tool called wbe_*.'],
    ['/coder', { rules: { ask: ['mcp__crm_create'] } }, 'coder.rules: there is no tool called mcp__crm_create.'],
  ] as const) {
    const { status, body } = await send(bot, path === '/coder' ? 'PATCH' : 'POST', path, change)
    expect([status, body.error.code]).toEqual([400, 'bad_agent'])
    expect(body.error.message).toContain(why)
  }
  expect((await send(bot, 'PATCH', '/coder', { rules: null, enabled: true })).status).toBe(200)
  const ask = ['run_command', 'web_*', 'no*', 'transfer_to_explorer', 'mcp__crm__create', 'mcp__desk__*', 'crm_find']
  expect((await send(bot, 'PATCH', '/coder', { rules: { ask }, enabled: true })).status).toBe(200)
})

test('invoking an agent gives it the thread, with the events of the turn as the answer', async () => {
  const bot = await startTestBot({ script: [says('It is in main.ts.')] })
  const response = await fetch(`${bot.chat.url}/api/v1/agents/explorer/invoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'where is it?' }),
  })
  expect(await response.text()).toContain('It is in main.ts.')
  expect(sentTo(bot)).toContain('explorer')
  expect((await send(bot, 'GET', '/explorer')).body.latest).toMatchObject([
    { conversation_id: response.headers.get('x-conversation-id'), outcome: 'succeeded' },
  ])
})

test('an empty tenant, as of a script whose variable is empty, doesn’t mean everywhere', async () => {
  const bot = await startTestBot()
  for (const [method, path] of [
    ['GET', '?tenant_id='],
    ['GET', '/coder?tenant_id='],
    ['POST', '/coder/disable?tenant_id='],
  ] as const)
    expect(await send(bot, method, path)).toMatchObject({ status: 400, body: { error: { code: 'bad_tenant' } } })
  expect((await send(bot, 'GET', '/coder')).body.is_disabled).toBe(false)
})

test('what is changed for a tenant holds there only, over a restart, and can be taken back', async () => {
  const bot = await startTestBot({ script: () => says('Fine.') })
  const enabled = async (path: string) => !(await send(bot, 'GET', path)).body.is_disabled
  expect((await send(bot, 'POST', '/explorer/disable?tenant_id=local')).status).toBe(200)
  expect((await send(bot, 'PATCH', '/coder?tenant_id=elsewhere', { prompt: 'Work elsewhere.' })).status).toBe(200)
  expect((await send(bot, 'PATCH', '/coder?tenant_id=local', { steps: 0 })).status).toBe(400)
  expect((await send(bot, 'POST', '?tenant_id=local', { name: 'poet', ...poet })).status).toBe(400)
  await bot.restart()
  expect(await enabled('/explorer')).toBe(true)
  expect(await enabled('/explorer?tenant_id=elsewhere')).toBe(true)
  expect(await enabled('/explorer?tenant_id=local')).toBe(false)
  expect((await send(bot, 'GET', '/coder?tenant_id=local')).body).toMatchObject({ from: 'file', changed_here: false })
  expect((await send(bot, 'GET', '/coder?tenant_id=elsewhere')).body.changed_here).toBe(true)
  const listed = await bobbinHere(bot.dataDir, 'agents', '--tenant', 'local')
  expect(listed.out).toMatch(/^explorer +no runs {2}\(switched off\)$/m)
  expect(await bobbinHere(bot.dataDir, 'agents', '--tenant')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^Usage: agents/),
  })
  await bot.chat.say('@explorer where is it?')
  expect(sentTo(bot)).not.toContain('You work as the agent explorer')
  await bot.chat.say('@coder write it')
  expect(sentTo(bot)).toContain('You work as the agent coder')
  expect(sentTo(bot)).not.toContain('Work elsewhere.')
  await send(bot, 'POST', '/coder/disable')
  expect(await enabled('/coder?tenant_id=elsewhere')).toBe(false)
  expect((await send(bot, 'DELETE', '/explorer?tenant_id=local')).status).toBe(200)
  await bot.chat.say('@explorer where is it?')
  expect(sentTo(bot)).toContain('You work as the agent explorer')
})

test('an agent that the file no longer has takes none of the other changes with it, and its own can be taken back', async () => {
  const agents: Record<string, object> = { poet, critic: { description: 'Judges.', prompt: 'Judge.' } }
  const bot = await startTestBot({ config: { sections: { agents: { routes: {}, agents } } } })
  await send(bot, 'PATCH', '/poet', { steps: 3 })
  await send(bot, 'POST', '/critic/disable')
  delete agents.poet
  agents.critic = { ...agents.critic, steps: 5 }
  await bot.restart()
  expect((await send(bot, 'GET', '/critic')).body).toMatchObject({ is_disabled: true, steps: 5 })
  expect((await send(bot, 'GET', '/poet')).status).toBe(404)
  expect((await send(bot, 'PATCH', '/critic', { steps: 4 })).status).toBe(200)
  expect((await send(bot, 'DELETE', '/poet')).status).toBe(204)
  expect((await send(bot, 'DELETE', '/poet')).status).toBe(404)
  expect((await send(bot, 'POST', '', { name: 'poet', ...poet })).status).toBe(201)
})

test('an agent that a tenant’s changes mention isn’t taken away; what fits no more leaves it switched off', async () => {
  const agents: Record<string, object> = { critic: { description: 'Judges.', prompt: 'Judge.' } }
  const bot = await startTestBot({ config: { sections: { agents: { routes: {}, agents } } } })
  await send(bot, 'POST', '', { name: 'poet', ...poet })
  await send(bot, 'PATCH', '/critic?tenant_id=T1', { transfers_to: ['poet'], enabled: false })
  const { status, body } = await send(bot, 'DELETE', '/poet')
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('T1')])
  expect(body.error.message).toContain('there is no agent called "poet"')
  agents.poet = poet
  await bot.restart()
  expect((await send(bot, 'DELETE', '/poet')).status).toBe(200)
  delete agents.poet
  await bot.restart()
  expect((await send(bot, 'GET', '/critic?tenant_id=T1')).body).toMatchObject({ is_disabled: true, transfers_to: null })
  expect((await send(bot, 'GET', '/critic')).body.is_disabled).toBe(false)
})

test('nobody is invoked who isn’t there or is switched off', async () => {
  const bot = await startTestBot()
  const invoke = (name: string) => send(bot, 'POST', `/${name}/invoke`, { message: 'look' })
  expect(await invoke('explorrer')).toMatchObject({ status: 404, body: { error: { code: 'no_agent' } } })
  await send(bot, 'POST', '/explorer/disable?tenant_id=local')
  expect(await invoke('explorer')).toMatchObject({ status: 409, body: { error: { code: 'switched_off' } } })
  expect(bot.model.requests).toEqual([])
})

test('no agent is added under the name of a tool, also not of one that is switched off', async () => {
  const summarize = { enabled: false, category: 'files', tags: [] }
  const bot = await startTestBot({ config: { tiers: { summarize } } })
  const taken = { status: 409, body: { error: { code: 'name_taken' } } }
  expect(await send(bot, 'POST', '', { name: 'now', ...poet })).toMatchObject(taken)
  expect(await send(bot, 'POST', '', { name: 'summarize', ...poet })).toMatchObject(taken)
})

test('an agent isn’t invoked where its name means a skill, but what it was given before is answered again', async () => {
  const bot = await startTestBot({ script: [says('Seen.')] })
  const invoke = (key: string) =>
    bot.chat.post('/agents/reviewer/invoke', { message: 'look', project_id: 'alpha' }, { 'idempotency-key': key })
  expect(await (await invoke('one')).text()).toContain('Seen.')
  const body = '---\nname: reviewer\ndescription: Reviews.\n---\nReview.\n'
  await fetch(`${bot.chat.url}/api/v1/skills?scope=channel&project_id=alpha`, { method: 'POST', body })
  const other = await invoke('two')
  expect(other.status).toBe(409)
  expect(await other.json()).toMatchObject({ error: { code: 'name_taken' } })
  expect(await (await invoke('one')).text()).toContain('Seen.')
  expect(bot.model.requests).toHaveLength(1)
})

const offeredTo = (body: RequestBody | undefined) => body?.tools?.map((tool) => tool.function.name) ?? []

const isSubagent = (body: RequestBody) => requestsOf([body], 'child').length > 0

test.each(['is switched off over HTTP', 'is gone from the file after a restart'])(
  'a subagent whose agent %s ends at once, with its card, and its parent is told',
  async (how) => {
    const agents: Record<string, object> = { poet, critic: { description: 'Judges.', prompt: 'Judge.' } }
    const taskFor = (agent: string) => ({ task: `as ${agent}`, agent })
    const both = calls('delegate_task', taskFor('poet'), ['delegate_task', taskFor('critic')])
    const bot = await startTestBot({
      script: (body) => {
        if (!isSubagent(body)) return resultsIn(body).length === 0 ? both : says('Put together.')
        return resultsIn(body).length === 0 ? calls('ask_human', { question: taskIn(body) }) : says(long('Done.'))
      },
      config: { sections: { agents: { agents } } },
    })
    const { conversation } = await bot.chat.say('go')
    await eventually(async () => expect(await bot.chat.requests()).toHaveLength(2))
    const asked = await bot.chat.requests()
    if (how.startsWith('is switched off')) await send(bot, 'POST', '/poet/disable')
    else {
      delete agents.poet
      await bot.restart()
    }
    const left = await eventually(async () => {
      const requests = await bot.chat.requests()
      expect(requests).toHaveLength(1)
      return requests[0]
    })
    const poets = asked.find(({ id }) => id !== left?.id)
    const late = await bot.chat.answer(poets?.id ?? '', { answer: 'go on', user_id: 'ana' })
    expect(late.status).toBe(409)
    expect(await late.text()).toContain('This is no longer needed: what asked it has ended.')
    await bot.chat.answer(left?.id ?? '', { answer: 'go on', user_id: 'ana' })
    await bot.chat.untilType(conversation, 'complete')
    const [ended, done] = resultsIn(bot.model.requests.at(-1))
    expect(ended).toMatch(/^Error: subagent-\w+ was stopped after 1 step\. The agent poet was switched off\.$/)
    expect(done).toContain('Done.')
    expect(bot.model.requests.filter(isSubagent)).toHaveLength(3)
  },
)

test('a subagent whose agent is switched off ends although its parent is busy', async () => {
  const over = Promise.withResolvers<void>()
  const busy = {
    ...{ kind: 'run', name: 'busy', description: 'Takes a while.', effect: 'read', repeatable: true },
    ...{ input: z.object({}), run: () => over.promise.then(() => 'Ready.') },
  } as unknown as Tool
  const both = calls('delegate_task', { task: 'Look.', agent: 'explorer' }, ['busy', {}])
  const script = family([both, says('Put together.')], [calls('ask_human', { question: 'Where?' })])
  const bot = await startTestBot({ script, plugins: [{ name: 'busy', tools: [busy] }] })
  const stream = await bot.chat.send('go')
  await eventually(async () => expect(await bot.chat.requests()).toHaveLength(1))
  await send(bot, 'POST', '/explorer/disable')
  expect(await bot.chat.requests()).toEqual([])
  over.resolve()
  await bot.chat.untilType(stream.headers.get('x-conversation-id') ?? '', 'complete')
})

test.each(['is switched off', 'is gone from the file'])(
  'subagents of a thread whose agent %s have tools, and keep working',
  async (how) => {
    const agents: Record<string, object> = { poet, critic: { description: 'Judges.', prompt: 'Judge.' } }
    const script = family(
      [says('Roses are red.'), calls('delegate_task', { task: 'Look.' }), says('Put together.')],
      [calls('ask_human', { question: 'Where?' }), says(long('Found.'))],
    )
    const bot = await startTestBot({ script, config: { sections: { agents: { agents, routes: {} } } } })
    const { conversation } = await bot.chat.say('@poet about rain')
    if (how === 'is switched off') await send(bot, 'POST', '/poet/disable')
    else {
      delete agents.poet
      await bot.restart()
    }
    await bot.chat.send('look there', { conversation })
    await eventually(async () => expect(await bot.chat.requests()).toHaveLength(1))
    expect(offeredTo(bot.model.requests.at(-1))).toContain('write_file')
    // After any change, subagents whose agent is gone are ended.
    await send(bot, 'POST', '/critic/disable')
    const [asked] = await bot.chat.requests()
    await bot.chat.answer(asked?.id ?? '', { answer: 'there', user_id: 'ana' })
    await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Put together.')
    expect(resultsIn(bot.model.requests.at(-1))).toEqual([expect.stringContaining('Found.')])
  },
)

test.each(['is switched off', 'is gone from the file'])(
  'a subagent that begins after its thread’s agent %s has tools',
  async (how) => {
    const agents: Record<string, object> = { critic: { description: 'Judges.', prompt: 'Judge.' } }
    const two = calls('delegate_task', { task: 'part 1' }, ['delegate_task', { task: 'part 2' }])
    const script = family(
      [two, says('Put together.')],
      [calls('ask_human', { question: 'Where?' }), says(long('Found.'))],
    )
    const bot = await startTestBot({
      script,
      config: { sections: { agents: { agents, routes: {} }, delegation: { at_once: 1 } } },
    })
    const { conversation } = await bot.chat.say('@critic look at both')
    await eventually(async () => expect(await bot.chat.requests()).toHaveLength(1))
    if (how === 'is switched off') await send(bot, 'POST', '/critic/disable')
    else {
      delete agents.critic
      await bot.restart()
    }
    await eventually(() => expect(requestsOf(bot.model.requests, 'child')).toHaveLength(2))
    expect(offeredTo(bot.model.requests.at(-1))).toContain('write_file')
    const [asked] = await eventually(async () => {
      const requests = await bot.chat.requests()
      expect(requests).toHaveLength(1)
      return requests
    })
    await bot.chat.answer(asked?.id ?? '', { answer: 'there', user_id: 'ana' })
    await bot.chat.untilType(conversation, 'complete')
    expect(resultsIn(bot.model.requests.at(-1))).toEqual([
      expect.stringContaining('The agent critic was switched off.'),
      expect.stringContaining('Found.'),
    ])
  },
)

test('a subagent of a thread that somebody else has by now has tools after the earlier agent is switched off', async () => {
  const judge = { description: 'Judges.', prompt: 'Judge.' }
  const agents = { critic: judge, clerk: judge, explorer: judge, coder: judge }
  const isSaid = Promise.withResolvers<void>()
  const bot = await startTestBot({
    script: (body) => {
      if (!isSubagent(body)) return says('Put together.')
      const isFirst = taskIn(body).includes('look')
      return isFirst ? heldUntil(isSaid.promise, says(long('Found.'))) : calls('ask_human', { question: 'Where?' })
    },
    config: { sections: { agents: { agents, routes: {} }, delegation: { at_once: 1 } } },
  })
  const { conversation } = await bot.chat.say('@critic hello')
  await bot.chat.send('@agent @explorer look', { conversation })
  const children = () => requestsOf(bot.model.requests, 'child')
  await eventually(() => expect(children()).toHaveLength(1))
  await bot.chat.send('@agent @explorer @coder compare', { conversation })
  await bot.chat.send('@clerk go on', { conversation })
  isSaid.resolve()
  await eventually(() => expect(children()).toHaveLength(2))
  await send(bot, 'POST', '/critic/disable')
  await eventually(() => expect(children().length).toBeGreaterThan(2))
  expect(offeredTo(children()[2])).toContain('write_file')
})
