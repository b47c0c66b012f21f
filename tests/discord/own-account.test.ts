import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { startDiscordServer } from '../support/discord/server.ts'
import { says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { openRoom } from './room.ts'
import { say } from './stub.ts'

const server = { userInstall: true }

describe('a bot that people have added to their own account', () => {
  test.each(['server', 'people'] as const)(
    'is asked where it is not (%s), and answers in direct messages',
    async (kind) => {
      const { discord, sink, platform } = await openRoom({ server })
      const place = discord.people.elsewhere(kind)
      const direct = discord.people.direct('ana')
      discord.people.slash('ana', place, 'ask', { question: 'what is\na *bobbin*?' })
      const reply = await until('the reply', () => discord.view(place).find(({ loading }) => !loading))

      const thread = { platform: 'discord', tenant: 'dm', project: direct, thread: direct }
      expect(sink.heard).toMatchObject([
        { thread, text: 'what is\na *bobbin*?', direct: true, person: { id: discord.users.ana, name: 'Ana' } },
      ])
      expect(reply).toMatchObject({ ephemeralTo: 'ana' })
      expect(reply.content).toBe(`I’ll answer in our direct messages: https://discord.com/channels/@me/${direct}`)
      await say(platform, thread, 'A spool.')
      expect(discord.view(direct).map(({ content }) => content)).toEqual(['> what is a \\*bobbin\\*?', 'A spool.'])
      // Nothing there was read or posted but the reply to the command.
      expect(discord.calls.filter(({ path }) => path.includes(place))).toEqual([])
    },
  )

  test('says there what its commands say of the direct messages, in as many messages as Discord allows', async () => {
    const { discord, sink } = await openRoom({ server })
    sink.command = async (command) => {
      sink.commands.push(command)
      return 'a line of words\n'.repeat(2_000)
    }
    const place = discord.people.elsewhere('server')
    const direct = discord.people.direct('ana')
    await discord.people.slash('ana', place, 'bobbin list').answered

    await until('all of it', () => discord.view(place).length === 5)
    expect(discord.view(place)[0]?.content).toContain(
      `In our direct messages (https://discord.com/channels/@me/${direct}):`,
    )
    expect(sink.commands).toMatchObject([{ name: 'list', tenant: 'dm', project: direct, thread: { thread: direct } }])
  })

  test('takes a question in its own server and in direct messages too', async () => {
    const { discord, sink } = await openRoom({ server })
    const direct = discord.people.direct('ben')
    for (const [place, question] of [
      [direct, 'one'],
      ['general', 'two'],
    ] as const) {
      discord.people.slash('ben', place, 'ask', { question })
      await until('the question', () => sink.heard.some(({ text }) => text === question))
    }
    expect(sink.heard.map(({ text, thread }) => [text, thread.thread])).toEqual([
      ['one', direct],
      ['two', direct],
    ])
  })

  test('says so if it can’t open direct messages', async () => {
    const { discord, sink } = await openRoom({ server, mayViolate: true })
    const refused = {
      kind: 'answer',
      status: 403,
      text: '{"code": 50007, "message": "Cannot send messages to this user"}',
    } as const
    discord.misbehave.fail({ method: 'POST', path: '/users/@me/channels' }, refused)
    const place = discord.people.elsewhere('people')
    await discord.people.slash('ana', place, 'ask', { question: 'what now?' }).answered
    await until('the sentence', () =>
      discord.view(place)[0]?.content.startsWith('I can’t open direct messages with you.'),
    )
    expect(sink.heard).toEqual([])
  })
})

test('without User Install, its commands are offered only where it is', async () => {
  const { discord } = await openRoom()
  const place = discord.people.elsewhere('server')
  expect(() => discord.people.slash('ana', place, 'bobbin status')).toThrow('is not offered')
  expect(() => discord.people.slash('ana', 'general', 'ask', { question: 'hm' })).toThrow('has registered no command')
})

test('who may ask it there is decided as in direct messages', async () => {
  const discord = await startDiscordServer(server)
  const bot = await startTestBot({
    script: [says('A spool.')],
    environment: { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
    config: { access: { users: [discord.users.ana ?? ''] } },
  })
  onTestFinished(async () => {
    await bot.stop()
    await discord.close()
  })
  const isRegistered = () => discord.calls.some(({ path, status }) => path.endsWith('/commands') && status === 200)
  await until('the commands', isRegistered)
  const place = discord.people.elsewhere('server')
  const told = (person: string) =>
    until('the reply', () => discord.view(place).findLast(({ ephemeralTo }) => ephemeralTo === person)?.content)

  discord.people.slash('ben', place, 'ask', { question: 'and I?' })
  expect(await told('ben')).toBe('You’re not allowed to use me in direct messages.')
  discord.people.slash('ben', place, 'bobbin alarms')
  await until(
    'the other reply',
    async () => /not allowed to use/.test(await told('ben')) && discord.view(place).length === 2,
  )
  discord.people.slash('ana', place, 'ask', { question: 'what is a bobbin?' })
  expect(await told('ana')).toContain('I’ll answer in our direct messages')
  const direct = discord.people.direct('ana')
  await until('the answer', () => discord.view(direct).some(({ content }) => content === 'A spool.'))
  expect(bot.model.requests).toHaveLength(1)
  expect(discord.view(discord.people.direct('ben'))).toEqual([])
})
