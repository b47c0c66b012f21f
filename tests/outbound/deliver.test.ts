import { expect, onTestFinished, test } from 'vitest'
import { pageKey } from '../../src/domain/keys.ts'
import type { Request } from '../../src/domain/request.ts'
import { LooksWhenDue } from '../../src/engine/look-when-due.ts'
import { type DeliverDeps, Deliverer } from '../../src/outbound/deliver.ts'
import { FormerCalls } from '../../src/outbound/former-calls.ts'
import type { Presenter } from '../../src/outbound/presenter.ts'
import { type ChatPlatform, type Content, NotPosted } from '../../src/platforms/platform.ts'
import { insertCalls } from '../../src/store/calls.ts'
import { readEvents } from '../../src/store/events.ts'
import { takeLock } from '../../src/store/lock.ts'
import { nextTimes } from '../../src/store/next-at.ts'
import { writeNote } from '../../src/store/notes.ts'
import { dueOutbox, insertOutbox } from '../../src/store/outbox.ts'
import type { OutboxKind } from '../../src/store/outbox-entry.ts'
import { beginPosting, findPosting, setPosted } from '../../src/store/postings.ts'
import { cancelRequest, insertRequest } from '../../src/store/requests.ts'
import type { Store } from '../../src/store/store.ts'
import { createTurn } from '../../src/store/turns.ts'
import { cardKey, showMoved, showOutcome, showVotes } from '../../src/trust/cards.ts'
import { ana, newSession, openStore } from '../support/store.ts'
import { until } from '../support/until.ts'

const file = { name: 'a.txt', path: 'outputs/a.txt', type: 'text/plain', size: 1 }

const payloads = { files: { files: [file] }, answer: { text: 'Done.', files: [] } }

function delivererOn(
  store: Store,
  platform: ChatPlatform,
  report: (thrown: unknown) => void,
  deps: Partial<DeliverDeps> = {},
): Deliverer {
  return new Deliverer({
    store,
    clock: { now: () => Date.now() },
    platforms: new Map([['console', platform]]),
    presenter: { shows: () => false, take: () => undefined } as unknown as Presenter,
    formerCalls: new FormerCalls(store.db, { now: () => 0 }),
    holder: 'node_a',
    wake() {},
    failed: report,
    report: (_, thrown) => report(thrown),
    ...deps,
  } as Partial<DeliverDeps> as DeliverDeps)
}

/** Sessions of one channel, each with an entry. A posting ends when it is told to. */
async function delivering(kind: 'files' | 'answer', sessions: number) {
  const store = await openStore()
  const posting: (() => void)[] = []
  const platform = {
    pages: () => [{}],
    post: () => new Promise<string>((resolve) => posting.push(() => resolve(`${posting.length}`))),
  } as unknown as ChatPlatform
  const faults: unknown[] = []
  const report = (thrown: unknown) => void faults.push(thrown)
  const deliverer = delivererOn(store, platform, report)
  for (let n = 0; n < sessions; n++) {
    const { id: session } = await newSession(store, `msg_${n}`)
    const entry = { key: `msg_${n}`, session, turn: undefined, kind, payload: payloads[kind] }
    await store.transaction((tx) => insertOutbox(tx, entry as Parameters<typeof insertOutbox<OutboxKind>>[1]))
  }
  const counted = { ticks: 0, looks: 0 }
  const now = () => {
    counted.ticks++
    return Date.now()
  }
  const looks = new LooksWhenDue(store, { now }, 1, { report, wentBack: async () => {}, paused: async () => {} })
  const look = () => {
    counted.looks++
    return deliverer.deliverDue()
  }
  looks.add({ nextAt: () => deliverer.nextAt(), look, report })
  onTestFinished(async () => {
    await looks.stop()
    expect(faults).toEqual([])
  })
  looks.start()
  const ticks = () => {
    const end = counted.ticks + 100
    return until('some ticks', () => counted.ticks > end)
  }
  return { store, deliverer, counted, posting, ticks }
}

