import { expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { appendAudit } from '../../src/store/audit.ts'
import { verifyAudit } from '../../src/store/audit-chain.ts'
import { insertCalls } from '../../src/store/calls.ts'
import { appendEvents, readEvents } from '../../src/store/events.ts'
import { acquire } from '../../src/store/hold-session.ts'
import { findByDedupKey, insertInbox } from '../../src/store/inbox.ts'
import { claimJob, dueJobs, startJob } from '../../src/store/jobs.ts'
import { LeaseLost } from '../../src/store/lease-lost.ts'
import { takeLock } from '../../src/store/lock.ts'
import { claimAttempt, dueOutbox, insertOutbox } from '../../src/store/outbox.ts'
import { dropPrompt, readPrompt, writePrompt } from '../../src/store/prompts.ts'
import { markRefused, releaseRefused } from '../../src/store/refused.ts'
import { findRequest, insertRequest } from '../../src/store/requests.ts'
import { listSessions, type Session } from '../../src/store/sessions.ts'
import { isHeld, type Store, type Tx } from '../../src/store/store.ts'
import { createTurn, findTurn, setTurnState } from '../../src/store/turns.ts'
import { answer } from '../../src/trust/answer.ts'
import { stopTurn } from '../../src/turn/state/stop.ts'
import { rulesWith } from '../support/rules.ts'
import { shippedConfig } from '../support/shipped.ts'
import { ana, newSession } from '../support/store.ts'
import { meanwhile, two } from '../support/two-stores.ts'

/** Does something so often in each process, all at once. */
const everywhere = <T>(
  stores: Store[],
  times: number,
  work: (store: Store, time: number, place: number) => Promise<T>,
): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, time) => stores.map((store, place) => work(store, time, place))).flat())

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const stopped = { type: 'stopped' as const, data: { turn_id: 'turn_a' as const, person: ana } }

test('events of one session are numbered without gaps, whoever writes them', async () => {
  const stores = await two()
  const { id } = await newSession(stores[0])
  await everywhere(stores, 25, (store) => store.transaction((tx) => appendEvents(tx, id, [stopped])))
  expect((await readEvents(stores[0].db, id, 1, 100)).map(({ event_id }) => event_id)).toEqual(numbers(1, 50))
})

test('the audit log stays one chain', async () => {
  const stores = await two()
  await everywhere(stores, 20, async (store, time, place) => {
    const { id: session } = await newSession(store, `thread ${place} ${time}`)
    await store.transaction(async (tx) => {
      await appendAudit(tx, { kind: 'decided', session, data: { time } })
      await appendAudit(tx, { kind: 'ended', session, data: { time } })
      await appendEvents(tx, session, [stopped])
    })
  })
  expect(await verifyAudit(stores[1].db)).toMatchObject({ ok: true, entries: 80 })
})

test('a thread gets one session, and a message is received once', async () => {
  const stores = await two()
  const outcomes = await everywhere(stores, 10, async (store) => {
    const session = await newSession(store, 'the thread')
    return store.transaction(async (tx) => {
      if ((await findByDedupKey(tx.db, 'the message')) !== undefined) return 'duplicate'
      const payload = { person: ana, text: 'hi', files: [] }
      await insertInbox(tx, session.id, { dedupKey: 'the message', kind: 'message', payload, eventId: 1 })
      return 'new'
    })
  })
  expect(outcomes.filter((one) => one === 'new')).toHaveLength(1)
  expect(await listSessions(stores[0].db, { limit: 10 })).toHaveLength(1)
})

test('one of many becomes the one that runs the engine', async () => {
  const stores = await two()
  const holders = await everywhere(stores, 10, async (store, time, place) => {
    const me = `node_${place}_${time}`
    return (await takeLock(store, { holder: me, host: 'here', pid: 1 }, () => undefined)) === undefined ? [me] : []
  })
  expect(holders.flat()).toHaveLength(1)
})

test('a job is started once, and claimed once', async () => {
  const stores = await two()
  const ids = await everywhere(stores, 10, (store) =>
    store.transaction((tx) => startJob(tx, { kind: 'clean', key: 'clean', owner: 'bot', input: null })),
  )
  expect(new Set(ids).size).toBe(1)
  const [due] = await dueJobs(stores[0].db, Date.now() + 1_000, ['clean'])
  const claims = await everywhere(stores, 5, (store, time) =>
    store.transaction((tx) => claimJob(tx, due?.id ?? 'job_', `node_${time}`)),
  )
  expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1)
})

test('what prompts share is stored once, and is there as long as somebody needs it', async () => {
  const stores = await two()
  const sessions = await Promise.all(numbers(1, 10).map((number) => newSession(stores[0], `thread ${number}`)))
  const prompt = { text: 'You are a bot.', shared: 'You are', told: [], offered: [] }
  const write = (store: Store, { id }: Session) => store.transaction((tx) => writePrompt(tx, id, prompt))
  await everywhere(stores, 10, async (store, time, place) => {
    const session = sessions[time]
    if (session === undefined) return
    if (place === 0) await write(store, session)
    else await store.transaction((tx) => dropPrompt(tx, session.id))
  })
  await Promise.all(sessions.map((session) => write(stores[0], session)))
  for (const { id } of sessions) expect((await readPrompt(stores[1].db, id))?.text).toBe('You are a bot.')
})

