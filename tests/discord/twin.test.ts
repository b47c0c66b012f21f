import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChannelType } from 'discord-api-types/v10'
import { DigitalDiscord } from 'discord-digital-twin'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Heard } from '../../src/domain/chat.ts'
import type { Request } from '../../src/domain/request.ts'
import { discordPlatform } from '../../src/platforms/discord/discord.ts'
import type { ChatPlatform } from '../../src/platforms/platform.ts'
import { until } from '../support/until.ts'
import { approval, options, question } from './requests.ts'
import { quick } from './room.ts'
import { posting, StubSink, say, stubDeps } from './stub.ts'

// Against a server that nobody here wrote: buttons, selects, forms, slash commands, first answers, and what follows them.
// It fills no mentions, and its threads of messages have ids of their own, so all happens in a thread that a person made.

const thread = '300000000000000002'
const ana = '200000000000000001'

let folder: string
let server: DigitalDiscord
let sink: StubSink
let platform: ChatPlatform
let heard: Heard

beforeEach(async () => {
  const channels = [
    { id: '300000000000000001', name: 'general', type: ChannelType.GuildText },
    { id: thread, name: 'plans', type: ChannelType.PublicThread, parentId: '300000000000000001' },
  ]
  folder = await mkdtemp(join(tmpdir(), 'bobbin-twin-'))
  const dbUrl = `file:${join(folder, 'twin.db')}`
  server = new DigitalDiscord({ channels, users: [{ id: ana, username: 'ana' }], dbUrl })
  await server.start()
  sink = new StubSink()
  platform = discordPlatform({ token: server.botToken, apiUrl: server.restUrl }, stubDeps(), quick)
  await platform.start(sink)
  await until('the connection', () => platform.health().ok)
  await person().sendMessage({ content: 'hello' })
  heard = await until('the message', () => sink.heard[0])
})

afterEach(async () => {
  await platform.stop()
  await server.stop()
  await rm(folder, { recursive: true })
})

const person = () => server.thread(thread).user(ana)
const messages = () => server.thread(thread).getMessages()

async function card(request: Request): Promise<string> {
  sink.requests.set(request.id, request)
  const [page] = platform.pages({ kind: 'card', request })
  return await platform.post(heard.thread, page, posting('card.0'))
}

const acknowledged = async ({ id }: { id: string }) =>
  (await server.thread(thread).waitForInteractionAck({ interactionId: id })).type

const idOf = (action: string, index?: number) =>
  ['b1', action, approval().id, ...(index === undefined ? [] : [index])].join(':')

test('a message in a thread is heard, answered, edited and found', async () => {
  expect(heard).toMatchObject({ text: 'hello', thread: { project: '300000000000000001', thread } })
  const [id] = await say(platform, heard.thread, 'Hello.')
  await platform.edit(
    heard.thread,
    id ?? '',
    platform.pages({ kind: 'answer', text: 'Hi.', files: [], record: undefined })[0],
  )

  expect((await messages()).map(({ content }) => content)).toEqual(['hello', 'Hi.'])
})

test('a click is acknowledged, and taken', async () => {
  const id = await card(approval())
  const click = await person().clickButton({ messageId: id, customId: idOf('approve') })

  expect(await acknowledged(click)).toBe(6)
  expect((await until('the answer', () => sink.answers[0])).given).toMatchObject({ answer: { decision: 'approve' } })
})

test('a click that comes too late is told so', async () => {
  const request: Request = { ...approval(), state: 'answered', answer: { decision: 'deny' }, answeredAt: 1 }
  sink.outcome = () => ({ kind: 'too-late', request })
  const id = await card(approval())
  await person().clickButton({ messageId: id, customId: idOf('approve') })

  await until('the words', async () =>
    (await messages()).some(({ content }) => content === 'Too late, this has been settled: denied.'),
  )
})

test('a form opens, and its reason is taken', async () => {
  const id = await card(approval())
  const click = await person().clickButton({ messageId: id, customId: idOf('why') })
  expect(await acknowledged(click)).toBe(9)
  const sent = await person().submitModal({
    customId: idOf('why-form'),
    fields: [{ customId: 'reason', value: 'Keep the logs.' }],
  })

  expect(await acknowledged(sent)).toBe(6)
  const { given } = await until('the answer', () => sink.answers[0])
  expect(given).toEqual({ kind: 'approval', answer: { decision: 'deny', reason: 'Keep the logs.' } })
})

test('a choice from a list is taken', async () => {
  const id = await card(question({ options: options(7) }))
  await person().selectMenu({ messageId: id, customId: idOf('pick'), values: ['3'] })

  expect((await until('the answer', () => sink.answers[0])).given).toEqual({ kind: 'question', answer: ['option 3'] })
})

test('a slash command is answered at once', async () => {
  const asked = await person().runSlashCommand({ name: 'bobbin', options: [{ name: 'status', type: 1 }] })

  // A busy machine says first that the answer is coming.
  expect([4, 5]).toContain(await acknowledged(asked))
  expect(await until('the command', () => sink.commands[0])).toMatchObject({ name: 'status', thread: heard.thread })
  await until('the words', async () => (await messages()).some(({ content }) => content === 'did status'))
})