test.each([
  { what: 'uploads', kind: 'files', atOnce: 2, all: 4 },
  { what: 'answers', kind: 'answer', atOnce: 16, all: 220 },
] as const)('$what that wait for their turn are not looked for until then', async ({ kind, atOnce, all }) => {
  const { store, deliverer, counted, posting, ticks } = await delivering(kind, all)
  await until('all that may be posted at once', () => posting.length === atOnce)
  await ticks()
  const before = counted.looks
  await store.transaction((tx) => writeNote(tx, 'something else', 'is stored'))
  await ticks()
  expect([counted.looks, posting.length]).toEqual([before, atOnce])

  for (let ended = 0; ended < all; ended++) {
    await until('the next posting', () => posting.length > ended)
    posting[ended]?.()
  }
  await deliverer.idle()
  expect(counted.looks).toBe(before)
  expect(await dueOutbox(store.db, Number.MAX_SAFE_INTEGER, 50)).toEqual([])
})

test('what is for a platform that isn’t connected is tried once, and waits for a process that has it', async () => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const answer = (key: string) =>
    store.transaction((tx) =>
      insertOutbox(tx, { key, session, turn: undefined, kind: 'answer', payload: payloads.answer }),
    )
  await answer('msg_a')
  const faults: unknown[] = []
  const report = (thrown: unknown) => void faults.push(thrown)
  let passed = 0
  const clock = { now: () => Date.now() + passed }
  const without = delivererOn(store, {} as ChatPlatform, report, { platforms: new Map(), clock })
  const tries = async () => {
    await without.deliverDue()
    await without.idle()
    passed += 3_600_000
  }
  await tries()
  expect(faults).toHaveLength(1)
  await tries()
  await answer('msg_b')
  without.deliver([{ session }])
  await tries()
  expect(faults).toHaveLength(1)
  expect(await nextTimes(store.db, [without.nextAt()])).toEqual([Number.POSITIVE_INFINITY])

  const posted: unknown[] = []
  const platform = { pages: () => [{}], post: async () => `${posted.push('page')}` } as unknown as ChatPlatform
  const back = delivererOn(store, platform, report, { holder: 'node_b' })
  await back.deliverDue()
  await back.idle()
  expect([posted, faults]).toEqual([['page', 'page'], [expect.anything()]])
})

/** A request whose card stands, posted by the first process. */
async function askedIn(store: Store): Promise<Request> {
  const { id: session } = await newSession(store)
  return store.transaction(async (tx) => {
    const { id: turn } = await createTurn(tx, session, 1, { person: ana, timeZone: 'UTC' })
    await insertCalls(tx, session, turn, 1, [{ id: 'call_a', name: 'ask', arguments: '{}' }])
    const payload = { question: 'Which?', options: [], multiple: false, required: true }
    const ids = { session, turn, call: 'call_a' as const, hash: 'h' }
    const request = await insertRequest(tx, { ...ids, kind: 'question', payload })
    const page = pageKey(cardKey(request.id), 0)
    await beginPosting(tx, session, page)
    await setPosted(tx, page, 'card', 'first')
    return request
  })
}

test('what a process posted before it was replaced is found and delivered by the one that has taken over', async () => {
  const store = await openStore()
  const [isFrozen, thaw] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const platform = {
    pages: (content: Content) => [content],
    async post() {
      isFrozen.resolve()
      await thaw.promise
      return 'm1'
    },
    find: async () => 'm1',
    edit: async () => {},
  } as unknown as ChatPlatform
  const faults: unknown[] = []
  const report = (thrown: unknown) => void faults.push(thrown)
  const first = delivererOn(store, platform, report, { holder: 'first' })
  const second = delivererOn(store, platform, report, { holder: 'second', clock: inTenSeconds })
  await take(store, 'first')
  const { id: session } = await newSession(store)
  const answer = { key: 'msg_a', session, turn: undefined, kind: 'answer' as const, payload: payloads.answer }
  await store.transaction((tx) => insertOutbox(tx, answer))
  await first.deliverDue()
  await isFrozen.promise
  await take(store, 'second')
  thaw.resolve()
  await first.idle()
  const state = async () => [
    (await store.db.selectFrom('outbox').select('state').executeTakeFirst())?.state,
    (await findPosting(store.db, pageKey('msg_a', 0)))?.id,
  ]
  expect(await state()).toEqual(['pending', undefined])
  await second.deliverDue()
  await second.idle()
  expect([await state(), faults]).toEqual([['delivered', 'm1'], []])
})

