import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { startDiscordServer } from '../support/discord/server.ts'
import { calls, type ModelScript, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

/** A thread with the bot, in which ben has said something to cleo that the bot wasn't told. */
async function openThread(script: ModelScript, file?: { name: string; content: string }) {
  const discord = await startDiscordServer()
  const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url }
  const bot = await startTestBot({ script, environment })
  onTestFinished(async () => {
    await bot.stop()
    await discord.close()
  })
  const { people } = discord
  await until('the connection', () => discord.gateway.connected > 0)
  const thread = people.post('ana', 'general', `<@${discord.botId}> hello`)
  await until('the first answer', () => seen(discord, thread, 'Hello.'))
  const hers = people.post('cleo', thread, `<@${discord.users.ben}> how much is it?`)
  const his = people.post('ben', thread, '42 tons, @stop', { reply: hers, files: file ? [file] : [] })
  const reply = (text: string, to = his) => people.post('ana', thread, `<@${discord.botId}> ${text}`, { reply: to })
  const says = (text: string) => until(text, () => seen(discord, thread, text))
  return { bot, discord, thread, reply, says, heard: () => JSON.stringify(bot.model.requests.at(-1)?.messages ?? []) }
}

function seen(discord: Awaited<ReturnType<typeof startDiscordServer>>, thread: string, text: string): boolean {
  try {
    return discord.view(thread).some(({ content }) => content.includes(text))
  } catch {
    return false
  }
}

const cards = (discord: Awaited<ReturnType<typeof startDiscordServer>>, thread: string): number =>
  discord.view(thread).filter(({ content }) => content.includes('Which figure?')).length

test('in a thread, a question about what was said to somebody else brings it, with its file', async () => {
  const file = { name: 'yield.csv', content: 'year,tons' }
  const { reply, says: hasSaid, heard } = await openThread([says('Hello.'), says('Much.')], file)
  reply('is that much?')
  await hasSaid('Much.')

  expect(heard()).toContain('is that much?\\n\\n> Ben wrote:\\n> 42 tons, @stop')
  expect(heard()).toContain('uploads/yield.csv')
})

test('a file that came with a message to the bot doesn’t come again with a question about that message', async () => {
  const {
    reply,
    discord,
    thread,
    says: hasSaid,
    heard,
  } = await openThread([says('Hello.'), says('Thanks.'), says('Much.')])
  const files = [{ name: 'plan.csv', content: 'year,tons' }]
  const his = discord.people.post('ben', thread, `<@${discord.botId}> the plan`, { files })
  await hasSaid('Thanks.')
  reply('is that much?', his)
  await hasSaid('Much.')

  expect(heard()).toContain('> Ben wrote:\\n> the plan')
  expect(heard()).not.toContain('plan-2')
})

test('a command is one, whatever it replies to', async () => {
  const { reply, says: hasSaid, bot } = await openThread([says('Hello.')])
  reply('status')
  await hasSaid('Model')

  expect(bot.model.requests).toHaveLength(1)
})

test('an answer picks an option by the person’s own words, and otherwise brings what it quotes', async () => {
  const question = { question: 'Which figure?', options: ['The old one', 'The new one'] }
  const {
    bot,
    discord,
    thread,
    reply,
    says: hasSaid,
  } = await openThread([
    says('Hello.'),
    calls('ask_decision', question),
    calls('ask_decision', question),
    says('Thanks.'),
  ])
  const lastResult = () => JSON.stringify(bot.model.requests.at(-1)?.messages.at(-1))
  reply('add it')
  await hasSaid('Which figure?')
  reply('the old one')
  await until('the second card', () => cards(discord, thread) === 2)
  expect(lastResult()).not.toContain('Ben wrote')
  reply('this one')
  await hasSaid('Thanks.')

  expect(lastResult()).toContain('this one\\n\\n> Ben wrote:\\n> 42 tons')
})
