import { describe, expect, test } from 'vitest'
import { Failure, Unavailable } from '../../src/kit/failure.ts'
import { eventually, openBench, posting, threadOf } from './support.ts'

const ways = [
  { way: 'Socket Mode', http: false },
  { way: 'requests', http: true },
]

describe.each(ways)('over $way', ({ http }) => {
  test('an event that comes eleven times with new ids is one message', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    server.misbehave.copies(11)
    const ts = server.people.mention('ana', 'general', 'once please')
    await server.idle()
    expect(sink.heard).toMatchObject([{ message: ts, text: 'once please' }])
    expect(new Set(server.deliveries.map(({ outcome }) => outcome))).toEqual(new Set(['acked']))
    expect(server.violations).toEqual([])
  })

  test.each([true, false])(
    'a mention is one message, whichever of its two events is first (%s)',
    async (messageFirst) => {
      await using bench = await openBench({ http })
      const { server, sink } = bench
      server.people.mention('ana', 'general', 'hello', { messageFirst })
      await server.idle()
      expect(server.deliveries).toHaveLength(2)
      expect(sink.heard).toMatchObject([{ text: 'hello', mentioned: true, toOthers: false }])
    },
  )

  test('a channel of another workspace is heard, but not what is for the app’s installation there', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    const ts = server.people.mention('ana', 'general', 'for us', { hostedBy: 'T0PARTNER' })
    await server.idle()
    server.people.edit('ana', ts, 'for another', { installedIn: 'T0PARTNER' })
    await server.idle()
    expect(sink.changes).toEqual([])
    expect(sink.heard).toMatchObject([{ text: 'for us', thread: { tenant: server.team.id } }])
    expect(new Set(server.deliveries.map(({ outcome }) => outcome))).toEqual(new Set(['acked']))
  })

  test('what could not be stored is not acknowledged, and comes again', async () => {
    await using bench = await openBench({ http, redeliveryMs: [400, 400] })
    const { server, sink } = bench
    let left = 1
    sink.onHear = async () => {
      if (left-- > 0) throw new Error('the disk is full')
    }
    server.people.post('ana', '@ana', 'hello')
    await server.idle()
    expect(sink.heard).toMatchObject([{ text: 'hello', direct: true }])
    expect(server.deliveries).toMatchObject([{ outcome: 'acked' }])
    expect(server.deliveries[0]?.attempts).toBeGreaterThan(1)
  })

  test('what could not be stored until Slack gave up is read back when it can be', async () => {
    await using bench = await openBench({ http, redeliveryMs: [400], ackMs: 400 })
    const { server, sink, notes } = bench
    server.people.mention('ana', 'general', 'before')
    await server.idle()
    await eventually(() => expect(sink.heard).toHaveLength(1))
    await eventually(() => expect(notes.values.size).toBeGreaterThan(0))
    let isFull = true
    sink.onHear = async () => {
      if (isFull) throw new Unavailable('disk_full', 'The disk is full.', 'Make room', { passes: true })
    }
    server.people.mention('ana', 'general', 'while it was full')
    await server.idle()
    expect(server.deliveries.at(-1)?.outcome).not.toBe('acked')
    expect(sink.heard).toHaveLength(1)
    isFull = false
    server.people.mention('ana', 'general', 'afterwards')
    await eventually(() =>
      expect(sink.heard.map(({ text }) => text).toSorted()).toEqual(['afterwards', 'before', 'while it was full']),
    )
    expect(server.view('general').filter(({ text }) => text.includes('The disk'))).toEqual([])
  })

  test('what will never be taken is told in the thread, once, and acknowledged', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    sink.onHear = async () => {
      throw new Failure('too_many_files', 'That are <too> many files.', 'Send fewer.')
    }
    server.misbehave.copies(3)
    const ts = server.people.mention('ana', 'general', 'look at these')
    await server.idle()
    await server.until(() => server.view('general', ts)[1])
    expect(server.view('general', ts)).toMatchObject([{}, { text: 'That are <too> many files. Send fewer.' }])
    expect(new Set(server.deliveries.map(({ outcome, attempts }) => `${outcome} ${attempts}`))).toEqual(
      new Set(['acked 1']),
    )
    expect(server.violations).toEqual([])
  })

  test('an edit that will never be taken is told in the thread, once, and acknowledged', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    const ts = server.people.post('ana', 'general', 'look at these')
    await server.idle()
    sink.onChange = async () => {
      throw new Failure('too_many_files', 'That are too many files.', 'Send fewer.')
    }
    for (const text of ['look at these, please', 'look at these!']) {
      server.people.edit('ana', ts, `${server.bot.mention} ${text}`)
      await server.idle()
    }
    await server.until(() => server.view('general', ts)[1])
    expect(server.view('general', ts)).toMatchObject([{}, { text: 'That are too many files. Send fewer.' }])
    expect(new Set(server.deliveries.map(({ outcome, attempts }) => `${outcome} ${attempts}`))).toEqual(
      new Set(['acked 1']),
    )
  })

  test('an ack that gets lost brings the same again, which changes nothing', async () => {
    await using bench = await openBench({ http, redeliveryMs: [400] })
    const { server, sink } = bench
    server.misbehave.loseAcks(1)
    server.people.post('ana', '@ana', 'hello')
    await server.idle()
    expect(server.deliveries).toMatchObject([{ attempts: 2 }])
    expect(sink.heard).toHaveLength(1)
  })

  test('what comes when the bot has stopped is not acknowledged', async () => {
    const bench = await openBench({ http, redeliveryMs: [], ackMs: 200 })
    const { server, sink } = bench
    const entered = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    sink.onHear = async () => {
      entered.resolve()
      await release.promise
    }
    server.people.post('ana', '@ana', 'hello')
    await entered.promise
    const stopped = bench.platform.stop()
    release.resolve()
    await stopped
    await server.idle()
    expect(server.deliveries).toMatchObject([{ outcome: 'unacked' }])
    expect(bench.platform.health().ok).toBe(false)
    await server.close()
  })
})

