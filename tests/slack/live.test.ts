import { describe, expect, test } from 'vitest'
import type { CallId, TurnId } from '../../src/domain/ids.ts'
import type { TurnPart, TurnView } from '../../src/domain/turn-view.ts'
import type { LiveOptions, LiveReply } from '../../src/platforms/platform.ts'
import type { SlackWorkspace } from '../../src/platforms/slack/directory/workspace.ts'
import type { LiveMessage } from '../../src/platforms/slack/live/live-message.ts'
import { SlackLiveReply } from '../../src/platforms/slack/live/live-reply.ts'
import { liveOptions } from '../support/live-options.ts'
import { type Bench, type BenchOptions, eventually, openBench, posting, StubNotes, threadOf } from './support.ts'

const view = (parts: TurnPart[], more: Partial<TurnView> = {}): TurnView => ({
  turn: 'turn_1' as TurnId,
  segment: 0,
  state: 'running',
  notices: [],
  parts,
  todos: [],
  startedAt: Date.now(),
  ...more,
})

const call = (
  name: string,
  status: Extract<TurnPart, { kind: 'call' }>['status'] = 'running',
): Extract<TurnPart, { kind: 'call' }> => ({
  kind: 'call',
  call: `call_${name}` as CallId,
  tool: 'read_file',
  about: name,
  status,
})

const text = (words: string): TurnPart => ({ kind: 'text', text: words })

interface Talk {
  bench: Bench
  ts: string
  reply: LiveReply
  begun: string[]
  /** What was kept along as it began. */
  notes: (string | undefined)[]
  /** The bot's messages in the thread. */
  posts(): ReturnType<Bench['server']['view']>
  answer(text: string, record?: TurnView): unknown
}

async function talk(bench: Bench, key = 'answer.0'): Promise<Talk> {
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'do something long')
  await server.idle()
  const begun: string[] = []
  const notes: Talk['notes'] = []
  const reply = platform.live(threadOf(server, 'general', ts), {
    ...liveOptions(posting(key)),
    reader: { id: server.user('ana'), name: 'ana' },
    async begin(note) {
      begun.push('begin')
      notes.push(note)
      return true
    },
    posted: async (id) => void begun.push(id ?? 'failed'),
  })
  const posts = () => server.view('general', ts).filter(({ bot, ephemeralTo }) => bot && ephemeralTo === undefined)
  const answer = (words: string, record?: TurnView) =>
    platform.pages({ kind: 'answer', text: words, files: [], record })[0]
  return { bench, ts, reply, begun, notes, posts, answer }
}

const open = (options: BenchOptions = {}) => openBench({ firstMs: 20, everyMs: 20, ...options })

const methods = (bench: Bench) =>
  bench.server.calls.map(({ method }) => method).filter((method) => /^(chat|agents)\./.test(method))

