import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { eventually } from './support.ts'

test('a reply that comes before the mention it belongs to is answered too', async () => {
  const slack = await startSlackServer()
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
  }
  const bot = await startTestBot({ script: () => says('Done.'), environment })
  onTestFinished(async () => {
    await bot.stop()
    await slack.close()
  })
  const ignored = () => rowsIn(bot.database, 'select message from ignored')
  const { promise, resolve } = Promise.withResolvers<void>()
  slack.misbehave.holdBack('count the words', () => promise)
  const ts = slack.people.mention('ana', 'general', 'count the words')
  slack.people.post('ben', 'general', 'and the lines', { thread_ts: ts })
  await eventually(() => expect(ignored()).toHaveLength(1))
  resolve()
  const asked = () => bot.model.requests.map((request) => JSON.stringify(request)).join('\n')
  await eventually(() => expect(asked()).toContain('and the lines'))
  expect(ignored()).toEqual([])
})
