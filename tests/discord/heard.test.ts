import { type APIUser, MessageType } from 'discord-api-types/v10'
import { describe, expect, test } from 'vitest'
import { isSpoken, type Message } from '../../src/platforms/discord/api/payload.ts'
import type { Directory } from '../../src/platforms/discord/directory/directory.ts'
import { nameFor } from '../../src/platforms/discord/directory/thread-name.ts'
import { toHeard } from '../../src/platforms/discord/heard/translate.ts'
import { readable } from '../../src/platforms/discord/heard/unfold.ts'

const user = (id: string, username: string, more: Partial<APIUser> = {}): APIUser => ({
  id,
  username,
  discriminator: '0',
  global_name: null,
  avatar: null,
  ...more,
})

const bot = '100000000000000001'
const ana = user('200000000000000001', 'ana', { global_name: 'Ana A.' })
const thread = { platform: 'discord', tenant: '1', project: '300000000000000001', thread: '400000000000000001' }

const directory = {
  self: bot,
  known: () => undefined,
  roleName: () => 'makers',
  isOwnRole: () => false,
} as unknown as Directory

const message = (more: Partial<Message>): Message => ({
  id: '400000000000000001',
  channel_id: thread.project,
  author: ana,
  content: '',
  timestamp: '2026-01-01T00:00:00Z',
  edited_timestamp: null,
  tts: false,
  mention_everyone: false,
  mentions: [],
  mention_roles: [],
  attachments: [],
  embeds: [],
  pinned: false,
  type: MessageType.Default,
  ...more,
})

const heard = (more: Partial<Message>) => toHeard(message(more), thread, directory)
const poll: NonNullable<Message['poll']> = {
  question: { text: 'Lunch?' },
  answers: [
    { answer_id: 1, poll_media: { text: 'Yes' } },
    { answer_id: 2, poll_media: { text: 'No' } },
  ],
  expiry: '',
  allow_multiselect: false,
  layout_type: 1,
}
const results = { is_finalized: true, answer_counts: [{ id: 2, count: 1, me_voted: false }] }
const file = (id: string) => ({
  id,
  filename: `${id}.txt`,
  size: 3,
  url: `https://cdn.discordapp.com/${id}`,
  proxy_url: '',
})

test('the time of an edit is known', () => {
  expect(heard({ content: 'hello' }).editedAt).toBeUndefined()
  expect(heard({ edited_timestamp: '2026-01-01T00:00:05.250Z' }).editedAt).toBe(Date.UTC(2026, 0, 1, 0, 0, 5, 250))
})

describe('what was said', () => {
  test.each([
    ['a sticker', { sticker_items: [{ id: '1', name: 'wave', format_type: 1 }] }, '(sticker: wave)'],
    ['a poll', { poll }, 'Poll: Lunch?\n- Yes\n- No'],
    ['a poll’s result', { poll: { ...poll, results } }, 'Poll: Lunch?\n- Yes (0 votes)\n- No (1 vote)'],
    [
      'the embed of another bot',
      { author: { ...ana, bot: true }, embeds: [{ title: 'Build', description: 'failed' }] },
      'Build\nfailed',
    ],
    [
      'no preview of a link',
      { content: 'see <https://x.test/a>', embeds: [{ title: 'A page' }] },
      'see https://x.test/a',
    ],
  ] as [string, Partial<Message>, string][])('%s is put into words', (_, more, words) => {
    expect(heard(more).text).toBe(words)
  })

  test('a forwarded message is quoted, with its files', () => {
    const snapshot = { ...message({ content: 'the *plan*\nof ours', attachments: [file('7')] }) }
    const told = heard({ content: 'look', message_snapshots: [{ message: snapshot }] })

    expect(told.text).toBe('look\n\n> Forwarded:\n> the *plan*\n> of ours')
    expect([told.quotesOthers, heard({}).quotesOthers]).toEqual([true, undefined])
    expect(told.files).toMatchObject([{ name: '7.txt', size: 3 }])
  })

  test('a forwarded message has the names of those whom it mentions, and mentions nobody', () => {
    const [ben, self] = [user('900000000000000001', 'ben'), user(bot, 'bobbin')]
    const snapshot = message({ content: `<@${ben.id}> broke the build`, mentions: [ben, self] })
    const told = heard({ content: 'look', message_snapshots: [{ message: snapshot }] })

    expect(told).toMatchObject({
      text: 'look\n\n> Forwarded:\n> @ben broke the build',
      mentioned: false,
      toOthers: false,
    })
  })

  test.each([
    ['somebody else', { author: user('900000000000000001', 'ben') }, true],
    ['oneself', {}, undefined],
    ['oneself, who forwards a message', { message_snapshots: [{ message: message({}) }] }, true],
  ] as [string, Partial<Message>, true | undefined][])('a reply to %s', (_, about, quotes) => {
    const reply = { type: MessageType.Reply, referenced_message: message({ content: 'the plan', ...about }) }
    expect(heard(reply).quotesOthers).toBe(quotes)
  })

  test('people go by the name that they have in the server, without anything that could pass for a mark', () => {
    const member = { nick: '[Boss]\n<@1> of all' } as Message['member']

    expect(heard({}).person.name).toBe('Ana A.')
    expect(heard({ member }).person.name).toBe('Boss@1 of all')
  })

  test('webhooks are bots', () => {
    expect(heard({ webhook_id: '5' }).author).toBe('bot')
    expect(heard({ author: user(bot, 'bobbin', { bot: true }) }).author).toBe('self')
  })

  test('what Discord itself says is not said by anybody', () => {
    const types = [MessageType.UserJoin, MessageType.ThreadCreated, MessageType.ChannelPinnedMessage, MessageType.Call]

    expect(types.map((type) => isSpoken({ type }))).toEqual([false, false, false, false])
  })
})

describe('marks', () => {
  const names = {
    isSelf: (_kind: string, id: string) => id === bot,
    user: (id: string) => (id === ana.id ? 'Ana' : undefined),
    role: () => 'makers',
    channel: () => undefined,
  }

  test.each([
    [`<@${bot}> do <@!${ana.id}>`, 'do @Ana'],
    ['<@&300000000000000009> and <@300000000000000009>', '@makers and @unknown user'],
    ['<#300000000000000009>', '#unknown-channel'],
    ['<a:dance:300000000000000009> </bobbin status:300000000000000009>', ':dance: /bobbin status'],
    ['<t:0:R> <t:99999999999999:R>', '1970-01-01 00:00 UTC <t:99999999999999:R>'],
    [
      `\`<@${ana.id}>\` and \`\`\`\n<@${ana.id}>\n\`\`\` <@${ana.id}>`,
      `\`<@${ana.id}>\` and \`\`\`\n<@${ana.id}>\n\`\`\` @Ana`,
    ],
    ['2 < 3 > 1 <b> </b>', '2 < 3 > 1 <b> </b>'],
  ])('%j reads %j', (content, words) => {
    expect(readable(content, names)).toBe(words)
  })

  test('a hostile text is read quickly', () => {
    const hostile = '`'.repeat(2_000) + '<'.repeat(2_000) + '</'.repeat(1_000)

    expect(readable(hostile, names)).toBe(hostile)
  })
})

test.each([
  ['', 'Conversation'],
  ['***', 'Conversation'],
  ['```js\nlet x\n``` why **so**?', 'why so?'],
  ['😀'.repeat(200), `${'😀'.repeat(44)}…`],
])('a thread for %j is named %j', (text, name) => {
  expect(nameFor(text)).toBe(name)
})
