import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Heard } from '../../src/domain/chat.ts'
import { type Access, whyIgnored } from '../../src/trust/admit.ts'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { hang, says } from '../support/model-server.ts'
import { tablesIn } from '../support/rows.ts'

const everybody: Access = {
  tenants: [],
  channels: [],
  users: [],
  bots: [],
  otherWorkspaces: true,
  botMessages: 2,
  botWindowMs: 3_600_000,
  threads: 'all',
}

const mention: Heard = {
  dedupKey: 'memory:team:general:m1',
  message: 'm1',
  thread: { platform: 'memory', tenant: 'team', project: 'general', thread: 'm1' },
  at: 0,
  person: { id: 'ana', name: 'ana' },
  text: 'hello',
  files: [],
  mentioned: true,
  direct: false,
  toOthers: false,
  reply: false,
  author: 'person',
}
const fromBot: Heard = { ...mention, author: 'bot', person: { id: 'alertbot', name: 'alertbot' } }
const unchecked = { id: 'uma', name: 'uma', outside: true as const, unchecked: true as const }
const partner = { id: 'paz', name: 'paz', outside: true as const }
const chatter = { mentioned: false }

type Case = [
  what: string,
  heard: Heard,
  known: { known?: boolean; recent?: number },
  access: Partial<Access>,
  why: RegExp | undefined,
]

describe('why a message is answered or not', () => {
  const cases: Case[] = [
    ['a mention', mention, {}, {}, undefined],
    ['a mention in its thread', mention, { known: true }, {}, undefined],
    ['a mention of it and others', { ...mention, toOthers: true }, {}, {}, undefined],
    ['alone with it', { ...mention, ...chatter, direct: true }, {}, {}, undefined],
    ['its own', { ...mention, author: 'self' }, { known: true }, {}, /own/],
    ['chatter', { ...mention, ...chatter }, {}, {}, /doesn’t mention.*isn’t one of its threads/],
    ['a reply in its thread', { ...mention, ...chatter }, { known: true }, {}, undefined],
    ['a reply to somebody else', { ...mention, ...chatter, toOthers: true }, { known: true }, {}, /somebody else/],
    [
      'a reply where it wants its name',
      { ...mention, ...chatter },
      { known: true },
      { threads: 'mentions' },
      /threads/,
    ],
    ['a mention where it wants its name', mention, { known: true }, { threads: 'mentions' }, undefined],
    [
      'alone, where it wants its name',
      { ...mention, ...chatter, direct: true },
      { known: true },
      { threads: 'mentions' },
      undefined,
    ],

    ['another workspace', mention, {}, { tenants: ['others'] }, /access\.tenants/],
    ['its workspace', mention, {}, { tenants: ['others', 'team'] }, undefined],
    ['another channel', mention, {}, { channels: ['random'] }, /access\.channels/],
    ['its channel', mention, {}, { channels: ['general'] }, undefined],
    ['somebody unknown', mention, {}, { users: ['ben'] }, /access\.users/],
    [
      'somebody unknown in its thread',
      { ...mention, ...chatter },
      { known: true },
      { users: ['ben'] },
      /access\.users/,
    ],
    ['somebody unknown, alone with it', { ...mention, direct: true }, {}, { users: ['ben'] }, /access\.users/],
    ['somebody known', mention, {}, { users: ['ben', 'ana'] }, undefined],
    [
      'a name in place of an id',
      { ...mention, person: { id: 'x', name: 'ana' } },
      {},
      { users: ['ana'] },
      /access\.users/,
    ],

    ['a partner', { ...mention, person: partner }, {}, {}, undefined],
    ['somebody of an unknown workspace', { ...mention, person: unchecked }, {}, {}, undefined],
    [
      'somebody of an unknown workspace, without partners',
      { ...mention, person: unchecked },
      {},
      { otherWorkspaces: false },
      /couldn’t check .*other_workspaces/,
    ],
    ['a partner who isn’t wanted', { ...mention, person: partner }, {}, { otherWorkspaces: false }, /other_workspaces/],

    ['a bot', fromBot, {}, {}, /access\.bots/],
    ['a bot in its thread', fromBot, { known: true }, {}, /access\.bots/],
    ['a bot on the list of people', fromBot, {}, { users: ['alertbot'] }, /access\.bots/],
    ['a bot that is allowed', fromBot, {}, { bots: ['alertbot'] }, undefined],
    ['an allowed bot, beside a list of people', fromBot, {}, { bots: ['alertbot'], users: ['ana'] }, undefined],
    [
      'an allowed bot in another channel',
      fromBot,
      {},
      { bots: ['alertbot'], channels: ['random'] },
      /access\.channels/,
    ],
    ['an allowed bot in another workspace', fromBot, {}, { bots: ['alertbot'], tenants: ['x'] }, /access\.tenants/],
    [
      'an allowed bot that names nobody',
      { ...fromBot, ...chatter },
      { known: true },
      { bots: ['alertbot'] },
      /doesn’t mention this one/,
    ],
    [
      'an allowed bot alone with it',
      { ...fromBot, ...chatter, direct: true },
      {},
      { bots: ['alertbot'] },
      /doesn’t mention this one/,
    ],
    ['an allowed bot with one left', fromBot, { recent: 1 }, { bots: ['alertbot'] }, undefined],
    ['an allowed bot with none left', fromBot, { recent: 2 }, { bots: ['alertbot'] }, /access\.bot_messages/],
    ['a person who writes a lot', mention, { recent: 99 }, {}, undefined],
  ]

  test.each(cases)('%s', (_, heard, { known = false, recent = 0 }, access, why) => {
    const reason = whyIgnored(heard, { known, recent }, { ...everybody, ...access })
    if (why === undefined) expect(reason).toBeUndefined()
    else expect(reason).toMatch(why)
  })
})

