import { expect, onTestFinished, test } from 'vitest'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { type DiscordServer, startDiscordServer } from '../support/discord/server.ts'
import type { ModelScript } from '../support/model-server.ts'
import { until } from '../support/until.ts'

/** A bot that answers ana only, unless `config` says otherwise. */
async function openBot(script: ModelScript, config?: TestBotOptions['config']) {
  const discord = await startDiscordServer()
  const bot = await startTestBot({
    script,
    environment: { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
    config: config ?? { access: { users: [discord.users.ana ?? ''] } },
  })
  onTestFinished(async () => {
    await bot.stop()
    await discord.close()
  })
  const isRegistered = () => discord.calls.some(({ path, status }) => path.endsWith('/commands') && status === 200)
  await until('the commands', () => isRegistered() && discord.gateway.connected > 0)
  const wordsFor = (who: string, where: string) =>
    discord.view(where).find(({ ephemeralTo, loading }) => ephemeralTo === who && !loading)?.content
  return { bot, discord, told: (who: string, where: string) => until('the words', () => wordsFor(who, where)) }
}

async function askAbout(discord: DiscordServer, who: string, message: string): Promise<void> {
  await discord.people.messageCommand(who, message, 'Ask bot about this message').answered
  await discord.people.submitModal(who, { text: 'is it any good?' }).answered
}

test('who may not use the bot is told so when they ask about a message', async () => {
  const { bot, discord, told } = await openBot([])
  const message = discord.people.post('cleo', 'general', 'the plan')
  await askAbout(discord, 'ben', message)

  expect(await told('ben', 'general')).toBe('You’re not allowed to use me here.')
  expect(bot.model.requests).toEqual([])
})

test('a question about a message with too many files says so, and what helps', async () => {
  const { discord, told } = await openBot([], { uploads: { filesPerMessage: 1 } })
  const files = ['first', 'second'].map((name) => ({ name: `${name}.txt`, content: name }))
  const message = discord.people.post('cleo', 'general', 'the plans', { files })
  await askAbout(discord, 'ana', message)

  expect(await told('ana', 'general')).toBe(
    'A message can have 1 file, but this one has 2. Send them in several messages.',
  )
})
