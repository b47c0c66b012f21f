import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { says, slowly } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { until } from '../support/until.ts'
import { openBench, posting, threadOf } from './support.ts'

const withBlocks = ({ blocks }: Record<string, unknown>) => !['undefined', '[]'].includes(String(blocks))
const always = { times: 1_000, with: withBlocks }

async function begin() {
  const bench = await openBench()
  onTestFinished(() => bench[Symbol.asyncDispose]())
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'hi')
  await server.idle()
  const page = (text: string) => platform.pages({ kind: 'answer', text, files: [], record: undefined })[0]
  return { server, platform, thread: threadOf(server, 'general', ts), page, shown: () => server.view('general', ts) }
}

test('a message whose blocks Slack finds too long in either way is posted as text, with the rows of its table', async () => {
  const { server, platform, thread, page, shown } = await begin()
  const answer = page('The invoices:\n\n| Invoice | Due |\n|---|---|\n| A & B | **3 May** |\n| C | |')
  server.misbehave.refuse('chat.postMessage', 'msg_too_long', { times: 2, with: withBlocks })
  await platform.post(thread, answer, posting('k'))
  expect(shown().at(-1)?.text).toBe('The invoices:\n\nInvoice | Due\nA & B | 3 May\nC |')
  expect(server.violations).toEqual([])
})

test('an edit’s text is whole, or the edit is refused: Slack counts its bytes', async () => {
  const { server, platform, thread, page, shown } = await begin()
  const id = await platform.post(thread, page('one'), posting('k'))
  server.misbehave.refuse('chat.update', 'invalid_blocks', always)
  const words = '文字'.repeat(600)
  await platform.edit(thread, id, page(words))
  expect(shown().at(-1)?.text).toBe(words)
  await expect(platform.edit(thread, id, page(words.repeat(2)))).rejects.toMatchObject({ again: 'never' })
  await expect(platform.edit(thread, id, page('word '.repeat(900)))).rejects.toMatchObject({ again: 'never' })
  expect(shown().at(-1)?.text).toBe(words)
  expect(server.violations).toEqual([])
})

test('an answer is posted whole if Slack accepts it in the place of its progress only as a text that is too short', async () => {
  const slack = await startSlackServer()
  const words = Array.from({ length: 1_000 }, (_, place) => `word${place}`).join(' ')
  slack.misbehave.refuse('chat.startStream', 'unknown_method')
  slack.misbehave.refuse('chat.update', 'msg_blocks_too_long', always)
  const bot = await startTestBot({
    script: [slowly(1, says(words))],
    environment: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      SLACK_APP_TOKEN: slack.appToken,
    },
    config: { engine: { clockMs: 20 }, show: { firstMs: 20, everyMs: 20 } },
  })
  onTestFinished(async () => {
    await bot.stop()
    await slack.close()
  })
  const ts = slack.people.mention('ana', 'general', 'tell me everything')
  await until('an edit', () => slack.callsTo('chat.update').length > 0)
  await until('the answer', () => slack.view('general', ts).some(({ text }) => text.includes(words)))
})
