import { describe, expect, test } from 'vitest'
import type { SlackServer } from '../support/slack/server.ts'
import { clientOf, errorOf, hearAll, slackServer, type Told, tinyBot } from './tiny-bot.ts'

/** A bot that only listens. */
async function listening(options: Parameters<typeof slackServer>[0] = {}) {
  const slack = await slackServer(options)
  const bodies: Told[] = []
  await tinyBot(slack, 'socket', (app) => hearAll(app, (one) => bodies.push(one)))
  const told = async () => {
    await slack.idle()
    return bodies.map(({ event }) => event)
  }
  return { slack, client: clientOf(slack), bodies, told }
}

const blockWith = (element: object) => [{ type: 'actions', block_id: 'b', elements: [element] }]
const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }

describe('what the app is told', () => {
  test('has the full shape', async () => {
    const { slack, bodies, told } = await listening()
    const ts = slack.people.mention('ana', 'private', 'see <https://a.invalid/|this>')
    await told()
    const { event, ...envelope } = bodies.find(({ event: { type } }) => type === 'message') ?? {}
    expect(envelope).toMatchObject({
      token: expect.any(String),
      team_id: slack.team.id,
      api_app_id: slack.app.id,
      type: 'event_callback',
      event_id: expect.stringMatching(/^Ev/),
      event_time: expect.any(Number),
      authorizations: [{ team_id: slack.team.id, user_id: slack.bot.id, is_bot: true, is_enterprise_install: false }],
      is_ext_shared_channel: false,
      event_context: expect.any(String),
    })
    expect(event).toMatchObject({
      ...{ channel: slack.channel('private'), channel_type: 'group', ts, event_ts: ts, user: slack.user('ana') },
      ...{ team: slack.team.id, client_msg_id: expect.any(String) },
      text: `${slack.bot.mention} see <https://a.invalid/|this>`,
    })
    const elements = [
      { type: 'user', user_id: slack.bot.id },
      { type: 'text', text: ' see ' },
      { type: 'link', url: 'https://a.invalid/', text: 'this' },
    ]
    expect(event?.blocks).toMatchObject([{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }])
  })

  test('is two events for a mention, in either order, or only one of them', async () => {
    const { slack, told } = await listening()
    for (const options of [{}, { messageFirst: true }, { only: 'message' }, { only: 'app_mention' }] as const) {
      slack.people.mention('ana', 'general', 'hello', options)
    }
    expect((await told()).map(({ type }) => type)).toEqual([
      ...['app_mention', 'message', 'message', 'app_mention', 'message', 'app_mention'],
    ])
  })

  test('depends on subscriptions, scopes and membership', async () => {
    const { slack, told } = await listening({ events: ['app_mention'] })
    slack.people.mention('ana', 'general', 'hello')
    slack.people.mention('ana', 'random', 'hello')
    slack.settings.scopes.length = 0
    slack.people.mention('ana', 'general', 'hello')
    expect((await told()).map(({ type }) => type)).toEqual(['app_mention'])
  })

  test('files come with their addresses, those of another workspace without', async () => {
    const { slack, client, told } = await listening()
    const files = [
      { name: 'a.pdf', content: '%PDF' },
      { name: 'b.txt', content: 'text', checkInfo: true },
    ]
    slack.people.post('ana', 'general', '', { files })
    const [event] = await told()
    expect(event).toMatchObject({ subtype: 'file_share', text: '', upload: true })
    const [pdf, other] = (event?.files ?? []) as { id: string; url_private?: string }[]
    expect(pdf).toMatchObject({
      mimetype: 'application/pdf',
      size: 4,
      url_private: expect.stringContaining('/files-pri/'),
    })
    expect(other).toMatchObject({ file_access: 'check_file_info' })
    expect(other?.url_private).toBeUndefined()
    const { file } = await client.files.info({ file: other?.id ?? '' })
    expect(file).toMatchObject({ name: 'b.txt', url_private: expect.any(String) })
  })

  test('an edit that adds the mention calls the bot; a link that unfolds does not', async () => {
    const { slack, told } = await listening()
    const ts = slack.people.post('ana', 'general', 'hello')
    slack.people.unfurl(ts)
    slack.people.edit('ana', ts, `${slack.bot.mention} hello`)
    slack.people.edit('ana', ts, `${slack.bot.mention} hello again`)
    const events = await told()
    expect(events.map(({ type, subtype }) => subtype ?? type)).toEqual([
      ...['message', 'message_changed', 'message_changed', 'app_mention', 'message_changed'],
    ])
    expect(events[1]?.message).not.toHaveProperty('edited')
  })

  test('its own messages and streams come back as well', async () => {
    const { slack, client, told } = await listening()
    const channel = slack.channel('general')
    const thread_ts = slack.people.post('ana', 'general', 'hello')
    const to = { recipient_user_id: slack.user('ana'), recipient_team_id: slack.team.id }
    const { ts = '' } = await client.chat.startStream({ channel, thread_ts, ...to, markdown_text: 'Yes' })
    await client.chat.stopStream({ channel, ts })
    const [, begun, ended] = await told()
    const own = { bot_id: slack.bot.botId, user: slack.bot.id }
    expect(begun).toMatchObject({ ...own, ts, text: '', streaming_state: 'in_progress' })
    expect(ended).toMatchObject({ subtype: 'message_changed', message: { ...own, streaming_state: 'completed' } })
  })

  test('a session whose title was changed, and that somebody is looking at', async () => {
    const { slack, client, told } = await listening({ bookkeeping: false })
    const thread_ts = slack.people.post('ana', '@ana', 'hello')
    const place = { channel_id: slack.channel('@ana'), thread_ts }
    await client.agents.sessions.setStatus({ ...place, status: 'active', title: 'One' })
    slack.people.renameSession('ana', '@ana', thread_ts, 'Two')
    slack.people.lookAt('ana', 'general')
    expect((await told()).slice(1)).toMatchObject([
      { type: 'agent_session_title_changed', title: 'Two', previous_title: 'One' },
      { type: 'app_context_changed', context: { entities: [{ value: slack.channel('general') }] } },
    ])
  })
})

