import { describe, expect, test } from 'vitest'
import { NotPosted } from '../../src/platforms/platform.ts'
import { until } from '../support/until.ts'
import { approval } from './requests.ts'
import { openRoom } from './room.ts'
import { answer, posting, say } from './stub.ts'

const textsIn = (view: { content: string }[]) => view.map(({ content }) => content)

describe('threads', () => {
  test('one is named after the message, and made once by two answers at the same time', async () => {
    const { discord, hears, platform } = await openRoom()
    discord.people.post('ana', 'general', `<@${discord.botId}> please **sum up** <#${discord.channels.random}>\nthanks`)
    const { thread } = await hears('please **sum up** #random\nthanks')
    await Promise.all([say(platform, thread, 'one', 'a'), say(platform, thread, 'two', 'b')])

    const made = discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/threads'))
    expect(made).toHaveLength(1)
    expect(made[0]?.body).toMatchObject({ name: 'please sum up #random thanks' })
    expect(textsIn(discord.view(thread.thread)).toSorted()).toEqual(['one', 'two'])
  })

  test('one gets another name; channels and direct messages keep theirs', async () => {
    const { discord, hears, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    await platform.rename(thread, 'Too early')
    await say(platform, thread, 'Hello.')
    await platform.rename(thread, `Quarterly\nreport ${'of the year '.repeat(20)}`)
    discord.people.post('ana', discord.people.direct('ana'), 'in private')
    await platform.rename((await hears('in private')).thread, 'Not this one')

    const renamed = discord.calls.filter(({ method, path }) => method === 'PATCH' && !path.includes('/messages/'))
    expect(renamed).toMatchObject([{ status: 200, body: { name: expect.stringMatching(/^Quarterly report .{83}$/) } }])
    expect(renamed[0]?.path).toContain(thread.thread)
  })

  test('a forum’s post that was archived and forgotten is answered in the post', async () => {
    const { discord, hears, platform } = await openRoom({ timing: { quietMs: 300 } })
    const post = discord.people.createThread('ana', 'forum', 'a question', { text: `<@${discord.botId}> how?` })
    const { thread } = await hears('how?')
    discord.people.archiveThread(post)
    discord.misbehave.deafen()
    discord.people.post('ana', 'general', 'heard by a new connection')
    await hears('heard by a new connection')
    await until('a new connection', () => discord.gateway.identifies >= 2 && platform.health().ok)
    const [message = ''] = await say(platform, thread, 'With two hands.')
    await platform.edit(thread, message, platform.pages(answer('With both hands.'))[0])
    expect(textsIn(discord.view(post)).at(-1)).toBe('With both hands.')
  })

  test('two mentions at once get a thread each', async () => {
    const { discord, mention, platform } = await openRoom()
    const [first, second] = await Promise.all([mention('ana', 'general', 'one'), mention('ben', 'general', 'two')])
    await Promise.all([say(platform, first.thread, 'for ana'), say(platform, second.thread, 'for ben')])

    expect(textsIn(discord.view(first.thread.thread))).toEqual(['for ana'])
    expect(textsIn(discord.view(second.thread.thread))).toEqual(['for ben'])
  })

  test('one that somebody else makes meanwhile is used', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const run = () => discord.people.createThread('ben', 'general', 'mine', { from: thread.thread })
    discord.misbehave.fail({ method: 'POST', path: '/threads' }, { kind: 'first', run })
    await say(platform, thread, 'Hello.')

    expect(textsIn(discord.view(thread.thread))).toEqual(['Hello.'])
  })

  test('one that was made although the call failed is used at the next attempt', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    discord.misbehave.fail({ method: 'POST', path: '/threads' }, { kind: 'reset', stored: true })

    await expect(say(platform, thread, 'Hello.')).rejects.toMatchObject({ again: 'later' })
    await say(platform, thread, 'Hello.')
    expect(textsIn(discord.view(thread.thread))).toEqual(['Hello.'])
  })

  test('where none may be made, the bot replies in the channel, also after a restart, and goes on with who replies', async () => {
    const room = await openRoom()
    const { discord, mention, hears } = room
    discord.misbehave.deny('general', 'CreatePublicThreads')
    const { thread, message } = await mention('ana', 'general', 'hello')
    const [id] = await say(room.platform, thread, 'Hello.')
    await room.restart()
    await say(room.platform, thread, 'Again.')

    const view = discord.view('general')
    expect(view.map(({ content, replyTo }) => [content, replyTo])).toEqual([
      [expect.any(String), undefined],
      ['Hello.', message],
      ['Again.', message],
    ])
    expect(view.flatMap(({ pinged, author }) => (author === 'ana' ? [] : pinged))).toEqual([])
    discord.people.post('ana', 'general', 'and now?', { reply: id ?? '' })
    expect(await hears('and now?')).toMatchObject({ thread, reply: true, mentioned: true })
  })

  test('an archived one is brought back, also to edit in it; a locked one is said to be locked', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const [id] = await say(platform, thread, 'Hello.')
    discord.people.archiveThread(thread.thread)
    await say(platform, thread, 'More.')
    discord.people.archiveThread(thread.thread)
    await platform.edit(thread, id ?? '', platform.pages(answer('Hello!'))[0])
    expect(textsIn(discord.view(thread.thread))).toEqual(['Hello!', 'More.'])

    discord.people.lockThread(thread.thread)
    discord.people.archiveThread(thread.thread)
    await expect(say(platform, thread, 'Too late.')).rejects.toMatchObject({
      again: 'repairable',
      message: /locked|archived/,
      remedy: expect.stringContaining('Unlock'),
    })
  })

  test('a missing permission is named', async () => {
    const { discord, mention, platform, deps } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    await say(platform, thread, 'Hello.')
    discord.misbehave.deny('general', 'SendMessagesInThreads')

    await expect(say(platform, thread, 'No.')).rejects.toMatchObject({
      again: 'repairable',
      message: 'the bot lacks the permission "Send Messages in Threads" in this channel',
      said: 'I lack the permission "Send Messages in Threads" in this channel',
      everywhere: false,
    })
    expect(deps.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a thread that is gone, and a message that is gone, are said to be gone', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const [id] = await say(platform, thread, 'Hello.')
    discord.people.delete(id ?? '')
    await expect(platform.edit(thread, id ?? '', platform.pages(answer('x'))[0])).rejects.toMatchObject({
      again: 'never',
      gone: false,
    })

    for (const refusal of [
      { message: 'Unknown Channel', code: 10003 },
      { message: 'Unknown User', code: 10013 },
    ]) {
      const text = JSON.stringify(refusal)
      const unknown = { kind: 'answer', status: 404, text, contentType: 'application/json' } as const
      discord.misbehave.fail({ method: 'POST', path: `/channels/${thread.thread}/messages` }, unknown, 1)
      await expect(say(platform, thread, 'Where?')).rejects.toMatchObject({ again: 'never', gone: true })
    }

    const other = await mention('ana', 'general', 'one more')
    discord.people.delete(other.message)
    await expect(say(platform, other.thread, 'Where?')).rejects.toMatchObject({
      again: 'never',
      message: 'the message is gone',
      gone: true,
    })
  })

  test('somebody who takes no messages from the bot may do so again', async () => {
    const { discord, hears, platform } = await openRoom()
    const channel = discord.people.direct('ana')
    discord.people.post('ana', channel, 'hello')
    const { thread } = await hears('hello')
    discord.misbehave.closeDirect('ana')

    await expect(say(platform, thread, 'Hello.')).rejects.toMatchObject({
      again: 'repairable',
      message: /takes? no|doesn’t accept|does not take/,
    })
  })
})

