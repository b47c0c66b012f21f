import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { inviteLink, permissions } from '../../src/platforms/discord/api/needs.ts'
import { type DiscordCheck, discordFindings } from '../../src/platforms/discord/doctor/doctor.ts'
import { commands, commandsOfPeople } from '../../src/platforms/discord/interactions/command-list.ts'
import { type DiscordServer, type DiscordServerOptions, startDiscordServer } from '../support/discord/server.ts'
import { inFrontOf, read, troubles } from './support.ts'

/** A Discord whose server gives the bot exactly what the invite link asks for, and the checks on it. */
async function setUp(options: DiscordServerOptions = {}) {
  const discord = await startDiscordServer({ permissions, ...options })
  onTestFinished(() => discord.close())
  await registerCommands(discord, commands)
  const check = (changes: Partial<DiscordCheck> = {}) =>
    discordFindings({
      token: discord.token,
      apiUrl: discord.url,
      probe: undefined,
      bot: 'none',
      clock: systemClock,
      everybody: true,
      ...changes,
    })
  /** The same with some answers changed, by the end of the path. */
  const checkWith = async (changes: Record<string, (answered: unknown) => unknown>) =>
    troubles(check({ apiUrl: `${await inFrontOf(new URL(discord.url).origin, changes)}/api` }))
  return { discord, check, checkWith }
}

/** Registers the commands, as the bot does when it starts. */
async function registerCommands({ url, token, botId }: DiscordServer, body: unknown) {
  const headers = { authorization: `Bot ${token}`, 'content-type': 'application/json' }
  const address = `${url}/v10/applications/${botId}/commands`
  expect((await fetch(address, { method: 'PUT', headers, body: JSON.stringify(body) })).status).toBe(200)
}

/** Requests with which the checks changed something. */
const writes = ({ calls }: DiscordServer) =>
  calls.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/commands')).map(({ method }) => method)

const application = (changes: object) => ({
  '/applications/@me': (answered: unknown) => ({ ...Object(answered), ...changes }),
})

test('when everything is right, it says what works', async () => {
  const { discord, check } = await setUp()
  expect(await read(check())).toEqual([
    '✓ Discord accepts the token: @bobbin, application “bobbin”.',
    '✓ The clock agrees with Discord’s.',
    '✓ The bot may read messages (Message Content Intent).',
    '✓ The bot may connect 1000 more times of 1000 within 24 h.',
    expect.stringMatching(/^✓ In the server .+ the bot has the permissions it needs\.$/),
    '✓ The commands “bobbin”, “Ask bot about this message” are registered.',
  ])
  expect(writes(discord)).toEqual([])
  expect(discord.violations).toEqual([])
})

test('says whether people may add the bot to their own account, and warns if anybody may', async () => {
  const { discord, check, checkWith } = await setUp({ userInstall: true })
  const warnings = await checkWith(application({ bot_public: true }))
  expect(warnings).toContainEqual(expect.stringContaining('Anybody on Discord may add the bot to their own account'))
  expect(warnings).toContainEqual(expect.stringContaining('Not registered yet: “ask”.'))
  expect(warnings).toContainEqual(
    expect.stringContaining('Registered by another version, and different from this one’s: “bobbin”.'),
  )

  await registerCommands(discord, commandsOfPeople)
  const lines = await read(check())
  expect(lines).toContain('✓ People may add the bot to their own account, and ask it with /ask anywhere.')
  expect(lines).toContain('✓ The commands “bobbin”, “Ask bot about this message”, “ask” are registered.')
})

test('a probe is posted and deleted', async () => {
  const { discord, check } = await setUp()
  const { general } = discord.channels
  const lines = await read(check({ probe: general }))
  expect(lines.at(-1)).toBe(`✓ A message was posted in ${general} and deleted.`)
  expect(discord.view('general')).toEqual([])
  expect(writes(discord)).toEqual(['POST', 'DELETE'])
})

test('a channel where the bot may not write is reported', async () => {
  const { discord, check } = await setUp()
  discord.misbehave.deny('general', 'SendMessages')
  const { general } = discord.channels
  expect(await troubles(check({ probe: general }))).toContain(
    `✗ No message can be posted in ${general}: Missing Permissions.`,
  )
})

test('an unknown Discord token is reported, with where to get one', async () => {
  const { check } = await setUp()
  expect(await read(check({ token: 'not-the-token' }))).toEqual([
    '✗ Discord doesn’t recognise the token (DISCORD_TOKEN).',
    expect.stringContaining('“Reset Token”'),
  ])
})

