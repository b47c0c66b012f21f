import { describe, expect, test } from 'vitest'
import type { ThreadRef } from '../../src/domain/chat.ts'
import type { Others } from '../../src/platforms/platform.ts'
import type { SlackServer } from '../support/slack/server.ts'
import { patienceMs } from '../support/until.ts'
import { type Bench, eventually, looksOn, openBench, StubNotes, threadOf, withoutEcho } from './support.ts'

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9/slack/events'

const pace = { quietMs: 200, echoMs: 2_000 }

const echoes = ({ server }: Bench) => server.callsTo('files.delete').length
const texts = ({ sink }: Bench) => sink.heard.map(({ text }) => text)

/** Once the first reading back is over, nothing is missing. */
async function open(options: Parameters<typeof openBench>[0]): Promise<Bench> {
  const bench = await openBench(options)
  const thread = threadOf(bench.server, 'general', '1.000001')
  await eventually(() => expect(bench.platform.catchUp(thread)).toBeUndefined())
  return bench
}

/** Slack’s checks arrive, and in time. */
async function arriving(server: SlackServer): Promise<void> {
  const arrived = () => server.deliveries.filter(({ name, outcome }) => name === 'file_created' && outcome === 'acked')
  await eventually(() => expect(arrived().length).toBeGreaterThan(1))
}

/** The proxy in front of the bot breaks; resolves with its repair once that has been noticed. */
async function outage({ server, platform }: Bench): Promise<() => void> {
  await arriving(server)
  const url = server.deliverTo(nowhere)
  await eventually(() => expect(platform.health()).toMatchObject({ ok: false, waits: true }))
  return () => void server.deliverTo(url)
}

/** The same for an app that isn’t told of its own files: what was said and didn’t arrive tells. Resolves with a thread. */
async function untoldOutage({ server, platform }: Bench): Promise<ThreadRef> {
  const root = server.people.mention('ana', 'general', 'before it')
  await server.idle()
  await looksOn(server)
  server.deliverTo(nowhere)
  server.people.mention('ana', 'general', 'in the outage', { silent: true })
  await eventually(() => expect(platform.health()).toMatchObject({ ok: false, waits: true }))
  return threadOf(server, 'general', root)
}

/** Holds back what Slack reports of files; returns what lets the first one through. */
function holdingFiles({ misbehave }: SlackServer): () => void {
  const { promise: first, resolve } = Promise.withResolvers<void>()
  const never = new Promise<void>(() => {})
  let count = 0
  misbehave.holdBack('file_created', () => (count++ === 0 ? first : never))
  return resolve
}

