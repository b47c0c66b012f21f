import { expect, test } from 'vitest'
import { family, long, requestsOf, resultsIn } from '../delegation/support.ts'
import type { DiscordServer } from '../support/discord/server.ts'
import { calls, says } from '../support/model-server.ts'
import { shippedConfig } from '../support/shipped.ts'
import { until } from '../support/until.ts'
import { decision, files, openBot, openQuestion, plan } from './asked.ts'

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

test('an answer with files of somebody who may not use the bot is refused in words', async () => {
  const { bot, discord, thread, card, told } = await openQuestion()
  await discord.people.click('ben', card, 'Something else…').answered
  await discord.people.submitModal('ben', { text: 'this one', files: files.slice(0, 1) }).answered

  expect(await told('ben', thread)).toBe('You’re not allowed to use me here.')
  expect(bot.model.requests).toHaveLength(1)
})

test('an answer with too many files says so, and what helps', async () => {
  const { discord, thread, card, told } = await openQuestion([plan], { uploads: { filesPerMessage: 1 } })
  await discord.people.click('ana', card, 'Something else…').answered
  await discord.people.submitModal('ana', { text: 'these', files }).answered

  expect(await told('ana', thread)).toBe(
    'A message can have 1 file, but this one has 2. Send them in several messages.',
  )
})

test('an answer with files is to the question that the form is of, whatever else waits', async () => {
  const both = calls('ask_decision', decision('Which plan?'), ['ask_decision', decision('Which colour?')])
  const { bot, discord, card, cardOf } = await openQuestion([both, says('Thanks.')])
  await discord.people.click('ana', await cardOf('Which colour?'), 'Something else…').answered
  await discord.people.submitModal('ana', { text: 'as here', files: files.slice(0, 1) }).answered
  await discord.people.click('ana', card, 'B').answered

  const results = await until('the answers', () => bot.model.requests[1] && resultsIn(bot.model.requests[1]))
  expect(results).toEqual([expect.stringContaining('B'), expect.stringMatching(/as here.*uploads\/first\.txt/s)])
})

test('an answer with files is taken from whoever may give it, and others are told before it is heard', async () => {
  const { bot, discord, thread, card, told } = await openQuestion([plan, says('Thanks.')], ({ roles }) => ({
    rules: { questions: { ...shippedConfig().rules.questions, who: [`group:${roles.approvers}`] } },
  }))
  const answers = async (who: string, text: string) => {
    await discord.people.click(who, card, 'Something else…').answered
    await discord.people.submitModal(who, { text, files: files.slice(0, 1) }).answered
  }
  await answers('cleo', 'not this one')
  expect(await told('cleo', thread)).toBe(`Only <@&${discord.roles.approvers}> can answer this.`)
  await answers('ben', 'this one')

  const asked = await until('the answer', () => bot.model.requests[1])
  expect(resultsIn(asked)).toEqual([expect.stringMatching(/this one.*uploads\/first\.txt/s)])
  expect(JSON.stringify(asked.messages)).not.toContain('not this one')
})

test('an answer to a subagent goes without files, since it has none of its own', async () => {
  const script = family([calls('delegate_task', { task: 'Look.' }), says('Done.')], [plan, says(long('Thanks.'))])
  const { bot, discord, card } = await openQuestion(script)
  await discord.people.click('ana', card, 'Something else…').answered
  const fields = discord.people.openModal('ana')?.components.map(({ component }) => component?.custom_id)
  expect(fields).toEqual([undefined, 'options', 'text'])
  await discord.people.submitModal('ana', { text: 'this one' }).answered

  const child = () => requestsOf(bot.model.requests, 'child')[1]
  expect(resultsIn(await until('the answer', child))).toEqual([expect.stringContaining('this one')])
})
