import { expect, test } from 'vitest'
import { FormerCalls } from '../../src/outbound/former-calls.ts'
import { Poster } from '../../src/outbound/poster.ts'
import { filesKey } from '../../src/outbound/posting.ts'
import type { Presenter } from '../../src/outbound/presenter.ts'
import type { ChatPlatform, Posting } from '../../src/platforms/platform.ts'
import { dueOutbox } from '../../src/store/outbox.ts'
import { newSession, openStore } from '../support/store.ts'

test('files that were left for later are no longer waiting when the next attempt posts them', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const clock = { now: () => Date.now() }
  const waiting = async () => (await dueOutbox(store.db, Date.now() + 1_000, 5)).map(({ key }) => key)
  const key = 'msg_a.1'
  const file = {
    name: 'a.txt',
    path: 'outputs/a.txt',
    type: 'text/plain',
    size: 1,
    bytes: async () => new Uint8Array(1),
  }
  /** The upload fails, and so does saying so; then it works. */
  const attempts: ((posting: Posting) => Promise<string>)[] = [
    async ({ postpone }) => {
      await postpone([file])
      throw new Error('reset')
    },
    async () => {
      expect(await waiting()).toEqual([])
      return 'posted'
    },
  ]
  const platform = {
    find: async () => undefined,
    post: (_: unknown, __: unknown, posting: Posting) => attempts.shift()?.(posting),
  } as unknown as ChatPlatform
  const former = new FormerCalls(store.db, { now: () => 0 })
  const presenter = { shows: () => false } as unknown as Presenter
  const poster = new Poster({ store, clock, platform, presenter, former, session, turn: undefined })
  await expect(poster.page(key, {})).rejects.toThrow('reset')
  expect(await waiting()).toEqual([filesKey(key)])
  expect(await poster.page(key, {})).toBe('posted')
  expect(await waiting()).toEqual([])
})
