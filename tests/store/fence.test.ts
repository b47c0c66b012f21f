import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { LeaseLost } from '../../src/domain/errors.ts'
import { createJournal } from '../../src/sessions/journal.ts'
import { acquireTurn } from '../../src/sessions/next-turn.ts'
import { TextStream } from '../../src/sessions/text-stream.ts'
import { appendEvents, readEvents } from '../../src/store/events.ts'
import { insertInbox, pendingInbox } from '../../src/store/inbox.ts'
import { takeLock } from '../../src/store/lock.ts'
import type { Store } from '../../src/store/store.ts'
import { rulesWith } from '../support/rules.ts'
import { ana, newSession, openStore } from '../support/store.ts'

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