describe('an answer', () => {
  test('that is there at once costs one call', async () => {
    await using bench = await open({ firstMs: 5_000 })
    const { reply, posts, answer } = await talk(bench)
    reply.show(view([text('Hel')]))
    const record = view([], { state: 'done' })
    await reply.finish(answer('Hello there', record))
    expect(posts()).toMatchObject([{ text: 'Hello there\n[Good] [Bad]' }])
    expect(methods(bench)).toEqual(['chat.postMessage'])
    expect(bench.server.violations).toEqual([])
  })

  test('is streamed below its steps, and the stream ends as the page', async () => {
    await using bench = await open()
    const { server } = bench
    const { ts, reply, posts, begun, answer } = await talk(bench)
    reply.show(view([call('a.md')]))
    await server.until(() => posts()[0]?.text.includes('◐ read_file a.md'))
    await server.until(() => server.sessionStatus('general', ts) === 'processing')
    reply.show(view([call('a.md', 'done'), text('Here is the first half of it and ')]))
    await server.until(() => posts()[0]?.text.includes('first half of it'))
    const record = view([call('a.md', 'done')], { state: 'done' })
    const page = answer('Here is the first half of it and the second.', record)
    const id = await reply.finish(page)

    expect(posts()).toMatchObject([{ ts: id, streaming: false, metadata: { event_payload: { key: 'answer.0' } } }])
    expect(begun).toEqual(['begin', id])
    expect(server.callsTo('chat.update')).toEqual([])
    expect(server.sessionStatus('general', ts)).toBe('active')
    const posted = await bench.platform.post(threadOf(server, 'general', ts), page, posting('twin'))
    expect(posts()[0]?.text).toBe(posts().find((one) => one.ts === posted)?.text)
    expect(posts()[0]?.text).toBe(
      '✓ 1 step · read_file a.md\n✓ read_file a.md\nHere is the first half of it and the second.\n[Good] [Bad]',
    )
    expect(server.violations).toEqual([])
  })

  test('of text alone is streamed and found without steps', async () => {
    await using bench = await open()
    const { server, platform } = bench
    const { ts, reply, notes, posts, answer } = await talk(bench)
    reply.show(view([text('One two three four ')]))
    const begun = await server.until(() => posts()[0])
    const looking = { ...posting('answer.0', Date.now() - 1_000), note: notes[0] }
    expect(looking.note).toBe(JSON.stringify({ streamAfter: ts }))
    expect(await platform.find(threadOf(server, 'general', ts), looking)).toBe(begun.ts)
    expect(await platform.find(threadOf(server, 'general', ts), posting('other', Date.now() - 1_000))).toBeUndefined()
    await reply.finish(answer('One two three four five', view([], { state: 'done' })))
    expect(posts()).toMatchObject([{ text: 'One two three four five\n[Good] [Bad]' }])
    expect(server.callsTo('chat.update')).toEqual([])
    expect(await platform.find(threadOf(server, 'general', ts), posting('answer.0', Date.now() - 1_000))).toBe(begun.ts)
    expect(server.violations).toEqual([])
  })

  test('whose text was begun anew goes on by edits', async () => {
    await using bench = await open()
    const { server } = bench
    const { reply, posts, answer } = await talk(bench)
    reply.show(view([text('This will be taken back very soon ')]))
    await server.until(() => posts()[0]?.text.includes('taken back'))
    reply.show(view([text('Something else is said instead of it ')]))
    await server.until(() => posts()[0]?.text.includes('Something else') && !posts()[0]?.streaming)
    expect(posts()[0]?.text).not.toContain('taken back')
    await reply.finish(answer('Something else is said instead of it.', view([], { state: 'done' })))
    expect(posts()).toMatchObject([{ text: 'Something else is said instead of it.\n[Good] [Bad]' }])
    expect(server.violations).toEqual([])
  })

  test('that differs from what was streamed replaces it', async () => {
    await using bench = await open()
    const { server } = bench
    const { ts, reply, posts, answer } = await talk(bench)
    reply.show(view([text('Let me look at that first of all ')]))
    await server.until(() => server.sessionStatus('general', ts) === 'processing')
    expect(posts()[0]?.text).toContain('Let me look')
    await reply.finish(answer('Forty-two.', view([call('a.md', 'done')], { state: 'done' })))
    expect(posts()).toMatchObject([
      { text: '✓ 1 step · read_file a.md\n✓ read_file a.md\nForty-two.\n[Good] [Bad]', streaming: false },
    ])
    expect(server.sessionStatus('general', ts)).toBe('active')
    expect(server.violations).toEqual([])
  })
})

