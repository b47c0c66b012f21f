import { expect, onTestFinished, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { startDiscordServer } from '../support/discord/server.ts'
import { calls, says } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { until } from '../support/until.ts'

test('a bot that is on Slack as well posts files to Discord', async () => {
  const slack = await startSlackServer()
  const discord = await startDiscordServer()
  onTestFinished(async () => {
    await slack.close()
    await discord.close()
  })
  // A process of its own: which copy of undici comes first in it decides.
  const place = await openPlace({
    script: [calls('write_file', { path: 'outputs/a.txt', content: 'made' }), says('Here.')],
    environment: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.url,
    },
  })
  await place.start()
  const id = discord.people.post('ana', 'general', `<@${discord.botId}> make a file`)
  const shownIn = (thread: string) => {
    try {
      return discord.view(thread)
    } catch {
      // The thread is not there yet.
      return []
    }
  }
  const posted = await until('the file', () => shownIn(id).find(({ attachments }) => attachments.length > 0))
  expect(posted.attachments.map(({ name }) => name)).toEqual(['a.txt'])
})