describe('when Slack’s requests no longer arrive', () => {
  test('that is noticed though nobody talks, and what was missed is read back once they do again', async () => {
    await using bench = await open({ http: true, pace, redeliveryMs: [], ackMs: 300 })
    const { server, platform } = bench
    const repair = await outage(bench)
    expect(platform.health().detail).toContain('no longer arrive')
    server.people.mention('ana', 'general', 'in the outage', { silent: true })
    repair()
    await eventually(() => expect(platform.health()).toMatchObject({ ok: true }))
    await eventually(() => expect(texts(bench)).toEqual(['in the outage']))
    server.people.mention('ana', 'general', 'after it')
    // On a busy machine, Slack may give up before it has been heard.
    await eventually(() => expect(texts(bench)).toEqual(['in the outage', 'after it']))
    expect(server.violations).toEqual([])
  })

  test('the gap stays open, whatever is heard after it, and also if the bot stops before it was read back', async () => {
    await using bench = await open({ http: true, pace, redeliveryMs: [], ackMs: 300 })
    const { server, sink, notes, platform } = bench
    const repair = await outage(bench)
    server.people.mention('ana', 'general', 'in the outage', { silent: true })
    server.misbehave.refuse('users.conversations', 'fatal_error', { times: 99 })
    server.world.ids.aheadMs = 30 * 60_000
    repair()
    server.people.mention('ben', 'general', 'after it')
    await eventually(() => expect(texts(bench)).toContain('after it'))
    await platform.stop()
    server.misbehave.calm()
    await using _again = await openBench({ http: true, server, notes, sink })
    await eventually(() => expect(texts(bench)).toContain('in the outage'))
  })

  test('all that is said meanwhile is found in the histories if Slack doesn’t report the files of the checks', async () => {
    const often = { quietMs: 50, lateMs: 0, echoMs: 10 }
    await using bench = await open({ http: true, events: withoutEcho, pace: often, redeliveryMs: [], ackMs: 300 })
    await untoldOutage(bench)
    bench.server.people.mention('ben', 'general', 'later in it', { silent: true })
    await eventually(() => expect(texts(bench)).toEqual(['before it', 'in the outage', 'later in it']))
  })

  test('the gap stays open while they don’t, although nothing more is found in the histories', async () => {
    const often = { quietMs: 50, quietEverywhereMs: 60, lateMs: 0, echoMs: 10 }
    await using bench = await open({ http: true, events: withoutEcho, pace: often, redeliveryMs: [], ackMs: 300 })
    const { server, platform } = bench
    const thread = await untoldOutage(bench)
    const listed = () => server.callsTo('users.conversations').length
    const before = listed()
    await eventually(() => expect(listed()).toBeGreaterThan(before + 3))
    expect(platform.health()).toMatchObject({ ok: false, waits: true })
    expect(platform.catchUp(thread)).toBeDefined()
  })

  test('one that arrives late ends the gap, but the next late one isn’t taken for another gap', async () => {
    await using bench = await open({ http: true, pace: { ...pace, echoRestMs: 0 } })
    const { server, platform, log } = bench
    await arriving(server)
    const letThrough = holdingFiles(server)
    await eventually(() => expect(platform.health()).toMatchObject({ ok: false }))
    letThrough()
    await eventually(() => expect(platform.health()).toMatchObject({ ok: true }))
    const since = echoes(bench)
    await eventually(() => expect(echoes(bench)).toBeGreaterThan(since + 2))
    expect(log.filter((line) => line.startsWith('no events'))).toHaveLength(1)
  })

  test('and have never arrived, the checks go on as soon as one does, however rare they have become', async () => {
    await using probe = await openBench()
    const { server } = probe
    await probe.platform.stop()
    server.deliverTo(nowhere)
    const letThrough = holdingFiles(server)
    await using bench = await open({ http: true, server, isReached: false, pace: { quietMs: 20, echoMs: 20 } })
    const { log, url } = bench
    await eventually(() => expect(log.join('\n')).toContain('file_created'))
    const before = echoes(bench)
    server.deliverTo(url)
    letThrough()
    await eventually(() => expect(echoes(bench)).toBeGreaterThan(before + 1))
  })

  test('a copy of the bot that they never reached answers nobody, until they do', async () => {
    const often = { quietMs: 30, quietEverywhereMs: 60, echoMs: 10, echoRestMs: 0 }
    await using bench = await open({ http: true, isReached: false, pace: often })
    const { server, url, platform, warnings } = bench
    const before = echoes(bench)
    server.people.mention('ana', 'general', 'to the other copy', { silent: true })
    await eventually(() => expect(echoes(bench)).toBeGreaterThan(before + 5))
    expect(texts(bench)).toEqual([])
    expect(platform.health()).toMatchObject({ ok: true, detail: expect.stringContaining('no event has arrived') })
    expect(warnings).toEqual(['it may take long to notice that events no longer arrive'])
    server.deliverTo(url)
    await eventually(() => expect(texts(bench)).toEqual(['to the other copy']))
    expect(platform.health().detail).toBe('listening for Slack’s requests')
  })

  test('one of several bots doesn’t mind as long as they reach another one', async () => {
    const others: Others = {
      duty() {
        throw new Error('Slack has no duties')
      },
      whenGone: () => {},
    }
    await using probe = await openBench()
    const { server } = probe
    let isReached = true
    /** Of another bot that hears of every file. */
    class TheirNotes extends StubNotes {
      override async get(name: string) {
        if (!name.endsWith(':files')) return super.get(name)
        return isReached ? JSON.stringify([...server.world.files.keys()]) : undefined
      }
    }
    const often = { quietMs: 20, echoMs: 50, echoRestMs: 0 }
    const both = { http: true, server, others, notes: new TheirNotes() }
    await using bench = await open({ ...both, isReached: false, pace: often })
    const before = echoes(bench)
    await eventually(() => expect(echoes(bench)).toBeGreaterThan(before + 12))
    expect(bench.log.join('\n')).not.toContain('no events')
    expect(bench.platform.health()).toMatchObject({ ok: true })
    isReached = false
    await eventually(() => expect(bench.platform.health()).toMatchObject({ ok: false, waits: true }))
  })
})

test('what was said while the process was frozen is read back', async () => {
  let aheadMs = 0
  const clock = { now: () => Date.now() + aheadMs }
  await using bench = await open({ http: true, clock })
  bench.server.people.mention('ana', 'general', 'while it was frozen', { silent: true })
  aheadMs = 20 * 60_000
  await eventually(() => expect(texts(bench)).toEqual(['while it was frozen']))
  expect(bench.platform.health()).toMatchObject({ ok: true })
})

describe.each([{ http: false }, { http: true }])('over either way (%o)', ({ http }) => {
  test('an idle bot costs Slack the four calls of a check, and nothing else', async () => {
    await using bench = await open({ http, pace: { quietMs: 50, echoMs: patienceMs, standingMs: patienceMs } })
    const { server } = bench
    const before = server.calls.length
    const of = echoes(bench)
    await eventually(() => expect(echoes(bench)).toBeGreaterThan(of + 4))
    const since = server.calls.slice(before).map(({ method }) => method)
    expect(since.filter((method) => !method.startsWith('files.'))).toEqual([])
    expect(since.length).toBeLessThanOrEqual(4 * (echoes(bench) - of + 1))
  })

  test('what Slack drops because there were too many events is read back after that minute', async () => {
    await using bench = await open({ http, pace: { limitedMs: 200 } })
    const { server } = bench
    server.misbehave.limitEvents()
    await server.idle()
    server.people.mention('ana', 'general', 'dropped', { silent: true })
    await eventually(() => expect(texts(bench)).toEqual(['dropped']))
    expect(server.deliveries).toMatchObject([{ name: 'app_rate_limited', attempts: 1, outcome: 'acked' }])
  })

  test('within that minute, a thread with something to do is caught up with first', async () => {
    await using bench = await open({ http, pace: { limitedMs: patienceMs } })
    const { server, platform } = bench
    const root = server.people.mention('ana', 'general', 'our thread')
    await server.idle()
    const thread = threadOf(server, 'general', root)
    expect(platform.catchUp(thread)).toBeUndefined()
    server.misbehave.limitEvents()
    await server.idle()
    server.people.post('ana', 'general', 'dropped', { thread_ts: root, silent: true })
    await platform.catchUp(thread)
    expect(texts(bench)).toEqual(['our thread', 'dropped'])
  })
})
