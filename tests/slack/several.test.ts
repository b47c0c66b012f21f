import { expect, test } from 'vitest'
import type { Others } from '../../src/platforms/platform.ts'
import { eventually, openBench, StubNotes, threadOf } from './support.ts'

const others: Others = {
  duty() {
    throw new Error('Slack has no duties')
  },
  whenGone: () => {},
}

test('of several bots, none takes its connection for deaf because another one heard of its file', async () => {
  const notes = new StubNotes()
  const pace = { quietMs: 100, echoMs: 6_000, quietEverywhereMs: 3_600_000 }
  await using bench = await openBench({ notes, others, pace })
  const { server } = bench
  await using _ = await openBench({ server, notes, others, pace })
  await eventually(() => expect(server.callsTo('files.delete').length).toBeGreaterThan(6))
  // Slack gives each event to any one of the connections.
  expect(server.sockets.made).toBe(2)
  server.misbehave.deafen()
  await eventually(() => expect(server.sockets.made).toBeGreaterThan(3))
  expect(server.violations).toEqual([])
})

test('of several bots, one whose connection is deaf notices it, although the others hear of its files', async () => {
  const notes = new StubNotes()
  const pace = { quietMs: 50, echoMs: 300, echoRestMs: 0, quietEverywhereMs: 3_600_000 }
  await using bench = await openBench({ notes, others, pace, redeliveryMs: [20, 20, 20] })
  const { server } = bench
  server.sockets.deafen()
  // The other one asks for nothing itself.
  await using _ = await openBench({ server, notes, others, pace: { quietMs: 3_600_000, echoFirstMs: 3_600_000 } })
  await eventually(() => expect(server.sockets.made).toBeGreaterThan(2))
  expect(server.violations).toEqual([])
})

test('when another bot is gone, a thread that is gone on with is asked once for what that bot was sent', async () => {
  let aheadMs = 0
  const listeners: (() => void)[] = []
  const whenGone = (tell: () => void) => void listeners.push(tell)
  await using bench = await openBench({ others: { ...others, whenGone }, clock: { now: () => Date.now() + aheadMs } })
  const { server, sink, platform } = bench
  const root = server.people.mention('ana', 'general', 'deploy to production')
  const thread = threadOf(server, 'general', root)
  await eventually(() => {
    expect(sink.heard).toHaveLength(1)
    expect(platform.catchUp(thread)).toBeUndefined()
  })
  // Slack has given it to the other one.
  server.people.post('ana', 'general', 'stop, use staging instead', { thread_ts: root, silent: true })
  const asked = () => server.callsTo('conversations.replies').length
  const before = asked()
  expect(platform.catchUp(thread)).toBeUndefined()
  for (const times of [1, 2]) {
    for (const tell of listeners) tell()
    await platform.catchUp(thread)
    await platform.catchUp(thread)
    expect(asked()).toBe(before + times)
  }
  expect(sink.heard.map(({ text }) => text)).toEqual(['deploy to production', 'stop, use staging instead'])
  // By then Slack has sent it again.
  aheadMs = 10 * 60_000
  expect(platform.catchUp(thread)).toBeUndefined()
  expect(server.sockets.made).toBe(1)
})
