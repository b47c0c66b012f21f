import { describe, expect, test } from 'vitest'
import { Failure, Unavailable } from '../../src/kit/failure.ts'
import { until } from '../support/until.ts'
import { openRoom } from './room.ts'
import { say } from './stub.ts'

describe('hearing', () => {
  test('a mention in a channel begins a thread, and is answered in it', async () => {
    const { discord, mention, platform } = await openRoom()
    const heard = await mention('ana', 'general', 'what is up?')

    expect(heard).toMatchObject({
      thread: {
        platform: 'discord',
        tenant: discord.guildId,
        project: discord.channels.general,
        thread: heard.message,
      },
      dedupKey: `discord:${discord.guildId}:${discord.channels.general}:${heard.message}`,
      person: { id: discord.users.ana },
      mentioned: true,
      direct: false,
      toOthers: false,
      reply: false,
      author: 'person',
      files: [],
    })
    await say(platform, heard.thread, 'Everything.')
    expect(discord.view(heard.thread.thread)).toMatchObject([{ content: 'Everything.', author: expect.any(String) }])
  })

  test('what follows in the thread belongs to it, whether it names the bot or not', async () => {
    const { discord, mention, hears, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    await say(platform, thread, 'Hello.')
    discord.people.post('ben', thread.thread, 'and me?')

    expect(await hears('and me?')).toMatchObject({ thread, mentioned: false, reply: true })
  })

  test('a name that somebody gives the thread is the thread’s, also if the bot was away', async () => {
    const { discord, sink, mention, platform, stop, start } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    await say(platform, thread, 'Hello.')
    discord.people.archiveThread(thread.thread)
    discord.people.unarchiveThread(thread.thread)
    discord.people.renameThread('ana', thread.thread, 'The new office')
    await until('the name', () => sink.renames.length > 0)
    sink.known = [thread]
    await stop()
    discord.people.renameThread('ben', thread.thread, 'The old office')
    await start()
    // What was heard just before may be read again, in its order.
    await until('the second name', () => sink.renames.at(-1)?.title === 'The old office')
    expect(sink.renames[0]).toEqual({ thread, title: 'The new office' })
    expect(sink.renames.at(-1)).toEqual({ thread, title: 'The old office' })
    expect(sink.heard).toHaveLength(1)
  })

  test('everything said in a channel is passed on, for nobody in particular', async () => {
    const { discord, hears } = await openRoom()
    discord.people.post('ana', 'general', 'lunch?')

    expect(await hears('lunch?')).toMatchObject({ mentioned: false, toOthers: false, reply: false })
  })

  test('only ids count: everyone, a name, and a mention in code are no mention', async () => {
    const { discord, hears } = await openRoom()
    discord.people.post('ana', 'general', '@everyone look')
    discord.people.post('ana', 'general', '@bobbin hi')
    discord.people.post('ana', 'general', `\`<@${discord.botId}>\` is how`)
    await hears('@bobbin hi')

    for (const text of ['@everyone look', '@bobbin hi', `\`<@${discord.botId}>\` is how`]) {
      expect(await hears(text)).toMatchObject({ mentioned: false })
    }
  })

  test("the bot's own role is the bot", async () => {
    const { discord, hears } = await openRoom()
    const role = Object.entries(discord.roles).find(([name]) => !['@everyone', 'approvers'].includes(name))
    discord.people.post('ana', 'general', `<@&${role?.[1]}> are you there?`)

    expect(await hears('are you there?')).toMatchObject({ mentioned: true })
  })

  test('mentions of others, channels and times are read as people see them', async () => {
    const { discord, hears } = await openRoom()
    const { users, channels } = discord
    discord.people.post(
      'ana',
      'general',
      `<@${users.ben}> see <#${channels.random}> at <t:1700000000:f> <:party:123456789012345678>`,
    )

    expect(await hears('@Ben see #random at 2023-11-14 22:13 UTC :party:')).toMatchObject({
      toOthers: true,
      mentioned: false,
    })
  })

  test('a reply that notifies the bot is a mention; one that doesn’t is not', async () => {
    const { discord, mention, hears, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const [answer] = await say(platform, thread, 'Hello.')
    discord.people.post('ana', thread.thread, 'thanks', { reply: answer ?? '' })
    discord.people.post('ana', thread.thread, 'quietly', { reply: answer ?? '', ping: false })

    expect(await hears('thanks')).toMatchObject({ mentioned: true })
    expect(await hears('quietly')).toMatchObject({ mentioned: false, toOthers: false })
  })

  test('whoever replies to somebody else speaks to them', async () => {
    const { discord, mention, hears, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    await say(platform, thread, 'Hello.')
    const hers = discord.people.post('cleo', thread.thread, 'I think so too')
    discord.people.post('ana', thread.thread, 'do you?', { reply: hers, ping: false })

    expect(await hears('do you?')).toMatchObject({ toOthers: true })
  })

  test('a question about a message that is replied to brings that message and its files', async () => {
    const { discord, sink } = await openRoom()
    const file = { name: 'plan.txt', content: 'first, second' }
    const hers = discord.people.post('cleo', 'general', 'the plan', { files: [file] })
    discord.people.post('ana', 'general', `<@${discord.botId}> is it any good?`, { reply: hers })
    const heard = await until('the question', () => sink.heard.find(({ mentioned }) => mentioned))

    expect(heard.text).toBe('is it any good?\n\n> Cleo wrote:\n> the plan')
    expect(heard.files).toMatchObject([{ name: 'plan.txt', size: 13 }])
  })

  test('a direct message needs no mention, and its channel is its thread', async () => {
    const { discord, hears, platform } = await openRoom()
    const channel = discord.people.direct('ana')
    discord.people.post('ana', channel, 'between us')
    const heard = await hears('between us')

    expect(heard).toMatchObject({
      direct: true,
      thread: { tenant: 'dm', project: channel, thread: channel },
      dedupKey: `discord:dm:${channel}:${heard.message}`,
    })
    await say(platform, heard.thread, 'Yes.')
    expect(discord.view(channel).map(({ content }) => content)).toEqual(['between us', 'Yes.'])
  })

  test('threads that people made, and posts of forums, are threads by their own id', async () => {
    const { discord, hears } = await openRoom()
    const thread = discord.people.createThread('ana', 'general', 'plans')
    discord.people.post('ana', thread, 'in a thread')
    const post = discord.people.createThread('ana', 'forum', 'a question', { text: 'how?' })

    expect((await hears('in a thread')).thread).toMatchObject({ project: discord.channels.general, thread })
    expect(await hears('how?')).toMatchObject({
      thread: { project: discord.channels.forum, thread: post },
      reply: false,
    })
  })

  test('a private thread is a project of its own: its channel’s people do not read it', async () => {
    const { discord, hears, platform } = await openRoom()
    const thread = discord.people.createThread('ana', 'general', 'secret plans', { isPrivate: true })
    discord.people.inviteToThread(thread, discord.botId)
    discord.people.post('ana', thread, `<@${discord.botId}> only here`)
    const heard = await hears('only here')
    expect(heard.thread).toMatchObject({ project: thread, thread })
    await say(platform, heard.thread, 'Yes.')
    expect(discord.view(thread).at(-1)?.content).toBe('Yes.')
    expect(platform.link(heard.thread)).toContain(thread)
  })

  test('other bots’ messages are marked as such; our own are not passed on', async () => {
    const { discord, mention, hears, platform, sink } = await openRoom()
    discord.people.post('loom', 'general', 'beep')
    expect(await hears('beep')).toMatchObject({ author: 'bot' })
    const { thread } = await mention('ana', 'general', 'hello')
    await say(platform, thread, 'Hello.')
    discord.people.post('ana', thread.thread, 'after')
    await hears('after')

    expect(sink.texts).toEqual(['beep', 'hello', 'after'])
  })

  test('the same message that comes eleven times is one', async () => {
    const { discord, mention, hears, sink } = await openRoom()
    discord.misbehave.copies(11)
    await mention('ana', 'general', 'once')
    discord.misbehave.copies(1)
    discord.people.post('ana', 'general', 'later')
    await hears('later')

    expect(sink.texts).toEqual(['once', 'later'])
  })

  test('a message that cannot be stored is sent again until it is, and what follows waits for it', async () => {
    const { discord, sink, hears } = await openRoom()
    let failures = 2
    sink.beforeStoring = () => {
      if (failures-- > 0) throw new Error('the disk is full')
    }
    discord.people.post('ana', 'general', 'first')
    discord.people.post('ana', 'general', 'second')
    await hears('second')

    expect(sink.texts).toEqual(['first', 'second'])
  })

  test.each([
    ['the sender is told in the thread', undefined],
    ['what follows in the thread is heard although Discord refuses to have it said', { status: 400, code: 200_000 }],
    ['what follows in the thread is heard although the bot may not say it there', { status: 403, code: 50_013 }],
  ])('of a message that can’t be accepted, %s', async (_, refusal) => {
    const { discord, sink, hears } = await openRoom()
    const thread = discord.people.createThread('ana', 'general', 'plans')
    sink.beforeStoring = ({ text }) => {
      if (text === 'look') throw new Failure('too_many_files', 'That are too many files.', 'Send fewer.')
    }
    const { status, code } = refusal ?? {}
    if (status !== undefined) {
      const answer = JSON.stringify({ code, message: 'No' })
      discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'answer', status, text: answer }, 99)
    }
    discord.people.post('ana', thread, 'look')
    discord.people.post('ana', thread, 'at these')
    await hears('at these')

    const told = refusal === undefined ? ['That are too many files. Send fewer.'] : []
    const own = discord.view(thread).filter(({ author }) => author === 'bobbin')
    expect(own.map(({ content }) => content)).toEqual(told)
    expect(sink.texts.filter((text) => text !== 'plans')).toEqual(['at these'])
  })

  test('a stop doesn’t wait until there is room to tell the sender, and the next start does', async () => {
    const room = await openRoom()
    const { discord, sink } = room
    const thread = discord.people.createThread('ana', 'general', 'plans')
    sink.beforeStoring = () => {
      throw new Failure('too_many_files', 'That are too many files.', 'Send fewer.')
    }
    const limit = { kind: 'rate-limited', retryAfterMs: 20_000, scope: 'shared' } as const
    discord.misbehave.fail({ method: 'POST', path: /messages$/ }, limit, 1)
    discord.people.post('ana', thread, 'look')
    await until('the first try', () =>
      discord.calls.some(({ method, path }) => method === 'POST' && /messages$/.test(path)),
    )
    const own = () => discord.view(thread).filter(({ author }) => author === 'bobbin')
    await room.stop()
    expect(own()).toEqual([])
    await room.start()
    await until('the word', () => own().length > 0)
    expect(own().map(({ content }) => content)).toEqual(['That are too many files. Send fewer.'])
  })

  test('of an edit that can’t be accepted, the sender is told in the thread, once', async () => {
    const { discord, sink } = await openRoom()
    const thread = discord.people.createThread('ana', 'general', 'plans')
    const message = discord.people.post('ana', thread, 'look')
    await until('the message', () => sink.texts.includes('look'))
    let tries = 0
    sink.beforeChanging = () => {
      tries++
      throw new Failure('too_many_files', 'That are too many files.', 'Send fewer.')
    }
    const own = () => discord.view(thread).filter(({ author }) => author === 'bobbin')
    for (const text of ['look at this', 'look at these']) {
      const before = tries
      discord.people.edit('ana', message, `<@${discord.botId}> ${text}`)
      await until('the edit', () => tries > before && own().length > 0)
    }

    sink.beforeChanging = () => {}
    discord.people.edit('ana', message, 'never mind')
    await until('the next edit', () => sink.changes.length > 0)
    expect(own().map(({ content }) => content)).toEqual(['That are too many files. Send fewer.'])
    expect(tries).toBe(2)
  })

  test('edits and deletions are passed on; what Discord adds to a message is not', async () => {
    const { discord, mention, sink } = await openRoom()
    const heard = await mention('ana', 'general', 'helo')
    discord.people.edit('ana', heard.message, `<@${discord.botId}> hello`)
    const edited = await until('the edit', () => sink.changes[0])
    expect(edited).toMatchObject({
      dedupKey: heard.dedupKey,
      thread: heard.thread,
      now: { text: 'hello', mentioned: true },
    })

    discord.people.delete(heard.message)
    const deleted = await until('the deletion', () => sink.changes[1])
    expect(deleted).toMatchObject({ dedupKey: heard.dedupKey, thread: heard.thread })
    expect(deleted.now).toBeUndefined()
  })

  test('an edit and a deletion that can’t be stored are passed on again until they are', async () => {
    const { discord, mention, sink } = await openRoom()
    const heard = await mention('ana', 'general', 'helo')
    let failures = 2
    sink.beforeChanging = () => {
      if (failures-- > 0) throw new Unavailable('disk_full', 'The disk is full.', 'Make room', { passes: true })
    }
    discord.people.edit('ana', heard.message, `<@${discord.botId}> hello`)
    await until('the edit', () => sink.changes.length === 1)
    failures = 2
    discord.people.delete(heard.message)
    await until('the deletion', () => sink.changes.length === 2)
    expect(sink.changes.map(({ now }) => now?.text)).toEqual(['hello', undefined])
    expect(failures).toBe(-1)
  })
})

describe('history', () => {
  test('what was said in a thread before, with the message that it was made of', async () => {
    const { discord, mention, platform } = await openRoom()
    const root = discord.people.post('ana', 'general', 'where is the report?')
    const thread = discord.people.createThread('ana', 'general', 'report', { from: root })
    discord.people.post('ben', thread, 'in the drawer')
    discord.people.post('loom', thread, 'beep')
    const heard = await mention('ana', thread, 'what do you think?')

    const history = await platform.history(heard.thread, heard.dedupKey, 50)
    expect(history.map(({ text, author }) => [text, author])).toEqual([
      ['where is the report?', 'person'],
      ['in the drawer', 'person'],
      ['beep', 'bot'],
    ])
    expect(history[0]?.dedupKey).toBe(`discord:${discord.guildId}:${discord.channels.general}:${root}`)
    expect((await platform.history(heard.thread, heard.dedupKey, 2)).map(({ text }) => text)).toEqual([
      'in the drawer',
      'beep',
    ])
  })

  test('a mention that begins a thread has none', async () => {
    const { mention, platform } = await openRoom()
    const heard = await mention('ana', 'general', 'hello')

    expect(await platform.history(heard.thread, heard.dedupKey, 50)).toEqual([])
  })
})

test('addresses of threads and messages', async () => {
  const { discord, mention, platform } = await openRoom()
  const { thread, message } = await mention('ana', 'general', 'hello')
  const [answer] = await say(platform, thread, 'Hello.')
  const server = `https://discord.com/channels/${discord.guildId}`

  expect(platform.link(thread)).toBe(`${server}/${thread.thread}`)
  expect(platform.link(thread, answer)).toBe(`${server}/${thread.thread}/${answer}`)
  expect(platform.link(thread, message)).toBe(`${server}/${thread.project}/${message}`)
  expect(platform.messageIn(platform.link(thread, answer) ?? '')).toBe(answer)
  expect(platform.messageIn('what?')).toBeUndefined()
})
