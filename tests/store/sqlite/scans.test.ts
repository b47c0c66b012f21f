import { expect, onTestFinished, test } from 'vitest'
import type { TurnId } from '../../../src/domain/ids.ts'
import { pruneSome } from '../../../src/inbound/retention.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { agentRuns } from '../../../src/store/agents.ts'
import { findCallWith } from '../../../src/store/calls.ts'
import { lastStored } from '../../../src/store/events.ts'
import { listRequests } from '../../../src/store/list-requests.ts'
import { turnsOfPerson } from '../../../src/store/person-turns.ts'
import { toldIn } from '../../../src/store/refused.ts'
import { idleSessions, type Session } from '../../../src/store/sessions.ts'
import { Store } from '../../../src/store/store.ts'
import { createTurn } from '../../../src/store/turns.ts'
import { turnsBehind, turnsForgottenWith } from '../../../src/store/turns-behind.ts'
import { waitedIn } from '../../../src/store/waited.ts'
import { wordsOfTurn, writersOf } from '../../../src/store/who-wrote.ts'
import { planOf } from '../../support/database.ts'
import { ana, newPlace, newSession, openStore } from '../../support/store.ts'

/** What grows for as long as the bot is used. SQLite reads it while nothing else happens. */
const growing =
  /^SCAN (messages|calls|events|outbox|postings|requests|turns|usage|inbox|alarms|changes|agent_runs|ignored)\b.*/

type Work = (store: Store, session: Session) => Promise<unknown>

/** The steps by which SQLite runs the statements of some work. */
async function stepsOf(work: Work): Promise<string[]> {
  const statements: string[] = []
  const onStatement = (statement: string) => void statements.push(statement)
  const store = await Store.open(await newPlace(), systemClock, undefined, { onStatement })
  onTestFinished(() => store.close())
  const session = await newSession(store)
  statements.length = 0
  await work(store, session)
  const steps: string[] = []
  for (const statement of statements.filter((one) => /^\s*(with|select|update|delete|insert)\b/.test(one))) {
    const plan: { detail: string }[] = JSON.parse(await planOf(store.db, statement.replaceAll('?', "'1'")))
    // This index holds only what has yet to be posted.
    steps.push(...plan.map(({ detail }) => detail).filter((step) => step !== 'SCAN outbox USING INDEX undelivered'))
  }
  expect(steps).not.toEqual([])
  return steps
}

const turn = 'turn_1' as TurnId
const keep = { eventDays: -1, postingDays: -1, changeDays: -1, ignoredDays: -1 }

test.each<[string, Work]>([
  ['who wrote in a turn', ({ db }, { id }) => writersOf(db, { session: id, turns: [turn] })],
  ['which turns a turn goes by', ({ db }, { id }) => turnsBehind(db, { session: id, turn })],
  ['which turns were forgotten', ({ db }, { id }) => turnsForgottenWith(db, id, [turn])],
  ['what was written in a turn', ({ db }, { id }) => wordsOfTurn(db, { id: turn, session: id })],
  ['a turn’s call', ({ db }, { id }) => findCallWith(db, { id: turn, session: id }, 'ask_decision', '{}')],
  ['how long a turn has waited', ({ db }, { id }) => waitedIn(db, { id: turn, session: id }, 1)],
  ['a session’s last event', ({ db }, { id }) => lastStored(db, [id])],
  ['who was told that something waits', ({ db }, { id }) => toldIn(db, id)],
  ['what agents have done', ({ db }) => agentRuns(db, { since: 1, limit: 10 })],
  ['what is older than it is kept', (store) => pruneSome({ store, clock: systemClock, keep }, {})],
])('is found without reading a whole table: %s', async (_, work) => {
  expect((await stepsOf(work)).filter((step) => growing.test(step))).toEqual([])
})

test.each([
  ['lastAsked', 'sqlite_autoindex_requests', {}],
  ['lastEnded', 'requests_latest', { state: 'answered' }],
] as const)('a page of requests is read from an index: %s', async (order, index, of) => {
  for (const after of [undefined, { at: 1, id: 'req_1' }]) {
    const steps = await stepsOf(({ db }) => listRequests(db, { ...of, order, after, limit: 10 }))
    expect(steps[0]).toContain(`${after ? 'SEARCH' : 'SCAN'} requests USING INDEX ${index}`)
    expect(steps.join('\n')).not.toContain('FOR ORDER BY')
  }
})

test('the turns by which a turn goes are read at once, not one after the other', async () => {
  const steps = await stepsOf(({ db }, { id }) => turnsBehind(db, { session: id, turn }))
  expect(steps).toEqual([expect.stringContaining('SEARCH inbox')])
})

test('what waits in idle sessions is read once, not for each of them', async () => {
  const steps = await stepsOf(({ db }) => idleSessions(db, 1))
  const ofEach = steps.slice(steps.findIndex((step) => step.startsWith('CORRELATED')))
  expect(ofEach.filter((step) => growing.test(step))).toEqual([])
  expect(ofEach.join('\n')).toContain('inbox_unread')
})

test('the turns of sessions that were not used in the month are not looked at for it', async () => {
  const store = await openStore()
  const { id, thread } = await newSession(store)
  await store.transaction(async (tx) => {
    await createTurn(tx, id, 1, { person: ana, timeZone: 'UTC' })
  })
  const since = Date.now() - 600_000
  const month = () => turnsOfPerson(store.db, { ...thread, person: 'ana' }, since)
  expect(await month()).toMatchObject({ turns: 1 })
  // No turn begins without its session being used; only so it shows whether it was looked at.
  await store.transaction(({ db }) => db.updateTable('sessions').set({ updated_at: 1 }).execute())
  expect(await month()).toMatchObject({ turns: 0 })
})
