import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { type Life, openPlace, type Place } from '../support/bot-process.ts'
import { type Client, ofType } from '../support/client.ts'
import { postgresDatabase } from '../support/database.ts'
import { calls, hang, type RequestBody, type ScriptedReply, says } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { type SlackServer, startSlackServer } from '../support/slack/server.ts'
import { until } from '../support/until.ts'
import { contentOf, sqliteIn } from './support.ts'

const change = { path: 'uploads/a.txt', content: 'changed' }

/** Takes a reader several seconds. */
const large = `name,amount\n${'Meyer and sons of the harbour,12\n'.repeat(100_000)}`

/** What the model does, by the word that a thread began with. */
function model() {
  const thought = { requests: 0 }
  const replies: Record<string, (isAfterCall: boolean) => ScriptedReply> = {
    approve: (isAfterCall) => (isAfterCall ? says('Changed.') : calls('write_file', change)),
    question: (isAfterCall) =>
      isAfterCall ? says('Blue it is.') : calls('ask_human', { question: 'Which?', options: ['Red', 'Blue'] }),
    remind: (isAfterCall) => (isAfterCall ? says('Set.') : calls('alarm_set', { at: 'PT1H', message: 'tea time' })),
    think: () => (thought.requests++ === 0 ? hang(1) : says('Thought.')),
    keep: () => says('Kept.'),
    slack: () => says('Hello, Slack.'),
    hi: () => says('Hi.'),
  }
  return ({ messages }: RequestBody): ScriptedReply => {
    const last = messages.at(-1)
    const text = JSON.stringify(messages.filter(({ role }) => role === 'user'))
    if (text.includes('tea time') && last?.role === 'user') return says('Tea is ready.')
    const [, reply] = Object.entries(replies).find(([word]) => text.includes(`go ${word}`)) ?? []
    return reply?.(last?.role === 'tool') ?? says('?')
  }
}

async function told(chat: Client, conversation: string): Promise<string[]> {
  const messages = ofType(await chat.events(conversation), 'message')
  return messages.flatMap(({ data }) => (data.role === 'assistant' ? [data.text] : []))
}

const untilTold = (chat: Client, conversation: string, text: string) =>
  until(text, async () => (await told(chat, conversation)).includes(text))

/** A message whose answer isn't waited for. */
async function begin(life: Life, message: string, files?: Record<string, string>): Promise<string> {
  const response = await life.chat.send(message, files === undefined ? {} : { files })
  void response.body?.cancel().catch(() => {})
  return response.headers.get('x-conversation-id') ?? ''
}

async function kill(life: Life): Promise<void> {
  life.signal('SIGKILL')
  await life.ended
}

/** The API's threads have entries too, for as long as it takes to deliver them. */
const ofSlack =
  "select 1 from outbox where state = 'pending' and session_id in (select id from sessions where platform = 'slack')"

const posting = ['chat.postMessage', 'chat.startStream', 'chat.appendStream', 'chat.stopStream', 'chat.update']

/** A place on SQLite, and one on PostgreSQL with the same files, model and Slack. */
async function places(): Promise<{ here: Place; there: Place; slack: SlackServer; url: string }> {
  const [slack, url] = [await startSlackServer(), await postgresDatabase('empty')]
  onTestFinished(() => slack.close())
  const { botToken: SLACK_BOT_TOKEN, appToken: SLACK_APP_TOKEN, apiUrl: SLACK_API_URL } = slack
  const environment = { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL }
  const here = await openPlace({ script: model(), rules: {}, environment })
  const own = { BOBBIN_DATA_DIR: here.dataDir, MODEL_BASE_BASE_URL: here.model.url }
  const node = { DATABASE_URL: url, BOBBIN_NODE: 'one' }
  return { here, there: await openPlace({ rules: {}, environment: { ...environment, ...own, ...node } }), slack, url }
}

