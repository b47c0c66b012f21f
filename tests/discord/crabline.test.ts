import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedDiscordServer, startDiscordServer } from '@openclaw/crabline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { discordPlatform } from '../../src/platforms/discord/discord.ts'
import type { ChatPlatform, OutgoingFile } from '../../src/platforms/platform.ts'
import { until } from '../support/until.ts'
import { quick } from './room.ts'
import { answer, posting, StubSink, say, stubDeps } from './stub.ts'

// Against a server that nobody here wrote: mentions, threads, attachments, the limit of a message.

const ana = '200000000000000001'
let folder: string
let server: StartedDiscordServer
let sink: StubSink
let platform: ChatPlatform
let deps: ReturnType<typeof stubDeps>

const build = () =>
  discordPlatform({ token: server.manifest.botToken, apiUrl: server.manifest.endpoints.apiRoot }, deps, quick)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bobbin-crabline-'))
  server = await startDiscordServer({ recorderPath: join(folder, 'recorded.jsonl') })
  sink = new StubSink()
  deps = stubDeps()
  platform = build()
  await platform.start(sink)
})

afterEach(async () => {
  await platform.stop()
  await server.close()
  await rm(folder, { recursive: true })
})

async function write(content: string, more: object = {}) {
  const { adminInboundUrl } = server.manifest.endpoints
  const { channelId, guildId } = server.manifest.fixture
  const response = await fetch(adminInboundUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.manifest.adminToken}` },
    body: JSON.stringify({ channelId, guildId, senderId: ana, senderName: 'Ana', content, ...more }),
  })
  expect(response.ok, await response.clone().text()).toBe(true)
  return (await response.json()) as { message: { id: string } }
}

/** What stands in a channel, oldest first, as another bot reads it. */
async function read(channel: string): Promise<{ id: string; content: string; attachments: { filename: string }[] }[]> {
  const response = await fetch(`${server.manifest.endpoints.apiRoot}/v10/channels/${channel}/messages`, {
    headers: other(),
  })
  return ((await response.json()) as Awaited<ReturnType<typeof read>>).toReversed()
}

const other = () => ({ authorization: `Bot ${server.manifest.driverBotToken}` })

const fileOf = (name: string, content: string): OutgoingFile => {
  const bytes = Buffer.from(content)
  return { name, path: name, type: 'text/plain', size: bytes.byteLength, bytes: async () => bytes }
}

test('a mention is heard, and answered in a thread of its own, where it goes on', async () => {
  const { message } = await write(`<@${server.manifest.botUserId}> what is up?`)
  const heard = await until('the message', () => sink.heard[0])
  expect(heard).toMatchObject({ text: 'what is up?', mentioned: true, message: message.id, author: 'person' })

  await say(platform, heard.thread, 'Everything.')
  await write('and you?', { channelId: message.id, parentChannelId: server.manifest.fixture.channelId })
  expect(await until('the next one', () => sink.heard[1])).toMatchObject({ text: 'and you?', thread: heard.thread })
  expect((await read(message.id)).map(({ content }) => content)).toEqual(['Everything.', 'and you?'])
})

test('an answer at the limit of a message is taken, an edit too, and files come with it', async () => {
  await write('hello')
  const { thread } = await until('the message', () => sink.heard[0])
  const saying = { kind: 'answer' as const, files: [fileOf('a.txt', 'one')], record: undefined }
  const [page] = platform.pages({ ...saying, text: 'x'.repeat(2_000) })
  const id = await platform.post(thread, page, posting('answer.0'))
  await platform.edit(thread, id, platform.pages({ ...saying, text: 'y'.repeat(2_000) })[0])

  expect(await read(thread.thread)).toMatchObject([
    { id, content: 'y'.repeat(2_000), attachments: [{ filename: 'a.txt' }] },
  ])
})

test('a file that somebody sent is fetched as it was', async () => {
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ content: 'look', attachments: [{ id: '0', filename: 'plan.txt' }] }))
  form.set('files[0]', new Blob(['first, second'], { type: 'text/plain' }), 'plan.txt')
  const { channelId } = server.manifest.fixture
  const address = `${server.manifest.endpoints.apiRoot}/v10/channels/${channelId}/messages`
  expect((await fetch(address, { method: 'POST', headers: other(), body: form })).ok).toBe(true)
  const heard = await until('the message', () => sink.heard[0])

  expect(heard).toMatchObject({ text: 'look', author: 'bot', files: [{ name: 'plan.txt', size: 13 }] })
  const [file] = heard.files
  expect(await new Response(file && (await platform.download(file))).text()).toBe('first, second')
})

test('what was posted before a failure is found', async () => {
  await write('hello')
  const { thread } = await until('the message', () => sink.heard[0])
  const how = posting('answer.0')
  const id = await platform.post(thread, platform.pages(answer('Hello.'))[0], how)

  expect(await platform.find(thread, how.again())).toBe(id)
})

test('a message that was written while the bot was away is heard', async () => {
  await write('before')
  await until('the message', () => sink.heard[0])
  await platform.stop()
  await write('meanwhile')
  platform = build()
  await platform.start(sink)

  await until('the message', () => sink.texts.includes('meanwhile'))
})
