import { describe, expect, test } from 'vitest'
import { Unavailable } from '../../src/kit/failure.ts'
import { commands as registered } from '../../src/platforms/discord/interactions/command-list.ts'
import { commands as known } from '../support/commands.ts'
import { until } from '../support/until.ts'
import { openRoom } from './room.ts'
import { say } from './stub.ts'

describe('slash commands', () => {
  test('are those that the core knows, each with its argument', () => {
    const [bobbin] = registered
    const offered = bobbin !== undefined && 'options' in bobbin ? bobbin.options : []

    expect(offered.map(({ name }) => name).toSorted()).toEqual(known.map(({ name }) => name).toSorted())
    for (const { name, argument } of known) {
      const part = offered.find((one) => one.name === name)
      const given = part !== undefined && 'options' in part ? part.options?.map((option) => option.name) : undefined
      expect(given ?? []).toEqual(argument === undefined ? [] : [argument.name])
    }
  })

  test('in a thread are about the thread; only whoever asked sees the answer', async () => {
    const { discord, mention, platform, sink } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    await say(platform, thread, 'Hello.')
    const asked = discord.people.slash('ana', thread.thread, 'bobbin status')
    // A busy machine says first that the answer is coming.
    expect((await asked.answered).kind).toMatch(/^(?:message|deferred)$/)

    expect(await until('the command', () => sink.commands[0])).toMatchObject({
      name: 'status',
      argument: '',
      thread,
      dedupKey: `discord:${discord.guildId}:${discord.channels.general}:${asked.id}`,
      person: { id: discord.users.ana, name: 'Ana' },
    })
    const shown = () => discord.view(thread.thread).find(({ content }) => content === 'did status')
    expect(await until('the words', shown)).toMatchObject({ ephemeralTo: 'ana', loading: false })
  })

  test('in a channel are about the channel, and take an argument', async () => {
    const { discord, sink } = await openRoom()
    discord.people.slash('ana', 'general', 'bobbin why', { link: 'https://discord.com/channels/1/2/3' })

    expect(await until('the command', () => sink.commands[0])).toMatchObject({
      name: 'why',
      argument: 'https://discord.com/channels/1/2/3',
      thread: undefined,
      project: discord.channels.general,
    })
  })

  test('in direct messages are about them', async () => {
    const { discord, sink } = await openRoom()
    const channel = discord.people.direct('ana')
    discord.people.slash('ana', channel, 'bobbin stop')

    expect(await until('the command', () => sink.commands[0])).toMatchObject({
      tenant: 'dm',
      thread: { tenant: 'dm', project: channel, thread: channel },
    })
  })

  test('what they say is split where it is long, and rings nobody', async () => {
    const { discord, sink } = await openRoom()
    sink.command = async () => `<@${discord.users.ben}> ${'a line of words\n'.repeat(200)}`
    await discord.people.slash('ana', 'general', 'bobbin list').answered

    const shown = await until('both messages', () => {
      const view = discord.view('general').filter(({ loading }) => !loading)
      return view.length === 2 && view
    })
    expect(shown.map(({ ephemeralTo }) => ephemeralTo)).toEqual(['ana', 'ana'])
    expect(shown.flatMap(({ pinged }) => pinged)).toEqual([])
  })

  test('what takes long is promised, and comes', async () => {
    const { discord, sink } = await openRoom()
    const slow = Promise.withResolvers<string>()
    sink.command = () => slow.promise
    expect((await discord.people.slash('ana', 'general', 'bobbin list').answered).kind).toBe('deferred')
    slow.resolve('at last')

    await until('the words', () =>
      discord.view('general').some(({ content, loading }) => content === 'at last' && !loading),
    )
  })

  test('one that fails says so', async () => {
    const { discord, sink } = await openRoom()
    sink.command = () => Promise.reject(new Error('the disk is full'))
    await discord.people.slash('ana', 'general', 'bobbin list').answered

    await until('the words', () =>
      discord.view('general').some(({ content }) => content.startsWith('That didn’t work.')),
    )
  })
})

test('a question about a message begins a thread there, with the message and its files', async () => {
  const { discord, sink, platform } = await openRoom()
  const file = { name: 'plan.txt', content: 'first, second' }
  const message = discord.people.post('cleo', 'general', 'the plan', { files: [file] })
  await discord.people.messageCommand('ana', message, 'Ask bot about this message').answered
  await discord.people.submitModal('ana', { text: 'is it any good?' }).answered
  const heard = await until('the question', () => sink.heard.find(({ mentioned }) => mentioned))

  expect(heard).toMatchObject({
    thread: { project: discord.channels.general, thread: message },
    person: { id: discord.users.ana },
    text: 'is it any good?\n\n> Cleo wrote:\n> the plan',
    files: [{ name: 'plan.txt' }],
  })
  await until('the address', () => discord.view('general').some(({ content }) => content.includes(`/${message}`)))
  await say(platform, heard.thread, 'Very good.')
  expect(discord.view(message).map(({ content }) => content)).toEqual(['Very good.'])
})

