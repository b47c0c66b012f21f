import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { RemoteFile } from '../../src/domain/chat.ts'
import { systemClock } from '../../src/kit/clock.ts'
import type { Documents } from '../../src/kit/documents/document.ts'
import { Unavailable } from '../../src/kit/failure.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { TextStream } from '../../src/outbound/text-stream.ts'
import { insertCalls, openCalls } from '../../src/store/calls.ts'
import { findChild } from '../../src/store/children.ts'
import { appendEvents, readEvents } from '../../src/store/events.ts'
import { expectFile, findFile } from '../../src/store/files.ts'
import { stillHolds } from '../../src/store/hold-session.ts'
import { insertInbox, pendingInbox } from '../../src/store/inbox.ts'
import { readJob, startJob } from '../../src/store/jobs.ts'
import { LeaseLost } from '../../src/store/lease-lost.ts'
import { takeLock } from '../../src/store/lock.ts'
import type { Store } from '../../src/store/store.ts'
import type { OpenCall } from '../../src/turn/port/calls.ts'
import { readInbox } from '../../src/turn/read/read-inbox.ts'
import { importUpload } from '../../src/turn/read/uploads.ts'
import { askPerson } from '../../src/turn/settle/ask-person.ts'
import { beginChild } from '../../src/turn/settle/begin-child.ts'
import { beginCall, endCall } from '../../src/turn/settle/call-journal.ts'
import { Journal } from '../../src/turn/state/journal.ts'
import { acquireTurn } from '../../src/turn/state/next-turn.ts'
import type { TurnServices } from '../../src/turn/state/services.ts'
import { Turn } from '../../src/turn/state/turn.ts'
import { openStaging } from '../../src/workspace/staging.ts'
import { planOf } from '../support/database.ts'
import { rulesWith } from '../support/rules.ts'
import { turnServices } from '../support/services.ts'
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

test('nobody who has lost the lease can write anything', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await say(store, session, 'hello')
  const first = await acquireTurn(store, session.id, 'node_a')
  if (first.turn === undefined) throw new Error('there is a turn')
  const liveTexts = liveTextsHere(systemClock)
  const newMask = () => ({ push: (piece: string) => piece, end: () => '' })
  const textStream = new TextStream({ store, liveTexts, flushMs: 1, report: () => {}, newMask })
  const journal = new Journal({
    store,
    lease: first.lease,
    turn: first.turn,
    session,
    opening: undefined,
    textStream,
    pastCrash: () => {},
    isPosted: true,
    historyFrom: 1,
    lateMs: Number.POSITIVE_INFINITY,
    underway: async () => undefined,
  })
  const { lease } = first
  const turn = {
    store,
    lease,
    session,
    row: first.turn,
    bot: { rules: rulesWith() },
    isPosted: true,
    pastCrash: () => {},
    titleOf: () => undefined,
    findTool: () => undefined,
  }
  const call = { id: 'call_1' as const, name: 'now', arguments: '{}' }
  await journal.reply({ text: '', calls: [call] })
  const [open] = await journal.openCalls()
  if (open === undefined) throw new Error('the call is open')

  await acquireTurn(store, session.id, 'node_b')
  const before = await readEvents(store.db, session.id, 1, 100)
  const question = { question: 'What?', options: [], multiple: false, required: true }
  const tries = [
    () => journal.reply({ text: 'late', calls: [] }),
    () => journal.finish('late', 'whatever', []),
    () => journal.sayNothing([], 'late'),
    () => journal.endAnswered([]),
    () => journal.replyAgain('late', { capability: 'plugin', again: 'again' }),
    () => beginCall(turn, open, { repeatable: true, hash: 'h', rule: { layer: 'effect', name: 'read' }, grants: [] }),
    () => endCall(turn, open, 'done', 'late'),
    () => askPerson(turn, open, 'h', { kind: 'question', payload: question }),
    () => journal.rest(),
    () => journal.warn('late', 'late'),
    () => journal.thought('late'),
  ]
  for (const attempt of tries) await expect(attempt()).rejects.toBeInstanceOf(LeaseLost)
  journal.textDelta('late')
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(liveTexts.now(session.id)).toBeUndefined()
  expect(await readEvents(store.db, session.id, 1, 100)).toEqual(before)
})

