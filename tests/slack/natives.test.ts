import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { heldUntil, type ScriptedReply, says } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { eventually } from './support.ts'

async function open(script: () => ScriptedReply = () => says('Done.')) {
  const slack = await startSlackServer()
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
  }
  const bot = await startTestBot({ script, environment, config: { show: { firstMs: 20, everyMs: 20 } } })
  onTestFinished(async () => {
    await bot.stop()
    await slack.close()
  })
  const said = () =>
    slack.view('general').filter(({ user, text }) => user === slack.bot.id && !text?.includes('has joined'))
  return { slack, bot, said }
}

test('a thread has its name in Slack too, and a name given there is the thread’s', async () => {
  const seen = Promise.withResolvers<void>()
  const { slack, bot } = await open(() => heldUntil(seen.promise, says('Done.')))
  const ts = slack.people.mention('ana', 'general', 'compare these two offers')
  const named = () => slack.world.sessions.get(`${slack.channel('general')}:${ts}`)?.title
  await slack.until(() => named() !== undefined)
  seen.resolve()
  await slack.until(() => slack.sessionStatus('general', ts) === 'active')
  expect(named()).toBe('compare these two offers')
  slack.people.renameSession('ana', 'general', ts, 'Offers for the\n new office')
  const titles = async () => {
    const { conversations } = await bot.chat.get<{ conversations: { title: string }[] }>('/agent/conversations')
    return conversations.map(({ title }) => title)
  }
  await eventually(async () => expect(await titles()).toEqual(['Offers for the new office']))
  slack.people.mention('ana', 'general', 'go on', { thread_ts: ts })
  await slack.until(() => bot.model.requests.length === 2 && slack.sessionStatus('general', ts) === 'active')
  expect(named()).toBe('Offers for the\n new office')
})

test('the bot says hello in a channel that somebody invited it to, once, also over a restart', async () => {
  const { slack, bot, said } = await open()
  slack.people.join('bobbin', 'general', 'ana')
  await eventually(() => expect(said()).toHaveLength(1))
  expect(JSON.stringify(said())).toContain('Mention me with what you need')
  await bot.restart()
  slack.people.join('bobbin', 'general', 'ana')
  await slack.idle()
  // Somebody else who joins is not greeted.
  slack.people.join('ben', 'general', 'ana')
  slack.people.mention('ana', 'general', 'hello')
  await slack.until(() => bot.model.requests.length === 1)
  expect(said()).toHaveLength(1)
})
