import { describe, expect, test } from 'vitest'
import { newId } from '../../src/domain/ids.ts'
import { appendAudit } from '../../src/store/audit.ts'
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot.ts'
import { startConsole } from '../support/console.ts'
import { calls, says } from '../support/model-server.ts'
import { inSlack, threadIn } from '../support/threads.ts'

interface Grant {
  id: string
  scope: string
  until: string | null
  ended_at: string | null
}

type Rules = NonNullable<TestBotOptions['config']>['rules']

const json = { 'content-type': 'application/json' }
const run = (command: string) => calls('run_command', { command })
const grantsOf = async (bot: TestBot, query = '') => (await bot.chat.get<{ grants: Grant[] }>(`/grants${query}`)).grants

async function revoke(bot: TestBot, id: string, user: string): Promise<number> {
  const body = JSON.stringify({ user_id: user })
  return (await fetch(`${bot.chat.url}/api/v1/grants/${id}`, { method: 'DELETE', headers: json, body })).status
}

/** A bot that asks whether it may touch a file. */
async function asking(rules?: Rules) {
  const bot = await startTestBot({ script: [run('touch a'), says('Done.'), run('touch a')], config: { rules } })
  const { conversation } = await bot.chat.say('@run_command count', { user: 'ana' })
  const [request] = await bot.chat.requests()
  return { bot, conversation, request: request?.id ?? '' }
}

describe('grants', () => {
  test('are given with an approval, listed, and revoked once', async () => {
    const { bot, conversation, request } = await asking()
    const always = { pattern: 'exact', scope: 'channel', for_ms: 3_600_000 }
    expect((await bot.chat.answer(request, { decision: 'approve', always, user_id: 'ana' })).status).toBe(200)
    await bot.chat.untilType(conversation, 'complete')

    const [grant] = await grantsOf(bot)
    expect(grant).toMatchObject({
      tool_name: 'run_command',
      patterns: ['touch a'],
      only_this_call: true,
      bound_to_content: false,
      scope: 'channel',
      conversation_id: conversation,
      platform: 'console',
      project_id: 'general',
      request_id: request,
      given_by: { id: 'ana' },
      ended_at: null,
      ended_by: null,
      uses: 1,
    })
    expect(Date.parse(grant?.until ?? '')).toBeGreaterThan(Date.now())
    expect(await grantsOf(bot, `?conversation_id=${conversation}`)).toEqual([grant])

    const { id = '' } = grant ?? {}
    expect(await revoke(bot, id, 'ben')).toBe(200)
    expect(await revoke(bot, id, 'ben')).toBe(409)
    expect(await revoke(bot, 'grant_none', 'ben')).toBe(404)
    expect(await grantsOf(bot)).toMatchObject([{ id, ended_at: expect.any(String), ended_by: { id: 'ben' } }])
    expect(await grantsOf(bot, `?conversation_id=${conversation}`)).toEqual([])
    await bot.chat.say('again', { user: 'ana', conversation })
    expect(await bot.chat.requests()).toHaveLength(1)
  })

  test('of a thread do not hold in another, and an unknown thread has none', async () => {
    const { bot, request } = await asking()
    const always = { pattern: 'exact', scope: 'thread' }
    await bot.chat.answer(request, { decision: 'approve', always })
    const other = await bot.chat.say('hello', { user: 'ana' })
    expect(await grantsOf(bot)).toMatchObject([{ until: null }])
    expect(await grantsOf(bot, `?conversation_id=${other.conversation}`)).toEqual([])
    await expect(grantsOf(bot, '?conversation_id=ses_none')).rejects.toThrow(/404/)
  })

  test.each([
    [{ pattern: 'all', scope: 'thread' }],
    [{ pattern: 'exact', scope: 'world' }],
    [{ pattern: 'exact', scope: 'thread', for_ms: 1 }],
  ])('are refused where they make no sense: %j', async (always) => {
    const { bot, request } = await asking()
    expect((await bot.chat.answer(request, { decision: 'approve', always })).status).toBe(400)
    expect(await grantsOf(bot)).toEqual([])
  })
})

