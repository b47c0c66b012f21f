import { describe, expect, test } from 'vitest'
import { usualTiming } from '../../src/platforms/slack/timing.ts'
import { liveOptions } from '../support/live-options.ts'
import type { When } from '../support/slack/misbehave.ts'
import type { SlackServer } from '../support/slack/server.ts'
import { patienceMs } from '../support/until.ts'
import { eventually, looksOn, openBench, posting, StubNotes, StubSink, threadOf, withoutEcho } from './support.ts'

/** Something that happened while nothing came through, an hour ago by the notes. */
const anHourAgo = () => String(Date.now() - 60 * 60_000)

/** The time up to which nothing is missing. It stands still in a gap. */
const heardUpTo = (server: SlackServer, notes: StubNotes) => Number(notes.values.get(`slack:${server.team.id}:heard`))

/** When so many connections have ever been made. */
const opened = (server: SlackServer, count: number) => server.until(() => server.sockets.made >= count)

describe('the socket', () => {
  test('that breaks is opened again, and what was said meanwhile is read back', async () => {
    await using bench = await openBench()
    const { server, sink, platform } = bench
    server.people.mention('ana', 'general', 'first')
    await server.idle()
    server.misbehave.breakSockets()
    server.people.mention('ana', 'general', 'second', { silent: true })
    await opened(server, 2)
    await eventually(() => expect(sink.heard.map(({ text }) => text)).toEqual(['first', 'second']))
    server.people.mention('ana', 'general', 'third')
    await server.idle()
    expect(sink.heard.map(({ text }) => text)).toEqual(['first', 'second', 'third'])
    await eventually(() => expect(platform.health()).toMatchObject({ ok: true }))
    expect(server.violations).toEqual([])
  })

  test('is replaced when Slack asks for it, without a gap', async () => {
    await using bench = await openBench({ pace: { lingerMs: patienceMs } })
    const { server, sink, platform } = bench
    const thread = threadOf(server, 'general', '1.000001')
    await eventually(() => expect(platform.catchUp(thread)).toBeUndefined())
    const acknowledged = Promise.withResolvers<void>()
    server.misbehave.refreshSockets({ closes: acknowledged.promise })
    server.misbehave.slow('users.conversations', 60_000)
    await opened(server, 2)
    expect(platform.catchUp(thread)).toBeUndefined()
    for (let count = 0; count < 5; count++) server.people.post('ana', '@ana', `message ${count}`)
    await server.idle()
    expect(sink.heard).toHaveLength(5)
    expect(server.deliveries.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1])
    acknowledged.resolve()
    await eventually(() => expect(server.sockets.connections).toBe(1))
  })

  test('that is gone before the next one is there leaves a gap', async () => {
    await using bench = await openBench()
    const { server, platform } = bench
    const thread = threadOf(server, 'general', '1.000001')
    await eventually(() => expect(platform.catchUp(thread)).toBeUndefined())
    const gone = Promise.withResolvers<void>()
    server.misbehave.slow('apps.connections.open', gone.promise)
    server.misbehave.slow('users.conversations', 60_000)
    server.misbehave.refreshSockets({ closeMs: 10 })
    await eventually(() => expect(platform.health().ok).toBe(false))
    gone.resolve()
    await eventually(() => expect(platform.health().ok).toBe(true))
    expect(platform.catchUp(thread)).toBeDefined()
  })

  test('that is deaf is found out by what it missed, and replaced', async () => {
    await using bench = await openBench({ events: withoutEcho, pace: { quietMs: 100, lateMs: 0, echoMs: 10 } })
    const { server, sink } = bench
    server.people.mention('ana', 'general', 'first')
    await server.idle()
    await looksOn(server)
    server.misbehave.deafen()
    server.people.mention('ana', 'general', 'second')
    await opened(server, server.sockets.made + 1)
    await eventually(() => expect(sink.heard.map(({ text }) => text)).toEqual(['first', 'second']))
    server.people.mention('ana', 'general', 'third')
    await server.idle()
    expect(sink.heard.map(({ text }) => text)).toEqual(['first', 'second', 'third'])
    await eventually(() => expect(server.sockets.connections).toBe(1))
  })

  test('that is deaf is found out within 90 s', () => {
    const { quietMs, checkMs, echoMs } = usualTiming
    expect(quietMs + checkMs + echoMs).toBeLessThan(80_000)
  })

  test('that is deaf is found out though nobody said anything, by a file that nobody sees', async () => {
    await using bench = await openBench({ pace: { quietMs: 300, echoMs: 4_000 } })
    const { server } = bench
    const echoes = () => server.callsTo('files.completeUploadExternal').length
    await eventually(() => expect(echoes()).toBeGreaterThan(1))
    expect(server.sockets.made).toBe(1)
    server.misbehave.deafen()
    await opened(server, 2)
    await eventually(() => expect(server.sockets.connections).toBe(1))
    const after = echoes()
    await eventually(() => expect(echoes()).toBeGreaterThan(after + 2))
    expect(server.sockets.made).toBe(2)
    await eventually(() => expect([...server.world.files.values()].filter(({ deleted }) => !deleted)).toEqual([]))
    expect([...server.world.files.values()].flatMap(({ shares }) => shares)).toEqual([])
    expect(server.violations).toEqual([])
  })

  test('is not taken for deaf when the app is not subscribed to its own files', async () => {
    await using bench = await openBench({ events: withoutEcho, pace: { quietMs: 30, echoMs: 30 } })
    const { server } = bench
    await eventually(() => expect(bench.log.join('\n')).toContain('file_created'))
    // One at a time, however slowly they go.
    const asked = 3
    expect(server.callsTo('files.completeUploadExternal')).toHaveLength(asked)
    const read = server.callsTo('conversations.history').length
    await eventually(() => expect(server.callsTo('conversations.history').length).toBeGreaterThan(read + 20))
    expect(server.callsTo('files.completeUploadExternal')).toHaveLength(asked)
    expect(server.sockets.made).toBe(1)
  })

  test('that is only quiet stays', async () => {
    await using bench = await openBench({
      events: withoutEcho,
      pace: { quietMs: 50, lateMs: 0, echoMs: 10 },
    })
    const { server } = bench
    server.people.mention('ana', 'general', 'first')
    await server.idle()
    await looksOn(server)
    const { made } = server.sockets
    await looksOn(server)
    expect(server.sockets.made).toBe(made)
    // What it costs does not grow with the workspace: the channels are not listed each time.
    expect(server.callsTo('users.conversations').length).toBeLessThan(4)
  })

  test('that does not even answer pings is given up, and health says so meanwhile', async () => {
    // It is asked often enough to be heard in time while all is well.
    const pace = { silentMs: 1_000, pongMs: 1_500, firstWaitMs: 50 }
    await using bench = await openBench({ pace, redeliveryMs: [400, 400, 400] })
    const { server, sink, platform } = bench
    server.misbehave.slow('apps.connections.open', 400)
    server.misbehave.deafen({ pings: false })
    await eventually(() => expect(platform.health().ok).toBe(false))
    await opened(server, 2)
    await eventually(() => expect(platform.health()).toMatchObject({ ok: true }))
    server.people.post('ana', '@ana', 'hello')
    // On a busy machine, this connection may be given up as well, and what was said meanwhile is read back.
    await eventually(() => expect(sink.heard).toMatchObject([{ text: 'hello' }]))
  })

  test('that Slack will not have yet is asked for again', async () => {
    await using bench = await openBench()
    const { server, platform } = bench
    server.misbehave.rateLimit('apps.connections.open', { retryAfter: 1 })
    server.misbehave.break('apps.connections.open', { times: 2 })
    server.misbehave.breakSockets()
    await opened(server, 2)
    await eventually(() => expect(platform.health()).toMatchObject({ ok: true }))
    expect(server.callsTo('apps.connections.open').length).toBeGreaterThan(3)
  })

  test.each([
    ['too_many_websockets', 'too many connections'],
    ['link_disabled', 'Socket Mode is switched off'],
  ])('that Slack ends with %s is opened later', async (reason, words) => {
    await using bench = await openBench()
    const { server, platform } = bench
    server.misbehave.refreshSockets({ reason, closeMs: 10 })
    await opened(server, 2)
    await eventually(() => expect(platform.health()).toMatchObject({ ok: true }))
    expect(bench.log.join('\n')).toContain(words)
    expect(server.sockets.connections).toBe(1)
  })

  test('never leaves connections behind', async () => {
    await using bench = await openBench()
    const { server } = bench
    for (let made = 2; made <= 6; made++) {
      if (made % 2 === 0) server.misbehave.breakSockets()
      else server.misbehave.refreshSockets({ closeMs: 5_000 })
      await opened(server, made)
    }
    await eventually(() => expect(server.sockets.connections).toBe(1))
  })

  test('closes when the bot stops, even if Slack does not answer to the goodbye', async () => {
    const bench = await openBench()
    const { server, platform } = bench
    server.misbehave.deafen({ pings: false })
    await platform.stop()
    await eventually(() => expect(platform.health().ok).toBe(false))
    await server.close()
  })
})

