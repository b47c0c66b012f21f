import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { TextStream } from '../../src/outbound/text-stream.ts'
import { appendEvents, readEvents } from '../../src/store/events.ts'
import { expectFile, findFile } from '../../src/store/files.ts'
import { insertInbox, pendingInbox } from '../../src/store/inbox.ts'
import { LeaseLost } from '../../src/store/lease-lost.ts'
import { takeLock } from '../../src/store/lock.ts'
import type { Store } from '../../src/store/store.ts'
import { Hooks } from '../../src/turn/hooks.ts'
import { createJournal } from '../../src/turn/journal.ts'
import { acquireTurn } from '../../src/turn/next-turn.ts'
import { readInbox } from '../../src/turn/read-inbox.ts'
import { importUpload } from '../../src/turn/uploads.ts'
import { openStaging } from '../../src/workspace/staging.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { rulesWith } from '../support/rules.ts'
import { ana, newSession, openStore, scratch } from '../support/store.ts'

const say = (store: Store, session: Awaited<ReturnType<typeof newSession>>, text: string) =>
  store.transaction(async (tx) => {
    const eventId = await appendEvents(tx, session.id, [])
    await insertInbox(tx, session.id, {
      dedupKey: text,
      kind: 'message',
      payload: { person: ana, text, files: [] },
      eventId,
    })
  })

test('who has lost the lease writes nothing, by no door', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await say(store, session, 'hello')
  const first = await acquireTurn(store, session.id, 'node_a')
  if (first.turn === undefined) throw new Error('there is a turn')
  const texts = new TextStream(
    store,
    1,
    () => {},
    () => ({ push: (piece) => piece, end: () => '' }),
  )
  const journal = createJournal({
    store,
    lease: first.lease,
    turn: first.turn,
    texts,
    rules: rulesWith(),
    cleared: () => {},
    cardsAreShort: true,
    readInbox: async () => {},
    newOutputs: async () => [],
    historyFrom: 1,
    lateMs: Number.POSITIVE_INFINITY,
  })
  const call = { id: 'call_1' as const, name: 'now', arguments: '{}' }
  await journal.reply({ text: '', calls: [call] })
  const [open] = await journal.openCalls()
  if (open === undefined) throw new Error('the call is open')

  await acquireTurn(store, session.id, 'node_b')
  const before = await readEvents(store.db, session.id, 1, 100)
  const question = { question: 'What?', options: [], multiple: false, required: true }
  const tries = [
    () => journal.reply({ text: 'late', calls: [] }),
    () => journal.finish('late', 'whatever'),
    () => journal.sayNothing(),
    () => journal.endAnswered(),
    () => journal.replyAgain('late', { plugin: 'plugin', again: 'again' }),
    () => journal.begin(open, { repeatable: true, hash: 'h', rule: { layer: 'effect', name: 'read' }, grants: [] }),
    () => journal.end(open, 'done', 'late'),
    () => journal.askPerson(open, 'h', { kind: 'question', payload: question }),
    () => journal.rest(),
    () => journal.warn('late', 'late'),
    () => journal.thought('late'),
  ]
  for (const attempt of tries) await expect(attempt()).rejects.toBeInstanceOf(LeaseLost)
  journal.textDelta('late')
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(await readEvents(store.db, session.id, 1, 100)).toEqual(before)
})

/** A turn that begins to read its inbox, with all that takes. */
async function reading() {
  const store = await openStore()
  const session = await newSession(store)
  await say(store, session, 'hello')
  const { lease, turn } = await acquireTurn(store, session.id, 'node_a')
  if (turn === undefined) throw new Error('there is a turn')
  const directory = await scratch()
  const staging = await openStaging(join(directory, 'incoming'))
  const { signal } = new AbortController()
  const deps = {
    ...{ store, lease, turn, signal, workspace: await openWorkspace(join(directory, 'workspace')) },
    fetch: async (file: Parameters<typeof staging.open>[0]) => staging.open(file),
    drop: staging.drop,
    fileBytes: 1_000,
    lateMs: Number.POSITIVE_INFINITY,
    now: Date.now,
    hooks: new Hooks([], () => {}),
    hookContext: { session: session.id, turn: turn.id, signal },
    mended: async () => '',
    uploaded: async () => {},
    mentionsIn: () => ({ tools: [], answers: [] }),
    newPrompt: undefined,
  }
  return { store, session, staging, deps, takenOver: () => acquireTurn(store, session.id, 'node_b') }
}

test('who loses the lease while the inbox is read takes nothing of it: what came in is for the next', async () => {
  const { store, session, deps, takenOver } = await reading()
  const mended = async () => {
    await takenOver()
    return ''
  }
  await expect(readInbox({ ...deps, mended })).rejects.toBeInstanceOf(LeaseLost)
  expect(await pendingInbox(store.db, session.id)).toHaveLength(1)
  expect(await store.db.selectFrom('messages').selectAll().execute()).toEqual([])
})

test('who loses the lease while an upload is brought in leaves it for the next', async () => {
  const { store, session, staging, deps, takenOver } = await reading()
  const remote = await staging.put('a.txt', Readable.from('precious'), 1_000)
  const file = { name: 'a.txt', path: 'uploads/a.txt', type: 'text/plain', size: 8 }
  await store.transaction((tx) => expectFile(tx, session.id, 1, file, remote))
  const fetch: typeof deps.fetch = async (asked) => {
    await takenOver()
    return staging.open(asked)
  }
  await expect(importUpload(file, { ...deps, fetch })).rejects.toBeInstanceOf(LeaseLost)
  expect(await findFile(store.db, session.id, file.path)).toMatchObject({ state: 'expected', remote })
  expect(await text(staging.open(remote))).toBe('precious')
})

test('a process that was replaced acquires nothing', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await say(store, session, 'hello')
  await takeLock(store, { holder: 'node_b', host: 'here', pid: 1 }, () => 'silent')
  await expect(acquireTurn(store, session.id, 'node_a')).rejects.toBeInstanceOf(LeaseLost)
  expect(await pendingInbox(store.db, session.id)).toHaveLength(1)
})

test('the inbox is found by its partial index, however many rows are done', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const plan = JSON.stringify(
    (
      await sql`explain query plan select * from inbox where session_id = ${session.id} and state in (${sql.lit('pending')}, ${sql.lit('held')}) order by seq`.execute(
        store.db,
      )
    ).rows,
  )
  expect(plan).toContain('inbox_unread')
})
