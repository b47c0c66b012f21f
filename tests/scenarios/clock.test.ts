import { expect, test } from 'vitest'
import { ringAlarms } from '../../src/capabilities/alarms/ring.ts'
import type { AlarmId } from '../../src/domain/ids.ts'
import { nextRun } from '../../src/kit/calendar/time.ts'
import { insertAlarm, pendingAlarms } from '../../src/store/alarms.ts'
import { clockWentBack } from '../../src/store/clock-back.ts'
import { takeInbox, unreadInbox } from '../../src/store/inbox.ts'
import { startJob } from '../../src/store/jobs.ts'
import type { Store } from '../../src/store/store.ts'
import { bobbinHere } from '../commands/support.ts'
import { startTestBot } from '../support/bot.ts'
import { type Client, ofType } from '../support/client.ts'
import { calls, type RequestBody, type ScriptedReply, says } from '../support/model-server.ts'
import { resting } from '../support/resting.ts'
import { rowsIn } from '../support/rows.ts'
import { shippedConfig } from '../support/shipped.ts'
import { ana, newSession, openStore } from '../support/store.ts'
import { until } from '../support/until.ts'

const hour = 3_600_000
const day = 24 * hour

function script({ messages }: RequestBody): ScriptedReply {
  const last = messages.at(-1)
  const text = JSON.stringify(last?.content)
  if (last?.role === 'tool') return says('Set.')
  if (text.includes('tea time')) return says('Tea is ready.')
  return text.includes('remind') ? calls('alarm_set', { at: 'PT1H', message: 'tea time' }) : says('Hello there, Ana.')
}

/** A clock that somebody sets. */
function setClock() {
  let off = 0
  return {
    now: () => Date.now() + off,
    jump(ms: number) {
      off += ms
    },
  }
}

async function told(chat: Client, conversation: string): Promise<string[]> {
  const messages = ofType(await chat.events(conversation), 'message')
  return messages.flatMap(({ data }) => (data.role === 'assistant' ? [data.text] : []))
}

test('a clock that jumps back and forth: people are answered, and an alarm rings once, at its time of day', async () => {
  const clock = setClock()
  const bot = await startTestBot({ script, clock })
  const { conversation } = await bot.chat.say('remind me')
  clock.jump(-day)
  expect((await bot.chat.say('hi', { conversation })).text).toBe('Hello there, Ana.')
  expect(rowsIn(bot.database, "select 1 from alarms where state = 'pending'")).toHaveLength(1)
  clock.jump(day + 2 * hour)
  await until('the alarm', async () => (await told(bot.chat, conversation)).includes('Tea is ready.'))
  clock.jump(-30 * day)
  expect((await bot.chat.say('hi', { conversation })).text).toBe('Hello there, Ana.')

  // Between two starts, both ways.
  for (const jump of [-400 * day, 800 * day]) {
    await bot.stop()
    clock.jump(jump)
    await bot.restart()
    expect((await bot.chat.say('hi', { conversation })).text).toBe('Hello there, Ana.')
  }
  const events = await bot.chat.events(conversation)
  expect((await told(bot.chat, conversation)).filter((text) => text === 'Tea is ready.')).toHaveLength(1)
  expect(events.map(({ event_id }) => event_id)).toEqual(
    events.map(({ event_id }) => event_id).toSorted((one, other) => one - other),
  )
  const postgres = bot.database.startsWith('postgres')
  const environment: Record<string, string> = postgres ? { DATABASE_URL: bot.database, BOBBIN_NODE: 'two' } : {}
  expect((await bobbinHere(bot.dataDir, 'audit', 'verify', environment)).out).toContain('is intact')
})

test('what is to be done again in an hour is not put off by a day when the clock is set back by one', async () => {
  const clock = setClock()
  const bot = await startTestBot({ script, clock })
  const cleaning = () => rowsIn<{ due_at: number }>(bot.database, "select due_at from jobs where kind = 'clean'")[0]
  await until('the first cleaning', () => Number(cleaning()?.due_at) > clock.now() + hour / 2)
  clock.jump(-day)
  await until('its new time', () => Number(cleaning()?.due_at) <= clock.now() + hour)
  expect(Number(cleaning()?.due_at)).toBeGreaterThan(clock.now() + hour / 2)
})

