import { describe, expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { commands } from '../support/commands.ts'
import { fakePlatform, startConsole } from '../support/console.ts'
import { calls, hang, says } from '../support/model-server.ts'
import { inSlack, says as saysThere, storeOf, threadIn } from '../support/threads.ts'

interface Listed {
  conversations: {
    id: string
    platform: string
    tenant_id: string
    project_id: string
    thread_id: string
    link: string
  }[]
}

const error = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: { code: string; message: string; remedy: string } }).error,
})

describe('conversations of several platforms', () => {
  test('are listed with where they live, and the address there', async () => {
    const { chat, store } = await startConsole([fakePlatform('slack')])
    const session = await threadIn(store, inSlack(), 'hello')
    const { conversations } = await chat.get<Listed>('/agent/conversations')
    const { thread } = session.thread
    expect(conversations).toMatchObject([
      {
        id: session.id,
        platform: 'slack',
        tenant_id: 'T1',
        project_id: 'C1',
        thread_id: thread,
        link: `https://slack.example/C1/${thread}`,
      },
    ])
    expect(await chat.get(`/agent/conversations/${session.id}`)).toEqual(conversations[0])
  })

  test('are renamed there too, and only when the name changes', async () => {
    const named: unknown[] = []
    const slack = { ...fakePlatform('slack'), rename: async (...told: unknown[]) => void named.push(told) }
    const { chat, store } = await startConsole([slack])
    const { id, thread } = await threadIn(store, inSlack(), 'hello')
    for (const change of [{ title: 'Quarterly report' }, { title: 'Quarterly report' }, { pinned: true }]) {
      const body = JSON.stringify(change)
      const headers = { 'content-type': 'application/json' }
      await fetch(`${chat.url}/api/v1/agent/conversations/${id}`, { method: 'PATCH', headers, body })
    }
    expect(named).toEqual([[thread, 'Quarterly report']])
  })

  test('have no link while their platform is not connected', async () => {
    const { chat, store } = await startConsole([])
    await threadIn(store, inSlack(), 'hello')
    expect((await chat.get<Listed>('/agent/conversations')).conversations).toMatchObject([
      { platform: 'slack', link: null },
    ])
  })

  test('are told apart where channels have the same id', async () => {
    const { chat, store } = await startConsole([])
    const places = [inSlack(), { ...inSlack(), tenant: 'T2' }, { ...inSlack(), platform: 'discord' }]
    const sessions = await Promise.all(places.map((place) => threadIn(store, place, 'hello')))
    const ids = async (query: string) =>
      (await chat.get<Listed>(`/agent/conversations?${query}`)).conversations.map(({ id }) => id)
    expect(await ids('platform=slack&tenant_id=T2&project_id=C1')).toEqual([sessions[1]?.id])
    expect((await ids('project_id=C1')).toSorted()).toEqual(sessions.map(({ id }) => id).toSorted())
    for (const query of ['platform=slack', 'platform=slack&tenant_id=T1', 'tenant_id=T1&project_id=C1']) {
      await expect(ids(query)).rejects.toThrow(/400.*together/)
    }
  })

  test('are counted by channel', async () => {
    const { chat, store } = await startConsole([fakePlatform('console'), fakePlatform('slack')])
    expect(await chat.get('/agent/projects')).toEqual({ projects: [] })
    for (const project of ['C1', 'C2', 'C1']) await threadIn(store, inSlack(project), 'hello')
    await threadIn(store, { platform: 'console', tenant: 'local', project: 'general' }, 'hello')
    await threadIn(store, { platform: 'discord', tenant: '1', project: '2' }, 'not connected any more')
    const { projects } = await chat.get<{ projects: object[] }>('/agent/projects')
    expect(projects).toHaveLength(4)
    expect(projects).toEqual(
      expect.arrayContaining([
        { platform: 'console', tenant_id: 'local', project_id: 'general', conversations: 1 },
        { platform: 'slack', tenant_id: 'T1', project_id: 'C1', conversations: 2 },
        { platform: 'slack', tenant_id: 'T1', project_id: 'C2', conversations: 1 },
        { platform: 'discord', tenant_id: '1', project_id: '2', conversations: 1 },
      ]),
    )
  })
})

