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
