import { describe, expect, test } from 'vitest'
import { clientOf, errorOf, slackServer } from './tiny-bot.ts'

async function thread(options: Parameters<typeof slackServer>[0] = {}) {
  const slack = await slackServer(options)
  const client = clientOf(slack)
  const channel = slack.channel('general')
  const ts = slack.people.mention('ana', 'general', 'please')
  const to = { recipient_user_id: slack.user('ana'), recipient_team_id: slack.team.id }
  const place = { channel, thread_ts: ts, ...to }
  return { slack, client, channel, thread_ts: ts, place }
}

const task = (id: string, status: 'in_progress' | 'complete', more = {}) => ({
  type: 'task_update' as const,
  id,
  title: `Task ${id}`,
  status,
  ...more,
})

describe('a stream', () => {
  test('is one message: a plan with its tasks, then the text', async () => {
    const { slack, client, channel, thread_ts, place } = await thread()
    const first = [{ type: 'plan_update' as const, title: 'Looking' }, task('a', 'in_progress', { details: 'one ' })]
    const { ts = '' } = await client.chat.startStream({ ...place, task_display_mode: 'plan', chunks: first })
    await client.chat.appendStream({ channel, ts, chunks: [{ type: 'markdown_text', text: '**Done' }] })
    expect(slack.message(ts)).toMatchObject({ streaming: true, thread_ts })
    await client.chat.appendStream({ channel, ts, chunks: [task('a', 'complete', { details: 'two' })] })
    const stopped = await client.chat.stopStream({ channel, ts, chunks: [{ type: 'markdown_text', text: '** now.' }] })

    expect(stopped.message).toMatchObject({ ts, streaming_state: 'completed' })
    expect(slack.message(ts)).toMatchObject({ streaming: false, text: 'Looking\n✓ Task a\n  one two\n**Done** now.' })
    const { messages } = await client.conversations.replies({ channel, ts: thread_ts })
    expect(messages?.[1]).toMatchObject({
      text: '*Done* now. Task a',
      blocks: [
        { type: 'plan', title: 'Looking', tasks: [{ task_id: 'a', status: 'complete' }] },
        { type: 'rich_text' },
      ],
    })
    expect(slack.violations).toEqual([])
  })

  test('as a timeline has a card for each task, where it began', async () => {
    const { slack, client, channel, place } = await thread()
    const { ts = '' } = await client.chat.startStream(place)
    const said = (text: string) => ({ type: 'markdown_text' as const, text })
    const chunks = [said('First.'), task('a', 'in_progress'), said('Then.'), task('a', 'complete')]
    await client.chat.appendStream({ channel, ts, chunks })
    const blocks = slack.message(ts).blocks
    expect(blocks).toMatchObject([{ text: 'First.' }, { task_id: 'a', status: 'complete' }, { text: 'Then.' }])
  })

  test('takes blocks and metadata at its end', async () => {
    const { slack, client, channel, place } = await thread()
    const { ts = '' } = await client.chat.startStream({ ...place, markdown_text: 'Yes' })
    const text = (words: string) => ({ type: 'plain_text' as const, text: words })
    const button = (words: string) => ({ text: text(words), value: words.toLowerCase() })
    const feedback = { type: 'feedback_buttons' as const, action_id: 'fb', positive_button: button('Good') }
    const elements = [{ ...feedback, negative_button: button('Bad') }]
    const metadata = { event_type: 'answer', event_payload: { key: 'k' } }
    const blocks = [{ type: 'context_actions', elements }]
    await client.chat.stopStream({ channel, ts, blocks, metadata, session_status: 'active' })
    const shown = slack.message(ts)
    expect(shown.buttons).toMatchObject([{ label: 'Good', value: 'good' }, { label: 'Bad' }])
    expect(shown.metadata).toEqual(metadata)
    expect(slack.sessionStatus('general', shown.thread_ts ?? '')).toBe('active')
  })

  test('needs to know for whom it is, outside of a DM', async () => {
    const { slack, client, place } = await thread()
    const { recipient_user_id: _, ...nobody } = place
    expect(await errorOf(client.chat.startStream(nobody))).toBe('missing_recipient_user_id')
    const ts = slack.people.post('ana', '@ana', 'please')
    const started = client.chat.startStream({ channel: slack.channel('@ana'), thread_ts: ts, markdown_text: 'ok' })
    expect(await errorOf(started)).toBe('no error')
  })

  test('cannot be edited or deleted while it runs, nor appended to when it is over', async () => {
    const { client, channel, place } = await thread()
    const { ts = '' } = await client.chat.startStream({ ...place, markdown_text: 'a' })
    expect(await errorOf(client.chat.update({ channel, ts, text: 'x' }))).toBe('streaming_state_conflict')
    expect(await errorOf(client.chat.delete({ channel, ts }))).toBe('cant_delete_message')
    await client.chat.stopStream({ channel, ts })
    const over = 'message_not_in_streaming_state'
    expect(await errorOf(client.chat.appendStream({ channel, ts, markdown_text: 'b' }))).toBe(over)
    expect(await errorOf(client.chat.stopStream({ channel, ts }))).toBe(over)
    expect(await errorOf(client.chat.update({ channel, ts, text: 'x' }))).toBe('no error')
  })

  test('is closed by the server after its time', async () => {
    const { slack, client, channel, place } = await thread({ streamMs: 30 })
    const { ts = '' } = await client.chat.startStream({ ...place, markdown_text: 'a' })
    await slack.until(() => !slack.message(ts).streaming)
    const late = client.chat.appendStream({ channel, ts, markdown_text: 'b' })
    expect(await errorOf(late)).toBe('message_not_in_streaming_state')
    const { messages } = await client.conversations.replies({ channel, ts: place.thread_ts })
    expect(messages?.[1]).toMatchObject({ text: 'a', streaming_state: 'errored' })
  })

  test('ends when a person presses Stop', async () => {
    const { slack, client, channel, thread_ts, place } = await thread()
    const { ts = '' } = await client.chat.startStream({ ...place, markdown_text: 'a' })
    expect(() => slack.people.stopSession('ana', 'general', thread_ts)).toThrow('only while')
    await client.agents.sessions.setStatus({ channel_id: channel, thread_ts, status: 'processing' })
    slack.people.stopSession('ana', 'general', thread_ts)
    expect(await errorOf(client.chat.appendStream({ channel, ts, markdown_text: 'b' }))).toBe('stopped_by_user')
  })

  test.each([
    ['streaming_mode_mismatch', { chunks: [task('a', 'complete')] }],
    ['msg_too_long', { markdown_text: 'x'.repeat(12_001) }],
    ['msg_too_long', { markdown_text: '漢'.repeat(3_600) }],
    ['no_text', {}],
  ])('refuses %s', async (error, args) => {
    const { slack, client, channel, place } = await thread()
    const { ts = '' } = await client.chat.startStream({ ...place, markdown_text: 'a' })
    expect(await errorOf(client.chat.appendStream({ channel, ts, ...args }))).toBe(error)
    expect(slack.violations).toHaveLength(1)
  })

  test('refuses long titles and unknown states of tasks', async () => {
    const { client, place } = await thread()
    const chunks = [{ ...task('a', 'complete'), title: 'x'.repeat(257) }]
    expect(await errorOf(client.chat.startStream({ ...place, chunks }))).toBe('invalid_chunks')
    const odd = [{ ...task('a', 'complete'), status: 'done' }] as never
    expect(await errorOf(client.chat.startStream({ ...place, chunks: odd }))).toBe('invalid_chunks')
  })

  test('the client’s own streamer works on it', async () => {
    const { slack, client, place } = await thread()
    const streamer = client.chatStream({ ...place, buffer_size: 4 })
    await streamer.append({ markdown_text: 'Hello ' })
    await streamer.append({ markdown_text: 'there' })
    await streamer.stop()
    expect(slack.message(streamer.ts ?? '').text).toBe('Hello there')
  })
})

