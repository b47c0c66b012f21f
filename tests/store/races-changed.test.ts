import { expect, test } from 'vitest'
import type { Change, Heard } from '../../src/domain/chat.ts'
import { hearChange } from '../../src/inbound/change.ts'
import { type HearDeps, hear } from '../../src/inbound/hear.ts'
import { aloneWith, dropIgnored, insertDeleted } from '../../src/store/ignored.ts'
import { findByDedupKey, insertInbox } from '../../src/store/inbox.ts'
import type { Store, Tx } from '../../src/store/store.ts'
import { resting } from '../support/resting.ts'
import { rulesWith } from '../support/rules.ts'
import { ana, newSession } from '../support/store.ts'
import { meanwhile, two } from '../support/two-stores.ts'

const dedupKey = 'slack:T:C:1.1'
const thread = { platform: 'slack', tenant: 'T', project: 'C', thread: '1.1' }
const deletion: Change = { dedupKey, message: '1.1', thread, person: ana, now: undefined }

const saying = (text: string): Heard => ({
  ...{ dedupKey, thread, message: '1.1', person: ana, text, files: [], at: 1_000, author: 'person' },
  ...{ mentioned: true, direct: false, toOthers: false, reply: false },
})

/** What one process hears with. */
function hearing(store: Pick<Store, 'db' | 'mask' | 'transaction'>): HearDeps {
  const lists = { tenants: [], channels: [], users: [], bots: [] }
  const deps = {
    ...{ store, engine: resting, clock: { now: () => 2_000 }, rules: rulesWith() },
    ...{
      commands: [],
      platforms: new Map(),
      messageBytes: 1_000,
      filesPerMessage: 1,
      timeZone: 'UTC',
      rewritten: async () => {},
    },
    access: { ...lists, otherWorkspaces: true, botMessages: 1, botWindowMs: 1, threads: 'all' as const },
    staging: { drop: async () => {} },
  }
  return deps as unknown as HearDeps
}

test('a message and its deletion that are stored at the same moment are a deleted message', async () => {
  const [store, other] = await two()
  const session = await newSession(store)
  const payload = { person: ana, text: 'the password is MAGNOLIA', files: [] }
  await meanwhile(
    store,
    async (tx) => {
      await dropIgnored(tx, dedupKey)
      await insertInbox(tx, session.id, { dedupKey, kind: 'message', payload, eventId: 1 })
    },
    () => hearChange(deletion, hearing(other)),
  )
  expect(await findByDedupKey(store.db, dedupKey)).toMatchObject({ state: 'taken', payload: { text: '' } })
})

test('a deletion that is being stored keeps its message from being stored', async () => {
  const [store, other] = await two()
  const stored = await meanwhile(
    store,
    async (tx) => {
      await aloneWith(tx, dedupKey)
      await insertDeleted(tx, deletion)
    },
    () => hear(saying('@bot the password is MAGNOLIA'), hearing(other)),
  )
  expect(stored).toEqual({ kind: 'ignored' })
  expect(await findByDedupKey(store.db, dedupKey)).toBeUndefined()
})

test('an edit that comes just before its message is not lost', async () => {
  const [store, other] = await two()
  let isFirst = true
  // The message is stored after the edit found that there is none.
  const late = {
    db: store.db,
    mask: <Value>(value: Value) => value,
    async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const result = await store.transaction(work)
      if (isFirst) {
        isFirst = false
        await hear(saying('@bot the first draft'), hearing(other))
      }
      return result
    },
  }
  await hearChange({ ...deletion, now: saying('@bot the second draft') }, hearing(late))
  expect(await findByDedupKey(store.db, dedupKey)).toMatchObject({ payload: { text: '@bot the second draft' } })
})
