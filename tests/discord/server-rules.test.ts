import { describe, expect, test } from 'vitest'
import type { DiscordServer } from '../support/discord/server.ts'
import { raw, rawForm, row, startServer } from './server-support.ts'

const v2 = 1 << 15
const text = (content: string) => ({ type: 10, content })
const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index))
const option = (index: number) => ({ label: `Option ${index}`, value: String(index) })
const select = (rest: object = {}) => ({ type: 3, custom_id: 'pick', options: [option(0), option(1)], ...rest })
const inRow = (...components: object[]) => ({ type: 1, components })

/** What Discord refuses in a message: a name, the message, where it is wrong and what is said of it. */
const refused: [string, Record<string, unknown>, string, string][] = [
  ['long content', { content: 'x'.repeat(2_001) }, 'content', 'Must be 2000 or fewer in length.'],
  ['a long nonce', { content: 'x', nonce: 'n'.repeat(26) }, 'nonce', 'Must be 25 or fewer in length.'],
  ['11 embeds', { embeds: many(11, () => ({ title: 'x' })) }, 'embeds', 'Must be 10 or fewer in length.'],
  [
    'embeds with too much text',
    { embeds: many(2, () => ({ description: 'x'.repeat(3_001) })) },
    'embeds',
    'Embed size exceeds maximum size of 6000',
  ],
  [
    'a long label',
    { content: 'x', components: [inRow({ type: 2, style: 1, label: 'x'.repeat(81), custom_id: 'a' })] },
    'components.0.components.0.label',
    'Must be 80 or fewer in length.',
  ],
  [
    'a long custom id',
    { content: 'x', components: [row('i'.repeat(101))] },
    'components.0.components.0.custom_id',
    'Must be 100 or fewer in length.',
  ],
  [
    'a custom id twice',
    { content: 'x', components: [row('a'), row('a')] },
    'components.1.components.0.custom_id',
    'Component custom id cannot be duplicated',
  ],
  [
    '6 buttons in a row',
    { content: 'x', components: [row('a', 'b', 'c', 'd', 'e', 'f')] },
    'components.0.components',
    'Must be 5 or fewer in length.',
  ],
  [
    '6 rows',
    { content: 'x', components: many(6, (index) => row(`b${index}`)) },
    'components',
    'Must be between 1 and 5 in length.',
  ],
  [
    'a select beside a button',
    { content: 'x', components: [inRow(select(), { type: 2, style: 1, label: 'a', custom_id: 'a' })] },
    'components.0.components.1',
    'The specified component exceeds the maximum width',
  ],
  [
    '26 options',
    { content: 'x', components: [inRow(select({ options: many(26, option) }))] },
    'components.0.components.0.options',
    'Must be 25 or fewer in length.',
  ],
  [
    'an option twice',
    { content: 'x', components: [inRow(select({ options: [option(1), option(1)] }))] },
    'components.0.components.0.options',
    'The specified option value is already used',
  ],
  [
    'a button without an id',
    { content: 'x', components: [inRow({ type: 2, style: 1, label: 'a' })] },
    'components.0.components.0.custom_id',
    'A custom id is required',
  ],
  [
    'a link without an address',
    { content: 'x', components: [inRow({ type: 2, style: 5, label: 'a' })] },
    'components.0.components.0.url',
    'A url is required',
  ],
  [
    'a component outside of what there is',
    { content: 'x', components: [{ type: 99 }] },
    'components.0.type',
    'Value must be one of {1, 17, 13, 12, 9, 14, 10}.',
  ],
  [
    'new components without their flag',
    { components: [text('x')] },
    'components.0',
    'Value of field "type" must be one of (1,).',
  ],
  [
    'content beside new components',
    { flags: v2, content: 'x', components: [text('x')] },
    'content',
    "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
  ],
  [
    '41 components',
    { flags: v2, components: [{ type: 17, components: many(40, () => text('x')) }] },
    'components',
    'The total number of components must be 40 or fewer',
  ],
  [
    'components with too much text',
    { flags: v2, components: many(2, () => text('x'.repeat(2_001))) },
    'components',
    'The total displayable text size must be 4000 or fewer',
  ],
  [
    'a file that is not there',
    { flags: v2, components: [{ type: 13, file: { url: 'attachment://a.txt' } }] },
    'components.0',
    'The referenced attachment a.txt was not found',
  ],
  [
    'mentions both parsed and named',
    { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
    'allowed_mentions',
    'parse:["users"] and users: [ids...] are mutually exclusive.',
  ],
]

async function post(discord: DiscordServer, body: unknown) {
  return raw(discord, 'POST', `/channels/${discord.channels.general}/messages`, body)
}

/** The words at a place of Discord's nested errors. */
function wordsAt(errors: unknown, path: string): string[] {
  const node = path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], errors)
  const list = (node as { _errors?: { message: string }[] } | undefined)?._errors ?? []
  return list.map(({ message }) => message)
}

