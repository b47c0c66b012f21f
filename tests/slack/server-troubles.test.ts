import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { holdTime } from '../support/hold-time.ts'
import { clientOf, errorOf, slackServer, tinyBot } from './tiny-bot.ts'

async function world(options: Parameters<typeof slackServer>[0] = {}) {
  const slack = await slackServer(options)
  return { slack, client: clientOf(slack), channel: slack.channel('general') }
}

describe('calls', () => {
  test('429 so many times, with the seconds to wait', async () => {
    const { slack, client, channel } = await world()
    slack.misbehave.rateLimit('chat.postMessage', { retryAfter: 7, times: 2 })
    await expect(client.chat.postMessage({ channel, text: 'x' })).rejects.toMatchObject({ retryAfter: 7 })
    await expect(client.chat.postMessage({ channel, text: 'x' })).rejects.toMatchObject({ retryAfter: 7 })
    await client.chat.postMessage({ channel, text: 'x' })
    expect(slack.calls).toMatchObject([{ ok: false }, { ok: false, error: 'limited' }, { ok: true }])
    expect(slack.view('general')).toHaveLength(1)
  })

  test('429 for a time, on every method', async () => {
    const { slack, client } = await world()
    slack.misbehave.rateLimit('*', { forMs: 60_000 })
    await expect(client.auth.test()).rejects.toMatchObject({ retryAfter: 1 })
    await expect(client.team.info()).rejects.toMatchObject({ retryAfter: 1 })
    slack.misbehave.calm()
    expect(await errorOf(client.auth.test())).toBe('no error')
    slack.misbehave.rateLimit('*', { forMs: 0 })
    expect(await errorOf(client.auth.test())).toBe('no error')
  })

  test('the real limits: a message a second and channel after a short burst', async () => {
    const { slack, client, channel } = await world({ limits: 'real' })
    holdTime()
    const posts = Array.from({ length: 7 }, () => client.chat.postMessage({ channel, text: 'x' }))
    const outcomes = await Promise.allSettled(posts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    await client.chat.postMessage({ channel: slack.channel('private'), text: 'x' })
  })

  test('ok: false with 200, and only for certain arguments', async () => {
    const { slack, client, channel } = await world()
    slack.misbehave.refuse('chat.postMessage', 'fatal_error', { with: ({ text }) => text === 'a' })
    await client.chat.postMessage({ channel, text: 'b' })
    expect(await errorOf(client.chat.postMessage({ channel, text: 'a' }))).toBe('fatal_error')
  })

  test.each([
    ['reset', 'slack_webapi_request_error'],
    ['500', 'slack_webapi_http_error'],
    ['silence', 'slack_webapi_request_error'],
  ] as const)('stored, though it fails by %s', async (how, code) => {
    const { slack, client, channel } = await world()
    slack.misbehave.storeButFail('chat.postMessage', how)
    const impatient = clientOf(slack, slack.botToken, how === 'silence' ? 1_500 : undefined)
    expect(await errorOf(impatient.chat.postMessage({ channel, text: 'x' }))).toBe(code)
    expect(slack.view('general')).toHaveLength(1)
    expect(await errorOf(client.chat.postMessage({ channel, text: 'y' }))).toBe('no error')
  })

  test('not stored, and reset or broken', async () => {
    const { slack, client, channel } = await world()
    slack.misbehave.drop('chat.postMessage')
    expect(await errorOf(client.chat.postMessage({ channel, text: 'x' }))).toBe('slack_webapi_request_error')
    slack.misbehave.break('chat.postMessage', { status: 503 })
    expect(await errorOf(client.chat.postMessage({ channel, text: 'x' }))).toBe('slack_webapi_http_error')
    expect(slack.view('general')).toEqual([])
  })

  test('slow, and refused as well', async () => {
    const { slack, client } = await world()
    slack.misbehave.slow('auth.test', 2_000)
    slack.misbehave.refuse('auth.test', 'internal_error')
    const order: string[] = []
    const slow = errorOf(client.auth.test()).finally(() => order.push('auth.test'))
    await client.team.info().finally(() => order.push('team.info'))
    expect(await slow).toBe('internal_error')
    expect(order).toEqual(['team.info', 'auth.test'])
  })

  test('messages and channels that are gone meanwhile', async () => {
    const { slack, client, channel } = await world()
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'x' })
    slack.misbehave.deleteMessage(ts)
    expect(await errorOf(client.chat.update({ channel, ts, text: 'y' }))).toBe('message_not_found')
    slack.misbehave.archive('general')
    expect(await errorOf(client.chat.postMessage({ channel, text: 'x' }))).toBe('is_archived')
    slack.misbehave.archive('general', false)
    slack.misbehave.expelBot('general')
    expect(await errorOf(client.chat.postMessage({ channel, text: 'x' }))).toBe('not_in_channel')
    expect(slack.violations).toEqual([])
  })

  test('downloads that are redirected, cut or broken', async () => {
    const { slack } = await world()
    const ts = slack.people.post('ana', 'general', 'a file', { files: [{ name: 'a.txt', content: 'x'.repeat(1_000) }] })
    const { id = '' } = slack.message(ts).files[0] ?? {}
    const { file } = await clientOf(slack).files.info({ file: id })
    const headers = { authorization: `Bearer ${slack.botToken}` }
    const get = () => fetch(file?.url_private ?? '', { headers, redirect: 'manual' })
    slack.misbehave.files('redirect', { to: 'https://elsewhere.invalid/', times: 1 })
    expect((await get()).headers.get('location')).toBe('https://elsewhere.invalid/')
    slack.misbehave.files('cut', { times: 1 })
    await expect((await get()).text()).rejects.toThrow()
    expect(await (await get()).text()).toHaveLength(1_000)
  })
})