describe('clicks', () => {
  async function card(slack: SlackServer) {
    const channel = slack.channel('general')
    const { ts = '' } = await clientOf(slack).chat.postMessage({ channel, text: 'x', blocks: blockWith(button) })
    return { channel, ts }
  }

  test('the same click twice, and one on a card that is gone', async () => {
    const slack = await slackServer()
    const triggers: string[] = []
    await tinyBot(slack, 'socket', (app) => {
      app.action('go', async ({ ack, body }) => {
        await ack()
        if ('trigger_id' in body) triggers.push(body.trigger_id)
      })
    })
    const { channel, ts } = await card(slack)
    await slack.people.click('ana', ts, 'Go')
    await slack.people.click('ana', ts, 'Go', { sameTrigger: true })
    await slack.people.click('ana', ts, 'Go')
    expect(triggers[1]).toBe(triggers[0])
    expect(new Set(triggers).size).toBe(2)
    await clientOf(slack).chat.delete({ channel, ts })
    await expect(slack.people.click('ana', ts, 'Go')).rejects.toThrow('no message')
    expect(await slack.people.click('ana', ts, 'Go', { stale: true })).toMatchObject({ acked: true })
  })

  test('without an ack in time the person is told so', async () => {
    const slack = await slackServer({ ackMs: 50 })
    await tinyBot(slack)
    const { ts } = await card(slack)
    expect(await slack.people.click('ana', ts, 'go')).toMatchObject({ acked: false })
    expect(slack.deliveries.at(-1)).toMatchObject({ attempts: 1, outcome: 'unacked' })
  })

  test('a response_url is good for five answers', async () => {
    const slack = await slackServer()
    const url = Promise.withResolvers<string>()
    await tinyBot(slack, 'socket', (app) => {
      app.action('go', async ({ ack, body }) => {
        await ack()
        if ('response_url' in body) url.resolve(body.response_url)
      })
    })
    const { ts } = await card(slack)
    await slack.people.click('ana', ts, 'Go')
    const address = await url.promise
    const answer = (body: object) => fetch(address, { method: 'POST', body: JSON.stringify(body), headers })
    const headers = { 'content-type': 'application/json' }
    const answers: number[] = []
    for (const text of ['1', '2', '3', '4', '5', '6']) answers.push((await answer({ text })).status)
    expect(answers).toEqual([200, 200, 200, 200, 200, 404])
    expect(slack.view('general').filter(({ ephemeralTo }) => ephemeralTo === slack.user('ana'))).toHaveLength(5)
  })

  test('modals are pushed, updated and closed', async () => {
    const slack = await slackServer()
    const text = (words: string) => ({ type: 'plain_text' as const, text: words })
    const element = { type: 'plain_text_input' as const, action_id: 'w' }
    const field = { type: 'input' as const, block_id: 'f', label: text('Word'), optional: true, element }
    const modal = (title: string) => ({
      ...{ type: 'modal' as const, callback_id: title, title: text(title), submit: text('Go') },
      blocks: [field],
      notify_on_close: true,
    })
    const closed: string[] = []
    await tinyBot(slack, 'socket', (app) => {
      app.action('go', async ({ ack, body, client }) => {
        await ack()
        if ('trigger_id' in body) await client.views.open({ trigger_id: body.trigger_id, view: modal('One') })
      })
      app.view('One', async ({ ack }) => ack({ response_action: 'push', view: modal('Two') }))
      app.view('Two', async ({ ack }) => ack({ response_action: 'update', view: modal('Three') }))
      app.view({ callback_id: 'Three', type: 'view_closed' }, async ({ ack, view }) => {
        await ack()
        closed.push(view.callback_id)
      })
    })
    const { ts } = await card(slack)
    await slack.people.click('ana', ts, 'Go')
    const one = await slack.until(() => slack.people.modal('ana'))
    await slack.people.submit('ana', one.id, {})
    const two = slack.people.modal('ana')
    expect(two).toMatchObject({ title: 'Two' })
    await slack.people.submit('ana', two?.id ?? '', { Word: 'x' })
    expect(slack.people.modal('ana')).toMatchObject({ id: two?.id, title: 'Three' })
    await slack.people.closeView('ana', two?.id ?? '')
    expect(closed).toEqual(['Three'])
    expect(slack.people.modal('ana')).toMatchObject({ title: 'One' })
    expect(slack.violations).toEqual([])
  })

  test('Home is published and clicked', async () => {
    const slack = await slackServer()
    const clicked = Promise.withResolvers<unknown>()
    await tinyBot(slack, 'socket', (app) => {
      app.action('go', async ({ ack, body }) => {
        await ack()
        clicked.resolve(body)
      })
    })
    const view = { type: 'home' as const, blocks: blockWith(button) }
    const client = clientOf(slack)
    expect(await errorOf(client.views.publish({ user_id: slack.user('ana'), view }))).toBe('no error')
    const home = slack.people.home('ana')
    await slack.people.click('ana', home?.id ?? '', 'Go')
    expect(await clicked.promise).toMatchObject({ container: { type: 'view', view_id: home?.id } })
  })
})

test('everything ends, also with a dead socket and a call that nobody answers', async () => {
  const slack = await slackServer()
  await tinyBot(slack)
  slack.misbehave.deafen({ pings: false })
  slack.misbehave.drop('auth.test', 'silence')
  const call = errorOf(clientOf(slack).auth.test())
  await slack.close()
  expect(await call).toBe('slack_webapi_request_error')
})
