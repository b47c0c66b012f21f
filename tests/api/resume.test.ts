import { expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, says, status } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

async function resume(bot: TestBot, conversation: string) {
  const response = await bot.chat.post(`/agent/conversations/${conversation}/resume`, { user_id: 'ben' })
  return { status: response.status, body: (await response.json()) as { error?: { code: string; remedy: string } } }
}

test('a failed turn continues: 202, and once, however often it is asked for', async () => {
  const bot = await startTestBot({ script: (_, number) => (number === 0 ? status(400) : says('Back.')) })
  const { conversation } = await bot.chat.say('go')
  const answers = await Promise.all([1, 2, 3].map(() => resume(bot, conversation)))
  expect(answers.map((answer) => answer.status)).toContain(202)
  await bot.chat.untilType(conversation, 'complete')
  const events = await bot.chat.events(conversation)
  expect(ofType(events, 'start').map(({ data }) => data.reason)).toEqual(['message', 'resume'])
  expect(bot.model.requests).toHaveLength(2)
  expect(bot.model.requests[1]?.messages.at(-1)?.content).toContain('Continue where you were interrupted')
})

test('a stopped turn continues', async () => {
  const bot = await startTestBot({ script: (_, number) => (number === 0 ? hang() : says('Back.')) })
  const response = await bot.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(bot.model.requests).toHaveLength(1))
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  await response.text()
  expect(await resume(bot, conversation)).toMatchObject({ status: 202, body: { status: 'resumed' } })
  await bot.chat.untilType(conversation, 'complete')
})

test('a running turn is woken, and nothing is begun', async () => {
  const bot = await startTestBot({ script: (_, number) => (number === 0 ? hang(2) : says('Unasked.')) })
  const response = await bot.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(conversation, 'text_delta')
  expect(await resume(bot, conversation)).toMatchObject({ status: 202 })
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  await response.text()
  expect(ofType(await bot.chat.events(conversation), 'start')).toHaveLength(1)
  expect(bot.model.requests).toHaveLength(1)
})

test('404 with nothing to resume, and for an unknown conversation', async () => {
  const bot = await startTestBot({ script: () => says('Done.') })
  const { conversation } = await bot.chat.say('go')
  expect(await resume(bot, conversation)).toMatchObject({ status: 404, body: { error: { code: 'nothing_to_resume' } } })
  expect(await resume(bot, 'ses_none')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
})

test('409 while it waits for a person', async () => {
  const bot = await startTestBot({ script: [calls('ask_human', { question: 'Which?' })] })
  const { conversation } = await bot.chat.say('go')
  expect(await resume(bot, conversation)).toMatchObject({
    status: 409,
    body: { error: { code: 'waits_for_a_person', remedy: expect.stringContaining('requests') } },
  })
  expect(await bot.chat.requests()).toHaveLength(1)
})
