import { expect, test } from 'vitest'
import type { TurnView } from '../../src/domain/turn-view.ts'
import { liveOptions } from '../support/live-options.ts'
import { until } from '../support/until.ts'
import { openRoom, type Room } from './room.ts'
import { answer, posting, say } from './stub.ts'

/** Discord makes no threads with such names. */
function refuse({ discord }: Room, status: number, code: number, named: (name: string) => boolean): void {
  const body = (sent: unknown) => named((sent as { name: string }).name)
  const text = JSON.stringify({ code, message: 'refused' })
  const refusal = { kind: 'answer', status, text, contentType: 'application/json' } as const
  discord.misbehave.fail({ method: 'POST', path: '/threads', body }, refusal, 1_000)
}

const attempts = ({ discord }: Room, message: string): number =>
  discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith(`/${message}/threads`)).length

test.each([
  ['AutoMod blocks', 400, 200001],
  ['AutoMod forbids', 403, 200001],
  ['Server Discovery doesn’t allow', 400, 50035],
])('a thread whose name %s has a neutral one', async (_, status, code) => {
  const room = await openRoom()
  refuse(room, status, code, (name) => name.includes('darn'))
  const { thread, message } = await room.mention('ana', 'general', 'where is the darn plan?')
  await say(room.platform, thread, 'Here.')

  expect(room.discord.view(message).map(({ content }) => content)).toEqual(['Here.'])
  expect(attempts(room, message)).toBe(2)
})

test('where AutoMod blocks every name, the bot replies in the channel', async () => {
  const room = await openRoom()
  refuse(room, 400, 200001, () => true)
  const { thread, message } = await room.mention('ana', 'general', 'where is the darn plan?')
  await say(room.platform, thread, 'Here.')

  const replies = room.discord.view('general').filter(({ replyTo }) => replyTo === message)
  expect(replies.map(({ content }) => content)).toEqual(['Here.'])
})

test('a live reply whose thread is refused doesn’t ask for it with every view; its end says why', async () => {
  const room = await openRoom()
  const { thread, message } = await room.mention('ana', 'general', 'hidden')
  const other = await room.mention('ana', 'general', 'shown')
  refuse(room, 403, 50001, (name) => name === 'hidden')
  const live = room.platform.live(thread, liveOptions(posting('refused.0')))
  const clock = room.platform.live(other.thread, liveOptions(posting('shown.0')))

  for (const words of ['one', 'two', 'three', 'four']) {
    live.show(view(words))
    clock.show(view(words))
    await until(words, () => attempts(room, message) > 0 && shows(room, other.message, words))
  }
  expect(attempts(room, message)).toBe(1)
  const [page] = room.platform.pages(answer('The end.'))
  await expect(live.finish(page)).rejects.toMatchObject({ again: 'repairable' })
})

test('a thread that somebody deletes is gone, and isn’t made again below the message that it began with', async () => {
  const room = await openRoom()
  const { thread, message } = await room.mention('ana', 'general', 'hello')
  await say(room.platform, thread, 'Hello.')
  room.discord.people.deleteThread(message)
  // Events come in order, so the bot knows of it then.
  await room.mention('ana', 'general', 'and this?')

  await expect(say(room.platform, thread, 'An alarm')).rejects.toMatchObject({ again: 'never', gone: true })
  expect(attempts(room, message)).toBe(1)
  expect(room.sink.deleted).toEqual([thread])
  room.discord.people.createThread('ben', 'general', 'once more', { from: message })
  room.discord.people.post('ben', thread.thread, 'here again')
  await room.hears('here again')
  await say(room.platform, thread, 'Welcome back.')

  // A new client doesn't know of archived threads.
  room.discord.people.archiveThread(thread.thread)
  const { identifies } = room.discord.gateway
  room.discord.misbehave.disconnect(4014)
  await until('a new client', () => room.discord.gateway.identifies > identifies && room.platform.health().ok)
  await say(room.platform, thread, 'Still here.')
  expect(room.discord.view(message).at(-1)?.content).toBe('Still here.')
})

test('a post that was deleted from a forum is gone, for the next process too', async () => {
  const room = await openRoom()
  const post = room.discord.people.createThread('ana', 'forum', 'a question', { text: 'how?' })
  const { thread } = await room.hears('how?')
  await say(room.platform, thread, 'Like this.')
  room.discord.people.deleteThread(post)
  await room.restart()

  await expect(say(room.platform, thread, 'An alarm')).rejects.toMatchObject({ again: 'never', gone: true })
})

const shows = (room: Room, message: string, words: string): boolean =>
  attempts(room, message) > 0 && room.discord.view(message).some(({ content }) => content.includes(words))

const view = (text: string): TurnView => ({
  turn: 'turn_1',
  segment: 0,
  state: 'running',
  notices: [],
  parts: [{ kind: 'text', text }],
  todos: [],
  startedAt: 0,
})