describe('a long answer', () => {
  const whole = [
    'Here is what was found, in some words that come first.',
    '| name | count |\n| --- | ---: |\n| apples | 3 |\n| <!channel> pears | 14 |',
    'And after the table some more words, for @channel and <@U0TESTBOT1> and <!here>.',
    '```sh\necho <!everyone>\n```',
    'The end.',
  ].join('\n\n')

  test('with a table and code is streamed piece by piece, and is what would have been posted', async () => {
    await using bench = await open({ everyMs: 5 })
    const { server, platform } = bench
    const { ts, reply, posts, answer } = await talk(bench)
    for (let end = 5; end < whole.length; end += 9) {
      reply.show(view([call('a.md', 'done'), text(whole.slice(0, end))]))
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    await server.until(() => posts()[0]?.text.includes('some words that come'))
    const page = answer(whole, view([call('a.md', 'done')], { state: 'done' }))
    await reply.finish(page)
    expect(server.callsTo('chat.update')).toEqual([])
    const twin = await platform.post(threadOf(server, 'general', ts), page, posting('twin'))
    const [streamed, posted] = [posts()[0], posts().find((one) => one.ts === twin)]
    expect(streamed?.text).toBe(posted?.text)
    expect(streamed?.blocks.map(({ type }) => type)).toEqual(posted?.blocks.map(({ type }) => type))
    expect(streamed?.text).toContain('apples | 3')
    const said = JSON.stringify(server.calls.map(({ args }) => args.chunks ?? args.blocks ?? ''))
    expect(said).not.toMatch(/<!channel>|<!here>|<!everyone>|@channel|<@U0TESTBOT1>/)
    expect(server.violations).toEqual([])
  })

  test('of several messages ends the stream as its first one', async () => {
    await using bench = await open()
    const { server, platform } = bench
    const { ts, reply, posts } = await talk(bench)
    const long = Array.from({ length: 300 }, (_, place) => `Paragraph ${place}: ${'word '.repeat(12)}`).join('\n\n')
    reply.show(view([text(long)]))
    await server.until(() => posts()[0]?.text.includes('Paragraph 99'))
    const pages = platform.pages({ kind: 'answer', text: long, files: [], record: view([], { state: 'done' }) })
    expect(pages.length).toBeGreaterThan(2)
    await reply.finish(pages[0])
    for (const [place, page] of pages.entries()) {
      if (place > 0) await platform.post(threadOf(server, 'general', ts), page, posting(`answer.${place}`))
    }
    const said = posts().map((post) => post.text)
    expect(said.join('\n')).toContain('Paragraph 299')
    expect(said.filter((one) => one.includes('[Good]'))).toHaveLength(1)
    expect(said.at(-1)).toContain('[Good]')
    expect(server.violations).toEqual([])
  })
})

describe('a stream', () => {
  test('that Slack closes goes on by edits', async () => {
    await using bench = await open()
    const { server } = bench
    const { reply, posts, answer } = await talk(bench)
    reply.show(view([call('a.md')]))
    await server.until(() => posts()[0]?.streaming)
    server.misbehave.closeStreams()
    reply.show(view([call('a.md', 'done'), call('b.md')]))
    await server.until(() => posts()[0]?.text.includes('◐ read_file b.md'))
    await reply.finish(answer('Done with both.', view([call('a.md', 'done'), call('b.md', 'done')], { state: 'done' })))
    expect(posts()).toHaveLength(1)
    expect(posts()[0]?.text).toContain('Done with both.')
    expect(server.violations).toEqual([])
  })

  test('that Slack closes shows nothing more once it was left, however long it waits to be stopped', async () => {
    await using bench = await open()
    const { server } = bench
    const first = await talk(bench, 'first.0')
    const { reply, posts } = await talk(bench)
    for (const one of [first.reply, reply]) one.show(view([call('a.md')]))
    await server.until(() => first.posts()[0]?.streaming && posts()[0]?.streaming)
    server.misbehave.closeStreams()
    // In a channel, they are stopped one after the other.
    const [stopping, stopped] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()]
    const isStopping = () => {
      stopping.resolve(true)
      return true
    }
    server.misbehave.slow('chat.stopStream', stopped.promise, { times: 1, with: isStopping })
    const firstLeft = first.reply.leave()
    await stopping.promise
    reply.show(view([call('a.md', 'done'), call('b.md')]))
    await server.until(() => server.callsTo('chat.appendStream').length > 0)
    const left = reply.leave()
    stopped.resolve()
    await Promise.all([firstLeft, left])
    expect(server.callsTo('chat.update')).toEqual([])
  })

  test('that Slack closes just before the answer ends as the page all the same', async () => {
    await using bench = await open()
    const { server } = bench
    const { reply, posts, answer } = await talk(bench)
    reply.show(view([text('One two three four ')]))
    await server.until(() => posts()[0]?.streaming)
    server.misbehave.closeStreams()
    await reply.finish(answer('One two three four five', view([], { state: 'done' })))
    expect(posts()).toMatchObject([{ text: 'One two three four five\n[Good] [Bad]' }])
    expect(server.violations).toEqual([])
  })

  test('is ended before Slack does it, and goes on by edits', async () => {
    await using bench = await open({ pace: { streamMs: 60 }, streamMs: 5_000 })
    const { server } = bench
    const { reply, posts, answer } = await talk(bench)
    reply.show(view([call('a.md')]))
    const begun = await server.until(() => posts()[0])
    await server.until(() => {
      reply.show(view([call('a.md'), call(`${server.calls.length}.md`)]))
      return posts()[0]?.streaming === false
    })
    await server.until(() => server.callsTo('chat.update').length > 0)
    await reply.finish(answer('At last.', view([], { state: 'done' })))
    expect(posts()).toMatchObject([{ ts: begun.ts, text: 'At last.\n[Good] [Bad]' }])
    expect(server.violations).toEqual([])
  })

  test.each(['channel_type_not_supported', 'unknown_method'])(
    'that is refused (%s) is replaced by a message that is edited, the next time at once',
    async (error) => {
      await using bench = await open()
      const { server } = bench
      server.misbehave.refuse('chat.startStream', error, { times: 99 })
      for (const key of ['first.0', 'second.0']) {
        const { reply, posts, answer } = await talk(bench, key)
        reply.show(view([call('a.md')]))
        await server.until(() => posts()[0]?.text.includes('◐ read_file a.md'))
        reply.show(view([call('a.md', 'done'), text('Almost ')]))
        await server.until(() => posts()[0]?.text.includes('Almost'))
        await reply.finish(answer('Done.', view([call('a.md', 'done')], { state: 'done' })))
        expect(posts()).toHaveLength(1)
        expect(posts()[0]?.text).toContain('Done.')
      }
      expect(server.callsTo('chat.startStream')).toHaveLength(1)
      expect(server.violations).toEqual([])
    },
  )

  test.each(['chat.startStream', 'chat.appendStream', 'chat.stopStream', 'chat.update', 'chat.postMessage'])(
    'survives that %s is limited',
    async (method) => {
      await using bench = await open()
      const { server } = bench
      server.misbehave.rateLimit(method, { retryAfter: 1, times: 1 })
      const { reply, posts, answer } = await talk(bench)
      reply.show(view([call('a.md')]))
      await eventually(() => expect(methods(bench).length).toBeGreaterThan(1))
      reply.show(view([call('a.md', 'done'), text('Some words of the answer ')]))
      await eventually(() => expect(methods(bench).length).toBeGreaterThan(2))
      await reply.finish(answer('Some words of the answer.', view([call('a.md', 'done')], { state: 'done' })))
      expect(posts()).toHaveLength(1)
      expect(posts()[0]?.text).toContain('Some words of the answer.')
      expect(posts()[0]?.streaming).toBe(false)
      expect(server.violations).toEqual([])
    },
  )

  test.each(['reset', '500'] as const)('that began although the call failed (%s) becomes the answer', async (how) => {
    await using bench = await open()
    const { server } = bench
    server.misbehave.storeButFail('chat.startStream', how)
    const { reply, posts, answer } = await talk(bench)
    reply.show(view([text('One two three four ')]))
    await server.until(() => posts()[0])
    expect(reply.begun).toBe(true)
    await reply.finish(answer('One two three four five', view([], { state: 'done' })))
    expect(posts()).toMatchObject([{ text: 'One two three four five\n[Good] [Bad]', streaming: false }])
    expect(server.violations).toEqual([])
  })

  test.each(['chat.startStream', 'chat.postMessage'])(
    'that began although the call (%s) failed goes on being shown',
    async (method) => {
      await using bench = await open()
      const { server } = bench
      if (method === 'chat.postMessage') server.misbehave.refuse('chat.startStream', 'method_deprecated')
      server.misbehave.storeButFail(method, 'reset')
      const { reply, begun, posts, answer } = await talk(bench)
      reply.show(view([call('a.md')]))
      await server.until(() => posts()[0])
      reply.show(view([call('a.md', 'done'), call('b.md')]))
      await server.until(() => JSON.stringify(posts()).includes('b.md'))
      expect(begun.at(-1)).toBe(posts()[0]?.ts)
      await reply.finish(answer('Here it is.', view([], { state: 'done' })))
      expect(posts()).toMatchObject([{ text: 'Here it is.\n[Good] [Bad]' }])
      expect(server.violations).toEqual([])
    },
  )

  test.each([
    ['nobody finds', 0],
    ['may not be looked for', 99],
  ])('that %s is looked for a few times, and never begun again', async (_, times) => {
    await using bench = await open()
    const { server } = bench
    server.misbehave.drop('chat.startStream')
    server.misbehave.refuse('conversations.replies', 'missing_scope', { times })
    const { reply, posts, answer } = await talk(bench)
    const looks = () => server.callsTo('conversations.replies').length
    const steps = (count: number) => view([call(`${count}.md`)])
    reply.show(steps(0))
    await eventually(() => expect(server.callsTo('chat.startStream')).toHaveLength(1))
    for (const count of [1, 2, 3, 4, 5]) {
      reply.show(steps(count))
      await eventually(() => expect(looks()).toBe(count))
    }
    reply.show(steps(6))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(looks()).toBe(5)
    expect(methods(bench).filter((method) => method.startsWith('chat.'))).toEqual(['chat.startStream'])
    server.misbehave.calm()
    await reply.finish(answer('Here it is.', view([], { state: 'done' })))
    expect(posts()).toMatchObject([{ text: 'Here it is.\n[Good] [Bad]' }])
    expect(server.callsTo('chat.startStream')).toHaveLength(1)
  })

  test('that Slack doesn’t show when it is looked for is still found later', async () => {
    await using bench = await open()
    const { server } = bench
    server.misbehave.storeButFail('chat.startStream', 'reset')
    server.misbehave.break('conversations.replies', { times: Number.POSITIVE_INFINITY })
    const { reply, begun, posts } = await talk(bench)
    const looks = () => server.callsTo('conversations.replies').length
    reply.show(view([call('0.md')]))
    await server.until(() => posts()[0])
    let count = 0
    // Five looks, of three attempts each, and a sixth one.
    await eventually(() => {
      reply.show(view([call(`${++count}.md`)]))
      expect(looks()).toBeGreaterThan(15)
    })
    server.misbehave.calm()
    reply.show(view([call('found.md')]))
    await eventually(() => expect(begun.at(-1)).toBe(posts()[0]?.ts))
  })

  test('that began although the call failed, and that somebody has stopped, becomes the answer', async () => {
    await using bench = await open()
    const { server } = bench
    server.misbehave.storeButFail('chat.startStream', 'reset')
    const { ts, reply, posts, answer } = await talk(bench)
    const words = text('One two three four ')
    reply.show(view([words]))
    await server.until(() => posts()[0])
    reply.show(view([words]))
    await server.until(() => server.sessionStatus('general', ts) === 'processing')
    server.people.stopSession('ana', 'general', ts)
    await reply.finish(answer('One two three four five', view([], { state: 'done' })))
    expect(posts()).toMatchObject([{ text: 'One two three four five\n[Good] [Bad]' }])
    expect(server.violations).toEqual([])
  })

  test('that did not begin, though nobody says so, is no answer lost', async () => {
    await using bench = await open()
    const { server } = bench
    server.misbehave.drop('chat.startStream')
    const { reply, posts, answer } = await talk(bench)
    reply.show(view([text('One two three four ')]))
    await eventually(() => expect(server.callsTo('chat.startStream')).toHaveLength(1))
    await reply.finish(answer('One two three four five', view([], { state: 'done' })))
    expect(posts()).toMatchObject([{ text: 'One two three four five\n[Good] [Bad]' }])
  })

  test.each(['reset', '500'] as const)(
    'whose addition arrived although the call failed (%s) says nothing twice',
    async (how) => {
      await using bench = await open()
      const { server } = bench
      const { reply, posts, answer } = await talk(bench)
      reply.show(view([text('One two three four ')]))
      await server.until(() => posts()[0]?.streaming)
      server.misbehave.storeButFail('chat.appendStream', how)
      reply.show(view([text('One two three four five six ')]))
      await server.until(() => posts()[0]?.streaming === false)
      await reply.finish(answer('One two three four five six seven', view([], { state: 'done' })))
      expect(posts()).toMatchObject([{ text: 'One two three four five six seven\n[Good] [Bad]' }])
      expect(server.violations).toEqual([])
    },
  )

  test.each(['reset', '500'] as const)(
    'whose end arrived although the call failed (%s) is the answer once',
    async (how) => {
      await using bench = await open()
      const { server } = bench
      const { reply, posts, answer } = await talk(bench)
      reply.show(view([text('One two three four ')]))
      await server.until(() => posts()[0]?.streaming)
      server.misbehave.storeButFail('chat.stopStream', how)
      await reply.finish(answer('One two three four five', view([], { state: 'done' })))
      expect(posts()).toMatchObject([{ text: 'One two three four five\n[Good] [Bad]', streaming: false }])
      expect(server.violations).toEqual([])
    },
  )
})

