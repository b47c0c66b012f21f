import { expect, test } from 'vitest'
import { handlers } from '../support/discord/rest/routes/index.ts'
import { openApi } from '../support/discord/rules/openapi.ts'
import { raw, row, startServer } from './server-support.ts'

test('every operation that Discord describes and we keep has a handler, and none is left over', () => {
  expect(openApi.names().toSorted()).toEqual(Object.keys(handlers).toSorted())
})

test('what is asked for has the shape that Discord describes', async () => {
  const discord = await startServer()
  const { botId, guildId, channels, users, people } = discord
  const channel = `/channels/${channels.general}`
  const message = people.post('ana', 'general', 'hello', { files: [{ name: 'a.png', content: 'x' }] })
  people.react('ben', message, '👍')
  const thread = people.createThread('ana', 'general', 'Thread', { from: message })
  const archived = people.createThread('ana', 'announcements', 'Old')
  people.archiveThread(archived)
  const card = await raw(discord, 'POST', `${channel}/messages`, {
    content: 'card',
    components: [row('a')],
    embeds: [{ title: 'x' }],
    message_reference: { message_id: message },
  })
  const emoji = encodeURIComponent('👍')
  const calls: [string, string, unknown?][] = [
    ['GET', '/gateway'],
    ['GET', '/gateway/bot'],
    ['GET', '/users/@me'],
    ['GET', '/users/@me/guilds'],
    ['POST', '/users/@me/channels', { recipient_id: users.ana }],
    ['GET', `/users/${users.ana}`],
    ['GET', '/applications/@me'],
    ['GET', '/oauth2/applications/@me'],
    ['GET', `/guilds/${guildId}`],
    ['GET', `/guilds/${guildId}/channels`],
    ['GET', `/guilds/${guildId}/roles`],
    ['GET', `/guilds/${guildId}/members?limit=10`],
    ['GET', `/guilds/${guildId}/members/search?query=an`],
    ['GET', `/guilds/${guildId}/members/${users.ben}`],
    ['GET', `/guilds/${guildId}/threads/active`],
    ...Object.values(channels)
      .map((id): [string, string] => ['GET', `/channels/${id}`])
      .filter(([, path]) => !path.endsWith(channels.hidden ?? '')),
    ['GET', `/channels/${thread}`],
    ['PUT', `/channels/${thread}/thread-members/@me`],
    ['PUT', `/channels/${thread}/thread-members/${users.ben}`],
    ['GET', `/channels/${thread}/thread-members`],
    ['GET', `/channels/${thread}/thread-members/${users.ben}`],
    ['DELETE', `/channels/${thread}/thread-members/@me`],
    ['GET', `/channels/${thread}/messages`],
    ['GET', `/channels/${channels.announcements}/threads/archived/public`],
    ['PATCH', `/channels/${archived}`, { archived: false }],
    ['GET', `${channel}/users/@me/threads/archived/private`],
    ['GET', `${channel}/messages`],
    ['GET', `${channel}/messages/${message}`],
    ['GET', `${channel}/messages/${message}/reactions/${emoji}`],
    ['PUT', `${channel}/messages/${message}/reactions/${emoji}/@me`],
    ['DELETE', `${channel}/messages/${message}/reactions/${emoji}/@me`],
    ['POST', `${channel}/typing`],
    ['POST', `/applications/${botId}/commands`, { name: 'stop', description: 'Stops.' }],
    ['GET', `/applications/${botId}/commands`],
    ['PUT', `/applications/${botId}/guilds/${guildId}/commands`, [{ name: 'go', description: 'Goes.' }]],
    ['DELETE', `${channel}/messages/${card.body.id}`],
  ]
  for (const [method, path, body] of calls) {
    const { status, body: answer } = await raw(discord, method, path, body)
    expect([method, path, status, status < 300 ? '' : answer]).toEqual([method, path, expect.any(Number), ''])
  }
  expect(discord.violations).toEqual([])
})

test.each([
  ['GET', '/channels/1', 404, 10003],
  ['GET', '/guilds/1', 404, 10004],
  ['GET', '/users/1', 404, 10013],
  ['GET', '/channels/{general}/messages/1', 404, 10008],
  ['PUT', '/channels/{general}/messages/{message}/reactions/thumbsup/@me', 400, 10014],
  ['DELETE', '/channels/{general}/messages/{message}/reactions/👍/1', 403, 50013],
  ['PATCH', '/channels/{general}', 403, 50013],
  ['DELETE', '/channels/{general}', 403, 50013],
  ['GET', '/channels/{general}/threads/archived/private', 403, 50013],
  ['GET', '/applications/1/commands', 403, 20012],
  ['GET', '/webhooks/1/token/messages/@original', 404, 10015],
  ['POST', '/interactions/1/token/callback', 404, 10062],
])('%s %s is %d, code %d', async (method, path, status, code) => {
  const discord = await startServer()
  const message = discord.people.post('ana', 'general', 'x')
  const where = path.replace('{general}', discord.channels.general ?? '').replace('{message}', message)
  const body = method === 'POST' ? { type: 5 } : method === 'PATCH' ? { name: 'x' } : undefined
  expect(await raw(discord, method, encodeURI(where), body)).toMatchObject({ status, body: { code } })
  expect(discord.violations).toEqual([])
})
