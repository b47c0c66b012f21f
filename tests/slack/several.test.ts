import { expect, test } from 'vitest'
import type { Others } from '../../src/platforms/platform.ts'
import { eventually, openBench, StubNotes } from './support.ts'

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
  await eventually(() => expect(server.sockets.made).toBe(3))
  expect(server.violations).toEqual([])
})
