import { expect, test } from 'vitest'
import { ringAlarms } from '../../src/capabilities/alarms/ring.ts'
import { insertAlarm } from '../../src/store/alarms.ts'
import { insertCalls } from '../../src/store/calls.ts'
import { acquire } from '../../src/store/hold-session.ts'
import { findByDedupKey, insertInbox, pendingInbox, takeInbox } from '../../src/store/inbox.ts'
import { findRequest, insertRequest } from '../../src/store/requests.ts'
import type { Session } from '../../src/store/sessions.ts'
import { isHeld, type Store, type Tx } from '../../src/store/store.ts'
import { createTurn, setTurnState } from '../../src/store/turns.ts'
import { answerSaidBelow } from '../../src/trust/answer-below.ts'
import { noteRefusal, tellRefusals } from '../../src/trust/refusals.ts'
import { resumeTurn } from '../../src/turn/state/resume.ts'
import { resting } from '../support/resting.ts'
import { rulesWith } from '../support/rules.ts'
import { shippedConfig } from '../support/shipped.ts'
import { ana, newSession } from '../support/store.ts'
import { meanwhile, two } from '../support/two-stores.ts'

const newTurn = (tx: Tx, session: Session) => createTurn(tx, session.id, 1, { person: ana, timeZone: 'UTC' })

test('an alarm that rings again while its last ring is being read is heard again', async () => {
  const [store, other] = await two()
  const session = await newSession(store)
  const alarm = { id: 'alarm_a' as const, message: 'tea', dueAt: 1_000, cron: '* * * * *', timeZone: 'UTC' }
  await store.transaction((tx) => insertAlarm(tx, { ...alarm, session: session.id, person: ana }))
  const ringing = {
    engine: resting,
    access: shippedConfig().access,
    platforms: new Map([['console', { progress: 'followed' as const }]]),
    silenced() {},
  }
  await ringAlarms({ ...ringing, store }, 2_000)
  const [first] = await pendingInbox(store.db, session.id)
  await meanwhile(
    store,
    async (tx) => {
      await tx.hold(session.id)
      await takeInbox(tx, session.id, [first?.seq ?? 0], null)
    },
    () => ringAlarms({ ...ringing, store: other }, Date.now() + 120_000),
  )
  expect(await pendingInbox(store.db, session.id)).toMatchObject([{ kind: 'alarm', seq: 2 }])
})

const newQuestion = (store: Store, session: Session) =>
  store.transaction(async (tx) => {
    const turn = await newTurn(tx, session)
    const call = { id: 'call_a' as const, name: 'ask', arguments: '{}' }
    await insertCalls(tx, session.id, turn.id, 1, [call])
    const ids = { session: session.id, turn: turn.id, call: call.id, hash: 'h' }
    const payload = { question: 'Which?', options: [], multiple: false, required: true }
    return insertRequest(tx, { ...ids, kind: 'question', payload })
  })

const below = { person: ana, text: 'The blue one', files: [], message: 'below' }

test.for([
  ['its answer', true, rulesWith()],
  ['no answer if the rules name others', false, rulesWith({ questions: { who: ['user:zoe'] } })],
] as const)('what is said below a card while the card becomes known is %s', async ([, isAnswer, rules]) => {
  const [store, other] = await two()
  const session = await newSession(store)
  const request = await newQuestion(store, session)
  const row = { dedupKey: 'below', kind: 'message' as const, payload: below, eventId: 1 }
  const answered = await meanwhile(
    store,
    (tx) => insertInbox(tx, session.id, row),
    () => other.transaction((tx) => answerSaidBelow(tx, request.id, () => true, rules)),
  )
  expect(answered).toBe(isAnswer)
  expect(await findRequest(store.db, request.id)).toMatchObject(
    isAnswer ? { state: 'answered', answer: { text: 'The blue one' } } : { state: 'pending' },
  )
})

test('what is said below two cards and has answered one question is no answer to the other', async () => {
  const [store] = await two()
  const session = await newSession(store)
  const { id } = await newQuestion(store, session)
  const payload = { ...below, text: 'use @read_file', answered: 'req_other' as const }
  await store.transaction((tx) =>
    insertInbox(tx, session.id, { dedupKey: 'below', kind: 'message', payload, eventId: 1 }),
  )
  expect(await store.transaction((tx) => answerSaidBelow(tx, id, () => true, rulesWith()))).toBe(false)
  expect(await findRequest(store.db, id)).toMatchObject({ state: 'pending' })
})

test('a turn that fails while somebody resumes it is resumed', async () => {
  const [store, other] = await two()
  const session = await newSession(store)
  const turn = await store.transaction((tx) => newTurn(tx, session))
  const { lease } = await store.transaction((tx) => acquire(tx, session.id, 'node_a'))
  const resumed = await meanwhile(
    store,
    async (tx) => {
      await isHeld(tx, lease)
      await setTurnState(tx, turn.id, 'failed')
    },
    () => other.transaction((tx) => resumeTurn(tx, session.id, ana)),
  )
  expect(resumed).toBe('resumed')
  expect(await findByDedupKey(store.db, `resume:${turn.id}`)).toMatchObject({ kind: 'resume', state: 'pending' })
})

test('two refusals at the same moment are two', async () => {
  const [store, other] = await two()
  const session = await newSession(store)
  const tried = { session: session.id, about: { request: 'req_a' } }
  const refuse = (tx: Tx) => noteRefusal(tx, tried, ana, 'no')
  await store.transaction(refuse)
  await meanwhile(store, refuse, () => other.transaction(refuse))
  await store.transaction((tx) => tellRefusals(tx, tried))
  const refusals = store.db.selectFrom('audit').select('data').where('kind', '=', 'refused')
  const entries = await refusals.orderBy('seq').execute()
  expect(entries.map(({ data }) => JSON.parse(data).times)).toEqual([undefined, 2])
})