describe('once', () => {
  test.each(['reset', 'status'] as const)(
    'a post that was stored although the call failed (%s) is found',
    async (kind) => {
      const { discord, mention, platform } = await openRoom()
      const { thread } = await mention('ana', 'general', 'hello')
      const how = posting('answer-1.0')
      const [page] = platform.pages(answer('Hello.'))
      const fault = kind === 'reset' ? { kind, stored: true } : { kind, status: 502, stored: true }
      await say(platform, thread, 'First.')
      discord.misbehave.fail({ method: 'POST', path: /messages$/ }, fault)

      const failure = await platform.post(thread, page, how).catch((thrown: unknown) => thrown)
      expect(failure).toBeInstanceOf(Error)
      expect(failure).not.toBeInstanceOf(NotPosted)
      const [, posted] = discord.view(thread.thread)
      expect(posted?.content).toBe('Hello.')
      expect(await platform.find(thread, how.again())).toBe(posted?.id)
    },
  )

  test('it is found by another process too, hours later, among others that say the same', async () => {
    const room = await openRoom({ server: { nonceMemoryMs: 0 } })
    const { discord, mention } = room
    const { thread } = await mention('ana', 'general', 'hello')
    await say(room.platform, thread, 'Done.', 'earlier')
    const how = posting('answer-1.0')
    discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'reset', stored: true })
    await room.platform.post(thread, room.platform.pages(answer('Done.'))[0], how).catch(() => {})
    await room.restart()

    const [, second] = discord.view(thread.thread)
    expect(await room.platform.find(thread, how.again())).toBe(second?.id)
  })

  test('one that was not stored is not found, although an earlier one says the same', async () => {
    const room = await openRoom({ server: { nonceMemoryMs: 0 } })
    const { discord, mention } = room
    const { thread } = await mention('ana', 'general', 'hello')
    await say(room.platform, thread, 'Done.', 'earlier')
    await room.restart()
    const how = posting('answer-1.0')
    discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'reset' })
    await room.platform.post(thread, room.platform.pages(answer('Done.'))[0], how).catch(() => {})

    expect(await room.platform.find(thread, how.again())).toBeUndefined()
  })

  test('one that another posting is known by is not taken for it', async () => {
    const room = await openRoom({ server: { nonceMemoryMs: 0 } })
    const { discord, mention } = room
    const { thread } = await mention('ana', 'general', 'hello')
    const how = posting('answer-1.0')
    const [page] = room.platform.pages(answer('Done.'))
    discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'reset' })
    await room.platform.post(thread, page, how).catch(() => {})
    const [other] = await say(room.platform, thread, 'Done.', 'later')
    const again = { ...how.again(), isOther: async (id: string) => id === other }

    expect(await room.platform.find(thread, again)).toBeUndefined()
    expect(await room.platform.find(thread, how.again())).toBe(other)
  })

  test('a card that was not stored is not mistaken for a message that Discord posts in our name', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const how = posting('card.0')
    discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'status', status: 502 })
    await platform.post(thread, platform.pages({ kind: 'card', request: approval() })[0], how).catch(() => {})

    expect(how.kept).toBeDefined()
    expect(await platform.find(thread, how.again())).toBeUndefined()
  })

  test.each([true, false])(
    'a card is found by what it carries, also when it looks otherwise (after a restart: %s)',
    async (restarted) => {
      const room = await openRoom({ server: { nonceMemoryMs: 0 } })
      const { discord, mention } = room
      const { thread } = await mention('ana', 'general', 'hello')
      const how = posting('card.0')
      const [page] = room.platform.pages({ kind: 'card', request: approval() })
      await room.platform.post(thread, page, posting('card-of-another.0'))
      discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'reset', stored: true })
      await room.platform.post(thread, page, how).catch(() => {})
      if (restarted) await room.restart()

      expect(await room.platform.find(thread, how.again())).toBe(discord.view(thread.thread)[1]?.id)
    },
  )

  test('the same post again, within minutes, is the same message', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const how = posting('answer-1.0')
    const [page] = platform.pages(answer('Hello.'))

    expect(await platform.post(thread, page, how)).toBe(await platform.post(thread, page, how))
    expect(discord.view(thread.thread)).toHaveLength(1)
  })

  test('without a note nothing was posted, and Discord is not asked', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const before = discord.calls.length

    expect(await platform.find(thread, posting('answer-1.0'))).toBeUndefined()
    expect(discord.calls).toHaveLength(before)
  })
})