describe('a message of progress', () => {
  test.each([
    ['while it is being shown', true],
    ['before its end', false],
  ])('that somebody deletes %s is not ended: the answer is posted on its own', async (_, isShown) => {
    await using bench = await open()
    const { server } = bench
    const { reply, posts, answer } = await talk(bench)
    reply.show(view([call('a.md')]))
    const begun = await server.until(() => posts()[0])
    server.misbehave.deleteMessage(begun.ts)
    if (isShown) {
      reply.show(view([call('a.md', 'done'), call('b.md')]))
      await server.until(() => server.callsTo('chat.appendStream').length > 0)
    }
    const ended = reply.finish(answer('Here it is.', view([], { state: 'done' })))
    await expect(ended).rejects.toMatchObject({ again: 'never', message: expect.stringContaining('was deleted') })
    expect(posts()).toEqual([])
    expect(server.violations).toEqual([])
  })

  test('of a former process, still streaming, is gone on with', async () => {
    await using bench = await open()
    const { server, platform } = bench
    const first = await talk(bench)
    first.reply.show(view([call('a.md')]))
    const begun = await server.until(() => first.posts()[0])
    const thread = threadOf(server, 'general', first.ts)
    const note = JSON.stringify({ streamAfter: first.ts })
    const reader = { id: server.user('ana'), name: 'ana' }
    const former = { ...posting('answer.0', Date.now() - 1_000), note }
    const again = platform.live(thread, liveOptions(former, { reader, unsure: true }))
    expect(again.begun).toBe(true)
    again.show(view([call('a.md', 'done'), call('b.md')]))
    await server.until(() => first.posts()[0]?.text.includes('◐ read_file b.md'))
    await again.finish(first.answer('Both read.', view([], { state: 'done' })))
    expect(first.posts()).toMatchObject([{ ts: begun.ts, text: 'Both read.\n[Good] [Bad]', streaming: false }])
    expect(server.violations).toEqual([])
  })

  test('that nobody knows any more is not taken for another one in its thread', async () => {
    await using bench = await open()
    const { server, platform } = bench
    const { ts } = await talk(bench)
    const thread = threadOf(server, 'general', ts)
    const begin = (key: string) =>
      platform.live(thread, liveOptions(posting(key), { reader: { id: server.user('ana'), name: 'ana' } }))
    const posts = () => server.view('general', ts).slice(1)
    const looking = (key: string, since: number, streamAfter = ts) => ({
      ...posting(key, since),
      note: JSON.stringify({ streamAfter }),
    })
    const times = []
    for (const [place, key] of ['segment0', 'segment1'].entries()) {
      times.push(Date.now())
      begin(key).show(view([text('Some words that are long enough ')]))
      await server.until(() => posts()[place]?.streaming)
      await new Promise((resolve) => setTimeout(resolve, 1_100))
    }
    const [first = 0, second = 0] = times
    expect(await platform.find(thread, looking('segment0', first))).toBe(posts()[0]?.ts)
    expect(await platform.find(thread, looking('segment1', second))).toBe(posts()[1]?.ts)
    // Slack's own clock is sure where ours is not.
    expect(await platform.find(thread, looking('segment1', first, posts()[0]?.ts))).toBe(posts()[1]?.ts)
    expect(await platform.find(thread, looking('segment2', first, posts()[1]?.ts))).toBeUndefined()
    // What was made an answer of by its id alone has no key: it is known by that.
    const [page] = platform.pages({ kind: 'answer', text: 'Made an answer', files: [], record: undefined })
    for (const { ts: id } of posts()) await platform.edit(thread, id, page)
    const isOther = async () => true
    expect(await platform.find(thread, { ...looking('segment2', first), isOther })).toBeUndefined()
    expect(server.violations).toEqual([])
  })

  test('is left as it is, without a Stop button', async () => {
    await using bench = await open()
    const { server } = bench
    const { ts, reply, posts } = await talk(bench)
    reply.show(view([call('a.md')]))
    await server.until(() => server.sessionStatus('general', ts) === 'processing')
    await reply.leave()
    await server.until(() => server.sessionStatus('general', ts) === 'active')
    expect(posts()).toMatchObject([{ streaming: false }])
    expect(server.violations).toEqual([])
  })

  test('of a turn that waits ends without words, and the session is suspended', async () => {
    await using bench = await open()
    const { server, platform } = bench
    const { ts, reply, posts } = await talk(bench)
    reply.show(view([call('a.md')]))
    await server.until(() => posts()[0]?.streaming)
    const record = view([call('a.md', 'done')], { state: 'waiting' })
    await reply.finish(platform.pages({ kind: 'record', record })[0])
    expect(posts()).toMatchObject([{ text: '✓ 1 step · read_file a.md\n✓ read_file a.md', streaming: false }])
    expect(server.sessionStatus('general', ts)).toBe('suspended')
    expect(server.violations).toEqual([])
  })

  test('shows the plan with its ticks, and who stopped it', async () => {
    await using bench = await open()
    const { server, platform } = bench
    const { reply, posts } = await talk(bench)
    const plan = [
      { content: 'look', status: 'completed', priority: 'high' },
      { content: 'write', status: 'in_progress', priority: 'high' },
    ] as const
    reply.show(view([call('a.md', 'done')], { todos: [...plan], warning: 'The model is asked again' }))
    await server.until(() => posts()[0]?.text.includes('✓ look\n◐ write\n✓ read_file a.md'))
    expect(posts()[0]?.text).toContain('The model is asked again')
    const stoppedBy = { id: 'U1', name: 'Ben' }
    const record = view([call('a.md', 'done')], { todos: [...plan], state: 'stopped', stoppedBy })
    await reply.finish(platform.pages({ kind: 'record', record })[0])
    expect(posts()[0]?.text).toBe('✓ 1 step · read_file a.md\n✓ look\n○ write\n✓ read_file a.md\nStopped by Ben.')
    expect(server.violations).toEqual([])
  })

  test('is not begun when its end is posted by somebody else', async () => {
    await using bench = await open()
    const { server, platform } = bench
    const ts = server.people.mention('ana', 'general', 'hi')
    const asked: string[] = []
    const reply = platform.live(threadOf(server, 'general', ts), {
      ...liveOptions(posting('k')),
      reader: { id: server.user('ana'), name: 'ana' },
      begin: async () => asked.push('begin') < 0,
    })
    reply.show(view([call('a.md')]))
    await eventually(() => expect(asked).toEqual(['begin']))
    await reply.leave()
    expect(reply.begun).toBe(false)
    expect(server.callsTo('chat.startStream')).toEqual([])
  })

  test('whose end is posted by somebody else is forgotten, although nobody ends it here', async () => {
    const message = { advance: async () => 'over', rest: () => {} } as unknown as LiveMessage
    const { promise: forgotten, resolve } = Promise.withResolvers<void>()
    const settings = { firstMs: 0, everyMs: 20, mostMessages: 3 }
    const reply = new SlackLiveReply({} as SlackWorkspace, message, settings, resolve)
    reply.show(view([call('a.md')]))
    await forgotten
  })

  test('that another process has by now shows nothing more', async () => {
    await using bench = await open()
    const { server, platform } = bench
    const { ts, reply, posts } = await talk(bench)
    reply.show(view([call('a.md')]))
    const begun = await server.until(() => posts()[0])
    const thread = threadOf(server, 'general', ts)
    let asked = 0
    const change: LiveOptions['change'] = async () => {
      asked++
      return 'over'
    }
    const frozen = platform.live(thread, liveOptions(posting('answer.0'), { id: begun.ts, change }))
    frozen.show(view([call('a.md', 'done'), call('b.md')]))
    await eventually(() => expect(asked).toBeGreaterThan(0))
    await frozen.leave()
    expect(server.callsTo('chat.update')).toEqual([])
  })

  test('with nothing worth seeing shows only the Stop button', async () => {
    await using bench = await open()
    const { server } = bench
    const { ts, reply } = await talk(bench)
    reply.show(view([]))
    await server.until(() => server.sessionStatus('general', ts) === 'processing')
    await reply.leave()
    await server.until(() => server.sessionStatus('general', ts) === 'active')
    expect(methods(bench).filter((method) => method.startsWith('chat.'))).toEqual([])
  })

  test('is not busy in the end, however late Slack learned that it was', async () => {
    await using bench = await open()
    const { server } = bench
    const sent = Promise.withResolvers<boolean>()
    const isFirst = () => {
      sent.resolve(true)
      return true
    }
    server.misbehave.slow('agents.sessions.setStatus', 300, { times: 1, with: isFirst })
    const { ts, reply, posts, answer } = await talk(bench)
    reply.show(view([call('a.md')]))
    await server.until(() => posts()[0]?.streaming)
    reply.show(view([call('a.md', 'done')]))
    await sent.promise
    await reply.finish(answer('Done.', view([call('a.md', 'done')], { state: 'done' })))
    await eventually(() => expect(server.callsTo('agents.sessions.setStatus')).toHaveLength(1))
    expect(server.sessionStatus('general', ts)).toBe('active')
  })

  test('is stopped by Slack’s own button, and ends as its record', async () => {
    await using bench = await open()
    const { server, sink, platform } = bench
    const { ts, reply, posts } = await talk(bench)
    reply.show(view([call('a.md')]))
    await server.until(() => posts()[0]?.streaming && server.sessionStatus('general', ts) === 'processing')
    server.people.stopSession('ben', 'general', ts)
    await server.until(() => sink.commands.length > 0)
    expect(sink.commands).toMatchObject([{ name: 'stop', person: { name: 'ben' }, thread: { thread: ts } }])
    expect(sink.commands[0]?.at).toBeGreaterThan(Number(posts()[0]?.ts) * 1_000)
    const record = view([call('a.md')], { state: 'stopped', stoppedBy: { id: 'U2', name: 'ben' } })
    await reply.finish(platform.pages({ kind: 'record', record })[0])
    expect(posts()[0]?.text).toContain('Stopped by ben.')
    await server.until(() => server.sessionStatus('general', ts) === 'active')
    expect(server.violations).toEqual([])
  })
})

