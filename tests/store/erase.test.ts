import { expect, test } from 'vitest'
import type { RemoteFile } from '../../src/domain/chat.ts'
import type { SessionId } from '../../src/domain/ids.ts'
import { eraseKind } from '../../src/inbound/erase.ts'
import { pruneSome } from '../../src/inbound/retention.ts'
import { markDeleted } from '../../src/store/delete-session.ts'
import { appendEvents } from '../../src/store/events.ts'
import { expectedFiles, expectFile } from '../../src/store/files.ts'
import { insertInbox } from '../../src/store/inbox.ts'
import { insertOutbox } from '../../src/store/outbox.ts'
import type { Store, Tx } from '../../src/store/store.ts'
import type { Workspaces } from '../../src/workspace/workspaces.ts'
import { ana, newSession, openStore } from '../support/store.ts'

const dayMs = 86_400_000

async function inputOf({ db }: Store) {
  const erase = db.selectFrom('jobs').select('input').where('kind', '=', 'erase')
  return JSON.parse((await erase.executeTakeFirstOrThrow()).input)
}

test('a deleted thread waits for its last messages to be posted, but not for ever, and then they are gone', async () => {
  let passed = 0
  const clock = { now: () => Date.now() + passed }
  const store = await openStore(clock)
  const { id } = await newSession(store)
  await store.transaction(async (tx) => {
    const answer = { session: id, turn: undefined, kind: 'answer' } as const
    await insertOutbox(tx, { ...answer, key: 'msg_1', payload: { text: 'The secret is blue.', files: [] } })
    await markDeleted(tx, id)
    await insertOutbox(tx, { ...answer, key: 'msg_last', payload: { text: 'Gone.', files: [] } })
  })
  const input = await inputOf(store)
  const save = async (_: string, along: (tx: Tx) => Promise<void>) => store.transaction(along)
  const workspaces = { delete: async () => {} } as unknown as Workspaces
  const staging = { drop: async () => {} }
  const run = () => eraseKind({ store, clock, workspaces, staging }).run({ input, save } as never)
  expect(await run()).toMatchObject({ again: expect.any(Number) })
  passed = 7 * dayMs
  expect(await run()).toBeDefined()
  passed = 9 * dayMs
  expect(await run()).toBeUndefined()
  // What was stored after the deletion contains nothing of the thread.
  expect(await store.db.selectFrom('outbox').select('key').execute()).toEqual([{ key: 'msg_last' }])
})

test('what earlier versions left of a deleted thread that couldn’t be posted is deleted, too', async () => {
  let passed = 0
  const clock = { now: () => Date.now() + passed }
  const store = await openStore(clock)
  const [gone, there] = [await newSession(store), await newSession(store, 'msg_2')]
  const told = (tx: Tx, session: SessionId, key: string) =>
    insertOutbox(tx, { key, session, turn: undefined, kind: 'answer', payload: { text: 'Blue.', files: [] } })
  await store.transaction(async (tx) => {
    await told(tx, gone.id, 'msg_1')
    await told(tx, there.id, 'msg_2')
  })
  passed = 1
  await store.transaction(async (tx) => {
    await markDeleted(tx, gone.id)
    await told(tx, gone.id, 'msg_last')
  })
  await store.db.deleteFrom('jobs').execute()
  const keep = { eventDays: 365, postingDays: 365, changeDays: 365, ignoredDays: 365 }
  const keysAfter = async (days: number) => {
    passed = days * dayMs
    await pruneSome({ store, clock, keep }, {})
    return (await store.db.selectFrom('outbox').select('key').orderBy('key').execute()).map(({ key }) => key)
  }
  expect(await keysAfter(7)).toEqual(['msg_1', 'msg_2', 'msg_last'])
  expect(await keysAfter(9)).toEqual(['msg_2', 'msg_last'])
})

