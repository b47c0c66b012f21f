import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSlackServer } from '@openclaw/crabline'
import { createEmulator } from 'emulate'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { slackPlatform } from '../../src/platforms/slack/slack.ts'
import { usualTiming } from '../../src/platforms/slack/timing.ts'
import { ownPlace } from '../support/own-place.ts'
import { eventually, posting, quickPace, StubNotes, StubSink } from './support.ts'

// Against servers that nobody here wrote, wherever they cover a thing.

/** Crabline notes each call behind a lock on the disk: asked all the time, it would fall behind on a busy machine. */
const pace = { ...quickPace, standingMs: usualTiming.standingMs }

const silent = { debug() {}, info() {}, warn() {}, error() {} }

const deps = () => ({
  notes: new StubNotes(),
  isReplaced: async () => false,
  clock: systemClock,
  log: silent,
  show: { firstMs: 50, everyMs: 50, mostMessages: 3 },
  catchUpDays: 14,
})

async function crabline(limit?: { remaining: number; retryAfterSeconds: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'bobbin-crabline-'))
  const http = ownPlace()
  const address = `http://${http.host}:${http.port}/slack/events`
  const server = await startSlackServer({
    recorderPath: join(folder, 'recorded.jsonl'),
    eventsRequestUrl: address,
    ...(limit === undefined ? {} : { chatPostMessageRateLimit: limit }),
  })
  const { endpoints, botToken, signingSecret, adminToken } = server.manifest
  const sink = new StubSink()
  const settings = { botToken, appToken: undefined, signingSecret, apiUrl: endpoints.apiRoot, http }
  const platform = slackPlatform(settings, deps(), pace)
  await platform.start(sink)
  return {
    sink,
    platform,
    address,
    async write(text: string, more: object = {}) {
      const response = await fetch(endpoints.adminInboundUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
        body: JSON.stringify({ channel: 'C000000001', user: 'U000000001', text, ...more }),
      })
      expect(response.ok).toBe(true)
    },
    async [Symbol.asyncDispose]() {
      await platform.stop()
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}

describe('crabline', () => {
  test('has its signed events heard, and answered in their threads', async () => {
    await using bench = await crabline()
    const { sink, platform } = bench
    await bench.write('<@UCRABBOT> hello <there|x>')
    await eventually(() => expect(sink.heard).toMatchObject([{ mentioned: true, thread: { tenant: 'TCRABLINE' } }]))
    const thread = sink.heard[0]?.thread
    if (thread === undefined) throw new Error('nothing was heard')
    const [page] = platform.pages({ kind: 'answer', text: 'Hello *you*', files: [], record: undefined })
    const key = posting('k.0', 0)
    const id = await platform.post(thread, page, key)
    expect(await platform.find(thread, key)).toBe(id)
    expect(await platform.find(thread, posting('k.1', 0))).toBeUndefined()
    const told = await platform.history(thread, '1999999999.000000', 10)
    expect(told.map(({ author }) => author)).toEqual(['person', 'self'])
  })

  test('delivers again what was not stored', async () => {
    await using bench = await crabline()
    const { sink } = bench
    let left = 1
    sink.onHear = async () => {
      if (left-- > 0) throw new Error('the disk is full')
    }
    await bench.write('hello')
    await eventually(() => expect(sink.heard).toMatchObject([{ text: 'hello' }]))
  })

  test('has a post given back that it will not take for long', async () => {
    await using bench = await crabline({ remaining: 0, retryAfterSeconds: 600 })
    const { sink, platform } = bench
    await bench.write('hello')
    await eventually(() => expect(sink.heard).toHaveLength(1))
    const [page] = platform.pages({ kind: 'answer', text: 'x', files: [], record: undefined })
    const thread = sink.heard[0]?.thread
    if (thread === undefined) throw new Error('nothing was heard')
    await expect(platform.post(thread, page, posting('k.0'))).rejects.toMatchObject({ again: 'later' })
  })

  test('and anybody else is refused without the right signature', async () => {
    await using bench = await crabline()
    const body = JSON.stringify({ type: 'event_callback', event: { type: 'message', ts: '1.000001', channel: 'C1' } })
    const headers = { 'x-slack-request-timestamp': String(Math.floor(Date.now() / 1_000)) }
    const signed = { ...headers, 'x-slack-signature': `v0=${'0'.repeat(64)}` }
    expect((await fetch(bench.address, { method: 'POST', body, headers: signed })).status).toBe(401)
    expect((await fetch(bench.address, { method: 'POST', body })).status).toBe(401)
    expect(bench.sink.heard).toEqual([])
  })
})

