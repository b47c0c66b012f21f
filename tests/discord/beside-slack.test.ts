import { expect, onTestFinished, test } from 'vitest'
// What Slack brings along is in the process first, as in a bot that is on both platforms.
import 'undici'
import { openDiscord } from '../contract/discord-driver.ts'
import { calls, says } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'

test('a bot that is on Slack as well posts files to Discord', async () => {
  const slack = await startSlackServer()
  onTestFinished(() => slack.close())
  const bot = await openDiscord([calls('write_file', { path: 'outputs/a.txt', content: 'made' }), says('Here.')], {
    environment: { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
  })
  const thread = await bot.mention('ana', 'make a file')
  const { posts } = await thread.until((seen) => seen.posts.some(({ text }) => text === 'Here.'))
  expect(posts.at(-1)?.files).toEqual(['a.txt'])
})
