import { expect, test } from 'vitest'
import { dueOutbox, insertOutbox } from '../../src/store/outbox.ts'
import { waitedAsLong } from '../../src/store/refused.ts'
import { newSession, openStore } from '../support/store.ts'

test('files that wait on their own are not given up with what a thread has refused for a week', async () => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const entry = { session, turn: undefined }
  await store.transaction(async (tx) => {
    await insertOutbox(tx, { ...entry, key: 'msg_a', kind: 'files', payload: { files: [] } })
    await insertOutbox(tx, { ...entry, key: 'msg_b', kind: 'answer', payload: { text: 'hello', files: [] } })
    await waitedAsLong(tx, session, { since: 1, until: tx.now })
  })
  const due = await dueOutbox(store.db, Date.now() + 1_000, 5)
  expect(due.map(({ kind, refusedAt }) => [kind, refusedAt])).toEqual([
    ['files', undefined],
    ['answer', 1],
  ])
})