async function emulated(scopes?: string[]) {
  const token = 'xoxb-emulate-test'
  const { host, port } = ownPlace()
  const bot = {
    client_id: '1.2',
    client_secret: 'secret',
    name: 'Bobbin',
    redirect_uris: ['http://localhost/'],
    bot_name: 'bobbin',
  }
  const all = ['chat:write', 'channels:read', 'channels:history', 'files:read', 'files:write', 'users:read']
  const emulator = await createEmulator({
    service: 'slack',
    hostname: host,
    port,
    baseUrl: `http://${host}:${port}`,
    seed: {
      slack: {
        users: [{ name: 'bobbin' }, { name: 'ana' }],
        channels: [{ name: 'bench' }],
        oauth_apps: [bot],
        tokens: [
          { token, user: 'bobbin', scopes: scopes ?? all },
          { token: 'xoxp-ana', user: 'ana', scopes: all },
        ],
        strict_scopes: true,
      },
    },
  })
  const apiUrl = `${emulator.url}/api/`
  const call = async (method: string, args: object, as = 'xoxp-ana') => {
    const response = await fetch(apiUrl + method, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
      body: JSON.stringify(args),
    })
    return (await response.json()) as Record<string, never> & { channels: { id: string; name: string }[]; ts: string }
  }
  const { channels } = await call('conversations.list', {})
  const channel = channels.find(({ name }) => name === 'bench')?.id ?? ''
  const settings = { botToken: token, appToken: undefined, signingSecret: 'secret', apiUrl, http: ownPlace() }
  const platform = slackPlatform(settings, deps(), pace)
  await platform.start(new StubSink())
  const { ts } = await call('chat.postMessage', { channel, text: 'a question' })
  return {
    platform,
    thread: { platform: 'slack', tenant: 'T000000001', project: channel, thread: ts },
    async [Symbol.asyncDispose]() {
      await platform.stop()
      await emulator.close()
    },
  }
}

const file = (name: string, text: string) => ({
  name,
  path: name,
  type: 'text/plain',
  size: text.length,
  bytes: async () => new TextEncoder().encode(text),
})

describe('emulate', () => {
  test('takes messages, finds them by their key, and has them edited', async () => {
    await using bench = await emulated()
    const { platform, thread } = bench
    const [one, two] = ['one', 'two'].map(
      (text) => platform.pages({ kind: 'answer', text, files: [], record: undefined })[0],
    )
    const key = posting('k.0', 0)
    const id = await platform.post(thread, one, key)
    expect(await platform.find(thread, key)).toBe(id)
    await platform.edit(thread, id, two)
    expect(await platform.find(thread, key)).toBe(id)
    const told = await platform.history(thread, '9999999999.000000', 10)
    expect(told.map(({ author, text }) => `${author}: ${text}`)).toEqual(['person: a question', 'self: two'])
  })

  test('takes files once, and gives them back to who has the token', async () => {
    await using bench = await emulated()
    const { platform, thread } = bench
    const [, page] = platform.pages({
      kind: 'answer',
      text: '',
      files: [file('a.txt', 'what it says')],
      record: undefined,
    })
    const key = posting('k.1', 0)
    const id = await platform.post(thread, page, key)
    expect(await platform.find(thread, key)).toBe(id)
    const [, told] = await platform.history(thread, '9999999999.000000', 10)
    const [remote] = told?.files ?? []
    if (remote === undefined) throw new Error('the file is not in the thread')
    expect(remote).toMatchObject({ name: 'a.txt', size: 12 })
    const stream = await platform.download(remote)
    expect(await new Response(stream).text()).toBe('what it says')
  })

  test('says which scope is missing', async () => {
    await using bench = await emulated(['chat:write', 'channels:history'])
    const { platform, thread } = bench
    const [, page] = platform.pages({ kind: 'answer', text: '', files: [file('a.txt', 'x')], record: undefined })
    const sent = posting('k.2', 0)
    await platform.post(thread, page, sent)
    expect(sent.postponed).toEqual(['a.txt'])
    const [again] = platform.pages({ kind: 'files', files: [file('a.txt', 'x')] })
    await expect(platform.post(thread, again, posting('k.3', 0))).rejects.toMatchObject({
      again: 'repairable',
      message: expect.stringContaining('files:write'),
    })
    await expect(platform.download({ id: 'F1', name: 'a.txt', size: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('files:read'),
    })
  })
})