test('a call that fails ends its jobs and its child, even if nobody here knew that it had begun', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await say(store, session, 'hello')
  const { lease, turn: row } = await acquireTurn(store, session.id, 'node_a')
  if (row === undefined) throw new Error('there is a turn')
  await store.transaction((tx) =>
    insertCalls(tx, session.id, row.id, lease.epoch, [{ id: 'call_1', name: 'delegate', arguments: '{}' }]),
  )
  const [open] = await openCalls(store.db, row.id)
  if (open === undefined) throw new Error('the call is open')
  const call: OpenCall = { ...open, state: 'proposed' }
  const turn = { store, lease, session, row, pastCrash: () => {}, titleOf: () => undefined, findTool: () => undefined }
  const task = { text: 'Look', title: 'Look', files: [], maxSteps: 3, atOnce: 1 }
  await beginChild(turn, call, task, {
    hash: 'h',
    verdict: {
      kind: 'allow',
      reason: '',
      risk: 'low',
      rule: { layer: 'effect', name: 'read' },
      hosts: [],
      grants: [],
      closed: false,
    },
  })
  await store.transaction((tx) => startJob(tx, { kind: 'work', key: 'one', owner: 'call_1', input: null }))
  const child = await findChild(store.db, 'call_1')
  if (child === undefined) throw new Error('there is a child')
  const { lease: ofChild } = await acquireTurn(store, child.id, 'node_a')

  await endCall(turn, call, 'failed', 'It took too long.')
  expect(await readJob(store.db, 'work', 'one')).toBeUndefined()
  expect(await stillHolds(store.db, ofChild)).toBe(false)
})

const noDocuments: Documents = {
  open: () => Promise.reject(new Error('nothing is opened here')),
  search: () => Promise.reject(new Error('nothing is searched here')),
  prepare: async () => {},
}

/** A turn that begins to read its inbox, with all that takes. */
async function reading() {
  const store = await openStore()
  const session = await newSession(store)
  await say(store, session, 'hello')
  const { lease, turn } = await acquireTurn(store, session.id, 'node_a')
  if (turn === undefined) throw new Error('there is a turn')
  const staging = await openStaging(join(await scratch(), 'incoming'))
  const { signal } = new AbortController()
  const services = await turnServices(store)
  const bot: TurnServices = {
    ...services,
    fetch: async (_, file) => staging.open(file),
    drop: staging.drop,
    documents: { ...services.documents, of: () => noDocuments },
  }
  const opened = { session, row: turn, lease, signal, pastCrash: () => {} }
  return { store, session, staging, bot, opened, takenOver: () => acquireTurn(store, session.id, 'node_b') }
}

test('a process that loses the lease while it reads the inbox leaves everything to the next', async () => {
  const { store, session, bot, opened, takenOver } = await reading()
  const turn = await Turn.open(opened, bot)
  const mend = turn.workspace.mend.bind(turn.workspace)
  turn.workspace.mend = async () => {
    await takenOver()
    await mend()
  }
  await expect(readInbox(turn)).rejects.toBeInstanceOf(LeaseLost)
  expect(await pendingInbox(store.db, session.id)).toHaveLength(1)
  expect(await store.db.selectFrom('messages').selectAll().execute()).toEqual([])
})

test('an upload that met an outage is tried again, and a process that loses the lease meanwhile leaves it to the next', async () => {
  const { store, session, staging, bot, opened, takenOver } = await reading()
  const remote = await staging.put('a.txt', Readable.from('precious'), 1_000)
  const file = { name: 'a.txt', path: 'uploads/a.txt', type: 'text/plain', size: 8 }
  await store.transaction((tx) => expectFile(tx, session.id, 1, file, remote))
  const { workspace } = await Turn.open(opened, bot)
  const away = new Unavailable('database_unreachable', 'The server is away.', 'Start it', { passes: true })
  const upload = (meanwhile: () => Promise<unknown>) => {
    const fetch = async (asked: RemoteFile) => {
      await meanwhile()
      return staging.open(asked)
    }
    const deps = { ...opened, store, workspace, fetch, isConnected: () => true, drop: staging.drop, fileBytes: 1_000 }
    return importUpload(file, deps)
  }
  const replaced = new LeaseLost(session.id)
  for (const thrown of [away, replaced]) await expect(upload(() => Promise.reject(thrown))).rejects.toBe(thrown)
  expect(await findFile(store.db, session.id, file.path)).toMatchObject({ state: 'expected', remote })
  await expect(upload(takenOver)).rejects.toBeInstanceOf(LeaseLost)
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
  const plan = await planOf(
    store.db,
    `select * from inbox where session_id = '${session.id}' and state in ('pending', 'held') order by seq`,
  )
  expect(plan).toContain('inbox_unread')
})
