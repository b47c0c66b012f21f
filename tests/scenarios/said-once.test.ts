import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'

const answer = 'The harbour opens at nine, and closes when the last boat is in.'

test('an answer is stored once, and told whole wherever it is told', async () => {
  const bot = await startTestBot({
    script: [says(answer), says('Short.')],
    environment: { DATABASE_URL: '', BOBBIN_NODE: '' },
  })
  const { events, conversation } = await bot.chat.say('when does it open?')
  await bot.chat.say('thanks', { conversation })
  await bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.text === 'Short.')
  await bot.restart()
  const told = await bot.chat.events(conversation)
  const stored = events.filter((event) => 'event_id' in event)
  expect(told).toEqual(expect.arrayContaining(stored))
  expect(ofType(told, 'text_end').map(({ data }) => data.text)).toEqual([answer, 'Short.'])
  expect(ofType(told, 'complete').map(({ data }) => [data.content, data.files])).toEqual([
    [answer, []],
    ['Short.', []],
  ])
  const messages = ofType(told, 'message').filter(({ data }) => data.role === 'assistant')
  expect(messages.map(({ data }) => data.text)).toEqual([answer, 'Short.'])
  expect(messages.map(({ data }) => data.turn_id)).toEqual(ofType(told, 'start').map(({ data }) => data.turn_id))
  expect(messages.every(({ data }) => /^msg_.*_0$/.test(data.message_id))).toBe(true)

  const file = join(bot.dataDir, 'bobbin.db')
  const tables = rowsIn<{ name: string }>(file, "select name from sqlite_master where type = 'table'")
  const holding = tables.flatMap(({ name }) =>
    rowsIn(file, `select * from ${name}`).filter((row) => JSON.stringify(row).includes('when the last boat')),
  )
  expect(holding).toHaveLength(1)
})