describe('a message', () => {
  test.each(refused)('is refused for %s', async (_, body, path, words) => {
    const discord = await startServer()
    const answer = await post(discord, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 50035, message: 'Invalid Form Body' } })
    expect(wordsAt(answer.body.errors, path)).toContain(words)
    expect(discord.violations).toHaveLength(1)
    expect(discord.violations[0]).toContain(words)
    expect(discord.view('general')).toEqual([])
  })

  test('is counted in code points', async () => {
    const discord = await startServer()
    expect(await post(discord, { content: '🧶'.repeat(2_000) })).toMatchObject({ status: 200 })
    expect(discord.violations).toEqual([])
  })

  test('of components has a limit in bytes, over which Discord fails', async () => {
    const discord = await startServer()
    const ofSize = (count: number) => ({ flags: v2, components: [text('編'.repeat(count))] })
    expect(await post(discord, ofSize(3_386))).toMatchObject({ status: 200 })
    expect(await post(discord, ofSize(3_387))).toMatchObject({ status: 500 })
    expect(discord.violations).toHaveLength(1)
  })

  test('is not empty', async () => {
    const discord = await startServer()
    expect(await post(discord, { content: ' ' })).toMatchObject({ status: 400, body: { code: 50006 } })
  })

  test('with files of components shows them all', async () => {
    const discord = await startServer()
    const path = `/channels/${discord.channels.general}/messages`
    const files = { 'a.txt': new Blob(['a']), 'b.txt': new Blob(['b']) }
    const file = { type: 13, file: { url: 'attachment://a.txt' } }
    expect(await rawForm(discord, path, { flags: v2, components: [file] }, files)).toMatchObject({ status: 200 })
    expect(discord.violations).toEqual(['The file b.txt is in no component, so nobody sees it'])
  })

  test('has files of 10 MiB at most, 10 of them, and what its attachments name', async () => {
    const discord = await startServer()
    const path = `/channels/${discord.channels.general}/messages`
    const big = new Blob([Buffer.alloc(10 * 1_024 * 1_024 + 1)])
    expect(await rawForm(discord, path, {}, { 'big.bin': big })).toMatchObject({ status: 413, body: { code: 40005 } })
    const eleven = Object.fromEntries(many(11, (index) => [`${index}.txt`, new Blob(['x'])]))
    expect(await rawForm(discord, path, {}, eleven)).toMatchObject({ status: 400 })
    const unknown = { content: 'x', attachments: [{ id: '3' }] }
    expect(await rawForm(discord, path, unknown, { 'a.txt': new Blob(['x']) })).toMatchObject({ status: 400 })
    expect(discord.violations).toHaveLength(3)
  })

  test('with a nonce that is enforced is stored once', async () => {
    const discord = await startServer()
    const body = { content: 'once', nonce: 'a1', enforce_nonce: true }
    const first = await post(discord, body)
    expect(await post(discord, { ...body, content: 'again' })).toMatchObject({
      body: { id: first.body.id, content: 'once' },
    })
    await post(discord, { content: 'careless', nonce: 'a1' })
    expect(discord.view('general').map(({ content }) => content)).toEqual(['once', 'careless'])
    expect(discord.violations).toEqual([])
  })

  test('notifies whom it may', async () => {
    const discord = await startServer()
    const content = `<@${discord.users.ana}> <@${discord.users.ben}> <@&${discord.roles.approvers}> @everyone`
    await post(discord, { content })
    await post(discord, { content, allowed_mentions: { users: [discord.users.ben] } })
    await post(discord, { content, allowed_mentions: { parse: [] } })
    expect(discord.view('general').map(({ pinged }) => pinged)).toEqual([['ana', 'ben', 'approvers'], ['ben'], []])
  })

  test('of somebody else is not edited, and not deleted without the right', async () => {
    const discord = await startServer()
    const path = `/channels/${discord.channels.general}/messages/${discord.people.post('ana', 'general', 'mine')}`
    expect(await raw(discord, 'PATCH', path, { content: 'ours' })).toMatchObject({ status: 403, body: { code: 50005 } })
    expect(await raw(discord, 'DELETE', path)).toMatchObject({ status: 403, body: { code: 50013 } })
  })

  test('that is edited keeps what is not named', async () => {
    const discord = await startServer()
    const { body } = await post(discord, { content: 'card', components: [row('a')] })
    const path = `/channels/${discord.channels.general}/messages/${body.id}`
    expect(await raw(discord, 'PATCH', path, { content: 'decided' })).toMatchObject({ status: 200 })
    expect(discord.view('general')[0]).toMatchObject({ content: 'decided', edited: true, buttons: [{ customId: 'a' }] })
    expect(await raw(discord, 'PATCH', path, { flags: v2, components: [text('x')] })).toMatchObject({ status: 400 })
    const whole = { flags: v2, content: null, components: [text('new')] }
    expect(await raw(discord, 'PATCH', path, whole)).toMatchObject({ status: 200 })
    expect(discord.view('general')[0]?.content).toBe('new')
  })
})

