import { expect, test } from 'vitest'
import { startTestBot } from '../../support/bot.ts'
import { ofType } from '../../support/client.ts'
import { atServer, postgresDatabase } from '../../support/database.ts'
import { pageOf, startMemoryBot, wordsOf } from '../../support/memory-platform.ts'
import { calls, heldUntil, says } from '../../support/model-server.ts'
import { eventually } from '../../support/until.ts'
import { breakable } from './cut-connection.ts'

const sentence = 'The PostgreSQL server can’t be reached.'

test('while the server is away nothing is acknowledged, and what was begun is answered once when it is back', async () => {
  const server = await breakable(await postgresDatabase())
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const script = [says('Hello.'), heldUntil(mayAnswer, says('Here is the answer.')), says('Hello.')]
  // A beat notices that the server is away: the next one comes soon.
  const config = { engine: { silentMs: 10_000 } }
  const bot = await startTestBot({ script, config, environment: { DATABASE_URL: server.url } })
  const { conversation } = await bot.chat.say('hi')
  const begun = await bot.chat.send('go on', { conversation })
  await eventually(() => expect(bot.model.requests).toHaveLength(2))
  await server.away()
  answer()
  const refused = await bot.chat.send('and now?', { conversation, key: 'k' })
  expect(refused.ok).toBe(false)
  expect(await refused.json()).toMatchObject({ error: { code: 'database_unreachable', message: sentence } })
  const health = async () => await (await fetch(`${bot.chat.url}/health`)).json()
  await eventually(async () => expect(await health()).toMatchObject({ status: 'degraded' }))

  await server.back()
  await begun.body?.cancel()
  const told = async (type: 'start' | 'complete') => ofType(await bot.chat.events(conversation), type).length
  await eventually(async () => expect(await told('complete')).toBe(2))
  // The reply that came meanwhile was kept.
  expect([await told('start'), bot.model.requests.length]).toEqual([2, 2])
  await bot.chat.say('and now?', { conversation, key: 'k' })
  await eventually(async () => expect(await told('complete')).toBe(3))
  expect([await told('start'), bot.model.requests.length]).toEqual([3, 3])
  expect(await health()).toMatchObject({ database: { ok: true } })

  const probe = async (path: string) => {
    const response = await fetch(`${bot.chat.url}${path}`)
    return { code: response.status, body: await response.json() }
  }
  const ready = { code: 200, body: { ready: true, reasons: [], connected: ['console'] } }
  await eventually(async () => expect(await probe('/readyz')).toEqual(ready))
  await server.away()
  expect(await probe('/readyz')).toEqual({
    code: 503,
    body: { ready: false, reasons: ['database'], connected: ['console'] },
  })
  expect(await probe('/healthz')).toEqual({ code: 200, body: { status: 'ok' } })
  await server.back()
  await eventually(async () => expect(await probe('/readyz')).toEqual(ready))
})

test('an answer that was given while the server was away comes with its files, and its thread is told meanwhile', async () => {
  const server = await breakable(await postgresDatabase())
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const { memory, model } = await startMemoryBot({
    script: [calls('write_file', { path: 'outputs/a.txt', content: 'made' }), heldUntil(mayAnswer, says('Done.'))],
    environment: { DATABASE_URL: server.url },
  })
  const asked = await memory.say('ana', '@bobbin make a file')
  await eventually(() => expect(model.requests).toHaveLength(2))
  await server.away()
  answer()
  const pages = () => memory.shown(asked).map((message) => pageOf(message))
  await eventually(() => expect(pages().map(wordsOf).join('\n')).toContain(sentence))
  await server.back()
  await eventually(() => expect(memory.answers(asked)).toContain('Done.'))
  await eventually(() => expect(JSON.stringify(pages())).toContain('"a.txt":"made"'))
  expect(model.requests).toHaveLength(2)
})

test('no default is taken right after an outage in which nobody could answer', async () => {
  const url = await postgresDatabase()
  const server = await breakable(url)
  const input = { question: 'Which one?', options: ['Red', 'Blue'], default: 'Blue', timeout_ms: 600_000 }
  const { memory, ...bot } = await startMemoryBot({
    script: [calls('ask_human', input), says('Thank you.')],
    // It beats ten times a second, and so notices at once when the server is away or back.
    config: { engine: { clockMs: 20, silentMs: 500 } },
    environment: { DATABASE_URL: server.url },
  })
  const asked = await memory.say('ana', '@bobbin which one?')
  await memory.untilCard(asked)
  const posted = "select 1 from outbox where kind = 'card' and state = 'delivered'"
  await eventually(async () => expect(await atServer(url, posted)).toHaveLength(1))
  await server.away()
  const health = async () => await (await fetch(`${bot.chat.url}/health`)).json()
  await eventually(async () => expect(await health()).toMatchObject({ status: 'degraded' }))
  memory.pass(660_000)
  await server.back()
  const state = async () => {
    const rows = await atServer<{ state: string; at: string }>(url, 'select state, deadline_at as at from requests')
    return rows.map(({ state, at }) => (Number(at) > memory.clock.now() ? `${state} still` : state))
  }
  await eventually(async () => expect(await state()).not.toEqual(['pending']))
  expect(await state()).toEqual(['pending still'])
  await memory.say('ana', 'red', { in: asked })
  await memory.untilAnswered(asked, 'Thank you.')
  expect(JSON.stringify(bot.model.requests.at(-1))).toContain('ana answered: Red')
})
