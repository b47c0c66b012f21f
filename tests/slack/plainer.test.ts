import { expect, onTestFinished, test } from 'vitest'
import type { CallId, TurnId } from '../../src/domain/ids.ts'
import type { TurnView } from '../../src/domain/turn-view.ts'
import { startTestBot } from '../support/bot.ts'
import { liveOptions } from '../support/live-options.ts'
import { says, slowly } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { until } from '../support/until.ts'
import { eventually, openBench, posting, threadOf } from './support.ts'

const withBlocks = ({ blocks }: Record<string, unknown>) => !['undefined', '[]'].includes(String(blocks))
const always = { times: 1_000, with: withBlocks }

const view = (words: string): TurnView => ({
  turn: 'turn_1' as TurnId,
  segment: 0,
  state: 'running',
  notices: [],
  parts: [
    { kind: 'call', call: 'call_1' as CallId, tool: 'read_file', about: 'a.txt', status: 'done' },
    { kind: 'text', text: words },
  ],
  todos: [],
  startedAt: Date.now(),
})

async function begin() {
  const bench = await openBench()
  onTestFinished(() => bench[Symbol.asyncDispose]())
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'hi')
  await server.idle()
  const page = (text: string) => platform.pages({ kind: 'answer', text, files: [], record: undefined })[0]
  return { server, platform, thread: threadOf(server, 'general', ts), page, shown: () => server.view('general', ts) }
}

test('a message whose blocks Slack finds too long either way is posted as text, with the rows of its table', async () => {
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

test('progress that Slack finds too long is shown with a plainer plan from then on', async () => {
  const { server, platform, thread, shown } = await begin()
  const withPlan = ({ blocks }: Record<string, unknown>) => JSON.stringify(blocks ?? '').includes('task_card')
  server.misbehave.refuse('chat.startStream', 'unknown_method')
  for (const method of ['chat.postMessage', 'chat.update']) {
    server.misbehave.refuse(method, 'msg_blocks_too_long', { times: 1_000, with: withPlan })
  }
  const reply = platform.live(thread, { ...liveOptions(posting('k')), reader: { id: server.user('ana'), name: 'ana' } })
  let shows = 0
  await eventually(() => {
    reply.show(view(`The answer so far. Step ${shows++}. `))
    expect(server.callsTo('chat.update').length).toBeGreaterThan(2)
  })
  expect(shown().at(-1)?.text).toMatch(/✓ .*read_file.*\nThe answer so far\./s)
  expect(server.callsTo('chat.postMessage').filter(({ ok }) => !ok)).toHaveLength(1)
  expect(server.callsTo('chat.update').filter(({ ok }) => !ok)).toEqual([])
})

test('an answer is posted whole if Slack accepts it in place of its progress only as too short a text', async () => {
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
  await until('the end of its progress', () => slack.view('general', ts).length === 2)
})

test('a long answer with an emoji where its notification ends is posted', async () => {
  const { platform, thread, page, shown } = await begin()
  const words = `${'a'.repeat(599)}😀 and more`
  await platform.post(thread, page(words), posting('k'))
  expect(shown().at(-1)?.blocks[0]?.text).toBe(words)
})

test('a text that can’t even be encoded is given up', async () => {
  const { platform, thread, page, shown } = await begin()
  const broken = Object.assign({}, page('one'), { text: 'half \ud83d' })
  await expect(platform.post(thread, broken, posting('k'))).rejects.toMatchObject({ name: 'NotPosted', again: 'never' })
  expect(shown()).toHaveLength(1)
})