describe('everything else', () => {
  test('that Discord does not describe is 404, and a violation', async () => {
    const discord = await startServer()
    expect(await raw(discord, 'POST', '/channels/1/nothing', {})).toMatchObject({ status: 404 })
    expect(discord.violations).toEqual(['POST /channels/1/nothing is not among the operations that Discord describes'])
  })

  test('that is no JSON is refused', async () => {
    const discord = await startServer()
    expect(await post(discord, '{')).toMatchObject({ status: 400, body: { code: 50109 } })
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'x', auto_archive_duration: 61 }, 'auto_archive_duration'],
  ])('holds for threads: %o', async (body, path) => {
    const discord = await startServer()
    const answer = await raw(discord, 'POST', `/channels/${discord.channels.general}/threads`, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 50035 } })
    expect(wordsAt(answer.body.errors, path)).not.toEqual([])
  })

  const slash = (index: number) => ({ name: `command${index}`, description: 'Does it.' })

  test.each([
    ['101 of them', many(101, slash)],
    ['16 on messages', many(16, (index) => ({ name: `On ${index}`, type: 3 }))],
    ['a name twice', [slash(1), slash(1)]],
    ['a name in capitals', [{ ...slash(1), name: 'Stop' }]],
    ['no description', [{ name: 'stop' }]],
    [
      'a required option after another',
      [
        {
          ...slash(1),
          options: [
            { type: 3, name: 'a', description: 'a' },
            { type: 3, name: 'b', description: 'b', required: true },
          ],
        },
      ],
    ],
  ])('holds for commands: %s', async (_, commands) => {
    const discord = await startServer()
    const path = `/applications/${discord.botId}/commands`
    expect(await raw(discord, 'PUT', path, commands)).toMatchObject({ status: 400, body: { code: 50035 } })
    expect(discord.violations).toHaveLength(1)
    expect(await raw(discord, 'PUT', path, many(100, slash))).toMatchObject({ status: 200 })
  })
})