test('a bot that stops does not wait for a connection that is never established', async () => {
  await using probe = await openBench()
  const { server } = probe
  const bench = await openBench({ server, pace: { longestWaitMs: 60_000 } })
  server.misbehave.slow('apps.connections.open', 60_000)
  const made = server.callsTo('apps.connections.open').length
  server.misbehave.breakSockets()
  await eventually(() => expect(bench.platform.health().ok).toBe(false))
  await bench.platform.stop()
  expect(server.callsTo('apps.connections.open').filter(({ ok }) => ok)).toHaveLength(made)
})

test.each(['users.conversations', 'conversations.history'])(
  'a bot that stops does not wait until Slack answers %s: the gap stays open',
  async (method) => {
    const notes = new StubNotes()
    await using probe = await openBench()
    const { server } = probe
    await probe.platform.stop()
    const since = anHourAgo()
    notes.values.set(`slack:${server.team.id}:heard`, since)
    server.people.mention('ana', 'general', 'in the gap', { silent: true })
    // Each of three attempts comes after the pause that Slack asked for at the one before it.
    server.misbehave.rateLimit(method, { retryAfter: 60, times: 99 })
    const before = server.callsTo(method).length
    const bench = await openBench({ server, notes })
    await eventually(() => expect(server.callsTo(method).length).toBeGreaterThan(before))
    await bench.platform.stop()
    expect(server.callsTo(method).length).toBeLessThan(before + 3)
    expect(heardUpTo(server, notes)).toBe(Number(since))
    expect(bench.log.join('\n')).not.toContain('could not be read back')

    server.misbehave.calm()
    await using again = await openBench({ server, notes })
    await eventually(() => expect(again.sink.heard.map(({ text }) => text)).toEqual(['in the gap']))
  },
)

