import { type TextChannel, ThreadAutoArchiveDuration } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { connect, type RawAnswer, raw, startServer, until, untilHeard } from './server-support.ts'

describe('the server', () => {
  test('lets discord.js in, and shows it the guild', async () => {
    const discord = await startServer()
    const { client } = await connect(discord)
    const guild = client.guilds.cache.get(discord.guildId)
    expect(client.user.username).toBe('bobbin')
    expect(guild?.channels.cache.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['general', 'forum', 'private']),
    )
    expect(guild?.members.me?.roles.cache.map(({ name }) => name)).toContain('bobbin')
    expect((await guild?.members.fetch(discord.users.ben ?? ''))?.roles.cache.map(({ name }) => name)).toContain(
      'approvers',
    )
    expect((await guild?.members.fetch())?.size).toBe(5)
    expect(discord.gateway).toEqual({ connected: 1, identifies: 1, resumes: 0, remaining: 999 })
    expect(discord.violations).toEqual([])
  })

  test('answers whoever has another token with 401', async () => {
    const discord = await startServer()
    await expect(connect({ ...discord, token: 'another' })).rejects.toThrow('invalid token')
  })

  test('carries a message there and an answer back', async () => {
    const discord = await startServer()
    const { client, messages } = await connect(discord)
    client.on('messageCreate', (message) => {
      if (!message.author.bot) message.reply({ content: `You said ${message.content}`, allowedMentions: { parse: [] } })
    })
    const id = discord.people.post('ana', 'general', `hello <@${discord.botId}>`)
    await until(() => expect(discord.view('general')).toHaveLength(2))
    expect(messages[0]?.mentions.users.map(({ username }) => username)).toEqual(['bobbin'])
    expect(discord.view('general')[1]).toMatchObject({
      author: 'bobbin',
      content: `You said hello <@${discord.botId}>`,
      replyTo: id,
      pinged: [],
    })
    expect(discord.calls.at(-1)).toMatchObject({
      method: 'POST',
      status: 200,
      body: { allowed_mentions: { parse: [] } },
    })
    expect(discord.violations).toEqual([])
  })

  test('knows mentions by their ids only, and none in code', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    const { botId, users, roles } = discord
    discord.people.post('cleo', 'general', `@bobbin \`<@${botId}>\` <@${users.ben}> <@&${roles.approvers}> @everyone`)
    discord.people.post('ana', 'general', '@everyone')
    await untilHeard(connected, '@everyone')
    const [first, second] = connected.messages
    expect(first?.mentions.users.map(({ username }) => username)).toEqual(['ben'])
    expect(first?.mentions.roles.map(({ name }) => name)).toEqual(['approvers'])
    expect([first?.mentions.everyone, second?.mentions.everyone]).toEqual([false, true])
  })

  test('tells edits, deletions and reactions', async () => {
    const discord = await startServer()
    const { client, messages } = await connect(discord)
    const told: string[] = []
    client.on('messageUpdate', (_, { content }) => told.push(`edited ${content}`))
    client.on('messageDelete', ({ id }) => told.push(`deleted ${id}`))
    client.on('messageReactionAdd', ({ emoji }, user) => told.push(`${user.id} ${emoji.name}`))
    const id = discord.people.post('ana', 'general', 'frist')
    discord.people.edit('ana', id, 'first')
    discord.people.react('ben', id, '👀')
    await until(() => expect(told).toEqual(['edited first', `${discord.users.ben} 👀`]))
    await messages[0]?.react('✅')
    expect(discord.view('general')[0]).toMatchObject({ edited: true, reactions: { '👀': ['ben'], '✅': ['bobbin'] } })
    discord.people.delete(id)
    await until(() => expect(told.at(-1)).toBe(`deleted ${id}`))
    await expect(messages[0]?.fetch()).rejects.toThrow('Unknown Message')
    expect(discord.violations).toEqual([])
  })

  test('carries files both ways, behind addresses that run out', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.people.post('ana', 'general', 'see', { files: [{ name: 'two words.txt', content: 'knots' }] })
    await untilHeard(connected, 'see')
    const attachment = connected.messages[0]?.attachments.first()
    expect(attachment).toMatchObject({ name: 'two_words.txt', size: 5, contentType: 'text/plain; charset=utf-8' })
    const url = attachment?.url ?? ''
    const [fetched, changed] = await Promise.all([fetch(url), fetch(url.replace('hm=', 'hm=0'))])
    expect([await fetched.text(), changed.status]).toEqual(['knots', 404])
    discord.misbehave.expire()
    expect((await fetch(url)).status).toBe(404)

    const channel = (await connected.client.channels.fetch(discord.channels.general ?? '')) as TextChannel
    await channel.send({ files: [{ attachment: Buffer.from('warp and weft'), name: 'cloth.md' }] })
    expect(discord.view('general').at(-1)?.attachments).toMatchObject([{ name: 'cloth.md', content: 'warp and weft' }])
    expect(discord.calls.at(-1)?.files).toEqual(['cloth.md'])
    expect(discord.violations).toEqual([])
  })

  test('has direct messages, and lets people close them', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.people.post('ben', discord.people.direct('ben'), 'psst')
    await untilHeard(connected, 'psst')
    const [message] = connected.messages
    expect(message?.inGuild()).toBe(false)
    await message?.reply('yes?')
    expect(discord.view(discord.people.direct('ben')).map(({ content }) => content)).toEqual(['psst', 'yes?'])
    discord.misbehave.closeDirect('ben')
    await expect(message?.reply('hello?')).rejects.toMatchObject({ code: 50007 })
    expect(discord.violations).toEqual([])
  })

  test('hides what the bot may not see', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.people.post('ana', 'hidden', 'secret')
    discord.people.post('ana', 'private', 'known')
    await untilHeard(connected, 'known')
    expect(connected.heard).toEqual(['known'])
    expect(await raw(discord, 'GET', `/channels/${discord.channels.hidden}/messages`)).toMatchObject({
      status: 403,
      body: { code: 50001, message: 'Missing Access' },
    })
    expect(() => discord.people.post('cleo', 'hidden', 'me too')).toThrow('cleo does not see hidden')
  })

  test('lists messages after, before and around one', async () => {
    const discord = await startServer()
    const ids = ['a', 'b', 'c', 'd', 'e'].map((text) => discord.people.post('ana', 'general', text))
    const list = async (query: string) => {
      const { body } = await raw(discord, 'GET', `/channels/${discord.channels.general}/messages?${query}`)
      return (body as unknown as { content: string }[]).map(({ content }) => content).join('')
    }
    expect(await list('limit=2')).toBe('ed')
    expect(await list(`after=${ids[1]}&limit=2`)).toBe('dc')
    expect(await list(`before=${ids[3]}&limit=2`)).toBe('cb')
    expect(await list(`around=${ids[2]}&limit=3`)).toBe('dcb')
    expect(discord.violations).toEqual([])
  })

  test('has more people and channels where they are asked for', async () => {
    const discord = await startServer({ people: ['dora'], channels: ['yarn'] })
    const connected = await connect(discord)
    const id = discord.people.post('dora', 'yarn', 'mine')
    discord.people.post('ana', 'yarn', 'yours?', { reply: id })
    discord.people.post('ana', 'yarn', 'quietly', { reply: id, ping: false })
    await untilHeard(connected, 'quietly')
    const [, pinged, quiet] = connected.messages
    expect(pinged?.mentions.users.map(({ username }) => username)).toEqual(['dora'])
    expect([quiet?.mentions.users.size, quiet?.reference?.messageId]).toEqual([0, id])
    discord.people.post('ana', 'yarn', 'and so on', { reply: quiet?.id ?? '' })
    await untilHeard(connected, 'and so on')
    const raws = (await raw(discord, 'GET', `/channels/${discord.channels.yarn}/messages?limit=1`)).body as unknown
    const [last] = raws as { referenced_message: object }[]
    expect(last?.referenced_message).toMatchObject({ message_reference: { message_id: id, guild_id: discord.guildId } })
    expect(last?.referenced_message).not.toHaveProperty('referenced_message')
  })

  test('gives roles, and access to channels with their threads', async () => {
    const discord = await startServer()
    const { client } = await connect(discord)
    const changed: string[] = []
    client.on('guildMemberUpdate', (_, member) => changed.push(member.roles.cache.map(({ name }) => name).join()))
    const guild = client.guilds.cache.get(discord.guildId)
    await guild?.members.fetch(discord.users.cleo ?? '')
    discord.people.giveRole('cleo', 'approvers')
    await until(() => expect(changed).toEqual(['@everyone,approvers']))
    const thread = discord.people.createThread('ana', 'hidden', 'Inside')
    expect(client.channels.cache.has(thread)).toBe(false)
    discord.misbehave.allow('hidden', 'ViewChannel')
    await until(() => expect(client.channels.cache.has(thread)).toBe(true))
    expect(discord.violations).toEqual([])
  })

  test('tells other bots from people', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.people.post('loom', 'general', 'clack')
    await untilHeard(connected, 'clack')
    expect(connected.messages[0]?.author).toMatchObject({ username: 'loom', bot: true })
  })
})