describe('the bot', () => {
  test('leaves no stream open when it stops', async () => {
    const bench = await open()
    const { server, platform } = bench
    const { reply, posts } = await talk(bench)
    reply.show(view([call('a.md')]))
    await server.until(() => posts()[0]?.streaming)
    await platform.stop()
    expect(posts()).toMatchObject([{ streaming: false }])
    await server.close()
  })

  test('shows many turns at once within Slack’s limits, and every answer once', async () => {
    await using bench = await open({ limits: 'real', everyMs: 100 })
    const { server } = bench
    const talks = await Promise.all(Array.from({ length: 12 }, (_, place) => talk(bench, `many${place}.0`)))
    for (const { reply } of talks) reply.show(view([call('a.md')]))
    await eventually(() => expect(server.callsTo('chat.startStream').length).toBeGreaterThan(3))
    for (const { reply } of talks) reply.show(view([call('a.md', 'done'), text('Some words of the answer ')]))
    await Promise.all(
      talks.map(({ reply, answer }, place) => reply.finish(answer(`Answer ${place}.`, view([], { state: 'done' })))),
    )
    expect(talks.map(({ posts }) => posts().map((post) => post.text))).toEqual(
      talks.map((_, place) => [`Answer ${place}.\n[Good] [Bad]`]),
    )
    expect(server.violations).toEqual([])
  })

  test('that was killed does not leave threads busy', async () => {
    await using first = await open()
    const { server, notes } = first
    const { ts, reply, posts } = await talk(first)
    reply.show(view([call('a.md')]))
    await server.until(() => posts()[0]?.streaming && server.sessionStatus('general', ts) === 'processing')
    // As if it were killed: what it would do at its end is not done.
    const kept = new StubNotes()
    for (const [name, value] of notes.values) kept.values.set(name, value)
    await using again = await open({ server, notes: kept })
    await server.until(() => server.sessionStatus('general', ts) === 'active')
    await eventually(() => expect([...kept.values.values()]).toContain('[]'))
    expect(again.platform.health().ok).toBe(true)
  })

  test('does without sessions where Slack has none', async () => {
    await using bench = await open()
    const { server } = bench
    server.misbehave.refuse('agents.sessions.setStatus', 'not_allowed', { times: 99 })
    for (const key of ['one.0', 'two.0']) {
      const { reply, posts, answer } = await talk(bench, key)
      reply.show(view([call('a.md')]))
      await server.until(() => posts()[0]?.streaming)
      reply.show(view([call('a.md', 'done'), text('Some more words ')]))
      await server.until(() => posts()[0]?.text.includes('Some more'))
      await reply.finish(answer('Some more words.', view([call('a.md', 'done')], { state: 'done' })))
      expect(posts()).toMatchObject([{ streaming: false }])
    }
    expect(server.callsTo('agents.sessions.setStatus')).toHaveLength(1)
    expect(server.violations).toEqual([])
  })
})
