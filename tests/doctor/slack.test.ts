import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { slackScopes } from '../../src/config/manifests.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { type SlackCheck, slackFindings } from '../../src/platforms/slack/doctor/doctor.ts'
import { type SlackOptions, type SlackServer, startSlackServer } from '../support/slack/server.ts'
import { patienceMs } from '../support/until.ts'
import { inFrontOf, read, troubles } from './support.ts'

/** A Slack whose app has exactly what the manifest asks for, and the checks on it. */
async function setUp(options: SlackOptions = {}) {
  const slack = await startSlackServer({ scopes: slackScopes(), ...options })
  onTestFinished(() => slack.close())
  const check = (changes: Partial<SlackCheck> = {}) =>
    slackFindings({
      botToken: slack.botToken,
      appToken: slack.appToken,
      apiUrl: slack.apiUrl,
      http: undefined,
      scopes: slackScopes(),
      bot: 'none',
      probe: undefined,
      clock: systemClock,
      helloMs: patienceMs,
      eventMs: patienceMs,
      ...changes,
    })
  return { slack, check }
}

/** Connects as another running bot would. */
async function connectAsBot({ apiUrl, appToken }: SlackServer) {
  const headers = { authorization: `Bearer ${appToken}` }
  const opened = await fetch(`${apiUrl}apps.connections.open`, { method: 'POST', headers })
  const { url } = (await opened.json()) as { url: string }
  const socket = new WebSocket(url)
  onTestFinished(() => socket.close())
  await new Promise((resolve) => socket.addEventListener('message', resolve))
}

const goodbye = (reason: string) => JSON.stringify({ type: 'disconnect', reason })

const unseen = [
  '! Whether Slack sends the events can’t be checked from here.',
  expect.stringContaining('“Event Subscriptions”: it has to be on, with the bot events of manifests/slack.yaml.'),
  expect.stringContaining('--probe'),
]