describe('the start', () => {
  test('reads back what was said while the bot was away: in channels, threads and direct messages', async () => {
    const sink = new StubSink()
    const notes = new StubNotes()
    await using first = await openBench({ sink, notes })
    const { server } = first
    const old = server.people.post('ana', 'general', 'an old thread')
    const known = server.people.post('ben', 'private', 'a thread with the bot')
    await server.idle()
    await first.platform.stop()
    for (let count = 0; count < 120; count++) server.people.post('dan', 'private', `filler ${count}`, { silent: true })
    sink.known = [threadOf(server, 'private', known)]
    sink.heard.length = 0
    const away = { silent: true }
    server.people.mention('ana', 'general', 'in the channel', away)
    server.people.mention('ben', 'general', 'in an old thread', { ...away, thread_ts: old })
    server.people.post('ben', 'private', 'in our thread', { ...away, thread_ts: known })
    server.people.post('cleo', '@cleo', 'in private', away)

    await using again = await openBench({ sink, notes, server })
    await eventually(() => expect(sink.heard.map(({ text }) => text)).toEqual(expect.arrayContaining(['in private'])))
    await eventually(() =>
      expect(
        sink.heard
          .map(({ text }) => text)
          .filter((text) => !text.startsWith('filler'))
          .toSorted(),
      ).toEqual(['in an old thread', 'in our thread', 'in private', 'in the channel']),
    )
    expect(sink.heard.find(({ text }) => text === 'in our thread')?.thread.thread).toBe(known)
    expect(again.platform.health().ok).toBe(true)
    expect(server.violations).toEqual([])
  })

  test('looks into threads that were used within the days that are set', async () => {
    const sink = new StubSink()
    const daysBack: number[] = []
    sink.threads = async (since) => {
      daysBack.push(Math.round((Date.now() - since) / 86_400_000))
      return []
    }
    await using _ = await openBench({ sink, catchUpDays: 3 })
    // Between these, the busiest threads of the last day are looked at.
    await eventually(() => expect(daysBack.filter((days) => days !== 1)).toContain(3))
  })

  test('reads nothing back the first time, and nothing twice', async () => {
    await using probe = await openBench()
    const { server } = probe
    server.people.mention('ana', 'general', 'before', { silent: true })
    for (const notes of [new StubNotes(), new StubNotes()]) {
      const asked = server.callsTo('conversations.history').length
      await using first = await openBench({ notes, server })
      await eventually(() => expect(server.callsTo('conversations.history').length).toBeGreaterThan(asked + 1))
      await using again = await openBench({ notes, server })
      await eventually(() => expect(server.callsTo('conversations.history').length).toBeGreaterThan(asked + 3))
      expect([...first.sink.heard, ...again.sink.heard]).toEqual([])
    }
  })

  test('knows from where on to read before the first socket opens, also when it is killed at once', async () => {
    await using probe = await openBench()
    const { server } = probe
    await using first = await openBench({ server, pace: { cursorMs: 60_000 } })
    // As it is when the process is killed now.
    const notes = new StubNotes()
    for (const [name, value] of first.notes.values) notes.values.set(name, value)
    await first.platform.stop()
    server.people.mention('ana', 'general', 'nobody hears this', { silent: true })
    // It is started again only an hour later.
    await using again = await openBench({ server, notes, aheadMs: 60 * 60_000 })
    await eventually(() => expect(again.sink.heard.map(({ text }) => text)).toEqual(['nobody hears this']))
  })

  test.each([
    { days: 13, heard: ['said on Friday'], warnings: 0 },
    { days: 20, heard: [], warnings: 1 },
  ])('after $days days away reads back two weeks, and warns of what is older', async ({ days, heard, warnings }) => {
    await using probe = await openBench()
    const { server, notes } = probe
    await probe.platform.stop()
    server.people.mention('ana', 'general', 'said on Friday', { silent: true })
    await using again = await openBench({ server, notes, aheadMs: days * 86_400_000 })
    const thread = threadOf(server, 'general', '1.000001')
    await eventually(() => expect(again.platform.catchUp(thread)).toBeUndefined())
    expect(again.sink.heard.map(({ text }) => text)).toEqual(heard)
    expect(again.warnings.filter((what) => what.includes('is not read back'))).toHaveLength(warnings)
  })

  test('after days away reads its own threads first, then a few of other people, and more only if they go on', async () => {
    await using probe = await openBench()
    const { server, notes } = probe
    await probe.platform.stop()
    const day = 86_400_000
    const root = () => server.people.post('ana', 'general', 'root', { silent: true })
    const reply = (thread_ts: string, text: string) =>
      server.people.mention('ben', 'general', text, { silent: true, thread_ts })
    const [lively, ours] = [root(), root()]
    for (let count = 0; count <= 20; count++) reply(root(), `quiet ${count}`)
    reply(ours, 'to the bot days ago')
    server.world.ids.aheadMs = 4 * day
    reply(lively, 'just now')
    const sink = new StubSink()
    sink.known = [threadOf(server, 'general', ours)]
    await using again = await openBench({ server, sink, notes, aheadMs: 4 * day, pace: { gentleMs: 0 } })
    const thread = threadOf(server, 'general', '1.000001')
    await eventually(() => expect(again.platform.catchUp(thread)).toBeUndefined())
    const asked = sink.heard.filter(({ mentioned }) => mentioned).map(({ text }) => text)
    const latest = Array.from({ length: 19 }, (_, index) => `quiet ${20 - index}`)
    expect(asked).toEqual(['to the bot days ago', 'just now', ...latest])
    expect(again.warnings.join('\n')).toContain('not known to be in')
  })

  test('reads back all of hundreds of conversations, and warns where there are too many', async () => {
    const channels = Array.from({ length: 3_001 }, (_, count) => ({ name: `c${count}` }))
    const notes = new StubNotes()
    await using probe = await openBench({ channels })
    const { server } = probe
    await probe.platform.stop()
    notes.values.set(`slack:${server.team.id}:heard`, anHourAgo())
    server.people.mention('ana', 'c320', 'in one of many', { silent: true })
    await using again = await openBench({ server, notes, pace: { gentleMs: 0 } })
    await eventually(() => expect(again.sink.heard.map(({ text }) => text)).toEqual(['in one of many']))
    expect(again.log).toContainEqual(expect.stringMatching(/more conversations than are read back.*3000/))
  })

  test('reads for long without checks of the connection that pile up meanwhile', async () => {
    const sink = new StubSink()
    const { promise: read, resolve } = Promise.withResolvers<void>()
    let checks = 0
    sink.threads = async (since) => {
      if (Date.now() - since < 2 * 86_400_000) checks++
      else await read
      return []
    }
    await using bench = await openBench({ sink, events: withoutEcho, pace: { quietMs: 20, echoMs: 10 } })
    await eventually(() => expect(bench.log.join('\n')).toContain('file_created'))
    const stopped = bench.platform.stop()
    resolve()
    await stopped
    expect(checks).toBeLessThan(2)
  })

  test('reads again only those of many conversations that could not be read', async () => {
    const channels = Array.from({ length: 40 }, (_, count) => ({ name: `c${count}` }))
    const notes = new StubNotes()
    await using probe = await openBench({ channels, events: withoutEcho })
    const { server } = probe
    await probe.platform.stop()
    notes.values.set(`slack:${server.team.id}:heard`, anHourAgo())
    server.people.mention('ana', 'c39', 'in the last one', { silent: true })
    server.misbehave.break('conversations.history', {
      with: ({ channel }) => channel === server.channel('c37'),
      times: 3,
    })
    const readOf = (name: string) =>
      server.callsTo('conversations.history').filter(({ args }) => args.channel === server.channel(name)).length
    const [lists, before] = [server.callsTo('users.conversations').length, readOf('c39')]
    await using again = await openBench({ server, notes, pace: { gentleMs: 0 } })
    const thread = threadOf(server, 'general', '1.000001')
    await eventually(() => expect(again.platform.catchUp(thread)).toBeUndefined())
    expect(again.sink.heard.map(({ text }) => text)).toEqual(['in the last one'])
    expect(server.callsTo('users.conversations').length).toBeGreaterThan(lists + 1)
    expect(readOf('c39')).toBe(before + 1)
  })

  test('goes on reading, whatever is checked meanwhile', async () => {
    const channels = Array.from({ length: 40 }, (_, count) => ({ name: `c${count}` }))
    const often = { quietMs: 10, quietEverywhereMs: 20, echoMs: 10, echoRestMs: 0, gentleMs: patienceMs }
    await using bench = await openBench({ channels, events: withoutEcho, pace: often })
    const { server } = bench
    const echoes = () => server.callsTo('files.delete').length
    const before = echoes()
    await eventually(() => expect(echoes()).toBeGreaterThan(before + 4))
    expect(server.callsTo('users.conversations')).toHaveLength(1)
  })

  test('notes once, without a warning, that more threads were used lately than are read back', async () => {
    const sink = new StubSink()
    await using probe = await openBench()
    const { server } = probe
    await probe.platform.stop()
    const thread = threadOf(server, 'general', '1.000001')
    sink.known = Array.from({ length: 201 }, () => thread)
    const failing = { with: ({ channel }: Record<string, unknown>) => channel === server.channel('private'), times: 3 }
    server.misbehave.break('conversations.history', failing)
    await using again = await openBench({ server, sink, pace: { gentleMs: 0 } })
    await eventually(() => expect(again.platform.catchUp(thread)).toBeUndefined())
    const notes = again.log.filter((line) => line.includes('than are read back'))
    expect(notes).toEqual([expect.stringMatching(/more threads.*201/)])
    expect(again.warnings.filter((what) => what.includes('than are read back'))).toEqual([])
  })

  test('reads back thousands of replies in one thread', async () => {
    const notes = new StubNotes()
    await using probe = await openBench()
    const { server } = probe
    await probe.platform.stop()
    notes.values.set(`slack:${server.team.id}:heard`, anHourAgo())
    const thread_ts = server.people.post('ana', 'general', 'a long thread', { silent: true })
    for (let count = 1; count <= 2_001; count++)
      server.people.post('dan', 'general', `reply ${count}`, { silent: true, thread_ts })
    await using again = await openBench({ server, notes })
    await eventually(() => expect(again.sink.heard.map(({ text }) => text)).toContain('reply 2001'))
  })

  test('warns where more was said than is read back', async () => {
    const notes = new StubNotes()
    await using probe = await openBench()
    const { server } = probe
    await probe.platform.stop()
    notes.values.set(`slack:${server.team.id}:heard`, anHourAgo())
    for (let count = 0; count < 501; count++) server.people.post('dan', 'private', `${count}`, { silent: true })
    await using again = await openBench({ server, notes })
    await eventually(() =>
      expect(again.log).toContainEqual(expect.stringMatching(/only the latest messages are read back.*500/)),
    )
    expect(again.log.join('\n')).toContain(server.channel('private'))
  })

  test('a gap stays open until it has been read back, whatever is heard after it', async () => {
    await using bench = await openBench()
    const { server, sink, notes, platform } = bench
    const before = server.people.mention('ana', 'general', 'before the gap')
    await eventually(() => expect(heardUpTo(server, notes)).toBeGreaterThanOrEqual(Math.floor(Number(before) * 1_000)))
    server.misbehave.refuse('users.conversations', 'fatal_error', { times: 99 })
    server.misbehave.breakSockets()
    server.people.mention('ben', 'general', 'in the gap', { silent: true })
    server.world.ids.aheadMs = 30 * 60_000
    await opened(server, 2)
    await eventually(() => expect(bench.log.join('\n')).toContain('missed messages could not be read back'))
    server.people.mention('ana', 'general', 'behind the gap')
    await server.idle()
    await platform.stop()
    expect(sink.heard.map(({ text }) => text)).toEqual(['before the gap', 'behind the gap'])

    server.misbehave.calm()
    await using _again = await openBench({ server, notes, sink })
    await eventually(() => expect(sink.heard.map(({ text }) => text)).toContain('in the gap'))
  })

  test('a gap that could not be read back is tried again by itself', async () => {
    await using bench = await openBench()
    const { server, sink, notes } = bench
    const before = server.people.mention('ana', 'general', 'before the gap')
    await eventually(() => expect(heardUpTo(server, notes)).toBeGreaterThanOrEqual(Math.floor(Number(before) * 1_000)))
    server.misbehave.refuse('users.conversations', 'fatal_error', { times: 3 })
    server.misbehave.breakSockets()
    server.people.mention('ben', 'general', 'in the gap', { silent: true })
    await eventually(() => expect(bench.log.join('\n')).toContain('missed messages could not be read back'))
    await eventually(() => expect(sink.heard.map(({ text }) => text)).toEqual(['before the gap', 'in the gap']))
  })

  test('what somebody waits for is heard before hundreds of threads have been read back, also in the next gap', async () => {
    await using bench = await openBench({ pace: { gentleMs: 10 * patienceMs } })
    const { server, sink, notes } = bench
    const before = server.people.mention('ana', 'general', 'before the gap')
    await eventually(() => expect(heardUpTo(server, notes)).toBeGreaterThanOrEqual(Math.floor(Number(before) * 1_000)))
    const roots = Array.from({ length: 40 }, (_, count) => server.people.mention('ana', 'general', `thread ${count}`))
    for (const thread_ts of roots) server.people.post('ana', 'general', 'more', { thread_ts })
    await server.idle()
    for (const gap of ['first', 'second']) {
      server.misbehave.breakSockets()
      server.people.mention('ben', 'general', `${gap}, in the channel`, { silent: true })
      server.people.mention('ben', 'general', `${gap}, in a thread`, { silent: true, thread_ts: roots[0] })
      const missed = [`${gap}, in the channel`, `${gap}, in a thread`]
      await eventually(() => expect(sink.heard.map(({ text }) => text)).toEqual(expect.arrayContaining(missed)))
    }
  })

  test('a thread with something to do is caught up with first, and again if that fails', async () => {
    const notes = new StubNotes()
    await using probe = await openBench()
    const { server } = probe
    const root = server.people.post('ana', 'general', 'our thread')
    await server.idle()
    notes.values.set(`slack:${server.team.id}:heard`, anHourAgo())
    const away = { silent: true, thread_ts: root }
    for (const text of ['one', 'two', 'three']) server.people.post('ben', 'general', text, away)
    server.misbehave.slow('users.conversations', 60_000)
    const bench = await openBench({ server, notes })

    const thread = threadOf(server, 'general', root)
    server.misbehave.break('conversations.replies', { times: 3 })
    await expect(bench.platform.catchUp(thread)).rejects.toThrow()
    await bench.platform.catchUp(thread)
    expect(bench.sink.heard.map(({ text }) => text)).toEqual(['our thread', 'one', 'two', 'three'])
    server.misbehave.calm()
    await bench.platform.stop()
  })

  test('passes over channels that are closed to the bot', async () => {
    const notes = new StubNotes()
    await using probe = await openBench()
    const { server } = probe
    notes.values.set(`slack:${server.team.id}:heard`, anHourAgo())
    server.people.mention('ana', 'general', 'hello', { silent: true })
    server.misbehave.refuse('conversations.history', 'not_in_channel', {
      with: ({ channel }) => channel === server.channel('private'),
      times: 9,
    })
    await using bench = await openBench({ notes, server })
    await eventually(() => expect(bench.sink.heard.map(({ text }) => text)).toContain('hello'))
  })

  test.each([
    [
      'fails to show',
      (server: SlackServer, when: When) => server.misbehave.refuse('conversations.history', 'fatal_error', when),
    ],
    ['never shows', (server: SlackServer, when: When) => server.misbehave.break('conversations.history', when)],
  ])('a channel that Slack %s holds up no other one', async (_, breaks) => {
    const notes = new StubNotes()
    await using probe = await openBench()
    const { server } = probe
    const sink = new StubSink()
    sink.known = [threadOf(server, 'general', server.people.post('ana', 'general', 'our thread'))]
    notes.values.set(`slack:${server.team.id}:heard`, anHourAgo())
    server.people.mention('ana', 'private', 'hello', { silent: true })
    breaks(server, { with: ({ channel }) => channel === server.channel('general'), times: 99 })
    await using _bench = await openBench({ notes, server, sink })
    await eventually(() => expect(sink.heard.map(({ text }) => text)).toContain('hello'))
  })

  test('nor does one that it refuses to show: nothing is missing then', async () => {
    const notes = new StubNotes()
    await using probe = await openBench()
    const { server } = probe
    notes.values.set(`slack:${server.team.id}:heard`, anHourAgo())
    const start = Date.now()
    server.misbehave.refuse('conversations.history', 'restricted_action', { times: 99 })
    await using _bench = await openBench({ notes, server })
    await eventually(() => expect(heardUpTo(server, notes)).toBeGreaterThanOrEqual(start))
  })

  test.each([
    ['auth.test', 'slack_bot_token'],
    ['apps.connections.open', 'slack_app_token'],
  ])('says what is wrong with a token that %s refuses', async (method, code) => {
    await using probe = await openBench()
    const { server } = probe
    server.misbehave.refuse(method, 'invalid_auth', { times: 9 })
    await expect(openBench({ server })).rejects.toMatchObject({ code, remedy: expect.stringContaining('SLACK_') })
  })

  test('does not fail because what an earlier process left at work can’t be looked up', async () => {
    class BrokenNotes extends StubNotes {
      override async get(name: string) {
        if (name.endsWith(':busy')) throw new Error('the database is busy')
        return super.get(name)
      }
    }
    await using bench = await openBench({ notes: new BrokenNotes() })
    const { server, sink } = bench
    server.people.mention('ana', 'general', 'hello')
    await eventually(() => expect(sink.heard.map(({ text }) => text)).toEqual(['hello']))
    expect(bench.log.join('\n')).toContain('the database is busy')
    expect(server.sockets.made).toBe(1)
  })

  test('leaves nothing behind when it fails and is tried again', async () => {
    await using probe = await openBench()
    const { server } = probe
    const { made } = server.sockets
    server.misbehave.break('auth.test', { times: 1 })
    server.misbehave.refuse('apps.connections.open', 'invalid_auth', { times: 2 })
    let listeners = 0
    const duty = () => {
      throw new Error('Slack has no duties')
    }
    await using bench = await openBench({ server, others: { duty, whenGone: () => void listeners++ } })
    await eventually(() => expect(bench.platform.health()).toMatchObject({ ok: true }))
    expect(server.callsTo('apps.connections.open').filter(({ ok }) => !ok)).toHaveLength(2)
    expect(server.sockets.made).toBe(made + 1)
    expect(listeners).toBe(1)
  })

  test('goes on trying when Slack cannot be reached', async () => {
    await using probe = await openBench()
    const { server } = probe
    server.misbehave.break('auth.test', { times: Number.POSITIVE_INFINITY })
    await using bench = await openBench({ server })
    const { platform } = bench
    const thread = threadOf(server, 'general', '1.000001')
    const [page] = platform.pages({ kind: 'answer', text: 'x', files: [], record: undefined })
    const later = { again: 'later', afterMs: 1_000 }
    expect(platform.health()).toMatchObject({ ok: false, detail: expect.stringContaining('can’t be reached') })
    await expect(platform.post(thread, page, posting('k'))).rejects.toMatchObject(later)
    await expect(platform.find(thread, posting('k'))).rejects.toMatchObject(later)
    await expect(platform.edit(thread, '1.000002', page)).rejects.toMatchObject(later)
    const reply = platform.live(thread, liveOptions(posting('k')))
    expect(reply.begun).toBe(false)
    await expect(reply.finish(page)).rejects.toMatchObject(later)
    server.misbehave.calm()
    await eventually(() => expect(platform.health()).toMatchObject({ ok: true }))
  })
})
