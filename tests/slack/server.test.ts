import { describe, expect, test } from 'vitest'
import { clientOf, hearAll, slackServer, type Told, type Transport, tinyBot } from './tiny-bot.ts'

const transports: Transport[] = ['socket', 'http']

describe.each(transports)('over %s', (transport) => {
  test('a mention comes as two events, and the bot answers in the thread', async () => {
    const slack = await slackServer()
    const seen: string[] = []
    await tinyBot(slack, transport, (app) => app.message(async ({ message }) => void seen.push(message.ts)))

    const ts = slack.people.mention('ana', 'general', 'is 1 < 2 & true?')

    const answer = await slack.until(() => slack.view('general', ts)[1])
    await slack.idle()
    expect(answer.text).toBe(`echo: ${slack.bot.mention} is 1 < 2 & true?`)
    expect(answer).toMatchObject({ user: slack.bot.id, bot: true, thread_ts: ts })
    expect(seen).toContain(ts)
    expect(slack.deliveries.map(({ name }) => name).slice(0, 2)).toEqual(['app_mention', 'message.channels'])
    expect(slack.violations).toEqual([])
  })

  test('in a DM there is no mention, only a message', async () => {
    const slack = await slackServer()
    const said = Promise.withResolvers<unknown>()
    await tinyBot(slack, transport, (app) => app.message(async ({ message }) => said.resolve(message)))

    const ts = slack.people.mention('ana', '@ana', 'hello')

    expect(await said.promise).toMatchObject({ channel_type: 'im', ts, user: slack.user('ana') })
    await slack.idle()
    expect(slack.deliveries.map(({ name }) => name)).toEqual(['message.im'])
  })

  test('a click arrives with its message, and the message can be changed by response_url', async () => {
    const slack = await slackServer()
    await tinyBot(slack, transport, (app) => {
      app.action('ok', async ({ ack, body, respond, action }) => {
        await ack()
        const value = 'value' in action ? action.value : ''
        await respond({ replace_original: true, text: `${body.user.id} chose ${value}` })
      })
    })
    const client = clientOf(slack)
    const button = { type: 'button', action_id: 'ok', value: '7', text: { type: 'plain_text', text: 'OK' } }
    const blocks = [{ type: 'actions', elements: [button] }]
    const { ts = '' } = await client.chat.postMessage({ channel: slack.channel('general'), text: 'Well?', blocks })
    expect(slack.message(ts).buttons).toMatchObject([{ label: 'OK', action_id: 'ok', value: '7' }])

    const clicked = await slack.people.click('ben', ts, 'OK')

    expect(clicked.acked).toBe(true)
    await slack.until(() => slack.message(ts).edited)
    expect(slack.message(ts)).toMatchObject({ text: `${slack.user('ben')} chose 7` })
    expect(slack.message(ts).buttons).toEqual([])
    expect((await slack.people.click('ana', ts, 'OK', { stale: true })).acked).toBe(true)
  })

  test('a menu says what was chosen', async () => {
    const slack = await slackServer()
    const chosen = Promise.withResolvers<unknown>()
    await tinyBot(slack, transport, (app) => {
      app.action('pick', async ({ ack, body }) => {
        await ack()
        chosen.resolve(body)
      })
    })
    const option = (word: string) => ({ text: { type: 'plain_text', text: word }, value: word.toLowerCase() })
    const placeholder = { type: 'plain_text', text: 'Which?' }
    const options = [option('Red'), option('Green'), option('Blue')]
    const menu = { type: 'multi_static_select', action_id: 'pick', placeholder, options }
    const blocks = [{ type: 'actions', block_id: 'menus', elements: [menu] }]
    const channel = slack.channel('general')
    const { ts = '' } = await clientOf(slack).chat.postMessage({ channel, text: 'Colours', blocks })

    await slack.people.click('ana', ts, 'pick', { value: ['Red', 'blue'] })

    const selected = [{ value: 'red' }, { value: 'blue' }]
    expect(await chosen.promise).toMatchObject({
      actions: [{ type: 'multi_static_select', selected_options: selected }],
      state: { values: { menus: { pick: { selected_options: selected } } } },
    })
  })

  test('a command opens a modal; the submission is refused, then taken', async () => {
    const slack = await slackServer()
    const given: unknown[] = []
    await tinyBot(slack, transport, (app) => {
      app.command('/ask', async ({ ack, body, client }) => {
        await ack('One moment')
        const element = { type: 'plain_text_input' as const, action_id: 'words' }
        const label = { type: 'plain_text' as const, text: 'Name' }
        const text = (words: string) => ({ type: 'plain_text' as const, text: words })
        const blocks = [{ type: 'input' as const, block_id: 'name', label, element }]
        const view = { type: 'modal' as const, callback_id: 'form', title: text('Who?'), submit: text('Go'), blocks }
        await client.views.open({ trigger_id: body.trigger_id, view })
      })
      app.view('form', async ({ ack, view }) => {
        const value = view.state.values.name?.words?.value
        given.push(value)
        if (value === 'x') await ack({ response_action: 'errors', errors: { name: 'Too short' } })
        else await ack()
      })
    })

    const commanded = await slack.people.slash('ana', '/ask', 'now', 'general')
    const modal = await slack.until(() => slack.people.modal('ana'))
    expect(commanded.acked).toBe(true)
    expect(slack.view('general').at(-1)).toMatchObject({ text: 'One moment', ephemeralTo: slack.user('ana') })
    expect(modal).toMatchObject({ title: 'Who?', fields: [{ label: 'Name', action_id: 'words' }] })
    await expect(slack.people.submit('ana', modal.id, {})).rejects.toThrow('does not let Name be empty')

    const refused = await slack.people.submit('ana', modal.id, { Name: 'x' })
    const taken = await slack.people.submit('ana', modal.id, { words: 'Ana' })

    expect(refused).toMatchObject({ closed: false, errors: { name: 'Too short' } })
    expect(taken).toMatchObject({ closed: true, errors: {} })
    expect(given).toEqual(['x', 'Ana'])
    expect(slack.people.modal('ana')).toBeUndefined()
    expect(slack.violations).toEqual([])
  })

  test('an event that is not acknowledged comes again, and says so', async () => {
    const slack = await slackServer({ redeliveryMs: [500, 500, 500] })
    const retries: number[] = []
    await tinyBot(slack, transport, (app) => hearAll(app, (_, retry) => retries.push(retry)))
    slack.misbehave.loseAcks(2)

    slack.people.post('ana', 'general', 'hello')

    await slack.idle()
    expect(retries.slice(0, 3)).toEqual([0, 1, 2])
    expect(slack.deliveries).toMatchObject([{ attempts: retries.length, outcome: 'acked' }])
  })

  test('the same event comes eleven times, with other ids and no word of a retry', async () => {
    const slack = await slackServer()
    const ids = new Set<string>()
    const stamps: string[] = []
    await tinyBot(slack, transport, (app) =>
      hearAll(app, ({ event_id, event }, retry) => {
        ids.add(`${event_id} ${retry}`)
        stamps.push(event.ts)
      }),
    )

    const ts = slack.people.post('ana', 'general', 'hello', { copies: 11 })

    await slack.idle()
    expect(ids.size).toBe(11)
    expect(stamps).toEqual(Array.from({ length: 11 }, () => ts))
  })

  test('people edit, delete, react and stop; each is told in Slack’s form', async () => {
    const slack = await slackServer()
    const events: Told['event'][] = []
    await tinyBot(slack, transport, (app) => hearAll(app, ({ event }) => events.push(event)))
    const client = clientOf(slack)
    const channel = slack.channel('general')

    const ts = slack.people.post('ana', 'general', 'one')
    slack.people.edit('ana', ts, 'two')
    slack.people.react('ben', ts, 'eyes')
    slack.people.unreact('ben', ts, 'eyes')
    await client.agents.sessions.setStatus({ channel_id: channel, thread_ts: ts, status: 'processing' })
    slack.people.stopSession('ana', 'general', ts)
    slack.people.openHome('ana')
    slack.people.join('cleo', 'general')
    slack.people.botPost('general', 'build is red')
    slack.people.delete('ana', ts)

    await slack.idle()
    expect(events.map(({ type, subtype }) => subtype ?? type).toSorted()).toEqual(
      [
        ...['agent_session_stopped', 'app_home_opened', 'bot_message', 'channel_join', 'member_joined_channel'],
        ...['message', 'message_changed', 'message_changed', 'message_deleted', 'reaction_added', 'reaction_removed'],
      ].toSorted(),
    )
    expect(events.find(({ subtype }) => subtype === 'message_changed')).toMatchObject({
      message: { text: 'two', edited: { user: slack.user('ana') } },
      previous_message: { text: 'one', ts },
      hidden: true,
    })
    expect(events.find(({ subtype }) => subtype === 'bot_message')).toMatchObject({
      bot_id: slack.world.otherBot.botId,
      app_id: slack.world.otherBot.appId,
    })
    expect(slack.sessionStatus('general', ts)).toBe('processing')
  })
})

test('HTTP requests are signed, and a URL is verified by its challenge', async () => {
  const slack = await slackServer()
  await tinyBot(slack, 'http')
  expect(await slack.verifyUrl()).toBe(true)
  slack.settings.signingSecret = 'another-secret'
  expect(await slack.verifyUrl()).toBe(false)
})