test('an entry of the outbox that is tried again later keeps its pause, and no other entry changes', async () => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const now = Date.now()
  const row = (key: string, seq: number, state: 'pending' | 'delivered', next_at: number) => ({
    ...{ key, session_id: session, seq, kind: 'answer' as const, payload: '{"text":"x","files":[]}', state },
    ...{ attempts: 1, next_at, created_at: now },
  })
  await store.transaction(async (tx) => {
    const rows = [
      row('waits', 1, 'pending', now + day + hour),
      row('is due', 2, 'pending', now - hour),
      row('is over', 3, 'delivered', now + day),
    ]
    await tx.db
      .insertInto('outbox')
      .values(rows as never)
      .execute()
  })
  await store.transaction((tx) => clockWentBack(tx, day, 'node_a'))
  const after = await store.db.selectFrom('outbox').select('next_at').orderBy('seq').execute()
  expect(after.map(({ next_at }) => next_at - now)).toEqual([hour, -hour, day])
})

const ringing = (store: Store) => ({
  store,
  engine: resting,
  access: shippedConfig().access,
  platforms: new Map([['console', { progress: 'followed' as const }]]),
  silenced() {},
})

test('an alarm that repeats and has rung by a wrong time continues from the right one, and rings once for each', async () => {
  const clock = setClock()
  const store = await openStore(clock)
  const { id: session } = await newSession(store)
  const dueAt = nextRun('0 9 * * *', { after: clock.now(), timeZone: 'UTC' })
  const daily = { id: 'alarm_a' as const, message: 'tea', dueAt, cron: '0 9 * * *', timeZone: 'UTC' }
  const once = { id: 'alarm_b' as const, message: 'tea', dueAt: dueAt + 900 * day, timeZone: 'UTC' }
  for (const alarm of [daily, once])
    await store.transaction((tx) => insertAlarm(tx, { ...alarm, session, person: ana }))
  const due = async () => (await pendingAlarms(store.db, session)).map((alarm) => (alarm.dueAt - dueAt) / day)
  clock.jump(400 * day)
  await ringAlarms(ringing(store), clock.now())
  expect(await due()).toEqual([400, 900])
  clock.jump(-400 * day)
  await store.transaction((tx) => clockWentBack(tx, 400 * day, 'node_a'))
  expect(await due()).toEqual([1, 900])
})

test('so does one that has rung several times, and what it has rung for stops nobody when its time comes', async () => {
  const first = Date.UTC(2030, 0, 1, 9)
  let now = first - hour / 2
  const store = await openStore({ now: () => now })
  const { id: session } = await newSession(store)
  const insert = (id: AlarmId, dueAt: number, cron?: string) =>
    store.transaction((tx) =>
      insertAlarm(tx, { id, message: 'tea', dueAt, cron, timeZone: 'UTC', session, person: ana }),
    )
  /** The hours for which alarms ring now, which are read. */
  const rung = async (at: number) => {
    now = at
    await ringAlarms(ringing(store), now)
    const rings = (await unreadInbox(store.db, session)).filter((event) => event.kind === 'alarm')
    const seqs = rings.map(({ seq }) => seq)
    await store.transaction((tx) => takeInbox(tx, session, seqs, null))
    return rings.map(({ payload }) => (payload.dueAt - first) / hour)
  }
  await insert('alarm_a', first, '0 * * * *')
  const ahead = 400 * day
  expect(await rung(now + ahead)).toEqual([0])
  expect(await rung(first + ahead)).toEqual([400 * 24])
  now = first - hour / 2
  await store.transaction((tx) => clockWentBack(tx, ahead + hour / 2, 'node_a'))
  expect(await rung(first)).toEqual([])
  expect(await rung(first + hour)).toEqual([1])
  expect(await rung(first + ahead - hour)).toEqual([2])
  await insert('alarm_b', first + ahead + hour / 2)
  expect(await rung(first + ahead + hour / 2)).toEqual([400 * 24 + 0.5])
  expect(await rung(first + ahead + hour)).toEqual([400 * 24 + 1])
})

test('of several processes that notice the same step of the clock, one corrects what waits', async () => {
  let passed = 0
  const now = Date.now()
  const store = await openStore({ now: () => now + passed })
  await store.transaction((tx) =>
    startJob(tx, { kind: 'later', key: 'later', owner: 'bot', input: null, dueAt: now + 10 * day }),
  )
  const due = async () => (await store.db.selectFrom('jobs').select('due_at').executeTakeFirstOrThrow()).due_at - now
  for (const holder of ['node_a', 'node_b', 'node_c']) await store.transaction((tx) => clockWentBack(tx, day, holder))
  expect(await due()).toBe(9 * day)
  passed = hour
  await store.transaction((tx) => clockWentBack(tx, day, 'node_b'))
  expect(await due()).toBe(8 * day)
  passed = 0
  await store.transaction((tx) => clockWentBack(tx, hour, 'node_a'))
  expect(await due()).toBe(8 * day - hour)
})
