import { expect, test } from 'vitest'
import { newId } from '../../src/domain/ids.ts'
import { pageKey, replyKey } from '../../src/domain/keys.ts'
import type { ChatPlatform, LiveOptions, LiveReply } from '../../src/platforms/platform.ts'
import { appendEvents } from '../../src/store/events.ts'
import { acquire } from '../../src/store/hold-session.ts'
import { insertInbox } from '../../src/store/inbox.ts'
import { takeLock } from '../../src/store/lock.ts'
import { insertOutbox } from '../../src/store/outbox.ts'
import { findPosting, setPosted } from '../../src/store/postings.ts'
import { createTurn } from '../../src/store/turns.ts'
import { turnServices } from '../support/services.ts'
import { ana, newSession, openStore } from '../support/store.ts'
import { until } from '../support/until.ts'

/** The progress of a turn, before it is posted. */
async function following() {
  const store = await openStore()
  const session = await newSession(store)
  const { platforms, presenter, holder } = await turnServices(store)
  const shown: LiveOptions[] = []
  const views: unknown[] = []
  const reply = {
    begun: false,
    show: (view) => void views.push(view),
    finish: async () => '',
    leave: async () => {},
  } satisfies LiveReply
  const live = (_: unknown, options: LiveOptions) => {
    shown.push(options)
    return reply
  }
  const connected = platforms as Map<string, ChatPlatform>
  connected.set(session.thread.platform, { progress: 'posted', live } as Partial<ChatPlatform> as ChatPlatform)
  const { lease } = await store.transaction((tx) => acquire(tx, session.id, holder))
  const turn = await store.transaction(async (tx) => {
    const payload = { person: ana, text: 'talk', files: [] }
    const said = { dedupKey: 'talk', kind: 'message', payload, eventId: 1, state: 'taken' } as const
    const row = await createTurn(tx, session.id, await insertInbox(tx, session.id, said), {
      person: ana,
      timeZone: 'UTC',
    })
    await appendEvents(tx, session.id, [{ type: 'start', data: { turn_id: row.id, reason: 'message' } }])
    return row
  })
  const { end } = presenter.follow(session, turn, lease)
  const options = await until('the live message', () => shown[0])
  const entry = replyKey(turn.id, 0)
  const add = (kind: 'record' | 'answer') =>
    store.transaction((tx) => {
      const payload = kind === 'record' ? { segment: 0 } : { text: 'Done.', files: [], segment: 0 }
      return insertOutbox(tx, { key: entry, session: session.id, turn: turn.id, kind, payload })
    })
  return { store, session, turn, lease, presenter, options, shown, views, end, add, page: pageKey(entry, 0) }
}

test('progress that a pause overtakes before it is posted is not posted: nobody would know it', async () => {
  const { store, presenter, options, end, add, page } = await following()
  await add('record')
  const beginning = options.begin()
  expect(presenter.take(page, 'to change')).toBeDefined()
  expect(await beginning).toBe(false)
  expect(await findPosting(store.db, page)).toBeUndefined()
  await end()
})

test('progress that a replaced process has posted late doesn’t take the place of what another one has posted', async () => {
  const { store, options, end, page } = await following()
  expect(await options.begin()).toBe(true)
  for (const holder of ['node_a', 'node_b']) await takeLock(store, { holder, host: 'here', pid: 1 }, () => 'silent')
  await store.transaction((tx) => setPosted(tx, page, 'theirs', 'node_b'))
  await options.posted('late')
  expect((await findPosting(store.db, page))?.id).toBe('theirs')
  await end()
})

test('progress that the answer overtakes becomes the answer, which the deliverer has begun', async () => {
  const { presenter, options, end, add, page } = await following()
  await add('answer')
  const beginning = options.begin()
  expect(presenter.take(page, 'to post')).toBeDefined()
  expect(await beginning).toBe(true)
  await end()
})

test('what a subagent has shown in a message that its resting parent leaves is shown again', async () => {
  const { session, turn, lease, presenter, shown, views, end } = await following()
  await until('the parent’s view', () => views[0])
  const parent = { session: session.id, turn: turn.id, call: newId('call', 0), name: 'subagent-1', maxSteps: 15 }
  const child = presenter.follow({ ...session, id: newId('ses', 0), parent }, turn, lease)
  await until('the subagent’s view, in the same message', () => views[1])
  expect(shown).toHaveLength(1)
  await end()
  await until('the message, opened again', () => shown[1])
  await child.end()
})

test.for(['under way', 'posted', 'maybe posted'])(
  'a message that whoever showed it before has just begun is not begun again (%s)',
  async (how) => {
    const { session, turn, lease, presenter, options, shown, end } = await following()
    await end()
    presenter.follow(session, turn, lease)
    const again = await until('the second live message', () => shown[1])
    // It was on its way when the first was left.
    expect(await options.begin()).toBe(true)
    if (how !== 'under way') await options.posted(how === 'posted' ? '1' : undefined)
    expect(await again.begin()).toBe(false)
  },
)

test('a message whose first attempt failed is begun again, by whoever shows it', async () => {
  const { session, turn, lease, presenter, options, shown, end } = await following()
  expect(await options.begin()).toBe(true)
  expect(await options.begin()).toBe(true)
  await options.posted(undefined)
  await end()
  presenter.follow(session, turn, lease)
  const again = await until('the second live message', () => shown[1])
  expect([again.id, again.unsure, await again.begin()]).toEqual([undefined, true, true])
})

test.for([
  ['was posted', '1'],
  ['failed', undefined],
] as const)('that a message %s is stored once the database is back: others wait for that', async ([, id]) => {
  const { store, options, end, page } = await following()
  expect(await options.begin()).toBe(true)
  const transaction = store.transaction.bind(store)
  let isAway = true
  store.transaction = async (work, how) => {
    if (!isAway) return transaction(work, how)
    isAway = false
    throw Object.assign(new Error('the connection was lost'), { code: 'EIO' })
  }
  await options.posted(id)
  expect(await findPosting(store.db, page)).toMatchObject({ id, holder: undefined })
  await end()
})
