import { expect, test } from 'vitest'
import type { TurnId } from '../../src/domain/ids.ts'
import type { TurnView } from '../../src/domain/turn-view.ts'
import { superseded } from '../../src/platforms/calls/scheduler.ts'
import type { LiveOptions } from '../../src/platforms/platform.ts'
import { SessionStatuses } from '../../src/platforms/slack/live/session-status.ts'
import { liveOptions } from '../support/live-options.ts'
import { patienceMs } from '../support/until.ts'
import { type Bench, eventually, openBench, posting, StubNotes, threadOf } from './support.ts'

const view = (words = ''): TurnView => ({
  turn: 'turn_1' as TurnId,
  segment: 0,
  state: 'running',
  notices: [],
  parts: words === '' ? [] : [{ kind: 'text', text: words }],
  todos: [],
  startedAt: Date.now(),
})

/** The database may be slow. */
class SlowNotes extends StubNotes {
  readonly kept: string[] = []
  begun = 0
  #free = Promise.resolve()

  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#free = promise
    return resolve
  }

  override async set(name: string, value: string) {
    if (name.endsWith(':busy')) {
      this.begun++
      await this.#free
      this.kept.push(value)
    }
    return super.set(name, value)
  }
}

const open = (notes = new StubNotes()) => openBench({ firstMs: 20, everyMs: 20, notes })

const setStatus = 'agents.sessions.setStatus'

async function talk(bench: Bench, { begin = async () => true }: Partial<LiveOptions> = {}) {
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'do something long')
  await server.idle()
  const live = () =>
    platform.live(threadOf(server, 'general', ts), {
      ...liveOptions(posting('answer.0')),
      reader: { id: server.user('ana'), name: 'ana' },
      begin,
    })
  const status = () => server.sessionStatus('general', ts)
  const [page] = platform.pages({ kind: 'answer', text: 'Done.', files: [], record: undefined })
  return { ts, live, reply: live(), status, page }
}

test.for(['server-error', 'reset'] as const)('a thread comes to rest, though Slack fails (%s)', async (how) => {
  await using bench = await open()
  const { server } = bench
  const { reply, status } = await talk(bench)
  reply.show(view())
  await server.until(() => status() === 'processing')
  if (how === 'server-error') server.misbehave.break(setStatus, { times: 2 })
  else server.misbehave.drop(setStatus, how, { times: 1 })
  await reply.leave()
  await eventually(() => expect(status()).toBe('active'))
})

test('a thread is at work although Slack had no room for it at first, and is at rest in the end', async () => {
  const notes = new SlowNotes()
  await using bench = await open(notes)
  const { server } = bench
  const { reply, status, page } = await talk(bench)
  server.misbehave.rateLimit(setStatus, { retryAfter: 1 })
  reply.show(view())
  await eventually(() => expect(notes.kept.at(-1)).toBe('[]'))
  expect(status()).not.toBe('processing')
  let shows = 0
  await eventually(() => {
    reply.show(view(`Step ${shows++}. `))
    expect(status()).toBe('processing')
  })
  await reply.finish(page)
  await eventually(() => expect(status()).toBe('active'))
})

test('a thread is at work once the calls of sessions have rested, also if its turn began before that', async () => {
  const clock = { passed: 0, now: () => Date.now() + clock.passed }
  await using bench = await openBench({ firstMs: 20, everyMs: 20, clock })
  const { server } = bench
  server.misbehave.refuse(setStatus, 'token_revoked', { times: 1 })
  const first = await talk(bench)
  first.reply.show(view())
  await eventually(() => expect(bench.log.join()).toContain('status could not be set'))
  const second = await talk(bench)
  second.reply.show(view('Some words that are shown while they are written. '))
  await server.until(() => server.callsTo('chat.startStream').length > 0)
  second.reply.show(view('Some words that are shown while they are written. And some more of them. '))
  await server.until(() => server.callsTo('chat.appendStream').length > 0)
  expect(server.callsTo(setStatus)).toHaveLength(1)

  clock.passed = 11 * 60_000
  let shows = 0
  await eventually(() => {
    second.reply.show(view(`Some words that are shown while they are written. Step ${shows++}. `))
    expect(second.status()).toBe('processing')
  })
})

