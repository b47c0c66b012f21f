import { ApplicationCommandOptionType, Routes } from 'discord.js'
import { expect, test } from 'vitest'
import type { Log } from '../../src/kit/log.ts'
import type { DiscordApi } from '../../src/platforms/discord/api/api.ts'
import { commands } from '../../src/platforms/discord/interactions/command-list.ts'
import { registerCommands } from '../../src/platforms/discord/receive/register-commands.ts'
import { discordWords } from '../../src/platforms/discord/words/words.ts'
import type { DiscordServer } from '../support/discord/server.ts'
import { until } from '../support/until.ts'
import { openRoom } from './room.ts'

const slash = commands.find((one) => 'options' in one)
const menu = commands.find((one) => !('options' in one))

/** The slash command, with other arguments of a subcommand. */
const withArguments = (name: string, ...args: object[]): unknown => ({
  ...slash,
  options: slash?.options.map((one) => (one.name === name ? { ...one, options: args } : one)),
})
const argument = { type: ApplicationCommandOptionType.String, name: 'id', max_length: 300 }
const ofResume = { ...argument, description: discordWords.resumeIdOption() }

const registered = ({ calls }: DiscordServer) =>
  calls.filter(({ method, path, status }) => method === 'PUT' && path.endsWith('/commands') && status === 200)

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
  const notes = new Map<string, string>()
  const log: string[] = []
  const written: unknown[] = []
  const api = {
    read: async (route: string) => (route === Routes.currentApplication() ? { id: '1' } : written.at(-1)),
    write: async (_: object, { body }: { body: unknown }) => written.push(body),
  }
  const deps = {
    api: api as unknown as DiscordApi,
    notes: {
      get: async (name: string) => notes.get(name),
      set: async (name: string, text: string) => void notes.set(name, text),
    },
    log: { warn: (_: object, words: string) => log.push(words) } as unknown as Log,
  }
  await registerCommands('1', deps)
  await registerCommands('1', deps)
  expect(written).toEqual([commands])
  api.read = async () => Promise.reject(new Error('Discord is away'))
  await registerCommands('1', deps)
  expect(written).toEqual([commands])
  expect(log).toEqual(['the slash commands could not be looked at or registered'])
})

test.each([
  ['has more of them', [...commands, { ...slash, name: 'newer' }]],
  ['has fewer', [menu]],
  ['lacks a subcommand', [menu, { ...slash, options: slash?.options.slice(1) }]],
  ['has another argument of a subcommand', [menu, withArguments('status', { ...argument, description: 'Of what' })]],
  ['requires an argument', [menu, withArguments('resume', { ...ofResume, required: true })]],
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