test('a vote counts but decides nothing yet; somebody who may not decide is told so, and changes nothing', async () => {
  const { bot, request } = await asking({
    deciders: { team: { who: ['user:ana', 'user:ben'], asker: true, needed: 2 } },
  })
  const refused = await bot.chat.answer(request, { decision: 'approve', user_id: 'cleo' })
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ error: { code: 'not_allowed', message: /can decide this/ } })
  const voted = await bot.chat.answer(request, { decision: 'approve', user_id: 'ben' })
  expect(await voted.json()).toMatchObject({
    request: { status: 'pending', needed: 2, votes: [{ person: { id: 'ben' } }] },
  })
  const taken = await bot.chat.answer(request, { decision: 'approve', user_id: 'ana' })
  expect(await taken.json()).toMatchObject({ request: { status: 'answered' } })
})

test('what to do instead reaches the model', async () => {
  const { bot, conversation, request } = await asking()
  await bot.chat.answer(request, { decision: 'deny', reason: 'too slow', instead: 'count on fingers', user_id: 'ana' })
  await bot.chat.untilType(conversation, 'complete')
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toMatch(/too slow.*count on fingers/)
})

describe('a form', () => {
  const also = [
    { question: 'Who?', options: ['Ana', 'Ben'] },
    { question: 'Else?', required: false },
  ]
  const script = [calls('ask_human', { question: 'Where?', options: ['Here', 'There'], also }), says('Fine.')]

  async function open() {
    const bot = await startTestBot({ script })
    const { conversation } = await bot.chat.say('ask me', { user: 'ana' })
    const [request] = await bot.chat.requests()
    return { bot, conversation, request: request?.id ?? '' }
  }

  test.each([
    ['a required answer that is missing', { answer: 'Here' }],
    ['a required answer that is empty', { answer: 'Here', also: ['', 'x'] }],
    ['more answers than questions', { answer: 'Here', also: ['Ana', 'x', 'y'] }],
    ['several answers to a question that takes one', { answer: 'Here', also: [['Ana', 'Ben'], ''] }],
    ['an empty first answer', { answer: '', also: ['Ana', ''] }],
    ['nothing at all', { answer: '' }],
  ])('refuses %s', async (_, body) => {
    const { bot, request } = await open()
    expect((await bot.chat.answer(request, body)).status).toBe(400)
    expect(await bot.chat.requests()).toHaveLength(1)
  })

  test('takes its answers together', async () => {
    const { bot, conversation, request } = await open()
    expect((await bot.chat.answer(request, { answer: 'There', also: ['Ben', ''] })).status).toBe(200)
    await bot.chat.untilType(conversation, 'complete')
    expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toMatch(/1\. There.*2\. Ben/)
  })
})