test('two that hold two sessions in opposite order both get through', async () => {
  const stores = await two()
  const [one, other] = [await newSession(stores[0], 'one'), await newSession(stores[0], 'other')]
  await everywhere(stores, 1, (store, _, place) => {
    const [first, second] = place === 0 ? [one, other] : [other, one]
    return store.transaction(async (tx) => {
      await appendEvents(tx, first.id, [stopped])
      await new Promise((resolve) => setTimeout(resolve, 50))
      await appendEvents(tx, second.id, [stopped])
    })
  })
  for (const { id } of [one, other]) expect(await readEvents(stores[0].db, id, 1, 100)).toHaveLength(2)
})

test('who loses the session while it waits for it writes nothing', async () => {
  const stores = await two()
  const { id } = await newSession(stores[0])
  const { lease } = await stores[0].transaction((tx) => acquire(tx, id, 'node_a'))
  const { promise: taken, resolve: take } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const taking = stores[1].transaction(async (tx) => {
    await acquire(tx, id, 'node_b')
    take()
    await mayCommit
  })
  await taken
  const late = stores[0].fenced(lease, (tx) => appendEvents(tx, id, [stopped]))
  commit()
  await taking
  await expect(late).rejects.toBeInstanceOf(LeaseLost)
  expect(await readEvents(stores[0].db, id, 1, 10)).toEqual([])
})

/** A turn that waits for an approval. */
async function asking(tx: Tx, session: Session) {
  const turn = await createTurn(tx, session.id, 1, { person: ana, timeZone: 'UTC' })
  const call = { id: `call_${turn.id}` as const, name: 'write_file', arguments: '{}' }
  await insertCalls(tx, session.id, turn.id, 1, [call])
  const payload = { tool: 'write_file', input: {}, reason: '', risk: 'low', unclear: [], hosts: [], runs: [] } as const
  const approval = { ...payload, unclear: [], hosts: [], runs: [], call: '', binding: '' }
  const decided = { decider: 'team', who: 'two', needed: 2 }
  const request = { session: session.id, turn: turn.id, call: call.id, hash: 'h' }
  return insertRequest(tx, { ...request, kind: 'approval', payload: approval, decided })
}

test('two that vote at the same moment are two', async () => {
  const stores = await two()
  const rules = rulesWith({ deciders: { team: { who: ['operator'], asker: false, needed: 2 } } })
  const isMember = async () => true
  const { access } = shippedConfig()
  for (const round of numbers(1, 8)) {
    const session = await newSession(stores[0], `thread ${round}`)
    const { id } = await stores[0].transaction((tx) => asking(tx, session))
    const yes = { kind: 'approval', answer: { decision: 'approve' } } as const
    const outcomes = await Promise.all(
      stores.map((store, place) => {
        const by = { person: { id: `person ${place}`, name: 'Somebody' }, operator: true }
        return answer({ store, rules, isMember, access }, id, yes, by)
      }),
    )
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['taken', 'voted'])
    expect((await findRequest(stores[0].db, id))?.state).toBe('answered')
  }
})

test('a turn that ends is not stopped any more', async () => {
  const stores = await two()
  const session = await newSession(stores[0])
  const turn = await stores[0].transaction((tx) => createTurn(tx, session.id, 1, { person: ana, timeZone: 'UTC' }))
  const { lease } = await stores[0].transaction((tx) => acquire(tx, session.id, 'node_a'))
  const stopping = await meanwhile(
    stores[0],
    async (tx) => {
      await isHeld(tx, lease)
      await setTurnState(tx, turn.id, 'done')
    },
    () => stores[1].transaction((tx) => stopTurn(tx, session.id, ana, liveTextsHere(systemClock))),
  )
  expect(stopping).toBe(false)
  expect((await findTurn(stores[0].db, turn.id))?.state).toBe('done')
})

test('what is refused while somebody fixes it is due at once', async () => {
  const stores = await two()
  const { id: session } = await newSession(stores[0])
  const payload = { text: 'hello', files: [] }
  const waiting = { key: 'msg_a', session, turn: undefined, kind: 'answer' as const, payload }
  const entry = { ...waiting, attempts: 0, createdAt: 0, refusedAt: undefined }
  await stores[0].transaction(async (tx) => {
    await insertOutbox(tx, waiting)
    await claimAttempt(tx, entry, Date.now())
  })
  const nextAt = () => Date.now() + 3_600_000
  await meanwhile(
    stores[0],
    (tx) => markRefused(tx, entry, { reason: 'no', remedy: 'Ask.', at: Date.now(), nextAt }),
    () => stores[1].transaction((tx) => releaseRefused(tx, 'console', {})),
  )
  expect(await dueOutbox(stores[0].db, Date.now() + 1_000, 5)).toHaveLength(1)
})
