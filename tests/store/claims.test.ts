import { expect, test } from 'vitest'
import { cancelAlarm, claimAlarm, dueAlarms, insertAlarm } from '../../src/store/alarms.ts'
import { acquire } from '../../src/store/hold-session.ts'
import { LeaseLost } from '../../src/store/lease-lost.ts'
import { dropLock, isReplaced, nodesOf, takeLock, takeLocksFrom } from '../../src/store/lock.ts'
import { nodeName } from '../../src/store/lock-names.ts'
import { nextTimes } from '../../src/store/next-at.ts'
import { drainNode, setDrained } from '../../src/store/nodes.ts'
import { claimAttempt, dueOutbox, insertOutbox, markDelivered, nextPosting } from '../../src/store/outbox.ts'
import type { OutboxEntry } from '../../src/store/outbox-entry.ts'
import type { LockRow } from '../../src/store/schema.ts'
import { ana, newSession, openStore } from '../support/store.ts'

async function withAlarm(cron?: string) {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const alarm = { id: 'alarm_1' as const, session, message: 'tea', dueAt: 1, cron, timeZone: 'UTC', person: ana }
  await store.transaction((tx) => insertAlarm(tx, alarm))
  const [due] = await dueAlarms(store.db, 10, ['console'])
  if (due === undefined) throw new Error('the alarm is due')
  const claim = (next?: number) => store.transaction((tx) => claimAlarm(tx, due, next))
  return { store, session, claim }
}

test('two that look at the same time ring an alarm only once', async () => {
  const { claim } = await withAlarm()
  expect((await Promise.all([claim(), claim()])).toSorted()).toEqual([false, true])
})

test('one ringing of a repeating alarm is claimed once; a later look finds its next time', async () => {
  const { claim } = await withAlarm('0 9 * * *')
  expect((await Promise.all([claim(100), claim(100)])).toSorted()).toEqual([false, true])
})

test('an alarm that was cancelled after the look does not ring', async () => {
  const { store, session, claim } = await withAlarm()
  await store.transaction((tx) => cancelAlarm(tx, session, 'alarm_1'))
  expect(await claim()).toBe(false)
})

async function withAnswer() {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const payload = { text: 'hello', files: [] }
  await store.transaction((tx) => insertOutbox(tx, { key: 'msg_a', session, turn: undefined, kind: 'answer', payload }))
  const look = async () => {
    const [entry] = await dueOutbox(store.db, Date.now() + 1_000, 5)
    if (entry === undefined) throw new Error('the entry is due')
    return entry
  }
  const claim = (entry: OutboxEntry, holder?: string) =>
    store.transaction((tx) => claimAttempt(tx, entry, Date.now(), holder))
  return { store, look, claim }
}

test('what one process posts no other one posts, until that one is gone', async () => {
  const { store, look, claim } = await withAnswer()
  for (const holder of ['node_a', 'node_b'])
    await takeLock(store, { holder, host: 'here', pid: 1 }, () => undefined, nodeName(holder))
  const dueFor = (holder: string) => dueOutbox(store.db, Date.now() + 1_000, 5, holder)
  expect(await claim(await look(), 'node_a')).toBe(true)
  const [entry] = await dueFor('node_a')
  expect(entry).toMatchObject({ attempts: 1 })
  expect(await dueFor('node_b')).toEqual([])
  expect(await claim(entry as OutboxEntry, 'node_b')).toBe(false)
  const [a] = await nodesOf(store.db)
  expect(await takeLocksFrom(store, a as LockRow, 'node_b')).toBe(true)
  expect(await dueFor('node_b')).toEqual([entry])
  expect(await claim(entry as OutboxEntry, 'node_b')).toBe(true)
  expect(await store.transaction((tx) => isReplaced(tx, 'node_a'))).toBe(true)
})

test('what a drained process has left to post falls to the others, and it may not work until it starts again', async () => {
  const { store, look, claim } = await withAnswer()
  const start = (holder: string, node: string) =>
    takeLock(store, { holder, host: 'here', pid: 1 }, () => 'dead', nodeName(node))
  for (const name of ['a', 'b']) await start(`node_${name}`, name)
  expect(await claim(await look(), 'node_a')).toBe(true)
  expect(await drainNode(store, 'a', new Set(['node_a']))).toBe('last')
  expect(await drainNode(store, 'a', new Set(['node_a', 'node_b']))).toBe('asked')
  const isReplacedNow = (holder: string) => store.transaction((tx) => isReplaced(tx, holder))
  const dueForB = () => dueOutbox(store.db, Date.now() + 1_000, 5, 'node_b')
  expect([await isReplacedNow('node_a'), await dueForB()]).toEqual([false, []])
  await setDrained(store, 'node_a')
  expect([await isReplacedNow('node_a'), (await dueForB()).length]).toEqual([true, 1])
  expect(await drainNode(store, 'b', new Set(['node_a', 'node_b']))).toBe('last')
  await start('node_a2', 'a')
  expect(await isReplacedNow('node_a2')).toBe(false)
})

test('a process that was replaced takes nobody’s locks, and one that has beaten keeps them', async () => {
  const store = await openStore()
  for (const holder of ['node_a', 'node_b'])
    await takeLock(store, { holder, host: 'here', pid: 1 }, () => undefined, nodeName(holder))
  const [a] = (await nodesOf(store.db)) as [LockRow]
  expect(await takeLocksFrom(store, a, 'node_c')).toBe(false)
  expect(await takeLocksFrom(store, { ...a, beat_at: a.beat_at - 1 }, 'node_b')).toBe(false)
})

test.each([undefined, 'a'])(
  'a process stays replaced when the one that replaced it has stopped (node %s)',
  async (node) => {
    const store = await openStore()
    const { id: session } = await newSession(store)
    const name = node && nodeName(node)
    const take = (holder: string) => takeLock(store, { holder, host: 'here', pid: 1 }, () => 'silent', name)
    const isReplacedNow = () => store.transaction((tx) => isReplaced(tx, 'node_a'))
    expect(await isReplacedNow()).toBe(false)
    await take('node_a')
    await take('node_b')
    await dropLock(store, 'node_b')
    expect(await isReplacedNow()).toBe(true)
    await expect(store.transaction((tx) => acquire(tx, session, 'node_a'))).rejects.toBeInstanceOf(LeaseLost)
    await take('node_a')
    expect(await isReplacedNow()).toBe(false)
  },
)

test('what waits behind an entry that is tried again later is not due before it', async () => {
  const { store, look } = await withAnswer()
  const first = await look()
  const behind = {
    key: 'msg_b',
    session: first.session,
    turn: undefined,
    kind: 'answer',
    payload: first.payload,
  } as const
  await store.transaction((tx) => insertOutbox(tx, behind as Parameters<typeof insertOutbox>[1]))
  const next = () => nextTimes(store.db, [nextPosting('node_a')])
  expect((await next())[0]).toBeLessThan(9e15)
  await store.transaction((tx) => claimAttempt(tx, first, 9e15))
  expect(await next()).toEqual([9e15])
})

test('two deliverers that see the same entry make one attempt', async () => {
  const { look, claim } = await withAnswer()
  const entry = await look()
  expect((await Promise.all([claim(entry), claim(entry)])).toSorted()).toEqual([false, true])
})

test('a deliverer that looked during an attempt makes none after it has succeeded', async () => {
  const { store, look, claim } = await withAnswer()
  const first = await look()
  await claim(first)
  const seen = await look()
  await store.transaction((tx) => markDelivered(tx, first, 'node_a'))
  expect(await claim(seen)).toBe(false)
})
