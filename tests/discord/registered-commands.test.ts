import { expect, test } from 'vitest'
import { commands } from '../../src/platforms/discord/interactions/command-list.ts'
import type { DiscordServer } from '../support/discord/server.ts'
import { until } from '../support/until.ts'
import { openRoom } from './room.ts'

const slash = commands.find((one) => 'options' in one)
const menu = commands.find((one) => !('options' in one))

const registered = ({ calls }: DiscordServer) =>
  calls.filter(({ method, path, status }) => method === 'PUT' && path.endsWith('/commands') && status === 200)
const looks = ({ calls }: DiscordServer) =>
  calls.filter(({ method, path, status }) => method === 'GET' && path.endsWith('/commands') && status === 200)

/** What Discord offers, by name, with the subcommands. */
async function offered(discord: DiscordServer): Promise<unknown> {
  const all = (await (await ask(discord)).json()) as { name: string; options?: { name: string }[] }[]
  return all.map(({ name, options = [] }) => [name, options.map((option) => option.name)])
}

const ask = ({ url, token, botId }: DiscordServer, body?: unknown): Promise<Response> =>
  fetch(`${url}/v10/applications/${botId}/commands`, {
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'PUT', body: JSON.stringify(body) }),
  })

test('commands are registered once, and again only when they change', async () => {
  const room = await openRoom()
  const { discord } = room
  await until('the commands', () => registered(discord).length === 1)
  await room.restart()
  await until('the look at them', () => looks(discord).length === 1)
  discord.people.post('ana', 'general', 'after')
  await room.hears('after')

  expect(registered(discord)).toHaveLength(1)
})

test.each([
  ['has more of them', [...commands, { ...slash, name: 'newer' }]],
  ['has fewer', [menu]],
  ['lacks a subcommand', [menu, { ...slash, options: slash?.options.slice(1) }]],
  ['says something else of one', [menu, { ...slash, description: 'What a newer version says' }]],
])('they are registered again when Discord %s, as after going back to an older version', async (_, others) => {
  const room = await openRoom()
  const { discord } = room
  const ours = await offered(discord)
  expect((await ask(discord, others)).status).toBe(200)
  await room.restart()
  await until('the commands', () => registered(discord).length === 3)

  expect(await offered(discord)).toEqual(ours)
})
