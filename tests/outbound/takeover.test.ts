import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeUnlessOver, changeUnlessReplaced } from '../../src/outbound/change-unless-over.ts'
import { FormerCalls } from '../../src/outbound/former-calls.ts'
import { acquire } from '../../src/store/hold-session.ts'
import { takeLock } from '../../src/store/lock.ts'
import { Mark } from '../../src/store/mark.ts'
import { notesIn } from '../../src/store/notes.ts'
import { claimAttempt, dueOutbox, insertOutbox, markDelivered } from '../../src/store/outbox.ts'
import { keeperOf } from '../../src/store/sqlite/keeper.ts'
import type { Store } from '../../src/store/store.ts'
import { newSession, openStore, scratch } from '../support/store.ts'

const takeOver = (store: Awaited<ReturnType<typeof openStore>>, holder: string, name?: string) =>
  takeLock(store, { holder, host: 'here', pid: 1 }, () => 'silent', name)

/** The first process shows progress in a message, whose end waits for `poster`. */
async function shownBy({ poster = 'second' } = {}) {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const payload = { text: 'the end', files: [] }
  await takeOver(store, 'first')
  if (poster !== 'first') await takeOver(store, poster, 'beside')
  await store.transaction((tx) => insertOutbox(tx, { key: 'msg_a', session, turn: undefined, kind: 'answer', payload }))
  const dueNow = () => dueOutbox(store.db, Date.now() + 1_000, 5, poster)
  /** Returns what marks it as delivered. */
  const beginEnd = async () => {
    const [entry] = await dueNow()
    if (entry === undefined) throw new Error('it is due')
    await store.transaction((tx) => claimAttempt(tx, entry, Date.now(), poster))
    return () => store.transaction((tx) => markDelivered(tx, entry, poster))
  }
  const postEnd = async () => (await beginEnd())()
  const due = async () => (await dueNow()).map(({ key }) => key)
  const acquired = () => store.transaction((tx) => acquire(tx, session, 'first'))
  const { lease } = await acquired()
  const shown = { entry: 'msg_a', lease }
  const show = (write: () => Promise<string>) => changeUnlessOver({ store, holder: 'first' }, shown, write)
  return { store, due, show, acquired, beginEnd, postEnd }
}

test('a process that has not been replaced changes what it shows', async () => {
  const { show, postEnd } = await shownBy()
  expect(await show(async () => 'shown')).toBe('shown')
  expect(await postEnd()).toBe(true)
})

test.for(['works', 'fails'])(
  'an end that was written over by a frozen process is delivered again (its call %s)',
  async (how) => {
    const { store, due, show, postEnd } = await shownBy()
    const write = async () => {
      await takeOver(store, 'second')
      await postEnd()
      if (how === 'fails') throw new Error('reset')
      return 'shown'
    }
    expect(await show(write)).toBe('over')
    expect(await due()).toEqual(['msg_a'])
  },
)

test.for(['works', 'fails'])(
  'an outcome that a frozen process has covered with the buttons is delivered again (its call %s)',
  async (how) => {
    const { store, due, postEnd } = await shownBy()
    await postEnd()
    const change = (write: () => Promise<string>) => changeUnlessReplaced({ store, holder: 'first' }, 'msg_a', write)
    expect(await change(async () => 'changed')).toBe('changed')
    expect(await due()).toEqual([])
    const write = async () => {
      await takeOver(store, 'second')
      if (how === 'fails') throw new Error('reset')
      return 'changed'
    }
    expect(await change(write)).toBe('over')
    expect(await due()).toEqual(['msg_a'])
  },
)

test.for(['read', 'written'])(
  'an end that was written over is delivered again although the database can’t be %s at once',
  async (how) => {
    const { store, due, postEnd } = await shownBy()
    let [unread, unwritten] = [0, 0]
    const lost = () => Object.assign(new Error('the connection was lost'), { code: 'EIO' })
    const shaky = {
      availability: store.availability,
      get db() {
        if (unread-- > 0) throw lost()
        return store.db
      },
      transaction: async (work) => {
        if (unwritten-- > 0) throw lost()
        return store.transaction(work)
      },
    } as Pick<Store, 'availability' | 'db' | 'transaction'> as Store
    const write = async () => {
      await takeOver(store, 'second')
      await postEnd()
      if (how === 'read') unread = 1
      else unwritten = 1
      return 'changed'
    }
    expect(await changeUnlessReplaced({ store: shaky, holder: 'first' }, 'msg_a', write)).toBe('over')
    expect(await due()).toEqual(['msg_a'])
  },
)