describe('the log', () => {
  interface Page {
    entries: { seq: number; kind: string; conversation_id: string | null }[]
    has_more: boolean
  }

  /** 20 entries; each fourth is a refusal, each fifth belongs to a thread. */
  async function withEntries() {
    const { chat, store } = await startConsole([])
    const { id: session } = await threadIn(store, inSlack(), 'A thread')
    await store.transaction(async (tx) => {
      for (let seq = 1; seq <= 20; seq++) {
        const kind = seq % 4 === 0 ? 'refused' : 'started'
        await appendAudit(tx, { kind, session: seq % 5 === 0 ? session : undefined, data: { call: newId('call') } })
      }
    })
    const page = async (query: string) => {
      const { entries, has_more } = await chat.get<Page>(`/audit${query}`)
      return { seqs: entries.map(({ seq }) => seq), has_more }
    }
    return { chat, session, page }
  }

  test('is read from its end, from an entry on, and before one', async () => {
    const { page } = await withEntries()
    expect(await page('?limit=3')).toEqual({ seqs: [18, 19, 20], has_more: true })
    expect(await page('?limit=3&before=18')).toEqual({ seqs: [15, 16, 17], has_more: true })
    expect(await page('?limit=3&before=4')).toEqual({ seqs: [1, 2, 3], has_more: false })
    expect(await page('?limit=3&after=0')).toEqual({ seqs: [1, 2, 3], has_more: true })
    expect(await page('?limit=3&after=17')).toEqual({ seqs: [18, 19, 20], has_more: false })
    expect(await page('?after=5&before=8')).toEqual({ seqs: [6, 7], has_more: false })
    expect((await page('')).seqs).toHaveLength(20)
  })

  test('is read by kind and by thread', async () => {
    const { page, session } = await withEntries()
    expect(await page('?kind=refused&limit=2')).toEqual({ seqs: [16, 20], has_more: true })
    expect(await page(`?conversation_id=${session}`)).toEqual({ seqs: [5, 10, 15, 20], has_more: false })
    expect(await page('?kind=nothing')).toEqual({ seqs: [], has_more: false })
    for (const query of ['?limit=0', '?limit=1001', '?before=-1', '?after=x']) {
      await expect(page(query)).rejects.toThrow(/400/)
    }
  })

  test('says whether it is whole', async () => {
    const { chat } = await withEntries()
    const { entries } = await chat.get<{ entries: { hash: string }[] }>('/audit?limit=1')
    expect(await chat.get('/audit/verify')).toEqual({ ok: true, entries: 20, head: entries[0]?.hash })
  })
})

test('the tools are listed with how they come into a thread', async () => {
  const { chat } = await startConsole([])
  const { tools } = await chat.get<{ tools: { name: string }[] }>('/tools')
  const find = (name: string) => tools.find((tool) => tool.name === name)
  expect(find('run_command')).toMatchObject({
    tier: 'by_name',
    category: 'system',
    tags: ['shell', 'bash', 'terminal'],
  })
  expect(find('web_fetch')).toMatchObject({ tier: 'always', category: 'web' })
  expect(find('web_search')).toMatchObject({ unavailable: expect.stringContaining('`web.search`') })
  expect(find('read_file')).toEqual({
    name: 'read_file',
    description: expect.stringMatching(/\w/),
    tier: 'core',
    category: 'core',
    tags: [],
    effect: 'read',
    repeatable: true,
    timeout_ms: expect.any(Number),
    approval: { action: 'allow', reason: expect.stringMatching(/\w/), rule: 'defaults.read' },
  })
})

test('each tool is listed with the approval that the rules give it, its time limit, and whether it is repeated', async () => {
  const medium = { approvals: true, risk: 'medium' } as const
  const { chat } = await startTestBot({
    config: {
      tiers: { write_file: { enabled: true, timeout_ms: 5_000 } },
      rules: {
        tools: {
          write_file: { ...medium, mode: 'confirm', risk: 'high', reason: 'Writes.' },
          edit_file: { ...medium, mode: 'confirm', risk: 'low' },
          delegate_task: { ...medium, deny: ['*'] },
          run_script: { ...medium, approvals: false, mode: 'confirm' },
        },
      },
    },
  })
  const { tools } = await chat.get<{ tools: { name: string; approval: object | null }[] }>('/tools')
  const find = (name: string) => tools.find((tool) => tool.name === name)
  expect(find('write_file')).toMatchObject({
    repeatable: true,
    timeout_ms: 5_000,
    approval: { action: 'ask', risk: 'high', reason: 'Writes.', rule: 'tools.write_file.mode' },
  })
  expect(find('edit_file')?.approval).toMatchObject({ action: 'allow' })
  expect(find('run_command')).toMatchObject({
    repeatable: false,
    timeout_ms: null,
    approval: { action: 'ask', risk: 'medium' },
  })
  expect(find('run_script')?.approval).toMatchObject({ action: 'allow' })
  expect(find('http_fetch')?.approval).toMatchObject({ action: 'ask', rule: 'defaults.external' })
  expect(find('delegate_task')?.approval).toMatchObject({ action: 'deny', rule: 'tools.delegate_task.deny' })
  expect(find('ask_human')).toMatchObject({ timeout_ms: null, approval: null })
})
