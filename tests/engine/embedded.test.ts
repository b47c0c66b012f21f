import { setImmediate as round } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newId, type SessionId } from '../../src/domain/ids.ts'
import { embeddedEngine } from '../../src/engine/embedded.ts'

test('sessions that are woken together begin in the same rounds of the event loop, five in each', async () => {
  const begun: SessionId[] = []
  const over = Promise.withResolvers<void>()
  const engine = embeddedEngine({ turnsAtOnce: 8, sweepMs: 60_000, runnable: async () => [], report: () => {} })
  await engine.start(async (session) => {
    begun.push(session)
    await over.promise
  })
  const sessions = Array.from({ length: 12 }, () => newId('ses', 0))
  for (const session of sessions) engine.wake(session)
  await round()
  expect(begun).toEqual(sessions.slice(0, 5))
  await round()
  expect(begun).toEqual(sessions.slice(0, 8))
  over.resolve()
  await engine.stop(60_000)
})
