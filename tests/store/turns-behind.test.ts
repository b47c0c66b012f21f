import { expect, test } from 'vitest'
import type { SessionId, TurnId } from '../../src/domain/ids.ts'
import { latestCallOf } from '../../src/store/calls.ts'
import { childrenOf, childrenReadBy } from '../../src/store/children.ts'
import { appendEvents } from '../../src/store/events.ts'
import { holdInbox } from '../../src/store/hold-inbox.ts'
import { insertInbox, takeInbox } from '../../src/store/inbox.ts'
import type { InboxPayload } from '../../src/store/inbox-event.ts'
import { appendMessage } from '../../src/store/messages.ts'
import { answerersOf } from '../../src/store/requests.ts'
import { forgetHistory } from '../../src/store/sessions.ts'
import type { Store } from '../../src/store/store.ts'
import { createTurn, setTurnState } from '../../src/store/turns.ts'
import { turnsBehind, turnsForgottenWith } from '../../src/store/turns-behind.ts'
import { othersWords, writersOf } from '../../src/store/who-wrote.ts'
import { ana, newSession, openStore } from '../support/store.ts'

type Opening = { resume: TurnId } | { alarm: TurnId | undefined }

/** A turn that this opens, and which has ended. Left unread, what opened it is read by the next one. */
const turnOf = (store: Store, session: SessionId, opening: Opening, { leaves }: { leaves?: true } = {}) =>
  store.transaction(async (tx) => {
    const resume = { person: ana, turn: 'resume' in opening ? opening.resume : ('' as TurnId) }
    const turn = 'alarm' in opening ? opening.alarm : undefined
    const alarm: InboxPayload['alarm'] = {
      person: ana,
      alarm: 'alarm_1',
      message: 'x',
      dueAt: 1,
      timeZone: 'UTC',
      turn,
    }
    const row =
      'alarm' in opening ? ({ kind: 'alarm', payload: alarm } as const) : ({ kind: 'resume', payload: resume } as const)
    const seq = await insertInbox(tx, session, { dedupKey: crypto.randomUUID(), eventId: 1, ...row })
    const { id } = await createTurn(tx, session, seq, { person: ana, timeZone: 'UTC' })
    await (leaves ? holdInbox(tx, session, id, { which: 'opening' }) : takeInbox(tx, session, [seq], id))
    await setTurnState(tx, id, 'stopped')
    return { id, seq }
  })

test('a turn goes by the words of those that set its alarm or that it continues, and of those behind them', async () => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const behind = (turn: TurnId) => turnsBehind(store.db, { session, turn })
  const first = await turnOf(store, session, { alarm: undefined })
  const other = await turnOf(store, session, { alarm: undefined })
  const second = await turnOf(store, session, { resume: first.id })
  const third = await turnOf(store, session, { alarm: second.id })
  expect(await behind(third.id)).toEqual([third.id, second.id, first.id])
  expect(await behind(other.id)).toEqual([other.id])
})

test.each(['resume', 'alarm'] as const)('of a turn that left its %s unread, the one that reads it', async (kind) => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const first = await turnOf(store, session, { alarm: undefined })
  const opening = kind === 'alarm' ? { alarm: first.id } : { resume: first.id }
  const left = await turnOf(store, session, opening, { leaves: true })
  const next = await turnOf(store, session, { alarm: undefined })
  await store.transaction((tx) => takeInbox(tx, session, [left.seq], next.id))
  expect(await turnsBehind(store.db, { session, turn: next.id })).toEqual([next.id, first.id])
})

test('what more turns have read than a statement has parameters is found', async () => {
  const store = await openStore()
  const { db } = store
  const { id: session } = await newSession(store)
  const turns = Array.from({ length: 70_000 }, (_, place) => `turn_${place}` as TurnId)
  const read = { session, turns }
  const where = { ...read, from: 1 }
  expect(await writersOf(db, read)).toEqual([])
  expect(await answerersOf(db, session, turns)).toEqual([])
  expect(await childrenOf(db, session, turns)).toEqual([])
  expect(await childrenReadBy(db, where)).toEqual([])
  expect(await latestCallOf(db, { tools: [], known: [] }, where)).toBeUndefined()
  expect(await othersWords(db, where)).toBeUndefined()
  expect(await turnsForgottenWith(db, session, turns)).toEqual([])
})

test('what was read before a reset is told from what came after it, whatever the clock said', async () => {
  const clock = { at: 1_000_000, now: () => clock.at }
  const store = await openStore(clock)
  const { id: session } = await newSession(store)
  const reads = async () => {
    const { id: turn } = await turnOf(store, session, { alarm: undefined })
    await store.transaction((tx) => appendMessage(tx, session, { role: 'assistant', turn, text: 'x', calls: [] }))
    return turn
  }
  const resets = () =>
    store.transaction(async (tx) => {
      const from = await forgetHistory(tx, session)
      await appendEvents(tx, session, [{ type: 'reset', data: { person: ana, from } }])
    })
  const first = await reads()
  clock.at += 1000
  const second = await reads()
  clock.at -= 500
  await resets()
  const later = await reads()
  await resets()
  const forgotten = (turn: TurnId) => turnsForgottenWith(store.db, session, [turn])
  expect(new Set(await forgotten(second))).toEqual(new Set([first, second]))
  expect(await forgotten(later)).toEqual([later])
})
