import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { picture, useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { until } from '../support/until.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'an operator follows a thread in Slack from its mention to what people thought of its answer (needs chromium)',
  async () => {
    const slack = await startSlackServer()
    const bot = await startTestBot({
      script: [calls('ask_human', { question: 'Which colour?', options: ['Red', 'Blue'] }), says('Blue, then.')],
      environment: { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
    })
    onTestFinished(async () => {
      await bot.stop()
      await slack.close()
    })
    const page = await openPage(bot.chat.url)
    slack.people.post('ben', 'general', 'Does anybody know?')
    const ts = slack.people.mention('ana', 'general', 'paint it')

    await page.getByRole('button', { name: 'A thread is waiting for you' }).click()
    await page.getByText('This thread is in Slack. Write there.').waitFor()
    const link = await page.getByRole('link', { name: 'Open in Slack' }).getAttribute('href')
    expect(link).toMatch(new RegExp(`/archives/\\w+/p${ts.replace('.', '')}$`))
    await page.getByRole('button', { name: 'Blue' }).click()
    await page.getByText('Blue, then.', { exact: true }).waitFor()
    const answer = await slack.until(() => slack.view('general', ts).find(({ text }) => text.includes('Blue, then.')))
    // Sooner, nobody knows which answer that message is.
    await until(
      'the note of its id',
      () => rowsIn(bot.database, `select 1 from postings where platform_id = '${answer.ts}'`).length > 0,
    )
    await slack.people.click('ben', answer.ts, 'Good')
    await page.getByTitle('Good answer: ben').waitFor()
    const edited = page.getByText('edited', { exact: true })
    slack.people.edit('ana', ts, `${slack.bot.mention} paint it blue`)
    await edited.waitFor()
    await picture(page, 'in-slack')

    await page.getByRole('link', { name: 'Not answered' }).click()
    await page.getByText('It doesn’t mention the bot, and this isn’t one of its threads.').waitFor()
    await picture(page, 'in-slack-not-answered')
    expect(await page.getByRole('status', { name: 'Connections' }).count()).toBe(0)
  },
)