describe('a message', () => {
  test('of somebody from another workspace says so, whatever Slack returns about them', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    server.world.person('ben').team = 'T0PARTNER'
    server.people.mention('ben', 'general', 'hello from next door')
    await server.idle()
    server.world.person('cleo').team = 'T0PARTNER'
    server.misbehave.refuse('users.info', 'user_not_found')
    server.people.mention('cleo', 'general', 'me too')
    await server.idle()
    expect(sink.heard.map(({ person }) => person)).toMatchObject([{ name: 'ben', outside: true }, { outside: true }])
  })

  test('reads as people see it', async () => {
    await using bench = await openBench({ groups: [{ handle: 'crew', users: ['ana', 'ben'] }] })
    const { server, sink } = bench
    const bot = server.bot.mention
    const ben = `<@${server.user('ben')}>`
    const said = [
      `${bot}: hello`,
      `hey ${bot} look`,
      `${bot} ask ${ben} & co. in <#${server.channel('random')}>: is 1 < 2?`,
      `${bot} see <https://example.com/a?b=1&c=2|the page> and <https://example.com>, <mailto:a@b.example|a@b.example>`,
      `${ben} are you there?`,
      `<!here> and <!subteam^${[...server.world.groups.keys()][0]}|@crew>`,
      '*bold* and `code`',
    ]
    for (const one of said) server.people.post('ana', 'general', one)
    await server.idle()
    expect(sink.heard.map(({ text }) => text)).toEqual([
      'hello',
      'hey  look',
      'ask @ben & co. in #random: is 1 < 2?',
      'see the page (https://example.com/a?b=1&c=2) and https://example.com, a@b.example',
      '@ben are you there?',
      '@here and @crew',
      '*bold* and `code`',
    ])
    expect(sink.heard.map(({ mentioned }) => mentioned)).toEqual([true, true, true, true, false, false, false])
    expect(sink.heard.map(({ toOthers }) => toOthers)).toEqual([false, false, false, false, true, true, false])
  })

  test('says where it stands, who wrote it and when', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const root = server.people.post('ana', 'general', 'a question')
    const reply = server.people.mention('ben', 'general', 'answer her', { thread_ts: root })
    await server.idle()
    const alone = server.people.post('cleo', '@cleo', 'psst')
    await server.idle()
    const place = { platform: 'slack', tenant: server.team.id, project: server.channel('general'), thread: root }
    expect(sink.heard).toMatchObject([
      { thread: place, message: root, reply: false, direct: false, person: { id: server.user('ana'), name: 'ana' } },
      { thread: place, message: reply, reply: true, mentioned: true, at: Number(reply) * 1_000 },
      { thread: { project: server.channel('@cleo'), thread: alone }, direct: true, reply: false, author: 'person' },
    ])
    expect(sink.heard[0]?.dedupKey).toBe(`slack:${server.team.id}:${server.channel('general')}:${root}`)
    expect(sink.heard[0]?.timeZone).toBe('Europe/Berlin')
  })

  test('of another bot is a bot’s, and our own are not heard', async () => {
    await using bench = await openBench()
    const { server, sink, platform } = bench
    server.people.botPost('general', 'build failed')
    server.people.botPost('general', `${server.bot.mention} build failed`, { legacy: false })
    const ts = server.people.mention('ana', 'general', 'hi')
    const thread = threadOf(server, 'general', ts)
    await platform.post(
      thread,
      platform.pages({ kind: 'answer', text: 'mine', files: [], record: undefined })[0],
      posting('k'),
    )
    await server.idle()
    expect(sink.heard.map(({ author, text, person }) => `${author} ${person.name}: ${text}`)).toEqual([
      'bot builder: build failed',
      'bot builder: build failed',
      'person ana: hi',
    ])
  })

  test('of joining, and events that nobody understands, are acknowledged and not heard', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    server.people.join('dan', 'general')
    server.people.lookAt('ana', 'general')
    await server.idle()
    expect(sink.heard).toEqual([])
    expect(server.deliveries.every(({ outcome }) => outcome === 'acked')).toBe(true)
  })

  test('waits for names, but not for ever', async () => {
    await using bench = await openBench({ pace: { nameMs: 100 } })
    const { server, sink } = bench
    server.misbehave.slow('users.info', 10_000)
    server.people.mention('ana', 'general', 'hello')
    await server.until(() => sink.heard.length > 0)
    await server.idle()
    expect(sink.heard).toMatchObject([{ text: 'hello', person: { id: server.user('ana'), name: server.user('ana') } }])
    expect(server.deliveries.every(({ outcome }) => outcome === 'acked')).toBe(true)
  })

  test('of a channel is heard in its order', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    server.misbehave.slow('users.info', 200, { times: 1 })
    server.people.post('ana', 'general', `<@${server.user('ben')}> one`)
    server.people.post('cleo', 'general', 'two')
    server.people.post('ana', 'general', 'three')
    await server.idle()
    expect(sink.heard.map(({ text }) => text)).toEqual(['@ben one', 'two', 'three'])
  })
})

