import { describe, expect, test } from 'vitest'
import type { SessionId } from '../../src/domain/ids.ts'
import { appendEvents, readEvents } from '../../src/store/events.ts'
import { acquire, holdSession } from '../../src/store/hold-session.ts'
import type { Expected } from '../../src/store/ledger.ts'
import type { Store, Tx } from '../../src/store/store.ts'
import { newSession, openStore } from '../support/store.ts'

/** Every way in which the first statement of a transaction takes the numbers that it will most likely need. */
const ways: Record<
  string,
  (store: Store, id: SessionId, expected: Expected, work: (tx: Tx) => Promise<unknown>) => unknown
> = {
  async fence(store, id, expected, work) {
    const { lease } = await store.transaction((tx) => acquire(tx, id, 'node_a'))
    await store.fenced(lease, work, expected)
  },
  takeover: (store, id, expected, work) =>
    store.transaction(async (tx) => {
      await acquire(tx, id, 'node_a', expected)
      await work(tx)
    }),
  session: (store, id, expected, work) =>
    store.transaction(async (tx) => {
      await holdSession(tx, id, expected)
      await work(tx)
    }),
  counters: (store, id, expected, work) =>
    store.transaction(async (tx) => {
      await tx.ledger.hold(id, expected)
      await work(tx)
    }),
}

const append = (tx: Tx, id: SessionId, count: number) =>
  appendEvents(
    tx,
    id,
    Array.from({ length: count }, () => ({
      type: 'stopped' as const,
      data: { turn_id: 'turn_a' as const, person: { id: 'a', name: 'a' } },
    })),
  )

async function numbersOf(store: Store, id: SessionId): Promise<{ events: number[]; next: unknown }> {
  const events = (await readEvents(store.db, id, 1, 100)).map(({ event_id }) => event_id)
  const next = await store.db
    .selectFrom('sessions')
    .select(['next_event', 'next_message', 'next_inbox', 'next_outbox'])
    .where('id', '=', id)
    .executeTakeFirst()
  return { events, next }
}

describe.each(Object.keys(ways))('numbers that are taken beforehand, with the %s', (way) => {
  test.each([
    [0, 2],
    [1, 2],
    [2, 2],
    [5, 2],
    [3, 0],
  ])('guessed %i, needed %i: there are no gaps', async (guess, needed) => {
    const store = await openStore()
    const { id } = await newSession(store)
    const before = await numbersOf(store, id)
    const expected = { next_event: guess, next_message: guess, next_inbox: guess, next_outbox: guess }
    await ways[way]?.(store, id, expected, (tx) => append(tx, id, needed))
    // The next transaction goes on where this one has ended.
    await store.transaction((tx) => append(tx, id, 1))
    const { events, next } = await numbersOf(store, id)
    const first = before.events.length + 1
    expect(events.slice(before.events.length)).toEqual(Array.from({ length: needed + 1 }, (_, place) => first + place))
    expect(next).toEqual({ ...(before.next as object), next_event: first + needed + 1 })
  })

  test('are given back when the transaction fails, also beside one that does not', async () => {
    const store = await openStore()
    const { id } = await newSession(store)
    const before = await numbersOf(store, id)
    const fails = Promise.resolve(
      ways[way]?.(store, id, { next_event: 4 }, async (tx) => {
        await append(tx, id, 2)
        throw new Error('on purpose')
      }),
    )
    const [failed] = await Promise.allSettled([fails, store.transaction((tx) => append(tx, id, 1))])
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'on purpose' } })
    const { events } = await numbersOf(store, id)
    expect(events).toEqual([...before.events, before.events.length + 1])
  })
})
