import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { postgresDatabase } from '../support/database.ts'
import { hang, says } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { until } from '../support/until.ts'
import { steady } from './support.ts'

test('a thread that a lost process has left busy is at rest once another one has answered', async () => {
  const slack = await startSlackServer()
  const DATABASE_URL = await postgresDatabase()
  const ofSlack = { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl }
  const show = { first_ms: 100 }
  const place = (BOBBIN_NODE: string, options: Parameters<typeof openPlace>[0]) =>
    openPlace({ ...options, environment: { ...ofSlack, DATABASE_URL, BOBBIN_NODE } })
  const first = await (await place('one', { script: () => hang(2), settings: { show, ...steady } })).start()
  const channel = slack.channel('general')
  const thread = slack.people.mention('ana', channel, 'go')
  const isBusy = async () => slack.sessionStatus(channel, thread) === 'processing'
  await until('the thread to look busy', isBusy)
  // It answers at once, so it shows nothing before.
  const waiting = { show, engine: { silent_ms: 10_000 } }
  const second = await (await place('two', { script: [says('Done.')], settings: waiting })).start()
  first.signal('SIGKILL')
  await first.ended
  await until('the answer', async () => slack.view(channel, thread).some(({ text }) => text.includes('Done.')))
  await until('the thread to be at rest', async () => !(await isBusy()))
  second.signal('SIGTERM')
  expect(await second.ended).toBe(0)
  await slack.close()
})