test.each([
  ['the clock stepped back before the deletion', undefined],
  ['one of its files can’t be removed', new Error('it stays')],
])('what was said goes with its thread, even if %s', async (_, failure) => {
  let passed = 0
  const clock = { now: () => Date.now() + passed }
  const store = await openStore(clock)
  const { id } = await newSession(store)
  await store.transaction(async (tx) => {
    const said = { message_id: 'msg_1' as const, role: 'user' as const, text: 'the secret', files: [], person: ana }
    const eventId = await appendEvents(tx, id, [{ type: 'message', data: said }])
    const payload = { person: ana, text: 'the secret', files: [] }
    const seq = await insertInbox(tx, id, { dedupKey: 'one', kind: 'message', payload, eventId })
    const file = { name: 'secret.pdf', path: 'secret.pdf', type: 'application/pdf', size: 1 }
    await expectFile(tx, id, seq, file, { id: 'staged:upload_1', name: file.name, size: file.size })
    const answer = { text: 'the secret', files: [] }
    await insertOutbox(tx, { key: 'msg_2', session: id, turn: undefined, kind: 'answer', payload: answer })
    await tx.db.updateTable('outbox').set({ state: 'delivered' }).execute()
  })
  passed = -dayMs
  await store.transaction(async (tx) => {
    await markDeleted(tx, id)
    await appendEvents(tx, id, [{ type: 'deleted', data: { person: ana } }])
  })
  passed = 0
  const input = await inputOf(store)
  const save = async (_: string, along: (tx: Tx) => Promise<void>) => store.transaction(along)
  const remove = () => (failure === undefined ? Promise.resolve() : Promise.reject(failure))
  const workspaces = { delete: remove } as unknown as Workspaces
  const staging = { drop: async () => {} }
  const erased = eraseKind({ store, clock, workspaces, staging }).run({ input, save } as never)
  expect(await erased.catch((thrown) => thrown)).toBe(failure)
  for (const table of ['events', 'inbox', 'outbox', 'files'] as const)
    expect(JSON.stringify(await store.db.selectFrom(table).selectAll().execute())).not.toContain('secret')
  expect(await store.db.selectFrom('events').select('type').execute()).toEqual([{ type: 'deleted' }])
  expect(await store.db.selectFrom('inbox').select('dedup_key').execute()).toEqual([{ dedup_key: 'one' }])
})

test('an upload that can’t be removed is tried again, without keeping what was said', async () => {
  const store = await openStore()
  const { id } = await newSession(store)
  const upload = { id: 'staged:upload_1', name: 'plan.pdf', size: 1 }
  await store.transaction(async (tx) => {
    const said = { message_id: 'msg_1' as const, role: 'user' as const, text: 'the secret', files: [], person: ana }
    const eventId = await appendEvents(tx, id, [{ type: 'message', data: said }])
    const file = { name: 'plan.pdf', path: 'plan.pdf', type: 'application/pdf', size: 1 }
    const payload = { person: ana, text: 'the secret', files: [file] }
    const seq = await insertInbox(tx, id, { dedupKey: 'one', kind: 'message', payload, eventId })
    await expectFile(tx, id, seq, file, upload)
    await markDeleted(tx, id)
  })
  const dropped: string[] = []
  const staging = {
    async drop(file: RemoteFile) {
      dropped.push(file.id)
      if (dropped.length === 1) throw new Error('the disk is read-only')
    },
  }
  const save = async (_: string, along: (tx: Tx) => Promise<void>) => store.transaction(along)
  const workspaces = { delete: async () => {} } as unknown as Workspaces
  const job = { input: await inputOf(store), save }
  const erase = async () => eraseKind({ store, clock: { now: Date.now }, workspaces, staging }).run(job as never)
  await expect(erase()).rejects.toThrow('read-only')
  expect(JSON.stringify(await store.db.selectFrom('inbox').selectAll().execute())).not.toContain('secret')
  await erase()
  expect(dropped).toEqual([upload.id, upload.id])
  expect(await expectedFiles(store.db)).toEqual([])
})