test('the missing Message Content intent is named', async () => {
  const { check } = await setUp({ intents: { messageContent: false } })
  expect(await troubles(check())).toEqual([
    '✗ The bot may not read messages: Discord would not let it connect.',
    expect.stringMatching(/“Message Content Intent” at https:\S+\/bot, under “Privileged Gateway Intents”/),
  ])
})

test('an interactions endpoint and a broken invite link are reported', async () => {
  const { checkWith } = await setUp()
  expect(await checkWith(application({ interactions_endpoint_url: 'https://old.example/interactions' }))).toEqual([
    '✗ Clicks and commands go to https://old.example/interactions, not to the bot.',
    expect.stringContaining('“Interactions Endpoint URL”'),
  ])
  expect((await checkWith(application({ bot_require_code_grant: true })))[1]).toContain('“Requires OAuth2 Code Grant”')
})

test.each([
  [40, '! The bot may connect 40 more times of 1000 within 2 h.'],
  [0, '✗ The bot may connect 0 more times of 1000 within 2 h.'],
])('with %s connections left for the day it warns', async (remaining, words) => {
  const { check } = await setUp({ sessionStarts: { remaining, resetAfterMs: 7_000_000 } })
  expect((await troubles(check()))[0]).toBe(words)
})

test('a bot in no server is reported with the invite link', async () => {
  const { discord, checkWith } = await setUp()
  expect(await checkWith({ '/users/@me/guilds': () => [] })).toEqual([
    '✗ The bot is in no server.',
    `    Add it: ${inviteLink(discord.botId)}`,
  ])
})

test('missing permissions are named, in the server and in channels', async () => {
  const server = await setUp({ permissions: permissions & ~(1n << 15n) & ~(1n << 38n) })
  expect(await troubles(server.check())).toEqual([
    expect.stringMatching(/^✗ In the server .+ the bot lacks: Send Messages In Threads, Attach Files\.$/),
    expect.stringContaining(inviteLink(server.discord.botId)),
  ])

  const channel = await setUp({ channels: ['private', 'quiet'] })
  channel.discord.misbehave.deny('general', 'CreatePublicThreads')
  channel.discord.misbehave.deny('quiet', 'SendMessages')
  channel.discord.misbehave.deny('private', 'ViewChannel')
  expect(await troubles(channel.check())).toEqual([
    expect.stringMatching(
      /^! In the server .+ the bot lacks permissions in #general \(Create Public Threads\), #quiet \(Send Messages\)\.$/,
    ),
    expect.stringContaining('settings of the channel'),
  ])
})

test('an administrator may do everything', async () => {
  const { discord, check } = await setUp({ permissions: 1n << 3n })
  discord.misbehave.deny('general', 'SendMessages')
  expect((await troubles(check())).filter((line) => line.includes('lacks'))).toEqual([])
})

test('an unreachable or rate-limiting Discord is reported', async () => {
  const { discord, check } = await setUp()
  discord.misbehave.fail({ path: '/gateway/bot' }, { kind: 'rate-limited', retryAfterMs: 60_000 })
  expect(await troubles(check())).toEqual(['✗ Discord is rate-limiting us.', '    Try again in a minute.'])
  discord.misbehave.fail({ path: '/gateway/bot' }, { kind: 'status', status: 403 })
  expect((await troubles(check()))[0]).toMatch(/^✗ Discord refused GET .*\/gateway\/bot: /)
  const gone = await startDiscordServer()
  await gone.close()
  expect(await read(check({ apiUrl: gone.url }))).toEqual([
    '✗ Discord can’t be reached: ECONNREFUSED.',
    expect.stringContaining('DISCORD_API_URL'),
  ])
})

test('a wrong clock is reported', async () => {
  const { check } = await setUp()
  const late = { now: () => Date.now() - 600_000 }
  expect((await troubles(check({ clock: late })))[0]).toMatch(/^✗ This machine’s clock is \d+ s behind Discord’s\.$/)
})

test.each(['an older', 'a newer'])('a command that %s version registered is named', async (which) => {
  const { discord, check } = await setUp()
  const others = commands.map((command) => {
    if (!('options' in command)) return command
    return { ...command, ...(which === 'a newer' ? { nsfw: true } : { options: command.options.slice(1) }) }
  })
  await registerCommands(discord, others)
  expect(await troubles(check())).toEqual([
    '! Registered by another version, and different from this one’s: “bobbin”.',
    '    The bot registers its commands when it starts.',
  ])
})

test('commands that are not registered are named', async () => {
  const { discord, check } = await setUp()
  await registerCommands(discord, commands.slice(1))
  expect(await troubles(check())).toEqual([
    '! Not registered yet: “bobbin”.',
    '    The bot registers its commands when it starts.',
  ])
})