/** Takes the lock from whoever has it. */
const take = (store: Store, holder: string) => takeLock(store, { holder, host: 'here', pid: 1 }, () => 'silent')

/** What an attempt of another process left is due by then. */
const inTenSeconds = { now: () => Date.now() + 10_000 }

test.each([
  ['for now', new NotPosted('repairable', 'not invited', { remedy: 'Invite it.' })],
  ['for good', new NotPosted('never', 'the thread is gone', { gone: true })],
  ['for a while', new NotPosted('later', 'too many', { afterMs: 3_600_000 })],
])('a frozen process that was refused %s changes nothing of what another one has posted since', async (_, refusal) => {
  const store = await openStore()
  const [isFrozen, thaw] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const told: string[] = []
  const platformOf = (post: () => Promise<string>) =>
    ({
      pages: (content: Content) => [content],
      find: async () => undefined,
      post,
      elsewhere: async () => {
        told.push('elsewhere')
        return []
      },
      link: () => undefined,
    }) as unknown as ChatPlatform
  const freezes = async () => {
    isFrozen.resolve()
    await thaw.promise
    throw refusal
  }
  const first = delivererOn(store, platformOf(freezes), () => {}, { holder: 'first' })
  const faults: unknown[] = []
  const report = (thrown: unknown) => void faults.push(thrown)
  const second = delivererOn(
    store,
    platformOf(async () => 'm1'),
    report,
    { holder: 'second', clock: inTenSeconds },
  )

  await take(store, 'first')
  const { id: session } = await newSession(store)
  const answer = { key: 'msg_a', session, turn: undefined, kind: 'answer' as const, payload: payloads.answer }
  await store.transaction((tx) => insertOutbox(tx, answer))
  await first.deliverDue()
  await isFrozen.promise
  await take(store, 'second')
  await second.deliverDue()
  await second.idle()
  const row = () => store.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow()
  const posted = await row()
  expect(posted).toMatchObject({ state: 'delivered', attempts: 2 })
  thaw.resolve()
  await first.idle()
  expect(await row()).toEqual(posted)
  const events = await readEvents(store.db, session, 1, -1)
  expect([events.map(({ type }) => type), told, faults]).toEqual([['message'], [], []])
})

test.each([
  ['who has voted', showVotes],
  ['who is asked now', showMoved],
])('an outcome that a frozen process has covered with %s is shown again', async (_, showPending) => {
  const store = await openStore()
  const faults: unknown[] = []
  const [isFrozen, thaw] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const shown: string[] = []
  const show = (content: unknown) => void shown.push((content as Content & { kind: 'card' }).request.state)
  const platformOf = (edit: (content: unknown) => Promise<void>) =>
    ({
      pages: (content: Content) => [content],
      edit: (_thread: unknown, _id: string, page: unknown) => edit(page),
    }) as unknown as ChatPlatform
  const freezes = async (content: unknown) => {
    isFrozen.resolve()
    await thaw.promise
    show(content)
  }
  const report = (thrown: unknown) => void faults.push(thrown)
  const first = delivererOn(store, platformOf(freezes), report, { holder: 'first' })
  const works = async (content: unknown) => show(content)
  const second = delivererOn(store, platformOf(works), report, { holder: 'second', clock: inTenSeconds })

  await take(store, 'first')
  const request = await askedIn(store)
  await store.transaction((tx) => showPending(tx, request))
  await first.deliverDue()
  await isFrozen.promise
  await take(store, 'second')
  await store.transaction(async (tx) => {
    await cancelRequest(tx, request.id, ana)
    await showOutcome(tx, request)
  })
  await second.deliverDue()
  await second.idle()
  thaw.resolve()
  await first.idle()
  expect(shown.at(-1)).toBe('pending')
  await second.deliverDue()
  await second.idle()
  expect([shown.at(-1), faults]).toEqual(['cancelled', []])
})
