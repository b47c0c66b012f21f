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