describe('a change', () => {
  test('is passed on once the message itself is stored', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const entered = Promise.withResolvers<void>()
    const stored = Promise.withResolvers<void>()
    sink.onHear = async ({ text }) => {
      if (text !== 'hello') return
      entered.resolve()
      await stored.promise
    }
    const ts = server.people.mention('ana', 'general', 'hello')
    await entered.promise
    server.people.edit('ana', ts, 'hello there')
    server.people.delete('ana', ts)
    const later = server.people.post('ben', '@ben', 'later')
    // Everything that came is under way once this has arrived as well.
    await eventually(() => expect(sink.heard.map(({ message }) => message)).toEqual([later]))
    expect(sink.changes).toEqual([])
    stored.resolve()
    await eventually(() => expect(sink.changes.map(({ now }) => now?.text)).toEqual(['hello there', undefined]))
  })

  test('of a message’s text is passed on, with the new text', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const ts = server.people.mention('ana', 'general', 'helo')
    server.people.edit('ana', ts, `${server.bot.mention} hello`)
    await server.idle()
    expect(sink.changes).toMatchObject([
      {
        dedupKey: sink.heard[0]?.dedupKey,
        person: { name: 'ana' },
        now: { text: 'hello', message: ts, mentioned: true },
      },
    ])
    const now = sink.changes[0]?.now
    expect(now?.editedAt).toBeGreaterThan(now?.at ?? Number.POSITIVE_INFINITY)
    expect(sink.heard[0]?.editedAt).toBeUndefined()
  })

  test('of anything else doesn’t count: unfolded links, counters, our own edits', async () => {
    await using bench = await openBench()
    const { server, sink, platform } = bench
    const ts = server.people.mention('ana', 'general', 'see <https://example.com>')
    server.people.unfurl(ts)
    const thread = threadOf(server, 'general', ts)
    const [one] = platform.pages({ kind: 'answer', text: 'one', files: [], record: undefined })
    const [two] = platform.pages({ kind: 'answer', text: 'two', files: [], record: undefined })
    const id = await platform.post(thread, one, posting('k'))
    await platform.edit(thread, id, two)
    await server.idle()
    expect(server.view('general', ts)[1]).toMatchObject({ text: 'two' })
    expect(sink.changes).toEqual([])
    expect(sink.heard).toHaveLength(1)
  })

  test('to nothing is a deletion, also where a stone is left behind', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const alone = server.people.mention('ana', 'general', 'never mind')
    const root = server.people.mention('ben', 'general', 'this had replies')
    server.people.post('ana', 'general', 'a reply', { thread_ts: root })
    server.people.delete('ana', alone)
    server.people.delete('ben', root)
    await server.idle()
    expect(sink.changes).toMatchObject([
      { dedupKey: expect.stringContaining(alone), person: { name: 'ana' } },
      { dedupKey: expect.stringContaining(root), person: { name: 'ben' } },
    ])
    expect(sink.changes.map(({ now }) => now)).toEqual([undefined, undefined])
  })
})

