import { expect, test } from 'vitest'
import { appendAudit } from '../../../src/store/audit.ts'
import { verifyAudit } from '../../../src/store/audit-chain.ts'
import { appendEvents, readEvents } from '../../../src/store/events.ts'
import { setTurnState } from '../../../src/store/turns.ts'
import { startTestBot } from '../../support/bot.ts'
import { postgresDatabase } from '../../support/database.ts'
import { calls, says } from '../../support/model-server.ts'
import { throughPooler } from '../../support/pooler.ts'
import { ana, newSession } from '../../support/store.ts'
import { meanwhile, twoOn } from '../../support/two-stores.ts'

const stopped = { type: 'stopped' as const, data: { turn_id: 'turn_a' as const, person: ana } }

test('transactions of two processes share few connections of a pooler, and stay alone where they have to', async () => {
  const { url, backends } = await throughPooler(await postgresDatabase(), 4)
  const stores = await twoOn(url)
  const session = await newSession(stores[0])
  const write = (time: number) =>
    stores.map((store) =>
      store.transaction(async (tx) => {
        await appendEvents(tx, session.id, [stopped])
        await appendAudit(tx, { kind: 'decided', session: session.id, data: { time } })
      }),
    )
  await Promise.all(Array.from({ length: 25 }, (_, time) => write(time)).flat())
  const events = await readEvents(stores[0].db, session.id, 1, 100)
  expect(events.map(({ event_id }) => event_id)).toEqual(Array.from({ length: 50 }, (_, place) => place + 1))
  expect(await verifyAudit(stores[1].db)).toMatchObject({ ok: true, entries: 50 })
  expect(backends.opened).toBeLessThanOrEqual(4)
  expect(backends.lent).toBeGreaterThan(50)
})

test('behind a pooler, whoever holds a session keeps others from it until the end', async () => {
  const { url } = await throughPooler(await postgresDatabase(), 4)
  const [store, other] = await twoOn(url)
  const session = await newSession(store)
  let order = ''
  await meanwhile(
    store,
    (tx) => tx.hold(session.id),
    () =>
      other.transaction(async (tx) => {
        await tx.hold(session.id)
        order += 'second'
      }),
    async (tx) => {
      order += 'first '
      await setTurnState(tx, 'turn_none', 'done')
    },
  )
  expect(order).toBe('first second')
})

test('a turn with a call runs behind a pooler', async () => {
  const { url, backends } = await throughPooler(await postgresDatabase(), 6)
  const bot = await startTestBot({
    script: [calls('now', {}), says('It is late.'), says('Later.')],
    environment: { DATABASE_URL: url, BOBBIN_NODE: 'one' },
  })
  const { text, conversation } = await bot.chat.say('what time is it?')
  expect(text).toBe('It is late.')
  expect((await bot.chat.say('and now?', { conversation })).text).toBe('Later.')
  expect(backends.opened).toBeLessThanOrEqual(6)
})