const ignored = (bot: MemoryBot) => bot.rows('select message, reason from ignored order by ignored_at, message')

/** Everything that stands in the database, as text. */
const everything = (bot: MemoryBot): string => [...tablesIn(bot.database).values()].join('\n')

describe('what the bot hears', () => {
  test('is ignored with its reason, and its text is nowhere', async () => {
    const bot = await startMemoryBot({ script: [says('No.')] })
    const secret = await bot.memory.say('ana', 'the vault opens with plum-4711-quince')
    await bot.memory.say('ana', 'the file too', { files: { 'combination-plum-4711-quince.txt': 'plum-4711-quince' } })
    await bot.settled()
    expect(ignored(bot)).toMatchObject([{ message: secret.id, reason: expect.stringMatching(/doesn’t mention/) }, {}])
    expect(everything(bot)).not.toContain('plum-4711-quince')
    expect(bot.memory.misbehave.callsTo('download')).toEqual([])
    expect((await readdir(bot.dataDir, { recursive: true })).join('\n')).not.toContain('plum-4711-quince')
    expect(bot.rows('select id from sessions')).toEqual([])
    expect(bot.model.requests).toEqual([])
    expect(await bot.memory.command('ben', 'why', undefined)).toMatch(/ana: It doesn’t mention the bot/)
  })

  test('is unread after a stop, if it came while a turn was running', async () => {
    const bot = await startMemoryBot({ script: [hang()] })
    const root = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(1))
    const late = await bot.memory.say('ana', 'one more thing', { in: root })
    const stop = await bot.memory.say('ana', '@bobbin stop', { in: root })
    for (const { id } of [late, root, stop]) await bot.memory.say('ana', `@bobbin why ${id}`, { in: root })
    const isRead = 'I’ve read this message. See its thread.'
    const isWaiting = 'I’ve received this message and will read it next.'
    await bot.memory.eventually(() => expect(bot.memory.answers(root)).toHaveLength(4))
    expect(bot.memory.answers(root)).toEqual(['Stopped.', isWaiting, isRead, isRead])
  })

  test('is read in the order in which it was said, even when a gap is read back after it', async () => {
    const bot = await startMemoryBot({ script: [says('Hello.'), says('Both read.')] })
    const { memory } = bot
    const root = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(root, 'Hello.')
    const missed = await memory.say('ben', 'first I said this', { in: root, copies: 0 })
    await new Promise((resolve) => setTimeout(resolve, 5))
    memory.gap(() => memory.deliver(missed))
    await memory.say('cleo', 'and then that', { in: root })
    await memory.eventually(() => expect(memory.answers(root).at(-1)).toBe('Both read.'))
    const read = JSON.stringify(bot.model.requests.at(-1)?.messages)
    expect(read).toMatch(/first I said this.*and then that/)
  })

  test('is answered once, however often it is delivered', async () => {
    const bot = await startMemoryBot({ script: [says('Once.'), says('Twice!')] })
    const asked = await bot.memory.say('ana', '@bobbin hello', { copies: 11 })
    await bot.memory.untilAnswered(asked, 'Once.')
    expect((await bot.memory.deliver(asked)).kind).toBe('duplicate')
    await bot.restart()
    expect((await bot.memory.deliver(asked)).kind).toBe('duplicate')
    await bot.settled()
    expect(bot.memory.answers(asked)).toEqual(['Once.'])
    expect(bot.model.requests).toHaveLength(1)
  })

  test('is ignored once, however often it is delivered, and remembered', async () => {
    const bot = await startMemoryBot()
    const message = await bot.memory.say('ana', 'lunch?', { copies: 5 })
    expect((await bot.memory.deliver(message)).kind).toBe('ignored')
    expect(ignored(bot)).toHaveLength(1)
  })

  test('from somebody unknown leaves no session and no answer', async () => {
    const access = { users: ['ana'] }
    const bot = await startMemoryBot({ script: [says('Hello Ana.')], config: { access } })
    const asked = await bot.memory.say('ben', '@bobbin hello')
    const known = await bot.memory.say('ana', '@bobbin hello')
    await bot.memory.untilAnswered(known, 'Hello Ana.')
    await bot.memory.say('ben', 'me too', { in: known })
    await bot.settled()
    expect(bot.memory.shown(asked)).toEqual([])
    expect(ignored(bot).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('access.users'),
      expect.stringContaining('access.users'),
    ])
    expect(bot.rows('select id from sessions')).toHaveLength(1)
    expect(bot.model.requests).toHaveLength(1)
  })

  test('in its threads is for it, unless it is addressed to somebody else, or only mentions count', async () => {
    const bot = await startMemoryBot({ script: [says('One.'), says('Two.'), says('Three.')] })
    const asked = await bot.memory.say('ana', '@bobbin one')
    await bot.memory.untilAnswered(asked, 'One.')
    await bot.memory.say('ben', '@cleo what do you think?', { in: asked })
    await bot.memory.say('ben', 'two', { in: asked })
    await bot.memory.untilAnswered(asked, 'One.', 'Two.')
    expect(ignored(bot)).toMatchObject([{ reason: 'It’s addressed to somebody else.' }])
    expect(`${bot.model.requests.at(-1)?.messages.at(-1)?.content}`).toMatch(/^\[ben\] two/)

    const strict = await startMemoryBot({
      script: [says('One.'), says('Two.')],
      config: { access: { threads: 'mentions' } },
    })
    const other = await strict.memory.say('ana', '@bobbin one')
    await strict.memory.untilAnswered(other, 'One.')
    await strict.memory.say('ben', 'not for you', { in: other })
    await strict.memory.say('ben', '@bobbin two', { in: other })
    await strict.memory.untilAnswered(other, 'One.', 'Two.')
    expect(ignored(strict)).toMatchObject([{ reason: expect.stringContaining('access.threads') }])
    expect(everything(strict)).not.toContain('not for you')
  })

  test('makes threads that a platform can ask for after a gap', async () => {
    const bot = await startMemoryBot({ script: () => says('Yes.') })
    const old = await bot.memory.say('ana', '@bobbin old')
    await bot.memory.untilAnswered(old, 'Yes.')
    await bot.settled()
    const since = bot.memory.clock.now() + 1000
    bot.memory.pass(2000)
    const asked = await bot.memory.say('ana', '@bobbin new')
    await bot.memory.untilAnswered(asked, 'Yes.')
    expect(await bot.memory.threads(since)).toEqual([asked.thread])
    expect(await bot.memory.threads(0)).toEqual([asked.thread, old.thread])
  })

  test('alone with somebody needs no mention', async () => {
    const bot = await startMemoryBot({ script: [says('Hello.')] })
    const asked = await bot.memory.say('ana', 'hello', { direct: true, channel: 'ana' })
    await bot.memory.untilAnswered(asked, 'Hello.')
  })

  test('is heard after all when it is edited to name the bot', async () => {
    const bot = await startMemoryBot({ script: [says('At last.')] })
    const message = await bot.memory.say('ana', 'somebody could help', { files: { 'a.txt': 'content' } })
    expect(ignored(bot)).toHaveLength(1)
    await bot.memory.edit(message, '@bobbin could help', 3)
    await bot.memory.untilAnswered(message, 'At last.')
    await bot.settled()
    expect(ignored(bot)).toEqual([])
    expect(bot.model.requests).toHaveLength(1)
    expect(`${bot.model.requests[0]?.messages.at(-1)?.content}`).toMatch(/\[ana\] could help.*uploads\/a\.txt/s)
    // An edit to a command is one.
    const other = await bot.memory.say('ana', 'halp')
    await bot.memory.edit(other, '@bobbin help')
    await bot.memory.eventually(() => expect(bot.memory.answers(other)).toEqual([expect.stringContaining('`status`')]))
    expect(ignored(bot)).toEqual([])
  })

  test('stays ignored when it is edited otherwise, or deleted', async () => {
    const bot = await startMemoryBot()
    const message = await bot.memory.say('ana', 'somebody could help')
    await bot.memory.edit(message, 'anybody could help')
    await bot.memory.delete(message)
    await bot.settled()
    expect(ignored(bot)).toHaveLength(1)
    expect(bot.rows('select id from sessions')).toEqual([])
  })

  test('that it cannot take is refused each time, and nothing is kept', async () => {
    const bot = await startMemoryBot({ config: { uploads: { filesPerMessage: 1 } } })
    const message = bot.memory.say('ana', '@bobbin take these', { files: { 'a.txt': 'a', 'b.txt': 'b' } })
    await expect(message).rejects.toMatchObject({ code: 'too_many_files' })
    expect(bot.rows('select id from sessions')).toEqual([])
  })
})

