import { expect, test } from 'vitest'
import { FormerCalls } from '../../src/outbound/former-calls.ts'
import { appendEvents } from '../../src/store/events.ts'
import { insertInbox } from '../../src/store/inbox.ts'
import { acquireTurn } from '../../src/turn/state/next-turn.ts'
import { runSession } from '../../src/turn/work.ts'
import { turnServices } from '../support/services.ts'
import { ana, newSession, openStore } from '../support/store.ts'

test('a process that continues a turn waits for the last calls of the one before, even if it has not heard of its end', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await store.transaction(async (tx) => {
    const eventId = await appendEvents(tx, session.id, [])
    const payload = { person: ana, text: 'hello', files: [] }
    await insertInbox(tx, session.id, { dedupKey: 'hello', kind: 'message', payload, eventId })
  })
  await acquireTurn(store, session.id, 'node_before')
  const clock = { at: 1_000, now: () => clock.at }
  const formerCalls = new FormerCalls(store.db, clock)
  const begunAt = 5_000
  clock.at = 10_000
  const arrives = async () => {
    const arrived = formerCalls.arrived({ begunAt }).then(() => 'at once')
    return Promise.race([arrived, new Promise((resolve) => setImmediate(resolve, 'it waits'))])
  }
  expect(await arrives()).toBe('at once')
  // It is stopped before it does anything.
  await runSession(session.id, AbortSignal.abort(), { ...(await turnServices(store)), formerCalls })
  expect(await arrives()).toBe('it waits')
})
