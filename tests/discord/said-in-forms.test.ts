import { expect, onTestFinished, test } from 'vitest'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { type DiscordServer, startDiscordServer } from '../support/discord/server.ts'
import { calls, type ModelScript } from '../support/model-server.ts'
import { until } from '../support/until.ts'

const files = ['first', 'second'].map((name) => ({ name: `${name}.txt`, content: name }))

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
  const message = discord.people.post('cleo', 'general', 'the plans', { files })
  await askAbout(discord, 'ana', message)

  expect(await told('ana', 'general')).toBe(
    'A message can have 1 file, but this one has 2. Send them in several messages.',
  )
})

/** A question of the bot's in a thread, and its card. */
async function openQuestion(config?: TestBotOptions['config']) {
  const opened = await openBot([calls('ask_decision', { question: 'Which plan?', options: ['A', 'B'] })], config)
  const { people, botId, view } = opened.discord
  const thread = people.post('ana', 'general', `<@${botId}> hello`)
  const card = await until('the card', () => {
    const made = opened.discord.calls.some(({ path, status }) => path.endsWith('/threads') && status === 201)
    return made && view(thread).find(({ content }) => content.includes('Which plan?'))
  })
  return { ...opened, thread, card: card.id }
}

test('an answer with files of somebody who may not use the bot is refused in words', async () => {
  const { bot, discord, thread, card, told } = await openQuestion()
  await discord.people.click('ben', card, 'Something else…').answered
  await discord.people.submitModal('ben', { text: 'this one', files: files.slice(0, 1) }).answered

  expect(await told('ben', thread)).toBe('You’re not allowed to use me here.')
  expect(bot.model.requests).toHaveLength(1)
})

test('an answer with too many files says so, and what helps', async () => {
  const { discord, thread, card, told } = await openQuestion({ uploads: { filesPerMessage: 1 } })
  await discord.people.click('ana', card, 'Something else…').answered
  await discord.people.submitModal('ana', { text: 'these', files }).answered

  expect(await told('ana', thread)).toBe(
    'A message can have 1 file, but this one has 2. Send them in several messages.',
  )
})