describe('another bot', () => {
  const access = { bots: ['alertbot'], botMessages: 2, botWindowMs: 3_600_000 }
  const alert = { bot: true }

  test('is ignored unless it is allowed and names this one', async () => {
    const bot = await startMemoryBot({ script: [says('Seen.')], config: { access } })
    await bot.memory.say('spambot', '@bobbin buy', alert)
    await bot.memory.say('alertbot', 'disk full', alert)
    const asked = await bot.memory.say('alertbot', '@bobbin disk full', alert)
    await bot.memory.untilAnswered(asked, 'Seen.')
    await bot.memory.say('alertbot', 'thanks', { ...alert, in: asked })
    await bot.settled()
    expect(ignored(bot).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('access.bots'),
      expect.stringContaining('doesn’t mention this one'),
      expect.stringContaining('doesn’t mention this one'),
    ])
    expect(bot.model.requests).toHaveLength(1)
  })

  test('has a budget in a channel, over all its threads and over restarts, and gets it back', async () => {
    const bot = await startMemoryBot({ script: () => says('Seen.'), config: { access } })
    const first = await bot.memory.say('alertbot', '@bobbin one', { ...alert, copies: 4 })
    await bot.memory.untilAnswered(first, 'Seen.')
    await bot.memory.say('alertbot', '@bobbin two', { ...alert, in: first })
    await bot.memory.untilAnswered(first, 'Seen.', 'Seen.')
    await bot.restart()
    const third = await bot.memory.say('alertbot', '@bobbin three', alert)
    expect(ignored(bot)).toMatchObject([{ message: third.id, reason: expect.stringContaining('access.bot_messages') }])
    // The second once more is no third.
    expect((await bot.memory.deliver(first)).kind).toBe('duplicate')
    const elsewhere = await bot.memory.say('alertbot', '@bobbin four', { ...alert, channel: 'random' })
    await bot.memory.untilAnswered(elsewhere, 'Seen.')
    const person = await bot.memory.say('ana', '@bobbin five')
    await bot.memory.untilAnswered(person, 'Seen.')
    bot.memory.pass(3_601_000)
    const later = await bot.memory.say('alertbot', '@bobbin six', alert)
    await bot.memory.untilAnswered(later, 'Seen.')
  })

  test('spends its budget on commands too, and not on what was only read along', async () => {
    const bot = await startMemoryBot({ script: () => says('Seen.'), config: { access } })
    const root = await bot.memory.say('alertbot', 'disk is 90 % full', alert)
    for (const share of [93, 96]) await bot.memory.say('alertbot', `disk is ${share} % full`, { ...alert, in: root })
    await bot.memory.say('ana', '@bobbin why?', { in: root })
    await bot.memory.untilAnswered(root, 'Seen.')
    for (const command of ['help', 'status', 'help'])
      await bot.memory.say('alertbot', `@bobbin ${command}`, { ...alert, in: root })
    await bot.settled()
    expect(bot.memory.answers(root)).toHaveLength(3)
    expect(ignored(bot).at(-1)).toMatchObject({ reason: expect.stringContaining('access.bot_messages') })
  })
})