test('sessions and statuses', async () => {
  const { slack, client, channel, thread_ts } = await thread()
  const place = { channel_id: channel, thread_ts }
  await client.assistant.threads.setStatus({ ...place, status: 'is thinking', loading_messages: ['Hm'] })
  expect(slack.statuses.get(`${channel}:${thread_ts}`)).toEqual({ status: 'is thinking', loadingMessages: ['Hm'] })
  await client.chat.postMessage({ channel, thread_ts, text: 'Here' })
  expect(slack.statuses.size).toBe(0)
  const made = await client.agents.sessions.setStatus({ ...place, status: 'processing', title: 'Report' })
  expect(made).toMatchObject({ status: 'processing', title: 'Report' })
  await client.agents.sessions.rename({ ...place, title: 'Q3 report' })
  expect(slack.world.sessions.get(`${channel}:${thread_ts}`)?.title).toBe('Q3 report')
  const odd = client.agents.sessions.setStatus({ ...place, status: 'busy' })
  expect(await errorOf(odd)).toBe('invalid_arguments')
  const prompts = [{ title: 'Help', message: 'What can you do?' }]
  await client.assistant.threads.setSuggestedPrompts({ channel_id: slack.channel('@ana'), prompts })
  expect(slack.prompts.get(slack.channel('@ana'))).toEqual(prompts)
})

test('files go both ways', async () => {
  const { slack, client, channel, thread_ts } = await thread({ fileShareMs: 1_000 })
  const uploads = [
    { file: Buffer.from('one'), filename: 'one.txt' },
    { file: Buffer.from('two'), filename: 'two.csv' },
  ]
  await client.filesUploadV2({ channel_id: channel, thread_ts, initial_comment: 'Here', file_uploads: uploads })
  expect(slack.view('general', thread_ts)).toHaveLength(1)
  const shared = await slack.until(() => slack.view('general', thread_ts)[1])
  expect(shared).toMatchObject({ text: 'Here', files: [{ name: 'one.txt' }, { name: 'two.csv' }] })
  expect(`${shared.files[1]?.content}`).toBe('two')

  const files = [{ name: 'data.csv', content: 'a,b\n1,2\n' }]
  slack.people.mention('ana', 'general', 'read this', { thread_ts, files })
  const { messages } = await client.conversations.replies({ channel, ts: thread_ts })
  const got = messages?.at(-1)?.files?.[0]
  expect(got).toMatchObject({ name: 'data.csv', mimetype: 'text/csv', size: 8 })
  const get = (token: string) =>
    fetch(got?.url_private_download ?? '', { headers: { authorization: `Bearer ${token}` } })
  expect(await (await get(slack.botToken)).text()).toBe('a,b\n1,2\n')
  expect(await (await get('xoxb-wrong')).text()).toContain('<!DOCTYPE html>')
  slack.settings.scopes.splice(slack.settings.scopes.indexOf('files:read'), 1)
  const page = await get(slack.botToken)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(slack.violations).toEqual([])
})

test('an upload of another length than announced is noted', async () => {
  const { slack, client } = await thread()
  const { upload_url = '', file_id = '' } = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 5 })
  await fetch(upload_url, { method: 'POST', body: 'abc' })
  await client.files.completeUploadExternal({ files: [{ id: file_id }] })
  expect(slack.violations).toEqual(['upload of a.txt: 3 bytes, 5 were announced'])
  expect(slack.view('general')).toHaveLength(1)
})
