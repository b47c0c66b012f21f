import { describe, expect, test } from 'vitest'
import type { ThreadRef } from '../../src/domain/chat.ts'
import type { Message } from '../../src/platforms/discord/api/payload.ts'
import { hearEdits } from '../../src/platforms/discord/gaps/changes.ts'
import type { Hearing } from '../../src/platforms/discord/heard/hearing.ts'
import { until } from '../support/until.ts'
import { openRoom, type Room } from './room.ts'
import { say } from './stub.ts'

const names = Array.from({ length: 51 }, (_, index) => `name-${index}`)

describe('after a gap', () => {
  test('what somebody wrote in one of many direct messages is heard', async () => {
    const room = await openRoom({ server: { people: names } })
    const { discord, sink } = room
    const refs = names.map((name): ThreadRef => {
      const direct = discord.people.direct(name)
      return { platform: 'discord', tenant: 'dm', project: direct, thread: direct }
    })
    sink.known = refs
    await room.stop()
    discord.people.post('name-50', refs[50]?.thread ?? '', 'are you there?')
    await room.start()

    expect(await room.hears('are you there?')).toMatchObject({ thread: refs[50] })
  })

  test('what somebody wrote in an archived thread in one of many channels is heard', async () => {
    const room = await openRoom({ server: { channels: names } })
    const { discord, sink } = room
    const threads = names.map((name) => discord.people.createThread('ana', name, 'a thread'))
    sink.known = threads.map((thread, index) => {
      const project = discord.channels[names[index] ?? ''] ?? ''
      return { platform: 'discord', tenant: discord.guildId, project, thread }
    })
    await room.stop()
    discord.people.post('ana', threads[50] ?? '', 'are you there?')
    for (const thread of threads) discord.people.archiveThread(thread)
    await room.start()

    expect(await room.hears('are you there?')).toMatchObject({ thread: sink.known[50] })
  })

  test('what somebody wrote in one of many archived threads of a channel is heard', async () => {
    const room = await openArchived()
    await room.start()

    expect(await room.hears('are you there?')).toMatchObject({ thread: room.sink.known[0] })
  })

  test('no further archived threads are asked for once another session has begun', async () => {
    const room = await openArchived()
    const { discord } = room
    const archived = { method: 'GET', path: '/threads/archived/public' } as const
    discord.misbehave.fail(archived, { kind: 'first', run: () => renewed(room) })
    await room.start()
    await room.hears('are you there?')

    const pages = discord.calls.filter(({ path }) => path.includes(archived.path))
    expect(pages).toHaveLength(3)
  })

  test('direct messages that Discord doesn’t show hold up nothing else', async () => {
    const { room, directs } = await openDirect()
    const { discord } = room
    await room.stop()
    const [closed, open] = directs as [string, string]
    discord.misbehave.fail({ method: 'GET', path: new RegExp(`/channels/${closed}$`) }, status(503), 999)
    discord.people.post('ana', 'general', 'in the channel')
    discord.people.post('ben', open, 'in private')
    await room.start()

    await room.hears('in the channel')
    await room.hears('in private')
  })

  test('what a later session missed in a channel is read before more direct messages are asked for', async () => {
    const { room, directs } = await openDirect()
    const { discord } = room
    await room.stop()
    const [first, second] = directs as [string, string]
    const asks = (channel: string) => ({ method: 'GET', path: new RegExp(`/channels/${channel}$`) }) as const
    const run = async () => {
      discord.people.post('ana', 'general', 'missed later')
      await renewed(room)
    }
    discord.misbehave.drop(true)
    discord.misbehave.fail(asks(first), { kind: 'first', run })
    await room.start()
    await until('the second', () => discord.calls.some(({ path }) => asks(second).path.test(path)))

    expect(room.sink.texts).toContain('missed later')
  })
})

const status = (code: number) => ({ kind: 'status', status: code }) as const

/** A room that knows the direct messages of two people. */
async function openDirect() {
  const room = await openRoom()
  const directs = ['ana', 'ben'].map((who) => room.discord.people.direct(who))
  room.sink.known = directs.map((direct) => ({ platform: 'discord', tenant: 'dm', project: direct, thread: direct }))
  return { room, directs }
}