test('killed in the middle of everything, moved to PostgreSQL and back: all of it goes on, once', async () => {
  const { here, there, slack, url } = await places()
  const [file, node] = [sqliteIn(here.dataDir), { DATABASE_URL: url, BOBBIN_NODE: 'one' }]
  const first = await here.start()
  const approve = await begin(first, 'go approve', { 'a.txt': 'old' })
  const question = await begin(first, 'go question')
  await until('both requests', async () => (await first.chat.requests()).length === 2)
  const pending = await first.chat.requests()
  for (const method of posting) slack.misbehave.break(method, { times: 1_000_000 })
  const ts = slack.people.mention('ana', 'general', 'go slack')
  await until('an entry of the outbox', () => rowsIn(file, ofSlack).length > 0)
  const remind = await begin(first, 'go remind')
  await untilTold(first.chat, remind, 'Set.')
  const think = await begin(first, 'go think')
  await first.chat.untilType(think, 'start')
  await begin(first, 'go keep', { 'large.csv': large })
  await until('a job', () => rowsIn(file, "select 1 from jobs where kind = 'index' and holder is not null").length > 0)
  await kill(first)

  expect(await bobbin(here.dataDir, 'move', '--to', url)).toMatchObject({ code: 0 })
  expect(contentOf(url)).toEqual(contentOf(file))
  expect(rowsIn(url, ofSlack)).toHaveLength(1)
  expect(rowsIn(url, "select 1 from alarms where state = 'pending'")).toHaveLength(1)
  slack.misbehave.calm()
  // It could not ring before, however long all of this took.
  changeIn(url, `update alarms set due_at = ${Date.now()} where state = 'pending'`)

  const second = await there.start()
  const { chat } = second
  expect(await chat.requests()).toEqual(pending)
  const [card, asked] = ['approval', 'question'].map((kind) => pending.find((one) => one.kind === kind)?.id ?? '')
  expect((await chat.answer(card ?? '', { decision: 'approve', user_id: 'ana' })).status).toBe(200)
  expect((await chat.answer(asked ?? '', { answer: 'Blue', user_id: 'ana' })).status).toBe(200)
  const ends = { [approve]: 'Changed.', [question]: 'Blue it is.', [think]: 'Thought.', [remind]: 'Tea is ready.' }
  for (const [conversation, text] of Object.entries(ends)) await untilTold(chat, conversation, text)
  await until('the end of the job', () => rowsIn(url, "select 1 from jobs where kind = 'index'").length === 0)
  await slack.until(() => slack.view('general', ts).some(({ bot, text }) => bot && text.startsWith('Hello, Slack.')))
  await until('the outbox', () => rowsIn(url, "select 1 from outbox where state = 'pending'").length === 0)
  expect(await readFile(join(here.dataDir, 'workspace', approve, change.path), 'utf8')).toBe(change.content)

  // And back, killed again while another approval waits.
  const again = await begin(second, 'go approve', { 'a.txt': 'old' })
  await until('the approval', async () => (await chat.requests()).length === 1)
  const [late] = await chat.requests()
  await kill(second)
  expect(await bobbin(here.dataDir, 'move', '--to', 'sqlite', node)).toMatchObject({ code: 0 })
  expect(contentOf(file)).toEqual(contentOf(url))
  const third = await here.start()
  expect(third.said()).not.toContain('older than')
  expect((await third.chat.answer(late?.id ?? '', { decision: 'approve', user_id: 'ana' })).status).toBe(200)
  await untilTold(third.chat, again, 'Changed.')
  expect((await third.chat.say('go hi')).text).toBe('Hi.')

  for (const [conversation, text] of Object.entries({ ...ends, [again]: 'Changed.' })) {
    const all = await told(third.chat, conversation)
    expect(all.filter((one) => one === text)).toHaveLength(1)
    const numbers = (await third.chat.events(conversation)).map(({ event_id }) => event_id)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  }
  expect(slack.view('general', ts).filter(({ bot, text }) => bot && text.startsWith('Hello, Slack.'))).toHaveLength(1)
  expect(ofType(await third.chat.events(approve), 'act')).toHaveLength(1)
  expect(rowsIn(file, "select 1 from alarms where state = 'fired'")).toHaveLength(1)
  expect((await bobbin(here.dataDir, 'audit', 'verify')).out).toContain('The audit log is intact')
  expect(slack.violations).toEqual([])
})