describe('a conversation of another platform', () => {
  test('accepts no messages from here, and keeps no files', async () => {
    const bot = await startTestBot({ script: () => says('Hello.') })
    const store = await storeOf(bot)
    const { id } = await threadIn(store, inSlack(), 'hello')
    const refused = {
      status: 409,
      code: 'elsewhere',
      message: 'This conversation is in slack.',
      remedy: 'Write there.',
    }
    expect(await error(await bot.chat.send('hi', { conversation: id }))).toMatchObject(refused)
    expect(await error(await bot.chat.send('/status', { conversation: id, files: { 'a.txt': 'x' } }))).toMatchObject(
      refused,
    )
    expect(await bot.chat.events(id)).toEqual([])
    expect(bot.model.requests).toEqual([])
  })

  test('can be stopped and resumed from here', async () => {
    const long = hang(8, says('a b c d e f g h i j k l m n o p q r s t u v w x y z'))
    const bot = await startTestBot({ script: [long, says('Here.')], config: { engine: { sweepMs: 100 } } })
    const store = await storeOf(bot)
    const session = await threadIn(store, inSlack(), 'talk')
    await saysThere(store, session, 'talk')
    await bot.chat.untilType(session.id, 'text_delta')
    const stopped = await bot.chat.post(`/agent/conversations/${session.id}/stop`, { user_id: 'olga' })
    expect(await stopped.json()).toEqual({ stopped: true })
    expect(ofType(await bot.chat.events(session.id), 'stopped')).toMatchObject([
      // A name from the console would be anybody's to take.
      { data: { person: { id: 'operator' } } },
    ])
    expect((await bot.chat.post(`/agent/conversations/${session.id}/resume`, {})).status).toBe(202)
    await bot.chat.until(session.id, (event) => event.type === 'complete' && event.data.content === 'Here.')
  })

  test('has its requests answered from here', async () => {
    const script = [calls('ask_human', { question: 'Which?', options: ['Red', 'Blue'] }), says('Blue it is.')]
    const bot = await startTestBot({ script, config: { engine: { sweepMs: 100 } } })
    const store = await storeOf(bot)
    const session = await threadIn(store, inSlack(), 'paint')
    await saysThere(store, session, 'paint')
    await bot.chat.untilType(session.id, 'waiting')
    const [request] = await bot.chat.requests()
    expect(request).toMatchObject({ conversation_id: session.id, question: 'Which?' })
    expect((await bot.chat.answer(request?.id ?? '', { answer: 'Blue', user_id: 'olga' })).status).toBe(200)
    await bot.chat.until(session.id, (event) => event.type === 'complete' && event.data.content === 'Blue it is.')
  })
})

describe('how platforms are connected', () => {
  const state = async (url: string, path: string) => {
    const response = await fetch(`${url}${path}`)
    return { code: response.status, body: (await response.json()) as { reasons?: string[] } }
  }

  const database = { ok: true, detail: 'Bobbin can store things.' }
  const jobs = { open: 0, failed: 0 }

  test('is reported by /health, and decides /ready', async () => {
    const deaf = { ok: false, detail: 'Slack does not answer.' }
    const { chat } = await startConsole([fakePlatform('discord'), fakePlatform('slack', deaf)])
    const body = {
      status: 'degraded',
      platforms: { discord: { ok: true, detail: 'Connected.' }, slack: deaf },
      database,
      jobs,
    }
    expect(await state(chat.url, '/health')).toEqual({ code: 200, body })
    expect(await state(chat.url, '/ready')).toEqual({ code: 503, body })
    const probe = await state(chat.url, '/readyz')
    expect([probe.code, probe.body.reasons]).toEqual([503, expect.arrayContaining(['slack'])])
  })

  test('keeps none out of service that waits for requests, because then it never gets any', async () => {
    const unheard = { ok: false, detail: 'No requests arrive.', waits: true } as const
    const { chat } = await startConsole([fakePlatform('discord'), fakePlatform('slack', unheard)])
    expect((await state(chat.url, '/health')).body).toMatchObject({ status: 'degraded' })
    expect((await state(chat.url, '/readyz')).body.reasons).not.toContain('slack')
  })

  test('is well where all are', async () => {
    const { chat } = await startConsole([fakePlatform('slack')])
    const body = { status: 'ok', platforms: { slack: { ok: true, detail: 'Connected.' } }, database, jobs }
    expect(await state(chat.url, '/ready')).toEqual({ code: 200, body })
  })
})

test('the session commands are listed with their purpose', async () => {
  const { chat } = await startConsole([])
  const about = await chat.get<{ commands: object[] }>('/about')
  expect(about.commands).toEqual(
    commands.map(({ name, argument, summary }) => ({ name, argument: argument?.name ?? null, summary })),
  )
  expect(about.commands).toContainEqual({
    name: 'resume',
    argument: 'id',
    summary: expect.stringContaining('continues'),
  })
})
