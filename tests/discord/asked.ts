import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/kit/clock.ts'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { type DiscordServer, startDiscordServer } from '../support/discord/server.ts'
import { calls, type ModelScript } from '../support/model-server.ts'
import { until } from '../support/until.ts'

export const files = ['first', 'second'].map((name) => ({ name: `${name}.txt`, content: name }))

type Config = TestBotOptions['config']
type GivenConfig = Config | ((discord: DiscordServer) => Config)

/** A bot that answers ana only, unless `config` says otherwise. */
export async function openBot(script: ModelScript, given?: GivenConfig, clock?: Clock) {
  const discord = await startDiscordServer()
  const config = typeof given === 'function' ? given(discord) : given
  const bot = await startTestBot({
    script,
    ...(clock && { clock }),
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

export const decision = (question: string): object => ({ question, options: ['A', 'B'] })
export const plan = calls('ask_decision', decision('Which plan?'))

/** A question of the bot's in a thread, and its card. */
export async function openQuestion(script: ModelScript = [plan], config?: GivenConfig, clock?: Clock) {
  const opened = await openBot(script, config, clock)
  const { people, botId, view } = opened.discord
  const thread = people.post('ana', 'general', `<@${botId}> hello`)
  const cardOf = (question: string) =>
    until(`the card “${question}”`, () => {
      const made = opened.discord.calls.some(({ path, status }) => path.endsWith('/threads') && status === 201)
      return made && view(thread).find(({ content }) => content.includes(question))?.id
    })
  return { ...opened, thread, cardOf, card: await cardOf('Which plan?') }
}