describe('limits', () => {
  test.each(['user', 'global', 'shared', 'cloudflare'] as const)(
    'a 429 (%s) holds a message up and loses nothing',
    async (scope) => {
      const { discord, mention, platform } = await openRoom()
      const { thread } = await mention('ana', 'general', 'hello')
      discord.misbehave.fail(
        { method: 'POST', path: /messages$/ },
        { kind: 'rate-limited', retryAfterMs: 200, scope },
        2,
      )
      await say(platform, thread, 'Hello.')

      expect(textsIn(discord.view(thread.thread))).toEqual(['Hello.'])
    },
  )

  test('twelve messages into one thread come all, in order, without a single refusal', async () => {
    const { discord, mention, platform } = await openRoom({ server: { limits: true } })
    const { thread } = await mention('ana', 'general', 'hello')
    const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`)
    await say(platform, thread, 'first')
    await Promise.all(texts.map((text, index) => say(platform, thread, text, `many-${index}`)))

    expect(textsIn(discord.view(thread.thread))).toEqual(['first', ...texts])
    expect(discord.calls.filter(({ status }) => status === 429)).toEqual([])
  })

  test('retries while Discord is out of reach, and reports a refused token', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    await say(platform, thread, 'Hello.')
    discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'status', status: 401 })

    await expect(say(platform, thread, 'No.')).rejects.toMatchObject({ again: 'repairable', everywhere: true })
    expect(platform.health()).toEqual({
      ok: false,
      detail: 'Discord no longer accepts the token',
      remedy: expect.stringContaining('DISCORD_TOKEN'),
    })
    await say(platform, thread, 'Yes.')
    expect(platform.health().ok).toBe(true)
  })
})

test('nobody is notified, whatever an answer says', async () => {
  const { discord, mention, platform } = await openRoom()
  const { thread } = await mention('ana', 'general', 'hello')
  const text = `@everyone @here <@${discord.users.ben}> <@&${discord.roles.approvers}>`
  const [id] = await say(platform, thread, text)
  await platform.edit(thread, id ?? '', platform.pages(answer(`${text}!`))[0])

  expect(discord.view(thread.thread).flatMap(({ pinged }) => pinged)).toEqual([])
})

test('before it is connected, it posts nothing and looks for nothing', async () => {
  const { mention, platform, ...room } = await openRoom()
  const { thread } = await mention('ana', 'general', 'hello')
  await room.stop()
  const { discordPlatform } = await import('../../src/platforms/discord/discord.ts')
  const other = discordPlatform({ token: room.discord.token, apiUrl: room.discord.url }, room.deps)

  await expect(say(other, thread, 'x')).rejects.toMatchObject({ again: 'later', afterMs: 1_000 })
  await expect(other.find(thread, posting('x'))).rejects.toMatchObject({ again: 'later' })
  await other.stop()
  await until('the end', () => !other.health().ok)
})
