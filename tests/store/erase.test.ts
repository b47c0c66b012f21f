import { expect, test } from 'vitest'
import { eraseKind } from '../../src/inbound/erase.ts'
import { markDeleted } from '../../src/store/delete-session.ts'
import { insertOutbox } from '../../src/store/outbox.ts'
import type { Workspaces } from '../../src/workspace/workspaces.ts'
import { newSession, openStore } from '../support/store.ts'

const dayMs = 86_400_000

test('a deleted thread waits for its last message to be posted, but not for ever', async () => {
  let passed = 0
  const clock = { now: () => Date.now() + passed }
  const store = await openStore(clock)
  const { id } = await newSession(store)
  await store.transaction(async (tx) => {
    await markDeleted(tx, id)
    const payload = { text: 'Gone.', files: [] }
    await insertOutbox(tx, { key: 'msg_last', session: id, turn: undefined, kind: 'answer', payload })
  })
  const saved: string[] = []
  const workspaces = { delete: async () => {} } as unknown as Workspaces
  const staging = { drop: async () => {} }
  const job = { input: { session: id }, save: async (what: string) => void saved.push(what) }
  const run = () => eraseKind({ store, clock, workspaces, staging }).run(job as never)
  expect(await run()).toMatchObject({ again: expect.any(Number) })
  passed = 7 * dayMs
  expect(await run()).toBeDefined()
  passed = 9 * dayMs
  expect(await run()).toBeUndefined()
  expect(saved).toEqual(['files'])
})