test('a session gets another name; a thread that Slack has no session of has none', async () => {
  await using bench = await open()
  const { server, platform } = bench
  const { ts, reply, status, page } = await talk(bench)
  const thread = threadOf(server, 'general', ts)
  await platform.rename(thread, 'Too early')
  reply.show(view())
  await server.until(() => status() === 'processing')
  await reply.finish(page)
  await platform.rename(thread, `Quarterly\nreport ${'of the year '.repeat(20)}`)
  const title = server.world.sessions.get(`${server.channel('general')}:${ts}`)?.title
  expect(title).toMatch(/^Quarterly report of the year .{160,171}$/)
  expect(server.violations).toEqual([])
})

test('a turn that a webhook began is shown as others are, and their threads still have a Stop button', async () => {
  await using bench = await open()
  const { server, platform } = bench
  const alert = server.people.botPost('general', 'the build failed')
  const reply = platform.live(threadOf(server, 'general', alert), {
    ...liveOptions(posting('alert.0')),
    reader: { id: server.world.otherBot.botId ?? '', name: 'builder' },
  })
  let shows = 0
  await eventually(() => {
    reply.show(view(`Some words that are shown while they are written. Step ${shows++}. `))
    expect(server.sessionStatus('general', alert)).toBe('processing')
  })
  const other = await talk(bench)
  other.reply.show(view('Some words that are shown while they are written. '))
  await server.until(() => other.status() === 'processing')
  expect(server.callsTo('chat.startStream')).toHaveLength(1)
  await reply.finish(other.page)
  await eventually(() => expect(server.sessionStatus('general', alert)).toBe('active'))
  expect(server.violations).toEqual([])
})

test('a refusal that passes does not leave it at work', async () => {
  await using bench = await open()
  const { server } = bench
  const { reply, status } = await talk(bench)
  reply.show(view())
  await server.until(() => status() === 'processing')
  server.misbehave.refuse(setStatus, 'not_in_channel', { times: 1 })
  await reply.leave()
  await eventually(() => expect(status()).toBe('active'))
})

test('a stream that ends says so, also while the calls of sessions rest', async () => {
  await using bench = await open()
  const { server } = bench
  const first = await talk(bench)
  first.reply.show(view('Some words that are shown while they are written, '))
  await server.until(() => first.status() === 'processing')
  server.misbehave.refuse(setStatus, 'token_revoked', { times: 1 })
  const second = await talk(bench)
  second.reply.show(view())
  await eventually(() => expect(bench.log.join()).toContain('status could not be set'))
  await first.reply.finish(first.page)
  expect(first.status()).toBe('active')
})

test('one that was noted before the end and told late does not count', async () => {
  const notes = new SlowNotes()
  await using bench = await open(notes)
  const { server } = bench
  const { reply, status, page } = await talk(bench)
  const free = notes.hold()
  reply.show(view('Some words that are shown while they are written, '))
  await server.until(() => server.callsTo('chat.startStream').length > 0)
  reply.show(view('Some words that are shown while they are written, and more of them '))
  await server.until(() => server.callsTo('chat.appendStream').length > 0 || server.callsTo(setStatus).length > 0)
  const finished = reply.finish(page)
  await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 300))])
  free()
  await finished
  await eventually(() => expect(server.callsTo(setStatus)).toHaveLength(1))
  await server.idle()
  expect(status()).toBe('active')
})

test('a message that is posted by somebody else leaves the thread at rest', async () => {
  await using bench = await open()
  const { server } = bench
  const { reply, status } = await talk(bench, { begin: async () => false })
  reply.show(view())
  await server.until(() => status() === 'processing')
  reply.show(view('The answer stands in the outbox already. '))
  await eventually(() => expect(status()).toBe('active'))
  expect(server.callsTo('chat.startStream')).toEqual([])
})

test('one that was noted before somebody else posted the message, and told late, does not count', async () => {
  const notes = new SlowNotes()
  await using bench = await open(notes)
  const { server } = bench
  const { reply, status } = await talk(bench, { begin: async () => false })
  const free = notes.hold()
  reply.show(view())
  await eventually(() => expect(notes.begun).toBe(1))
  reply.show(view('The answer stands in the outbox already. '))
  await server.until(() => status() === 'active')
  // The answer to that call has arrived as well.
  await new Promise((resolve) => setTimeout(resolve, 100))
  free()
  await eventually(() => expect(notes.kept).toHaveLength(2))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(status()).toBe('active')
})