describe('a reaction', () => {
  test('on an answer, or of who asked on what was asked, is a command about its thread', async () => {
    await using bench = await openBench()
    const { server, sink, platform } = bench
    const ts = server.people.mention('ana', 'general', 'hi')
    const thread = threadOf(server, 'general', ts)
    const [page] = platform.pages({ kind: 'answer', text: 'answer', files: [], record: undefined })
    const id = await platform.post(thread, page, posting('k'))
    sink.onCommand = async ({ name }) => `There is nothing to ${name}.`
    server.people.react('ben', id, 'repeat')
    server.people.react('ana', ts, 'octagonal_sign')
    server.people.react('ana', id, 'heart')
    server.people.react('ben', ts, 'x')
    server.misbehave.copies(3)
    server.people.react('cleo', id, 'x')
    await server.idle()
    expect(sink.commands.map(({ name, person, thread: at }) => [name, person.name, at?.thread])).toEqual([
      ['retry', 'ben', ts],
      ['stop', 'ana', ts],
      ['stop', 'cleo', ts],
    ])
    const [first, ...later] = sink.commands.map(({ at = 0 }) => at)
    expect(first).toBeGreaterThan(Number(id) * 1_000)
    expect(later).toEqual(later.toSorted((a, b) => a - b))
    await server.until(() => server.view('general', ts).some(({ ephemeralTo }) => ephemeralTo === server.user('ben')))
    expect(server.view('general', ts).filter(({ ephemeralTo }) => ephemeralTo === server.user('ana'))).toEqual([])
    expect(server.violations).toEqual([])
  })

  test('of another bot is no command, neither on an answer nor on its own message', async () => {
    await using bench = await openBench()
    const { server, sink, platform } = bench
    const thread_ts = server.people.mention('ana', 'general', 'hi')
    const [page] = platform.pages({ kind: 'answer', text: 'answer', files: [], record: undefined })
    const id = await platform.post(threadOf(server, 'general', thread_ts), page, posting('k'))
    const built = server.people.botPost('general', 'The build failed', { legacy: false, thread_ts })
    const { name: bot } = server.world.otherBot
    server.people.react(bot, id, 'repeat')
    server.people.react(bot, built, 'x')
    server.people.react('ana', id, 'x')
    await server.idle()
    expect(sink.commands.map(({ name, person }) => [name, person.name])).toEqual([['stop', 'ana']])
    expect(server.violations).toEqual([])
  })
})

test('a message with a file is its author’s as any other is, however slowly Slack tells who that is', async () => {
  await using bench = await openBench({ pace: { nameMs: 10 } })
  const { server, sink } = bench
  server.world.person('ben').team = 'T0PARTNER'
  server.misbehave.slow('users.info', 300)
  const files = [{ name: 'report.txt', content: 'all is well' }]
  server.people.mention('ana', 'general', 'check this', { files })
  server.people.mention('ben', 'general', 'and this', { files })
  await server.idle()
  expect(sink.heard.map(({ person }) => person)).toEqual([
    { id: server.user('ana'), name: 'ana' },
    { id: server.user('ben'), name: 'ben', outside: true },
  ])
})

test('a message whose author Slack is slow to tell holds up its own thread, and no other', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  server.misbehave.slow('users.info', 6_000, { times: 1 })
  const files = [{ name: 'report.txt', content: 'all is well' }]
  const ts = server.people.mention('ana', 'general', 'check this', { files })
  server.people.post('ana', 'general', 'and that', { thread_ts: ts })
  server.people.mention('cleo', 'general', 'hello')
  const texts = () => sink.heard.map(({ text }) => text)
  await server.until(() => texts().includes('hello'))
  expect(texts()).toEqual(['hello'])
  await server.idle()
  expect(texts()).toEqual(['hello', 'check this', 'and that'])
})

