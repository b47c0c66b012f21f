import { expect, test } from 'vitest'
import type { Engine } from '../../../src/domain/engine.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { Request } from '../../../src/domain/request.ts'
import { insertCalls } from '../../../src/store/calls.ts'
import { setDeadline } from '../../../src/store/deadlines.ts'
import { countUses, insertGrant } from '../../../src/store/grants.ts'
import { insertRequest } from '../../../src/store/requests.ts'
import type { Session } from '../../../src/store/sessions.ts'
import type { Store, Tx } from '../../../src/store/store.ts'
import { createTurn } from '../../../src/store/turns.ts'
import { takeAnswer } from '../../../src/trust/answer.ts'
import { endOverdue } from '../../../src/trust/end-overdue.ts'
import { revokeGrant } from '../../../src/trust/give-grant.ts'
import { moveRequests } from '../../../src/trust/remind.ts'
import { rulesWith } from '../../support/rules.ts'
import { ana, newSession } from '../../support/store.ts'
import { meanwhile, two } from '../../support/two-stores.ts'

// Whoever changes a row of a session holds the session first. In the other order, two would wait for each other until
// the server undoes one of them after a second.

const sent: string[] = []
const listening = { onStatement: (sql: string) => sent.push(sql) }
const open = async () => {
  sent.length = 0
  const [store, other] = await two(listening, listening)
  return { store, other, session: await newSession(store) }
}
/** One that was undone is sent again. */
const updatesOf = (table: string) => sent.filter((sql) => sql.startsWith(`update "${table}"`))

async function asking(store: Store, session: Session, call: CallId = 'call_a') {
  return store.transaction(async (tx) => {
    const turn = await createTurn(tx, session.id, 1, { person: ana, timeZone: 'UTC' })
    await insertCalls(tx, session.id, turn.id, 1, [{ id: call, name: 'ask', arguments: '{}' }])
    const ids = { session: session.id, turn: turn.id, call, hash: 'h' }
    const payload = { question: 'Which?', options: [], multiple: false, required: true }
    return insertRequest(tx, { ...ids, kind: 'question', payload, remindAt: 1, deadlineAt: Date.now() + 60_000 })
  })
}

const byPerson = { text: 'this', option_ids: [], by: 'person' as const }

test('a reminder doesn’t stand in the way of an answer', async () => {
  const { store, other, session } = await open()
  const request = await asking(store, session)
  await meanwhile(
    store,
    (tx) => tx.hold(session.id),
    () => moveRequests(other, rulesWith(), Date.now()),
    (tx) => takeAnswer(tx, request, byPerson, ana),
  )
  expect(updatesOf('requests')).toHaveLength(2)
})

test('the end of a request doesn’t stand in the way of an answer', async () => {
  const { store, other, session } = await open()
  const request = await asking(store, session)
  await store.transaction((tx) => setDeadline(tx, request.id, tx.now))
  sent.length = 0
  const engine: Pick<Engine, 'wake'> = { wake: () => {} }
  await meanwhile(
    store,
    (tx) => tx.hold(session.id),
    () => endOverdue({ store: other, engine, rules: rulesWith(), catchUp: () => undefined }, Date.now()),
    (tx) => takeAnswer(tx, request, byPerson, ana),
  )
  expect(updatesOf('requests')).toHaveLength(2)
})

const grantBy = (tx: Tx, session: Session, request: Pick<Request, 'id'>) =>
  insertGrant(tx, {
    ...{ tool: 'write_file', patterns: [], binding: '', scope: 'thread', session: session.id, ...session.thread },
    ...{ untrusted: false, until: undefined, request: request.id, by: ana },
  })

test('of several grants for a call none is used when one has ended', async () => {
  const { store, session } = await open()
  const [one, other] = [await asking(store, session), await asking(store, await newSession(store, 'msg_2'), 'call_b')]
  const use = await store.transaction(async (tx) => {
    const ids = [await grantBy(tx, session, one), await grantBy(tx, session, other)]
    await revokeGrant(tx, ids[1] ?? '', ana)
    return countUses(tx, ids)
  })
  expect(use).toBe(false)
  expect((await store.db.selectFrom('grants').select('uses').execute()).map(({ uses }) => uses)).toEqual([0, 0])
})

test('the end of a grant doesn’t stand in the way of a call that uses it', async () => {
  const { store, other, session } = await open()
  const request = await asking(store, session)
  const id = await store.transaction((tx) => grantBy(tx, session, request))
  await meanwhile(
    store,
    (tx) => tx.hold(session.id),
    () => other.transaction((tx) => revokeGrant(tx, id, ana)),
    (tx) => countUses(tx, [id]),
  )
  expect(updatesOf('grants')).toHaveLength(2)
})
