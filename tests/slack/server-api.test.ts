import { describe, expect, test } from 'vitest'
import { clientOf, errorOf, slackServer, tinyBot } from './tiny-bot.ts'

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
const plain = (text: string) => ({ type: 'plain_text' as const, text })

async function world(options: Parameters<typeof slackServer>[0] = {}) {
  const slack = await slackServer(options)
  return { slack, client: clientOf(slack), channel: slack.channel('general') }
}

describe('tokens and scopes', () => {
  test('auth.test tells who it is, and the scopes in a header', async () => {
    const { slack, client } = await world({ scopes: ['chat:write', 'users:read'] })
    const answer = await client.auth.test()
    expect(answer).toMatchObject({ user_id: slack.bot.id, bot_id: slack.bot.botId, team_id: slack.team.id })
    expect(answer.response_metadata?.scopes).toEqual(['chat:write', 'users:read'])
  })

  test('without a token, with a wrong one, with the wrong kind, with one that was revoked', async () => {
    const { slack, client } = await world()
    expect(await errorOf(clientOf(slack, '').auth.test())).toBe('not_authed')
    expect(await errorOf(clientOf(slack, 'xoxb-wrong').auth.test())).toBe('invalid_auth')
    expect(await errorOf(client.apps.connections.open({}))).toBe('not_allowed_token_type')
    slack.misbehave.revokeToken()
    expect(await errorOf(client.auth.test())).toBe('token_revoked')
  })

  test('a missing scope is named', async () => {
    const { client, channel } = await world({ scopes: ['users:read'] })
    const refused = client.conversations.history({ channel })
    await expect(refused).rejects.toMatchObject({
      data: { error: 'missing_scope', needed: 'channels:history', provided: 'users:read' },
    })
  })

  test('JSON bodies are taken as forms are', async () => {
    const { slack, channel } = await world()
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel, blocks: [section('hello')] }),
    })
    expect(await response.json()).toMatchObject({ ok: true, channel })
  })
})

describe('limits', () => {
  const button = (action_id: string, text = 'x') => ({ type: 'button', action_id, text: plain(text) })
  const actions = (...elements: unknown[]) => ({ type: 'actions', elements })
  const row = (...cells: string[]) => cells.map((text) => ({ type: 'raw_text', text }))
  const table = (rows = [row('a')]) => ({ type: 'table', rows })

  test.each([
    ['too many blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), 'no more than 50 items allowed'],
    ['a long section', [section('x'.repeat(3_001))], 'must be less than 3001 characters'],
    ['an empty section', [{ type: 'section' }], 'missing required field: text or fields'],
    ['a long header', [{ type: 'header', text: plain('x'.repeat(151)) }], 'must be less than 151 characters'],
    ['no text', [{ type: 'header' }], 'missing required field: text'],
    ['an unknown block', [{ type: 'banner' }], 'unsupported type: banner'],
    ['an unknown field', [{ type: 'divider', colour: 'red' }], 'invalid additional property: colour'],
    ['many buttons', [actions(...Array.from({ length: 26 }, (_, at) => button(`a${at}`)))], 'no more than 25 items'],
    ['a long label', [actions(button('a', 'x'.repeat(76)))], 'must be less than 76 characters'],
    ['one action id twice', [actions(button('a'), button('a'))], 'action_id "a" already exists'],
    [
      'one block id twice',
      [
        { ...section('a'), block_id: 'b' },
        { ...section('c'), block_id: 'b' },
      ],
      'already exists',
    ],
    ['a wide table', [table([row(...Array.from({ length: 21 }, () => 'x'))])], 'no more than 20 items allowed'],
    ['a full table', [table([row('x'.repeat(10_001))])], '10000 allowed'],
    [
      'an input of a modal',
      [{ type: 'input', label: plain('x'), element: { type: 'file_input' } }],
      'unsupported type',
    ],
  ])('%s', async (_, blocks, words) => {
    const { slack, client, channel } = await world()
    const refused = client.chat.postMessage({ channel, text: 'x', blocks: blocks as never })
    await expect(refused).rejects.toMatchObject({
      data: { error: 'invalid_blocks', response_metadata: { messages: [expect.stringContaining(words)] } },
    })
    expect(slack.violations).toMatchObject([expect.stringContaining('chat.postMessage: invalid_blocks')])
    expect(slack.view('general')).toEqual([])
  })

  test.each([
    ['invalid_blocks_format', { blocks: 'no json' }],
    ['invalid_attachments', { blocks: [table(), table()] }],
    ['invalid_attachments', { blocks: [{ type: 'markdown', text: '|a|\n|-|\n|1|\n\n|b|\n|-|\n|2|\n' }] }],
    ['msg_blocks_too_long', { blocks: Array.from({ length: 5 }, () => section('x'.repeat(3_000))) }],
    ['msg_too_long', { text: 'x'.repeat(40_001) }],
    ['msg_too_long', { markdown_text: 'x'.repeat(12_001) }],
    ['markdown_text_conflict', { markdown_text: 'x', text: 'x' }],
    ['no_text', {}],
    ['metadata_too_large', { text: 'x', metadata: { event_type: 'a', event_payload: { a: 'x'.repeat(16_000) } } }],
    ['invalid_metadata_schema', { text: 'x', metadata: { event_payload: {} } }],
  ])('%s', async (error, args) => {
    const { slack, client, channel } = await world()
    expect(await errorOf(client.apiCall('chat.postMessage', { channel, ...args }))).toBe(error)
    expect(slack.violations).toHaveLength(1)
  })

  test('an edit has room for 4,000 characters', async () => {
    const { client, channel } = await world()
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'x'.repeat(40_000) })
    expect(await errorOf(client.chat.update({ channel, ts, text: 'x'.repeat(4_001) }))).toBe('msg_too_long')
    expect(await errorOf(client.chat.update({ channel, ts, text: 'x'.repeat(4_000) }))).toBe('no error')
  })

  test('an argument that there is not is noted', async () => {
    const { slack, client, channel } = await world()
    await client.apiCall('chat.postMessage', { channel, text: 'x', threadTs: '1.2' })
    expect(slack.violations).toEqual(['chat.postMessage: unknown argument threadTs'])
  })
})

