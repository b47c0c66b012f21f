import { expect, test } from 'vitest'
import { FormerCalls } from '../../src/outbound/former-calls.ts'
import { Poster } from '../../src/outbound/poster.ts'
import { filesKey, postingOf } from '../../src/outbound/posting.ts'
import type { Presenter } from '../../src/outbound/presenter.ts'
import type { ChatPlatform, OutgoingFile, Posting } from '../../src/platforms/platform.ts'
import { takeLock } from '../../src/store/lock.ts'
import { claimAttempt, dueOutbox } from '../../src/store/outbox.ts'
import type { OutboxEntry } from '../../src/store/outbox-entry.ts'
import { beginPosting, findPosting } from '../../src/store/postings.ts'
import type { Session } from '../../src/store/sessions.ts'
import { newSession, openStore } from '../support/store.ts'

const file = {
  name: 'a.txt',
  path: 'outputs/a.txt',
  type: 'text/plain',
  size: 1,
  bytes: async () => new Uint8Array(1),
}

type OpenStore = Awaited<ReturnType<typeof openStore>>

const clock = { now: () => Date.now() }

/** With a live message here, if there is one. */
function posterOf(
  store: OpenStore,
  session: Session,
  platform: object,
  { live, holder = 'node_a' }: { live?: object; holder?: string } = {},
): Poster {
  const presenter = { shows: () => live !== undefined, take: () => live } as unknown as Presenter
  const formerCalls = new FormerCalls(store.db, { now: () => 0 })
  const whole = platform as ChatPlatform
  return new Poster({ store, clock, holder, platform: whole, presenter, formerCalls, session, turn: undefined })
}

/** The keys of what waits to be posted. */
const waitingIn = async (store: OpenStore) => (await dueOutbox(store.db, Date.now() + 10_000, 5)).map(({ key }) => key)

test('files that were left for later are no longer waiting when the next attempt posts them', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const waiting = () => waitingIn(store)
  const key = 'msg_a.1'
  /** The upload fails, and so does saying so; then it works. */
  const attempts: ((posting: Posting) => Promise<string>)[] = [
    async ({ postpone }) => {
      await postpone([file])
      throw new Error('reset')
    },
    async () => {
      expect(await waiting()).toEqual([])
      return 'posted'
    },
  ]
  const platform = {
    find: async () => undefined,
    post: (_: unknown, __: unknown, posting: Posting) => attempts.shift()?.(posting),
  }
  const poster = posterOf(store, session, platform)
  await expect(poster.page(key, {})).rejects.toThrow('reset')
  expect(await waiting()).toEqual([filesKey(key)])
  expect(await poster.page(key, {})).toBe('posted')
  expect(await waiting()).toEqual([])
})

test('files that were left for later still come when the message that says so is found again', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const waiting = () => waitingIn(store)
  let found: string | undefined
  /** As on Slack: the message is posted, its answer is lost, and an edit leaves files as they are. */
  const platform = {
    find: async () => found,
    edit: async () => {},
    post: async (_: unknown, __: unknown, { postpone }: Posting) => {
      await postpone([file])
      found = 'posted'
      throw new Error('reset')
    },
  }
  const poster = posterOf(store, session, platform)
  await expect(poster.page('msg_a.1', {})).rejects.toThrow('reset')
  expect(await poster.page('msg_a.1', {})).toBe('posted')
  expect(await waiting()).toEqual([filesKey('msg_a.1')])
})

test('files that are left for later after others of their page wait with them, unless all are posted after all', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const [a, b] = ['a.txt', 'b.txt'].map((name) => ({ ...file, name, path: `outputs/${name}` })) as [
    OutgoingFile,
    OutgoingFile,
  ]
  const { postpone } = postingOf(
    { store, clock, holder: 'node_a', session: session.id, turn: undefined },
    'msg_a.1',
    undefined,
  )
  const waiting = async () => {
    const [entry] = await dueOutbox(store.db, Date.now() + 10_000, 5)
    return entry?.kind === 'files' ? entry.payload.files.map(({ name }) => name) : []
  }
  await postpone([a])
  await postpone([a, b])
  expect(await waiting()).toEqual(['a.txt', 'b.txt'])
  await postpone([])
  expect(await waiting()).toEqual([])
  await postpone([a, b])

  // What is being posted stays as it is.
  const [entry] = await dueOutbox(store.db, Date.now() + 10_000, 5)
  if (entry === undefined) throw new Error('nothing waits')
  await store.transaction((tx) => claimAttempt(tx, entry, 0))
  await postpone([a])
  expect(await waiting()).toEqual(['a.txt', 'b.txt'])
})

test('a replaced process leaves no files for later, and keeps no note: another one posts the page', async () => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const takeOver = (holder: string) => takeLock(store, { holder, host: 'here', pid: 1 }, () => 'silent')
  const of = (holder: string) => postingOf({ store, clock, holder, session, turn: undefined }, 'msg_a.1', undefined)
  const [first, second] = [of('first'), of('second')]
  await takeOver('first')
  await store.transaction((tx) => beginPosting(tx, session, 'msg_a.1'))
  await first.remember('by the first')
  await takeOver('second')
  await second.remember('by the second')
  await first.remember('by a replaced one')
  await first.postpone([file])
  const waiting = () => waitingIn(store)
  expect([await waiting(), (await findPosting(store.db, 'msg_a.1'))?.note]).toEqual([[], 'by the second'])

  await second.postpone([file])
  await first.postpone([])
  expect(await waiting()).toEqual([filesKey('msg_a.1')])
})

test('a page that a replaced process has posted late doesn’t take the place of what another one has posted', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const takeOver = (holder: string) => takeLock(store, { holder, host: 'here', pid: 1 }, () => 'silent')
  const find = async () => undefined
  const late = async () => {
    await takeOver('node_b')
    await posterOf(store, session, { find, post: async () => 'theirs' }, { holder: 'node_b' }).page('msg_a.1', {})
    return 'late'
  }
  await takeOver('node_a')
  await posterOf(store, session, { find, post: late }).page('msg_a.1', {})
  expect((await findPosting(store.db, 'msg_a.1'))?.id).toBe('theirs')
})

test('an answer replaces what stands, even if the live message here has shown nothing of it', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const edited: string[] = []
  const edit = async (_: unknown, id: string) => void edited.push(id)
  const platform = { pages: () => [{}], edit }
  let left = 0
  const live = { begun: false, finish: async () => 'posted twice', leave: async () => void left++ }
  const poster = posterOf(store, session, platform, { live })
  const entry = { kind: 'answer', key: 'msg_a_0', payload: { text: 'Done.', files: [] } } as unknown as OutboxEntry
  const known = { key: 'msg_a_0.0', id: '1', note: undefined, begunAt: 0, holder: undefined }
  const content = { kind: 'answer' as const, text: 'Done.', files: [], record: undefined }
  expect(await poster.post(entry, content, known)).toEqual({ key: 'msg_a_0.0', id: '1' })
  expect([edited, left]).toEqual([['1'], 1])
})