test('when everything is set up right, it says what works and what it can’t check', async () => {
  const { slack, check } = await setUp()
  const lines = await read(check())
  expect(lines).toEqual([
    `✓ Slack accepts the bot token: @${slack.world.bot.name} in ${slack.team.name} (https://${slack.team.domain}.slack.com/).`,
    '✓ The clock agrees with Slack’s.',
    `✓ The app has all ${slackScopes().length} scopes that it needs.`,
    expect.stringMatching(/^✓ The bot is in #\w+/),
    '✓ Socket Mode works: Slack answered.',
    ...unseen,
  ])
  expect(slack.calls.map(({ method }) => method)).not.toContain('chat.postMessage')
  expect(slack.violations).toEqual([])
})

test('a probe is posted, comes back as an event, and is deleted', async () => {
  const { slack, check } = await setUp()
  const channel = slack.channel('general')
  const before = slack.view(channel).length
  const lines = await read(check({ probe: channel }))
  expect(lines.slice(-3)).toEqual([
    '✓ Socket Mode works: Slack answered.',
    `✓ A message was posted in ${channel} and deleted.`,
    '✓ It came back as an event: messages of such channels reach the bot.',
  ])
  expect(slack.view(channel)).toHaveLength(before)
})

test('a probe notices events that the app is not subscribed to', async () => {
  const { slack, check } = await setUp({ events: ['app_mention'] })
  expect(await troubles(check({ probe: slack.channel('general'), eventMs: 300 }))).toEqual([
    '✗ It did not come back as an event.',
    expect.stringContaining('Event Subscriptions'),
  ])
})

test('a channel without the bot is named, with how to add it', async () => {
  const { slack, check } = await setUp()
  slack.misbehave.refuse('chat.postMessage', 'not_in_channel')
  expect(await troubles(check({ probe: 'C0000000' }))).toEqual([
    '✗ No message can be posted in C0000000: the bot is not in the channel: invite me with /invite.',
  ])
})

test('missing scopes are named, with how to add them, and so are unneeded ones', async () => {
  const scopes = [...slackScopes().filter((scope) => scope !== 'files:read'), 'chat:write.customize']
  const { check } = await setUp({ scopes })
  expect((await troubles(check())).slice(0, 5)).toEqual([
    '✗ The app lacks the scopes files:read.',
    expect.stringContaining('paste manifests/slack.yaml'),
    expect.stringContaining('“Reinstall to Workspace”'),
    '! The app has scopes that the bot does not need: chat:write.customize.',
    expect.stringContaining('“OAuth & Permissions”'),
  ])
})

test.each([
  ['invalid_auth', '✗ Slack doesn’t accept SLACK_BOT_TOKEN: Slack doesn’t recognise the bot token'],
  ['token_revoked', '✗ Slack doesn’t accept SLACK_BOT_TOKEN: the bot token was revoked'],
  ['account_inactive', '✗ Slack doesn’t accept SLACK_BOT_TOKEN: the app was removed from the workspace'],
  ['not_allowed_token_type', '✗ SLACK_BOT_TOKEN holds a token of another kind.'],
])('a bot token that Slack answers with %s to is told in words', async (error, words) => {
  const { slack, check } = await setUp()
  slack.misbehave.refuse('auth.test', error)
  const [fact, ...remedy] = await read(check())
  expect(fact).toContain(words)
  expect(remedy).toEqual([
    ...(/revoked|removed/.test(words) ? [expect.stringContaining('Reinstall the app')] : []),
    expect.stringMatching(/“Bot User OAuth Token” \(xoxb-…\) from .*“OAuth & Permissions”/),
  ])
})

test('mixed-up tokens are reported', async () => {
  const { slack, check } = await setUp()
  expect((await read(check({ botToken: slack.appToken, appToken: slack.botToken })))[0]).toBe(
    '✗ SLACK_BOT_TOKEN holds a token of another kind.',
  )
  expect(await troubles(check({ appToken: slack.botToken }))).toEqual([
    '✗ SLACK_APP_TOKEN holds a token of another kind.',
    expect.stringContaining('connections:write'),
  ])
})

test.each([
  ['invalid_auth', '✗ Slack doesn’t recognise the app token (SLACK_APP_TOKEN).'],
  ['missing_scope', '✗ The app token lacks the scope connections:write.'],
])('an app token that Slack answers with %s to is told in words', async (error, words) => {
  const { slack, check } = await setUp()
  slack.misbehave.refuse('apps.connections.open', error)
  expect(await troubles(check())).toEqual([words, expect.stringContaining('“Basic Information”')])
})

test('tokens of two different apps are reported', async () => {
  const { slack, check } = await setUp()
  const { id } = slack.app
  slack.world.app.id = 'A0OTHER'
  expect(await troubles(check())).toEqual([
    `✗ The two tokens belong to different apps: the bot token to A0OTHER, the app token to ${id}.`,
    expect.stringContaining('Copy both from the same app'),
  ])
})

test('another process with the same app token is reported', async () => {
  const { slack, check } = await setUp()
  await connectAsBot(slack)
  const [found, remedy] = await troubles(check())
  expect(found).toBe('! Another process is connected with this app token; Slack gives each event to only one of them.')
  expect(remedy).toContain('several bots on one PostgreSQL database')
})

test('while the bot runs here, its connection is left alone', async () => {
  const { slack, check } = await setUp()
  const lines = await read(check({ bot: 'connected' }))
  expect(lines.at(-1)).toBe('✓ The bot is running and connected to Slack, so no second connection is tried.')
  expect(slack.sockets.made).toBe(0)
})

test('while the bot runs here with an app token that has been replaced, the new one is tried', async () => {
  const { slack, check } = await setUp()
  slack.misbehave.refuse('apps.connections.open', 'invalid_auth')
  expect(await troubles(check({ bot: 'connected' }))).toEqual([
    '✗ Slack doesn’t recognise the app token (SLACK_APP_TOKEN).',
    expect.stringContaining('connections:write'),
  ])
})

test('while it can’t be told whether the bot that runs is connected, only the app token is tried', async () => {
  const { slack, check } = await setUp()
  expect((await read(check({ bot: 'unknown' }))).slice(-3)).toEqual([
    '✓ Slack accepts the app token.',
    '! The bot is running. I can’t tell whether it’s connected to Slack, so no second connection is tried.',
    expect.stringContaining('stop it and run doctor again'),
  ])
  expect(slack.sockets.made).toBe(0)
  slack.misbehave.refuse('apps.connections.open', 'invalid_auth')
  expect((await troubles(check({ bot: 'unknown' })))[0]).toBe(
    '✗ Slack doesn’t recognise the app token (SLACK_APP_TOKEN).',
  )
})

test('without an app token, it says what Slack needs to reach the bot', async () => {
  const { check } = await setUp()
  expect(await troubles(check({ appToken: undefined, http: { host: '127.0.0.1', port: 3001 } }))).toEqual([
    '! Slack’s requests are received on 127.0.0.1:3001; whether they arrive can’t be checked from here.',
    expect.stringContaining('public https address'),
    expect.stringContaining('SLACK_APP_TOKEN'),
  ])
})

test('of a bot that runs without an app token, but is not reached, it says what may be in between', async () => {
  const { check } = await setUp()
  expect((await troubles(check({ appToken: undefined, bot: 'apart' }))).slice(0, 3)).toEqual([
    '! The bot is running, but isn’t connected to Slack.',
    expect.stringContaining('proxy or tunnel'),
    expect.stringContaining('start it again'),
  ])
})

test('a bot that is in no channel yet is reported, with how to add it to one', async () => {
  const { slack, check } = await setUp()
  for (const { members } of slack.world.channels.values()) members.delete(slack.bot.id)
  expect((await troubles(check())).slice(0, 2)).toEqual([
    '! The bot is in no channel yet.',
    expect.stringContaining(`/invite @${slack.world.bot.name}`),
  ])
})

describe('a socket', () => {
  /** Redirects apps.connections.open to a server of ours; `greet` gives the first message of a new connection. */
  async function leadingTo(greet: string | undefined, helloMs: number) {
    const { slack, check } = await setUp()
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(sockets, 'listening')
    sockets.on('connection', (socket) => greet !== undefined && socket.send(greet))
    const { port } = sockets.address() as AddressInfo
    onTestFinished(() => {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    })
    const origin = await inFrontOf(slack.origin, {
      'apps.connections.open': () => ({ ok: true, url: `ws://127.0.0.1:${port}` }),
    })
    return troubles(check({ apiUrl: `${origin}/api/`, helloMs }))
  }

  test.each([
    ['nothing at all', undefined, '✗ Slack accepts the app token, but doesn’t answer on the WebSocket within 0.3 s.'],
    ['what is no JSON', '<html>', '✗ Slack accepts the app token, but doesn’t answer on the WebSocket within 0.3 s.'],
    ['that Socket Mode is off', goodbye('link_disabled'), '✗ Socket Mode is switched off in the app.'],
    ['that there are too many', goodbye('too_many_websockets'), '✗ The app has as many connections as Slack allows.'],
    ['something else', goodbye('warning'), '✗ Slack ended the connection at once (warning).'],
  ])('that says %s is told in words', async (_, greet, words) => {
    const lines = await leadingTo(greet, words.endsWith('within 0.3 s.') ? 300 : patienceMs)
    expect(lines[0]).toBe(words)
    expect(lines).toHaveLength(2)
  })
})

test('an unreachable Slack is reported with the reason', async () => {
  const { check } = await setUp()
  const nowhere = await startSlackServer()
  await nowhere.close()
  expect(await read(check({ apiUrl: nowhere.apiUrl }))).toEqual([
    '✗ Slack can’t be reached: ECONNREFUSED.',
    '    Check the network (I connect directly, not through a proxy), and SLACK_API_URL if you set it.',
  ])
})

test('a wrong clock is reported, with the remedy', async () => {
  const { check } = await setUp()
  const late = { now: () => Date.now() - 600_000 }
  expect((await troubles(check({ clock: late }))).slice(0, 2)).toEqual([
    expect.stringMatching(/^✗ This machine’s clock is \d+ s behind Slack’s\.$/),
    expect.stringContaining('timedatectl'),
  ])
  const early = { now: () => Date.now() + 30_000 }
  expect((await troubles(check({ clock: early })))[0]).toMatch(/^! This machine’s clock is \d+ s ahead of Slack’s\.$/)
})