test('the files of a mention are heard with it, also if Slack tells of it first without them', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const files = [{ name: 'report.txt', content: 'all is well' }]
  server.people.mention('ana', 'general', 'summarise this', { files, filesLater: true })
  await server.idle()
  expect(sink.heard).toMatchObject([{ text: 'summarise this', mentioned: true, files: [{ name: 'report.txt' }] }])
  expect(server.deliveries.map(({ outcome }) => outcome)).toEqual(['acked', 'acked'])
})

test('a reaction of somebody from another workspace says so, however slowly Slack tells it', async () => {
  await using bench = await openBench({ pace: { nameMs: 10 } })
  const { server, sink, platform } = bench
  const ts = server.people.mention('ana', 'general', 'hi')
  const [page] = platform.pages({ kind: 'answer', text: 'answer', files: [], record: undefined })
  const id = await platform.post(threadOf(server, 'general', ts), page, posting('k'))
  server.world.person('cleo').team = 'T0PARTNER'
  server.misbehave.slow('users.info', 300)
  server.people.react('cleo', id, 'x')
  await server.idle()
  expect(sink.commands).toMatchObject([{ name: 'stop', person: { id: server.user('cleo'), outside: true } }])
})

describe('the agent view', () => {
  test('suggests prompts when it is opened, and not at every look', async () => {
    await using bench = await openBench()
    const { server } = bench
    server.people.openHome('ana', { tab: 'home' })
    server.people.openHome('ana')
    server.people.openHome('ana')
    await server.idle()
    await server.until(() => server.prompts.get(server.channel('@ana')))
    expect(server.prompts.get(server.channel('@ana'))?.length).toBe(4)
    expect(server.callsTo('assistant.threads.setSuggestedPrompts')).toHaveLength(1)
    expect(server.violations).toEqual([])
  })

  test('’s Stop button takes the thread to rest, also where nothing is shown', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const ts = server.people.mention('ana', 'general', 'hi')
    server.world.sessions.set(`${server.channel('general')}:${ts}`, {
      channel: server.channel('general'),
      threadTs: ts,
      status: 'processing',
      title: '',
      initiator: undefined,
    })
    server.people.stopSession('ana', 'general', ts)
    await server.until(() => server.sessionStatus('general', ts) === 'active')
    expect(sink.commands).toMatchObject([{ name: 'stop', thread: { thread: ts } }])
  })
})

describe('a thread’s history', () => {
  test('is its first message and the latest ones before the mention, our own among them', async () => {
    await using bench = await openBench()
    const { server, platform } = bench
    const root = server.people.post('ana', 'general', 'the beginning')
    const thread = threadOf(server, 'general', root)
    for (let count = 1; count <= 5; count++) server.people.post('ben', 'general', `reply ${count}`, { thread_ts: root })
    const [page] = platform.pages({ kind: 'answer', text: 'my answer', files: [], record: undefined })
    await platform.post(thread, page, posting('k'))
    server.people.botPost('general', 'a bot’s', { thread_ts: root })
    const mention = server.people.mention('cleo', 'general', 'and now?', { thread_ts: root })
    server.people.post('ben', 'general', 'later', { thread_ts: root })
    await server.idle()
    const earlier = await platform.history(thread, mention, 4)
    expect(earlier.map(({ author, text }) => `${author}: ${text}`)).toEqual([
      'person: the beginning',
      'person: reply 5',
      'self: my answer',
      'bot: a bot’s',
    ])
    expect(await platform.history(thread, root, 10)).toEqual([])
    expect(server.violations).toEqual([])
  })

  test('ends with the latest ones also in a very long thread', async () => {
    await using bench = await openBench()
    const { server, platform } = bench
    const root = server.people.post('ana', 'general', 'the beginning')
    const away = { thread_ts: root, silent: true }
    for (let count = 1; count <= 2_001; count++) server.people.post('ben', 'general', `reply ${count}`, away)
    const last = server.people.post('ana', 'general', 'and now?', away)
    const earlier = await platform.history(threadOf(server, 'general', root), last, 2)
    expect(earlier.map(({ text }) => text)).toEqual(['the beginning', 'reply 2001'])
    expect(server.violations).toEqual([])
  })
})