test('an end that was written over after somebody else had taken the session is delivered again', async () => {
  const { due, show, acquired, postEnd } = await shownBy()
  const write = async () => {
    await acquired()
    await postEnd()
    return 'shown'
  }
  expect(await show(write)).toBe('over')
  expect(await due()).toEqual(['msg_a'])
})

test('an end that another process has posted, for a subagent that asks, is not written over', async () => {
  const { due, show, postEnd } = await shownBy()
  const writes: string[] = []
  await postEnd()
  expect(await show(async () => `${writes.push('late')}`)).toBe('over')
  expect([writes, await due()]).toEqual([[], []])
})

test.for(['works', 'fails'])('and is delivered again if that happens meanwhile (the call %s)', async (how) => {
  const { due, show, postEnd } = await shownBy()
  const write = async () => {
    await postEnd()
    if (how === 'fails') throw new Error('reset')
    return 'shown'
  }
  expect(await show(write)).toBe('over')
  expect(await due()).toEqual(['msg_a'])
})

test('an end that is being posted is posted once more if a frozen process wrote over its first page', async () => {
  const { store, due, show, beginEnd } = await shownBy()
  let settle = async () => true
  const write = async () => {
    await takeOver(store, 'second')
    settle = await beginEnd()
    return 'shown'
  }
  expect(await show(write)).toBe('over')
  expect(await settle()).toBe(false)
  const settleAgain = await beginEnd()
  expect(await settleAgain()).toBe(true)
  expect(await due()).toEqual([])
})

test.for(['the same', 'another'])(
  'a process that posts the end itself, after what it was showing, posts it once, with %s lease',
  async (lease) => {
    const { due, show, acquired, beginEnd } = await shownBy({ poster: 'first' })
    let settle = async () => false
    const write = async () => {
      if (lease === 'another') await acquired()
      settle = await beginEnd()
      return 'shown'
    }
    expect(await show(write)).toBe(lease === 'another' ? 'over' : 'shown')
    expect(await settle()).toBe(true)
    expect(await due()).toEqual([])
  },
)

test('what waited its turn while the session was taken, or the process replaced, is not written any more', async () => {
  for (const by of ['acquired', 'replaced']) {
    const { store, due, show, acquired } = await shownBy()
    await (by === 'acquired' ? acquired() : takeOver(store, 'second'))
    const writes: string[] = []
    const write = async () => `${writes.push(by)}`
    expect(await show(write)).toBe('over')
    if (by === 'replaced') expect(await changeUnlessReplaced({ store, holder: 'first' }, 'msg_a', write)).toBe('over')
    expect([writes, await due()]).toEqual([[], ['msg_a']])
  }
})

test('what an earlier process was posting is left alone until its calls have arrived', async () => {
  let now = 5_000
  const former = new FormerCalls((await openStore()).db, { now: () => now })
  const arrival = async (begunAt: number) => {
    const arrived = former.arrived({ begunAt }).then(() => 'arrived')
    return Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, 20, 'under way'))])
  }
  expect(await arrival(4_000)).toBe('under way')
  expect(await arrival(5_000)).toBe('arrived')
  now = 6_001
  expect(await arrival(4_000)).toBe('arrived')
})

test('a replaced process stores no notes, because its cursors are not the new one’s', async () => {
  const store = await openStore()
  await takeOver(store, 'first')
  const notes = notesIn(store, 'first')
  await notes.set('cursor', '5')
  await takeOver(store, 'second')
  await notes.set('cursor', '9')
  expect(await notes.get('cursor')).toBe('5')
})

test('a replaced process leaves the mark beside the database alone, because it would be ahead', async () => {
  const store = await openStore()
  const keeper = keeperOf(join(await scratch(), 'bobbin.db'))
  const mark = new Mark(store, keeper, 'first')
  await takeOver(store, 'first')
  await mark.set()
  await takeOver(store, 'second')
  await mark.set()

  expect(keeper.marked()).toBe(1)
  expect(await new Mark(store, keeper, 'second').isBehind()).toBe(false)
})