describe('reactions', () => {
  test('retry and stop, under an answer and under what was asked; a second time is meant again', async () => {
    const { discord, mention, platform, sink } = await openRoom()
    const { thread, message } = await mention('ana', 'general', 'hello')
    const [answer] = await say(platform, thread, 'Hello.')
    discord.people.react('ben', answer ?? '', '🔁')
    discord.people.react('ana', message, '🛑')
    await until('both', () => sink.commands.length === 2)
    expect(sink.commands).toMatchObject([
      { name: 'retry', thread, person: { id: discord.users.ben } },
      { name: 'stop', thread, person: { id: discord.users.ana } },
    ])

    discord.people.unreact('ben', answer ?? '', '🔁')
    discord.people.react('ben', answer ?? '', '🔁')
    await until('the third', () => sink.commands.length === 3)
    expect(new Set(sink.commands.map(({ dedupKey }) => dedupKey)).size).toBe(3)
  })

  test('what is removed while the bot is away, or by a moderator, and added again is meant again', async () => {
    const { discord, mention, sink, stop, start } = await openRoom()
    const { message } = await mention('ana', 'general', 'hello')
    const stopped = async (times: number) => {
      discord.people.react('ana', message, '🛑')
      await until('the command', () => sink.commands.length === times)
    }
    await stopped(1)
    await stop()
    discord.people.unreact('ana', message, '🛑')
    await start()
    await stopped(2)
    discord.people.clearReactions(message)
    await stopped(3)
    discord.people.clearReactions(message, '🛑')
    await stopped(4)
    expect(new Set(sink.commands.map(({ dedupKey }) => dedupKey)).size).toBe(4)
  })

  test.each([
    ['👍🏽', 'good'],
    ['👎🏿', 'bad'],
    ['👍️', 'good'],
  ])('%s is feedback too, whatever its skin tone', async (emoji, value) => {
    const { discord, mention, platform, sink } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const [answer] = await say(platform, thread, 'Hello.')
    discord.people.react('ben', answer ?? '', emoji)
    expect(await until('the judgement', () => sink.judgements[0])).toMatchObject({ message: answer, value })
  })

  test("a judgement is told; other emoji, and reactions to other people's messages, mean nothing", async () => {
    const { discord, mention, platform, sink } = await openRoom()
    const { thread, message } = await mention('ana', 'general', 'hello')
    const [answer] = await say(platform, thread, 'Hello.')
    discord.people.react('ben', message, '🔁')
    discord.people.react('ben', answer ?? '', '🎉')
    discord.people.react('ben', answer ?? '', '👎')

    expect(await until('the judgement', () => sink.judgements[0])).toEqual({ thread, message: answer, value: 'bad' })
    expect(sink.commands).toEqual([])
  })

  test('that can’t be stored are passed on again until they are, in their order', async () => {
    const { discord, mention, platform, sink } = await openRoom()
    const { thread, message } = await mention('ana', 'general', 'hello')
    const [answer] = await say(platform, thread, 'Hello.')
    const keys: string[] = []
    let failures = 2
    const mayFail = () => {
      if (failures-- > 0) throw new Unavailable('disk_full', 'The disk is full.', 'Make room', { passes: true })
    }
    const { command, feedback } = sink
    sink.command = async (given) => {
      keys.push(given.dedupKey)
      mayFail()
      return command.call(sink, given)
    }
    sink.feedback = async (on) => {
      mayFail()
      return feedback.call(sink, on)
    }
    discord.people.react('ana', message, '🛑')
    await until('the command', () => sink.commands.length === 1)
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])

    failures = 1
    discord.people.react('ben', answer ?? '', '👍')
    discord.people.react('ben', answer ?? '', '👎')
    await until('both judgements', () => sink.judgements.length === 2)
    expect(sink.judgements).toMatchObject([{ value: 'good' }, { value: 'bad' }])
  })

  test('are nothing to a process that was frozen while another one took them', async () => {
    const { discord, deps, mention, sink, stop, start } = await openRoom()
    const wasReplaced: boolean[] = []
    await stop()
    Object.assign(deps, { isReplaced: async () => wasReplaced.shift() ?? false })
    await start()
    const { message } = await mention('ana', 'general', 'hello')
    wasReplaced.push(true)
    discord.people.react('ana', message, '🔁')
    discord.people.react('ana', message, '🛑')
    await until('the other one', () => sink.commands.some(({ name }) => name === 'stop'))
    expect(sink.commands).toHaveLength(1)
  })

  test('under an answer without a thread belong to what was asked', async () => {
    const { discord, mention, platform, sink } = await openRoom()
    discord.misbehave.deny('general', 'CreatePublicThreads')
    const { thread } = await mention('ana', 'general', 'hello')
    const [answer] = await say(platform, thread, 'Hello.')
    discord.people.react('ana', answer ?? '', '🔁')

    expect(await until('the command', () => sink.commands[0])).toMatchObject({ name: 'retry', thread })
  })
})
