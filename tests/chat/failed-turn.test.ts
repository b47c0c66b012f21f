import { expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../src/kit/failure.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { heldUntil, raw, says, startModelServer, status } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'

const long = { message: 'This model’s maximum context length is 8192 tokens.' }
const later = /in a few minutes/

/** What the operator and the thread read when the model answers with nothing but this. */
async function failing(code: number, options = {}) {
  const bot = await startTestBot({ script: () => status(code, options), config: { attempts: 3 } })
  const { conversation, events } = await bot.chat.say('hello')
  const [error] = ofType(events, 'error')
  const posted = await bot.chat.until(
    conversation,
    (event) => event.type === 'message' && event.data.role === 'assistant',
  )
  const words = posted.type === 'message' ? posted.data.text : ''
  return { ...error?.data, words, warnings: ofType(await bot.chat.events(conversation), 'warning') }
}

test.each([
  ['a wrong key', 401, {}, /MODEL_BASE_API_KEY/, /doesn’t accept my key/],
  ['no credit', 402, {}, /out of credit/, /out of credit/],
  ['a key without rights', 403, {}, /may not use/, /isn’t allowed/],
  ['an unknown model', 404, {}, /MODEL_BASE_ID/, /doesn’t exist there/],
  ['a context that is too long', 400, long, /maximum context/, /`compact`/],
  ['a model without tools', 400, { message: 'gemma does not support tools' }, /takes no tools/, /Whoever runs me/],
  ['a content filter', 400, { message: 'flagged', code: 'content_filter' }, /flagged/, /delete the message.*`reset`/],
])('%s: says what helps, and not to wait', async (_, code, options, message, words) => {
  const failed = await failing(code, options)

  expect(failed.message).toMatch(message)
  expect(failed.words).toMatch(words)
  expect(failed.words).not.toMatch(/MODEL_|127\.0\.0\.1/)
  expect(`${failed.remedy} ${failed.words}`).not.toMatch(later)
  expect(failed.warnings).toEqual([])
})

test.each([
  [
    'beneath its own words',
    {
      status: {
        code: 400,
        headers: {},
        body: { error: { message: 'Provider returned error', code: 400, metadata: { raw: long.message } } },
      },
    },
  ],
  ['in the stream', raw({ error: { message: 'Your request exceeded model token limit: 8192 (requested: 9000)' } })],
])('a gateway that says %s that a request is too long: it is sent once more, and no oftener', async (_, refusal) => {
  const bot = await startTestBot({ script: () => refusal, config: { attempts: 3 } })
  const { conversation, events } = await bot.chat.say('hello')
  expect(ofType(events, 'error')[0]?.data.code).toBe('model_too_long')
  expect(ofType(await bot.chat.events(conversation), 'warning')).toEqual([])
  expect(bot.model.requests).toHaveLength(2)
})

test.each([
  ['an overloaded model', 429, /overloaded/],
  ['a provider with a problem', 503, /has a problem/],
])('%s: asks for patience, after attempts that count', async (_, code, words) => {
  const failed = await failing(code)

  expect(failed.words).toMatch(words)
  expect(failed.words).toMatch(later)
  expect(failed.warnings.map(({ data }) => /\((attempt .*)\)/.exec(data.message)?.[1])).toEqual([
    'attempt 2 of 3',
    'attempt 3 of 3',
  ])
})

test('a dead endpoint: names its address to the operator only', async () => {
  const bot = await startTestBot({
    script: [says('unused')],
    environment: { MODEL_BASE_BASE_URL: 'http://127.0.0.1:9/v1' },
  })
  const { conversation, events } = await bot.chat.say('hello')
  expect(ofType(events, 'error')[0]?.data.message).toMatch(/127\.0\.0\.1:9 can’t be reached.*MODEL_BASE_BASE_URL/)
  const posted = await bot.chat.until(
    conversation,
    (event) => event.type === 'message' && event.data.role === 'assistant',
  )
  expect(posted).toMatchObject({ data: { text: expect.stringMatching(/can’t be reached\. Whoever runs me/) } })
  expect(posted).toMatchObject({ data: { text: expect.not.stringMatching(later) } })
})

test('a dead endpoint in whose place another model answers: the thread isn’t told its address or settings', async () => {
  const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>()
  const other = await startModelServer([heldUntil(isSeen, says('Hi.'))])
  onTestFinished(() => other.close())
  const environment = {
    MODEL_BASE_BASE_URL: 'http://127.0.0.1:9/v1',
    MODEL_CHAT_BASE_URL: other.url,
    MODEL_CHAT_ID: 'other',
    MODEL_CHAT_API_KEY: 'k',
  }
  const config = { attempts: 2, show: { firstMs: 1, everyMs: 20 } }
  const { memory, rows } = await startMemoryBot({ script: [], environment, config })
  const asked = await memory.say('ana', '@bobbin hello')
  await memory.untilProgress(asked, ({ view }) => view.notices.length > 0)
  seen()
  await memory.untilAnswered(asked, 'Hi.')
  const notices = ['The model’s server can’t be reached. other answers instead.']
  expect(memory.shown(asked).map(pageOf)).toMatchObject([{ record: { notices } }])
  const warnings = rows("select data from events where type = 'warning'").map(({ data }) => JSON.parse(`${data}`))
  expect(warnings.map(({ code }) => code)).toEqual(['unavailable', 'model_changed'])
  for (const { message, words } of warnings) {
    expect(message).toMatch(/127\.0\.0\.1:9 can’t be reached.*MODEL_BASE_BASE_URL/)
    expect(words).toMatch(/^The model’s server can’t be reached\. /)
    expect(words).not.toMatch(/MODEL_|127\.0\.0\.1/)
  }
})

test('a turn whose end was stored although that could not be known stays as it ended', async () => {
  const left = Promise.withResolvers<string>()
  const plugin: Capability = {
    name: 'breaking',
    async reminders({ bot: { store }, session }) {
      // It is called after the commit, and what it throws reaches whoever waits for that.
      const unwatch = store.watch(session.id, (events) => {
        if (events?.every(({ type }) => type !== 'complete') !== false) return
        unwatch()
        throw new Failure('outcome_unknown', 'The connection broke during a commit.', 'Start it again.')
      })
      return []
    },
    watch: () => ({ see: (moment) => void (moment.kind === 'left' && left.resolve(moment.how)) }),
  }
  const bot = await startTestBot({ script: [says('Hello.')], plugins: [plugin] })
  await bot.chat.send('hello')
  await left.promise
  await bot.stop()
  expect(rowsIn(bot.database, 'select state from turns')).toEqual([{ state: 'done' }])
  expect(rowsIn(bot.database, 'select kind from outbox')).toHaveLength(1)
})