/** A stopped room with something new in a thread of ours, after which a hundred others were archived. */
async function openArchived() {
  const room = await openRoom()
  const { discord, sink } = room
  const create = (name: string) => discord.people.createThread('ana', 'general', name)
  const thread = create('ours')
  const others = Array.from({ length: 100 }, (_, index) => create(`other-${index}`))
  sink.known = [{ platform: 'discord', tenant: discord.guildId, project: discord.channels.general ?? '', thread }]
  await room.stop()
  discord.people.post('ana', thread, 'are you there?')
  discord.people.archiveThread(thread)
  const at = Date.now()
  await until('a later time', () => Date.now() > at)
  for (const other of others) discord.people.archiveThread(other)
  return room
}

/** The connection is lost, and a new session begins. */
async function renewed({ discord, platform }: Room): Promise<void> {
  const { identifies } = discord.gateway
  discord.misbehave.resume('refuse')
  discord.misbehave.disconnect(4000)
  await until('a new session', () => discord.gateway.identifies > identifies && platform.health().ok)
}

/** A thread of the bot's in which something was said, below the message that began it; then the connection is lost. */
async function openLost() {
  const room = await openRoom()
  const { discord, platform, mention, hears } = room
  const root = await mention('ana', 'general', 'drop the prod table')
  const { thread } = root
  await say(platform, thread, 'Are you sure?')
  discord.people.post('ana', thread.thread, 'yes, prod')
  const reply = await hears('yes, prod')
  await loses(room)
  return { ...room, thread, root: root.message, reply: reply.message }
}

/** Nothing is sent to the bot any more, and nothing is read back, until nothing misbehaves. */
async function loses({ discord, platform }: Room): Promise<void> {
  discord.misbehave.fail({ method: 'GET', path: '/gateway/bot' }, { kind: 'status', status: 503 }, 999)
  discord.misbehave.resume('refuse')
  discord.misbehave.disconnect(4000)
  await until('the loss', () => !platform.health().ok)
}

describe('in a gap, before a thread is read', () => {
  test('its edits are heard, those of the message that began it too', async () => {
    const { discord, platform, sink, thread, root, reply } = await openLost()
    discord.people.edit('ana', root, `<@${discord.botId}> drop the staging table`)
    discord.people.edit('ana', reply, 'yes, staging')
    await platform.catchUp(thread)

    const edits = sink.changes.map(({ message, now }) => ({ message, text: now?.text }))
    expect(edits.toSorted((a, b) => a.message.localeCompare(b.message))).toEqual([
      { message: root, text: 'drop the staging table' },
      { message: reply, text: 'yes, staging' },
    ])
    expect(sink.changes[0]).toMatchObject({ thread, person: { name: 'Ana' } })
  })

  test('it is heard that the message which began it was deleted', async () => {
    const { discord, platform, sink, thread, root } = await openLost()
    discord.people.delete(root)
    await platform.catchUp(thread)

    expect(sink.changes).toMatchObject([{ message: root, thread, now: undefined }])
    expect(sink.changes[0]?.dedupKey).toBe(sink.heard[0]?.dedupKey)
  })

  test('a post in a forum is there, and what nobody edited has not changed', async () => {
    const room = await openRoom()
    const { discord, platform, sink, hears } = room
    discord.people.createThread('ana', 'forum', 'A post', { text: 'hello' })
    const { thread } = await hears('hello')
    await say(platform, thread, 'Hello.')
    await loses(room)
    await platform.catchUp(thread)

    expect(sink.changes).toEqual([])
  })
})

test('an edit in a gap is heard with what is new in its channel', async () => {
  const room = await openLost()
  room.discord.people.edit('ana', room.root, 'never mind')
  room.discord.people.post('ben', 'general', 'something else')
  room.discord.misbehave.stop()
  room.discord.misbehave.resume('refuse')
  await until('the edit', () => room.sink.changes.length > 0)

  expect(room.sink.changes).toMatchObject([{ message: room.root, now: { text: 'never mind' } }])
})

test('many edits in a gap are heard a page at a time', async () => {
  const now = { heard: 0, inHand: 0, most: 0 }
  const changed = async () => {
    now.most = Math.max(now.most, ++now.inHand)
    await Promise.resolve()
    now.inHand--
    now.heard++
  }
  const edited_timestamp = new Date().toISOString()
  const messages = Array.from({ length: 250 }, (_, index) => ({ id: `${index}`, edited_timestamp }) as Message)
  await hearEdits(messages, { guild: undefined, after: '0' }, { hearing: { changed } as unknown as Hearing })

  expect(now).toEqual({ heard: 250, inHand: 0, most: 100 })
})
