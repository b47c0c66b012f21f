import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { hang, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'

test('the files of messages that a stop left unread are expected no more once somebody goes back past them', async () => {
  const bot = await startTestBot({ script: [says('Noted.'), hang(2), says('Again.')] })
  const { conversation } = await bot.chat.say('apples')
  const running = await bot.chat.send('pears', { conversation })
  await bot.chat.untilType(conversation, 'text_delta')
  const unread = await bot.chat.send('plums', { conversation, files: { 'plums.md': 'some plums' } })
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  for (const response of [running, unread]) await response.body?.cancel()
  const states = () => rowsIn(bot.database, 'select state, remote from files')
  expect(await states()).toMatchObject([{ state: 'expected' }])

  const asked = ofType(await bot.chat.events(conversation), 'message').find(({ data }) => data.text === 'apples')
  await bot.chat.say('', { conversation, replaces: asked?.event_id ?? 0 })
  expect(await states()).toEqual([{ state: 'failed', remote: null }])
})

test('whoever goes back to a message that a stop left unread leaves those before it to be read, with their files', async () => {
  const bot = await startTestBot({ script: [hang(2), says('Short and metric.')] })
  const running = await bot.chat.send('Measure it.')
  const conversation = running.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(conversation, 'text_delta')
  const files = { 'units.md': 'metric units' }
  const before = await bot.chat.send('Use these units.', { conversation, files })
  const unread = await bot.chat.send('Make it long.', { conversation })
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  for (const response of [running, before, unread]) await response.body?.cancel()

  const told = ofType(await bot.chat.events(conversation), 'message').find(({ data }) => data.text === 'Make it long.')
  await bot.chat.say('Make it short.', { conversation, replaces: told?.event_id ?? 0 })
  const request = JSON.stringify(bot.model.requests[1]?.messages)
  for (const read of ['Use these units.', 'units.md', 'Make it short.']) expect(request).toContain(read)
  expect(request).not.toContain('Make it long.')
  expect(await rowsIn(bot.database, 'select state from files')).toEqual([{ state: 'stored' }])
})