describe('threads', () => {
  async function withThread() {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.people.post('ana', 'general', 'a question')
    await untilHeard(connected, 'a question')
    const [message] = connected.messages
    const thread = await message?.startThread({
      name: 'An answer',
      autoArchiveDuration: ThreadAutoArchiveDuration.OneDay,
    })
    if (!message || !thread) throw new Error('There is no thread.')
    return { discord, connected, message, thread }
  }

  test('start from a message once, and share its id', async () => {
    const { discord, connected, message, thread } = await withThread()
    expect(thread.id).toBe(message.id)
    expect(
      await raw(discord, 'POST', `/channels/${discord.channels.general}/messages/${message.id}/threads`, { name: 'B' }),
    ).toMatchObject({ status: 400, body: { code: 160004 } })
    discord.people.post('ana', thread.id, 'thanks')
    await untilHeard(connected, 'thanks')
    const sent = await thread.send('welcome')
    expect(discord.view(thread.id).map(({ content }) => content)).toEqual(['thanks', 'welcome'])
    expect((await thread.fetchStarterMessage())?.content).toBe('a question')
    expect((await sent.fetch()).nonce).toBeNull()
    expect(discord.violations).toEqual([])
  })

  test('archived: cannot be edited, and open again when somebody writes', async () => {
    const { discord, connected, thread } = await withThread()
    const sent = await thread.send('working')
    discord.people.archiveThread(thread.id)
    await until(() => expect(thread.archived).toBe(true))
    await expect(sent.edit('done')).rejects.toMatchObject({ code: 50083 })
    await expect(sent.react('✅')).rejects.toMatchObject({ code: 50083 })
    await thread.send('done')
    await until(() => expect(thread.archived).toBe(false))
    await sent.edit('worked')
    discord.people.archiveThread(thread.id)
    discord.people.post('ana', thread.id, 'one more thing')
    await untilHeard(connected, 'one more thing')
    await until(() => expect(thread.archived).toBe(false))
    expect(discord.violations).toEqual([])
  })

  test('locked: closed to those who do not moderate', async () => {
    const { discord, thread } = await withThread()
    discord.people.lockThread(thread.id)
    await expect(thread.send('late')).rejects.toMatchObject({ code: 160005 })
    discord.people.archiveThread(thread.id)
    await expect(thread.send('later')).rejects.toMatchObject({ code: 50083 })
    await expect(thread.setArchived(false)).rejects.toMatchObject({ code: 50013 })
    expect(() => discord.people.post('cleo', thread.id, 'me too')).toThrow('locked')
  })

  test('private: unseen until the bot is brought in', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    const id = discord.people.createThread('ana', 'general', 'Quiet', { isPrivate: true })
    discord.people.post('ana', id, 'unheard')
    expect(await raw(discord, 'GET', `/channels/${id}`)).toMatchObject({ status: 403, body: { code: 50001 } })
    discord.people.inviteToThread(id, 'bobbin')
    discord.people.post('ana', id, 'heard')
    await untilHeard(connected, 'heard')
    expect(connected.heard).toEqual(['heard'])
    expect(connected.messages[0]?.channel.isThread()).toBe(true)
  })

  test('in a forum are posts, whose first message shares their id', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    const id = discord.people.createThread('ana', 'forum', 'How to knot?', { text: 'With two hands?' })
    await untilHeard(connected, 'With two hands?')
    expect(connected.messages[0]?.id).toBe(id)
    const created = await raw(discord, 'POST', `/channels/${discord.channels.forum}/threads`, {
      name: 'Tips',
      message: { content: 'Slowly.' },
    })
    expect(created).toMatchObject({ status: 201, body: { name: 'Tips', message: { id: created.body.id } } })
    expect(await raw(discord, 'POST', `/channels/${discord.channels.forum}/messages`, { content: 'no' })).toMatchObject(
      { body: { code: 40058 } },
    )
    expect(discord.violations).toEqual([])
  })

  test('are listed: active ones by guild, archived ones by channel', async () => {
    const { discord, thread } = await withThread()
    const archived = discord.people.createThread('ana', 'general', 'Old')
    discord.people.archiveThread(archived)
    const names = ({ body }: RawAnswer) => body.threads?.map(({ name }) => name)
    expect(names(await raw(discord, 'GET', `/guilds/${discord.guildId}/threads/active`))).toEqual([thread.name])
    const path = `/channels/${discord.channels.general}/threads/archived/public`
    expect(names(await raw(discord, 'GET', path))).toEqual(['Old'])
    expect(discord.violations).toEqual([])
  })
})