test('the next turn’s note outlives the end of the one before: a kill then leaves nothing at work', async () => {
  const notes = new SlowNotes()
  await using bench = await open(notes)
  const { server } = bench
  const { live, reply, status, ts } = await talk(bench)
  reply.show(view())
  await server.until(() => status() === 'processing')
  server.misbehave.slow(setStatus, 200, { times: 1 })
  const free = notes.hold()
  await reply.leave()
  const next = live()
  next.show(view())
  await server.until(() => status() === 'active')
  free()
  await eventually(() => expect(notes.kept.length).toBeGreaterThanOrEqual(3))
  // If the end of the one before was still under way, the next view says it again.
  let shows = 0
  await eventually(() => {
    next.show(view(`Step ${shows++}. `))
    expect(status()).toBe('processing')
  })
  expect(notes.kept.at(-1)).toContain(ts)
})

test('a turn that begins while the stream of the one before ends is at work until its own end', async () => {
  await using bench = await openBench({ firstMs: 20, everyMs: patienceMs })
  const { server, platform } = bench
  const { ts, reply, status, page } = await talk(bench)
  // Slack was told nothing of this one: its stream had only begun.
  reply.show(view('Some words that are shown while they are written. '))
  await server.until(() => server.callsTo('chat.startStream').length > 0)
  const ending = Promise.withResolvers<boolean>()
  const isEnding = () => {
    ending.resolve(true)
    return true
  }
  server.misbehave.slow('chat.stopStream', 500, { times: 1, with: isEnding })
  const finished = reply.finish(page)
  await ending.promise
  const reader = { id: server.user('ana'), name: 'ana' }
  const next = platform.live(threadOf(server, 'general', ts), { ...liveOptions(posting('answer.1')), reader })
  next.show(view())
  await server.until(() => status() === 'processing')
  await finished
  expect(status()).toBe('processing')
  await next.leave()
  await eventually(() => expect(status()).toBe('active'))
})

/** With calls that the test answers. */
function statuses() {
  const calls: { status: string; answer(with_: unknown): void }[] = []
  const asked = (run: (client: unknown) => unknown) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const setStatus = ({ status }: { status: string }) => calls.push({ status, answer: resolve })
    void run({ agents: { sessions: { setStatus } } })
    return promise
  }
  const api = { write: (_: unknown, run: Parameters<typeof asked>[0]) => asked(run) }
  const slack = { api, notes: new StubNotes(), me: { team: 'T1' }, clock: { now: Date.now }, log: {} }
  return { calls, kept: new SessionStatuses(slack as never) }
}

const place = { channel: 'C1', thread: '1.0' }
const working = { reader: { id: 'U1', name: 'ana' }, title: '', change: <T>(write: () => Promise<T>) => write() }

test('a call that a newer one has superseded takes nothing from it', async () => {
  const { calls, kept } = statuses()
  void kept.setProcessing(place, working)
  await eventually(() => expect(calls).toHaveLength(1))
  void kept.set(place, 'active')
  void kept.setProcessing(place, working)
  await eventually(() => expect(calls).toHaveLength(3))
  calls[0]?.answer(superseded)
  for (const { answer } of calls.slice(1)) answer({ ok: true })
  await kept.quiet(place).catch(() => {})
  expect([kept.isBusy(place), kept.toLeave(place, 'active')]).toEqual([true, 'active'])
})

test('Slack is told once more of a turn that has begun since the end of the one before was sent', async () => {
  const { calls, kept } = statuses()
  const before = kept.workingAt(place)
  const said = kept.setProcessing(place, working)
  await eventually(() => expect(calls).toHaveLength(1))
  calls[0]?.answer({ ok: true })
  await said
  kept.ended(place, 'active', before)
  await eventually(() => expect(calls.map(({ status }) => status)).toEqual(['processing', 'processing']))
  expect(kept.isBusy(place)).toBe(true)
})
