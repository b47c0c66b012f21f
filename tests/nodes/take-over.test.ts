import { expect, onTestFinished, test } from 'vitest'
import { NodesSeen } from '../../src/engine/watch-nodes.ts'
import { FormerCalls } from '../../src/outbound/former-calls.ts'
import { dropLock, takeLock } from '../../src/store/lock.ts'
import { nodeName } from '../../src/store/lock-names.ts'
import { claimAttempt, dueOutbox, insertOutbox } from '../../src/store/outbox.ts'
import { lookAfterNodes, Shared } from '../../src/wiring/nodes.ts'
import { newSession, openStore } from '../support/store.ts'
import { until } from '../support/until.ts'

/** Neither may wait until somebody happens to look. */
test('when a process is gone, its turns, jobs and messages are taken over at once, after its last calls have arrived', async () => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  for (const holder of ['node_a', 'node_b'])
    await takeLock(store, { holder, host: 'here', pid: 1 }, () => undefined, nodeName(holder))
  const payload = { text: 'hello', files: [] }
  await store.transaction((tx) => insertOutbox(tx, { key: 'msg_a', session, turn: undefined, kind: 'answer', payload }))
  const due = () => dueOutbox(store.db, Date.now(), 5, 'node_b')
  const [entry] = await due()
  if (entry === undefined) throw new Error('the entry is due')
  await store.transaction((tx) => claimAttempt(tx, entry, Date.now() + 60_000, 'node_a'))

  const clock = { at: 1_000, now: () => clock.at }
  const formerCalls = new FormerCalls(store.db, clock)
  clock.at = 10_000
  const arrives = () =>
    Promise.race([
      formerCalls.arrived({ begunAt: 5_000 }).then(() => 'at once'),
      new Promise((resolve) => setImmediate(resolve, 'it waits')),
    ])
  const done: string[] = []
  const note = (what: string) => async () => void done.push(what)
  // Asked for every ten seconds.
  const followTime = async () => void (done.includes('time') || done.push('time'))
  const faults: unknown[] = []
  const nodes = new NodesSeen(60_000)
  const foundation = { store, lock: { holder: 'node_b' }, report: () => (thrown: unknown) => void faults.push(thrown) }
  const shared = new Shared(foundation)
  shared.whenGone(() => void done.push('doubts'))
  const looking = lookAfterNodes(
    { ...foundation, config: { node: 'b' }, followTime },
    {
      ...{ formerCalls, nodes, takeOver: note('turns'), jobs: { takeOver: note('jobs') }, drain: () => {} },
      bot: { presenter: { takeOver: note('messages') } },
      shared: { doubt: () => shared.doubt(), gone: note('duties') },
      ...{ workspaces: { sweep: note('workspaces') } },
    },
  )
  onTestFinished(async () => {
    for (const look of looking) await look.stop()
  })
  const before = nodes.silent
  for (const look of looking) look.start()
  await until('the first look', () => nodes.silent !== before)
  expect([await arrives(), await due(), done]).toEqual(['at once', [], ['time']])

  await dropLock(store, 'node_a')
  await until('the work to be taken over', () => done.includes('workspaces'))
  expect(done).toEqual(['time', 'doubts', 'turns', 'messages', 'jobs', 'duties', 'workspaces'])
  expect([await arrives(), (await due()).map(({ key }) => key), faults]).toEqual(['it waits', ['msg_a'], []])
})
