import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import limit from 'p-limit'
import { expect, onTestFinished, test } from 'vitest'
import type { ToldEvent } from '../../src/domain/events.ts'
import { type SlotName, slotNames } from '../../src/kit/model/model.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { png } from '../support/images.ts'
import {
  calls,
  cutAfter,
  empty,
  endless,
  hang,
  type RequestBody,
  raw,
  type ScriptedReply,
  says,
  startModelServer,
  status,
} from '../support/model-server.ts'

const tooLong = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5120 tokens."

/** Whatever a model server may do instead of answering. */
const failures: Record<string, ScriptedReply> = {
  'key refused': status(401),
  'no credit': status(402),
  forbidden: status(403),
  'no such model': status(404),
  'too long': status(400, { message: tooLong, code: 'context_length_exceeded' }),
  'too large': status(413),
  'rate limit': status(429, { retryAfter: 600 }),
  'quota used up': status(429, { code: 'insufficient_quota' }),
  broken: status(500),
  overloaded: status(503),
  empty: empty(),
  'cut off': cutAfter(2),
  'not JSON': raw('{"choices": [{'),
  'an error in the stream': raw({ error: { message: 'out of memory', code: 502 } }),
  'no choices': raw({ id: 'x' }, '[DONE]'),
  filtered: { ...empty(), finish: 'content_filter' },
  'output limit': { ...empty(), finish: 'length' },
}

/** These keep a server or a socket busy, so they come by themselves. */
const lasting: Record<string, ScriptedReply> = {
  'hangs at once': hang(),
  'hangs later': hang(2),
  'text without an end': endless(),
  'calls without an end': endless('calls'),
}

/** What makes a turn go to each slot; the last answer of a turn without steps left is for `chat`. */
const words: Record<SlotName, string> = {
  base: 'hello',
  reasoning: 'think hard about it',
  vision: 'what is this?',
  code: '```js\nlet let\n```',
  chat: 'use a tool',
}

const markOf = (body: RequestBody) => /case (\w+) (one|all): ([^.]+)\./.exec(JSON.stringify(body.messages))

/** A server behind all slots; the model and the message say what it does. */
function script(body: RequestBody): ScriptedReply {
  const [, slot, which, failure = ''] = markOf(body) ?? []
  if (slot === 'chat' && body.tool_choice !== 'none' && which === 'one' && body.model === 'base')
    return calls('now', {})
  return (
    (which === 'all' || body.model === slot ? { ...failures, ...lasting }[failure] : undefined) ??
    says(`From ${body.model}.`)
  )
}

async function startBot(idleTimeoutMs: number): Promise<TestBot> {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-failing-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  // A model that rests would not be asked.
  await writeFile(join(directory, 'models.yaml'), 'fall_back: { after_failures: 100000, rest_ms: 1 }')
  const server = await startModelServer(script)
  onTestFinished(() => server.close())
  const slots = slotNames.flatMap((name) => {
    const prefix = `MODEL_${name.toUpperCase()}`
    return [
      [`${prefix}_ID`, name],
      [`${prefix}_BASE_URL`, server.url],
      [`${prefix}_API_KEY`, 'test-key'],
    ]
  })
  const environment = { ...Object.fromEntries(slots), BOBBIN_CONFIG_DIR: directory }
  const config = { attempts: 1, idleTimeoutMs, agent: { maxSteps: 1 } }
  return startTestBot({ environment, config })
}

/** What is wrong with how a turn ended; undefined if it has an answer, or says what to do. */
function fault(events: readonly ToldEvent[], answeredBy: SlotName | undefined): string | undefined {
  const ends = events.filter(({ type }) => ['complete', 'error', 'stopped'].includes(type))
  if (ends.length !== 1) return `${ends.length} ends`
  const [complete] = ofType(events, 'complete')
  if (complete !== undefined) return complete.data.content.trim() === '' ? 'an empty answer' : undefined
  const error = ofType(events, 'error')[0]?.data
  if (answeredBy !== undefined) return `no other model answered: ${error?.message}`
  if (!error?.message.trim() || !error.remedy.trim()) return `no remedy: ${JSON.stringify(error)}`
  return undefined
}

const keysOf = (what: object, which: 'one' | 'all') =>
  slotNames.flatMap((slot) => Object.keys(what).map((failure) => ({ slot, which, failure })))

/** Returns what was wrong with the ends of these turns. */
async function play(bot: TestBot, cases: ReturnType<typeof keysOf>): Promise<string[]> {
  const atOnce = limit(8)
  const found = cases.map((one) =>
    atOnce(async () => {
      const { slot, which, failure } = one
      const about = `case ${slot} ${which}: ${failure}.`
      const files = slot === 'vision' ? { files: { 'dot.png': png } } : {}
      const { conversation, events } = await bot.chat.say(`${words[slot]}\n\n${about}`, files)
      const wrong = fault(events, which === 'one' ? slot : undefined)
      if (wrong !== undefined) return [`${about} ${wrong}`]
      if (ofType(events, 'error').length === 0) return []
      // People read it in the thread too.
      const isTold = (event: ToldEvent) => event.type === 'message' && event.data.role === 'assistant'
      const told = JSON.stringify((await bot.chat.until(conversation, isTold)).data)
      return told.includes('couldn’t') ? [] : [`${about} ${told}`]
    }),
  )
  return (await Promise.all(found)).flat()
}

test('whatever model server fails in whatever way, the turn ends with an answer, or says what to do', async () => {
  const bot = await startBot(60_000)
  expect(await play(bot, [...keysOf(failures, 'one'), ...keysOf(failures, 'all')])).toEqual([])
})

test('so it does when a server never comes to an end', async () => {
  const bot = await startBot(10_000)
  expect(await play(bot, keysOf(lasting, 'one'))).toEqual([])
})
