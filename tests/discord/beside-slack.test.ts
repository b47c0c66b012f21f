import { Agent, setGlobalDispatcher } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { openDiscord } from '../contract/discord-driver.ts'
import { calls, says } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'

/** Where each copy of undici keeps the agent that all of them use unless they are given one. */
const kept = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')]

/** As if Slack's copy had been loaded before any other. */
function slacksAgentForAll(): void {
  const before = kept.map((symbol) => [symbol, Reflect.get(globalThis, symbol)] as const)
  const agent = new Agent()
  setGlobalDispatcher(agent)
  onTestFinished(async () => {
    for (const [symbol, value] of before) Reflect.set(globalThis, symbol, value)
    await agent.close()
  })
}

test('a bot that is on Slack as well posts files to Discord', async () => {
  slacksAgentForAll()
  const slack = await startSlackServer()
  onTestFinished(() => slack.close())
  const bot = await openDiscord([calls('write_file', { path: 'outputs/a.txt', content: 'made' }), says('Here.')], {
    environment: { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
  })
  const thread = await bot.mention('ana', 'make a file')
  const { posts } = await thread.until((seen) => seen.posts.some(({ text }) => text === 'Here.'))
  expect(posts.at(-1)?.files).toEqual(['a.txt'])
})