describe('messages', () => {
  test('history and replies come in pages, with metadata if asked', async () => {
    const { slack, client, channel } = await world()
    const root = slack.people.post('ana', 'general', 'root')
    const posted: string[] = []
    for (let number = 0; number < 7; number++) {
      const metadata = { event_type: 'answer', event_payload: { number } }
      const answer = await client.chat.postMessage({ channel, text: `n${number}`, thread_ts: root, metadata })
      posted.push(answer.ts ?? '')
    }
    const found: string[] = []
    for await (const page of client.paginate('conversations.replies', { channel, ts: root, limit: 3 })) {
      const { messages } = page as { messages?: { ts: string }[] }
      expect(messages?.[0]?.ts).toBe(root)
      found.push(...(messages ?? []).slice(1).map(({ ts }) => ts))
    }
    expect(found).toEqual(posted)

    const [third = '', , fifth = ''] = posted.slice(2)
    const range = { channel, ts: root, oldest: third, latest: fifth, include_all_metadata: true }
    const open = await client.conversations.replies(range)
    const closed = await client.conversations.replies({ ...range, inclusive: true })
    expect(open.messages?.slice(1)).toMatchObject([{ text: 'n3', metadata: { event_payload: { number: 3 } } }])
    expect(closed.messages?.map(({ text }) => text)).toEqual(['root', 'n2', 'n3', 'n4'])

    const { messages } = await client.conversations.history({ channel })
    expect(messages).toMatchObject([{ text: 'root', reply_count: 7, latest_reply: posted.at(-1) }])
    expect(slack.violations).toEqual([])
  })

  test('only own messages are changed or deleted; a root with replies leaves a tombstone', async () => {
    const { slack, client, channel } = await world()
    const theirs = slack.people.post('ana', 'general', 'mine')
    expect(await errorOf(client.chat.update({ channel, ts: theirs, text: 'x' }))).toBe('cant_update_message')
    expect(await errorOf(client.chat.delete({ channel, ts: theirs }))).toBe('cant_delete_message')
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'root' })
    await client.chat.postMessage({ channel, text: 'reply', thread_ts: ts })
    await client.chat.delete({ channel, ts })
    expect(await errorOf(client.chat.update({ channel, ts, text: 'x' }))).toBe('message_not_found')
    const { messages } = await client.conversations.replies({ channel, ts })
    expect(messages).toMatchObject([{ subtype: 'tombstone' }, { text: 'reply' }])
  })

  test('what is Markdown when it is sent comes back as rich text', async () => {
    const { slack, client, channel } = await world()
    const text = '# Title\n\nSome **bold** and `code`.\n\n- one\n- two\n\n```\nx = 1\n```\n'
    const { ts = '' } = await client.chat.postMessage({ channel, markdown_text: text })
    const { messages } = await client.conversations.history({ channel })
    const parts = messages?.[0]?.blocks?.[0]?.elements as { type: string }[]
    expect(parts.map(({ type }) => type)).toEqual([
      ...['rich_text_section', 'rich_text_section', 'rich_text_list', 'rich_text_list', 'rich_text_preformatted'],
    ])
    expect(messages?.[0]?.text).toContain('Some *bold* and `code`.')
    expect(slack.message(ts).text).toBe(text)
  })

  test('reactions, ephemerals, permalinks, people and groups', async () => {
    const { slack, client, channel } = await world({ groups: [{ handle: 'ops', users: ['ana', 'ben'] }] })
    const ts = slack.people.post('ana', 'general', 'hello')
    await client.reactions.add({ channel, timestamp: ts, name: 'eyes' })
    expect(await errorOf(client.reactions.add({ channel, timestamp: ts, name: 'eyes' }))).toBe('already_reacted')
    expect(slack.message(ts).reactions).toEqual([{ name: 'eyes', users: [slack.bot.id] }])
    await client.reactions.remove({ channel, timestamp: ts, name: 'eyes' })
    expect(await errorOf(client.reactions.remove({ channel, timestamp: ts, name: 'eyes' }))).toBe('no_reaction')
    await client.chat.postEphemeral({ channel, user: slack.user('ben'), text: 'psst' })
    expect(slack.view('general').at(-1)).toMatchObject({ text: 'psst', ephemeralTo: slack.user('ben') })
    expect((await client.conversations.history({ channel })).messages).toHaveLength(1)
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts })
    expect(permalink).toContain(`/archives/${channel}/p${ts.replace('.', '')}`)
    const { usergroups } = await client.usergroups.list({})
    const { users } = await client.usergroups.users.list({ usergroup: usergroups?.[0]?.id ?? '' })
    expect(users).toEqual([slack.user('ana'), slack.user('ben')])
    const { user } = await client.users.info({ user: slack.user('ana') })
    expect(user).toMatchObject({ name: 'ana', is_bot: false, tz: 'Europe/Berlin' })
    const { channels } = await client.users.conversations({ types: 'public_channel,private_channel' })
    expect(channels?.map(({ name }) => name)).toEqual(['general', 'private'])
  })

  test('a trigger opens one modal, and only soon', async () => {
    const { slack, client, channel } = await world()
    const triggers: string[] = []
    await tinyBot(slack, 'socket', (app) => {
      app.action('a', async ({ ack, body }) => {
        await ack()
        if ('trigger_id' in body) triggers.push(body.trigger_id)
      })
    })
    const view = { type: 'modal' as const, title: plain('A'), blocks: [{ type: 'divider' }] }
    const blocks = [{ type: 'actions', elements: [{ type: 'button', action_id: 'a', text: plain('A') }] }]
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'x', blocks })
    await slack.people.click('ana', ts, 'A')
    slack.settings.triggerMs = 0
    await slack.people.click('ben', ts, 'A')
    expect(await errorOf(client.views.open({ trigger_id: '1.2.3', view }))).toBe('invalid_trigger_id')
    await client.views.open({ trigger_id: triggers[0] ?? '', view })
    expect(await errorOf(client.views.open({ trigger_id: triggers[0] ?? '', view }))).toBe('exchanged_trigger_id')
    expect(await errorOf(client.views.open({ trigger_id: triggers[1] ?? '', view }))).toBe('expired_trigger_id')
    const long = { ...view, title: plain('x'.repeat(25)) }
    expect(await errorOf(client.views.publish({ user_id: slack.user('ana'), view: long }))).toBe('invalid_arguments')
  })
})
