import { expect, onTestFinished, test } from 'vitest'
import { LooksWhenDue } from '../../src/engine/look-when-due.ts'
import { type DeliverDeps, Deliverer } from '../../src/outbound/deliver.ts'
import { FormerCalls } from '../../src/outbound/former-calls.ts'
import type { Presenter } from '../../src/outbound/presenter.ts'
import type { ChatPlatform } from '../../src/platforms/platform.ts'
import { writeNote } from '../../src/store/notes.ts'
import { dueOutbox, insertOutbox } from '../../src/store/outbox.ts'
import type { OutboxKind } from '../../src/store/outbox-entry.ts'
import { newSession, openStore } from '../support/store.ts'
import { until } from '../support/until.ts'

const file = { name: 'a.txt', path: 'outputs/a.txt', type: 'text/plain', size: 1 }

const payloads = { files: { files: [file] }, answer: { text: 'Done.', files: [] } }

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
  const deliverer = new Deliverer({
    store,
    clock: { now: () => Date.now() },
    platforms: new Map([['console', platform]]),
    presenter: { shows: () => false, take: () => undefined } as unknown as Presenter,
    formerCalls: new FormerCalls(store.db, { now: () => 0 }),
    holder: 'node_a',
    wake() {},
    failed: report,
    report: (_, thrown) => report(thrown),
  } as Partial<DeliverDeps> as DeliverDeps)
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
  const looks = new LooksWhenDue(store, { now }, 1, { report, wentBack: async () => {} })
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