describe('sockets', () => {
  const soon = 300
  const reconnected = { redeliveryMs: [700, 700, 700] }

  test.each([
    ['breaks', 'breakSockets'],
    ['is refreshed', 'refreshSockets'],
  ] as const)('when the socket %s, the client comes back and hears the next mention', async (_, trouble) => {
    const { slack } = await world(reconnected)
    await tinyBot(slack, 'socket', undefined, soon)
    slack.misbehave[trouble]()
    await slack.until(() => slack.sockets.made > 1)
    const ts = slack.people.mention('ana', 'general', 'there?')
    expect((await slack.until(() => slack.view('general', ts)[1])).text).toContain('there?')
  })

  test('an event that was under way when the connection broke comes again', async () => {
    const { slack } = await world(reconnected)
    const seen: string[] = []
    await tinyBot(slack, 'socket', (app) => app.message(async ({ message }) => void seen.push(message.ts)), soon)
    slack.misbehave.dropBeforeAcks()
    const ts = slack.people.post('ana', 'general', 'hello')
    await slack.idle()
    expect(seen.length).toBeGreaterThan(1)
    expect(new Set(seen)).toEqual(new Set([ts]))
    expect(slack.deliveries).toMatchObject([{ outcome: 'acked' }])
  })

  test('a deaf socket stays open; what is said stands only in the history', async () => {
    const { slack, client, channel } = await world()
    await tinyBot(slack)
    slack.misbehave.deafen()
    const ts = slack.people.mention('ana', 'general', 'there?')
    await slack.idle()
    expect(slack.sockets).toMatchObject({ connections: 1, made: 1 })
    expect(slack.deliveries.map(({ outcome }) => outcome)).toEqual(['swallowed', 'swallowed'])
    const { messages } = await client.conversations.history({ channel })
    expect(messages).toMatchObject([{ ts }])
  })

  test('a dead socket answers no ping until the server gives it up for another', async () => {
    const { slack } = await world()
    const heard: string[] = []
    const open = async (name: string) => {
      const socket = new WebSocket(slack.origin.replace('http', 'ws') + slack.sockets.ticket())
      for (const type of ['pong', 'close']) socket.on(type, () => heard.push(`${name} ${type}`))
      await once(socket, 'message')
      return socket
    }
    const first = await open('first')
    slack.misbehave.deafen()
    first.ping()
    await once(first, 'pong')
    slack.misbehave.deafen({ pings: false })
    first.ping()
    const gone = once(first, 'close')
    const second = await open('second')
    await gone
    expect(heard).toEqual(['first pong', 'first close'])
    expect(slack.sockets.connections).toBe(1)
    second.terminate()
  })

  test('ten connections and no more', async () => {
    const { slack } = await world()
    const reasons: string[] = []
    const open = () =>
      new Promise<void>((resolve) => {
        const socket = new WebSocket(slack.origin.replace('http', 'ws') + slack.sockets.ticket())
        socket.on('message', (data) => {
          const message = JSON.parse(String(data)) as { type: string; reason?: string }
          reasons.push(message.reason ?? message.type)
          resolve()
        })
      })
    for (let number = 0; number < 11; number++) await open()
    expect(reasons).toEqual([...Array.from({ length: 10 }, () => 'hello'), 'too_many_websockets'])
    expect(slack.sockets.connections).toBe(10)
  })
})
