import { expect, test } from 'vitest'
import { Unavailable } from '../../src/kit/failure.ts'
import { insertCalls, openCalls } from '../../src/store/calls.ts'
import { appendEvents } from '../../src/store/events.ts'
import { insertInbox } from '../../src/store/inbox.ts'
import { pendingRequests } from '../../src/store/list-requests.ts'
import { takeAnswer } from '../../src/trust/answer.ts'
import { midwayFor } from '../../src/turn/settle/ask-midway.ts'
import { acquireTurn } from '../../src/turn/state/next-turn.ts'
import { rulesWith } from '../support/rules.ts'
import { ana, newSession, openStore } from '../support/store.ts'
import { until } from '../support/until.ts'

test('a question that a call asks while it runs goes on waiting when the database is away for a moment', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await store.transaction(async (tx) => {
    const eventId = await appendEvents(tx, session.id, [])
    const payload = { person: ana, text: 'book', files: [] }
    await insertInbox(tx, session.id, { dedupKey: 'book', kind: 'message', payload, eventId })
  })
  const { lease, turn: row } = await acquireTurn(store, session.id, 'node_a')
  if (row === undefined) throw new Error('there is a turn')
  const proposed = { id: 'call_1' as const, name: 'book', arguments: '{}' }
  await store.transaction((tx) => insertCalls(tx, session.id, row.id, lease.epoch, [proposed]))
  const [call] = await openCalls(store.db, row.id)
  if (call === undefined) throw new Error('the call is open')
  const { signal } = new AbortController()
  const turn = { store, lease, session, row, signal, bot: { rules: rulesWith() }, isPosted: false }

  // Only reads outside of transactions, of which this is the first one.
  const { db } = store
  let met = 0
  Object.defineProperty(store, 'db', {
    get() {
      if (met++ > 0) return db
      throw new Unavailable('database_unreachable', 'The server is away.', 'Start it', { passes: true })
    },
  })
  const question = { question: 'City?', options: [], multiple: false, required: false }
  const answer = midwayFor(turn as never, { ...call, state: 'started' })(question, signal)
  await until('the read that fails', () => met > 0)
  const [asked] = await pendingRequests(db, session.id)
  if (asked === undefined) throw new Error('the question was withdrawn')
  await store.transaction((tx) => takeAnswer(tx, asked, { text: 'Rome', option_ids: [], by: 'person' }, ana))
  expect(await answer).toMatchObject({ text: 'Rome' })
})
