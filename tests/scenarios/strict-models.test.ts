import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import {
  calls,
  heldUntil,
  type ModelScript,
  type RequestBody,
  type ScriptedReply,
  says,
  startModelServer,
  status,
  thinks,
} from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import {
  deepseek,
  gemini,
  kimi,
  llamaCppTemplate,
  mistral,
  signed,
  vllm,
  vllmTemplate,
} from '../support/strict-models.ts'
import { until } from '../support/until.ts'

/** Looks at two things, one after the other, and answers. */
function looks(body: RequestBody): ScriptedReply {
  const said = body.messages.findLastIndex(({ role }) => role === 'user')
  const step = body.messages.slice(said).filter(({ role }) => role === 'assistant').length
  if (step === 2) return thinks('That is all.', says('Found both.'))
  return thinks(`Step ${step}: look.`, calls('find_files', { pattern: `*.${step}` }, ['now', {}]))
}

type Provider = (body: RequestBody) => ScriptedReply | undefined

/** Refuses what the provider refuses, and otherwise looks. */
const strict =
  (refusal: Provider, answer: (body: RequestBody) => ScriptedReply = looks): ModelScript =>
  (body) =>
    refusal(body) ?? answer(body)

const providers: [name: string, refusal: Provider, answer: (body: RequestBody) => ScriptedReply][] = [
  ['Kimi', kimi, looks],
  ['DeepSeek', deepseek, looks],
  ['Gemini', gemini, (body) => signed({ ...looks(body), thought: '' })],
]

const start = (script: ModelScript, options: Omit<TestBotOptions, 'script'> = {}) =>
  startTestBot({ ...options, script, foreign: true })

async function found(bot: TestBot, conversation?: string): Promise<string> {
  const said = await bot.chat.say('look for both', conversation === undefined ? {} : { conversation })
  expect(said.text).toBe('Found both.')
  // No other model had to answer instead.
  expect([...ofType(said.events, 'error'), ...ofType(said.events, 'warning')]).toEqual([])
  return said.conversation
}

/** What a request has of reasoning and signatures, by call. */
const along = ({ messages }: RequestBody) =>
  messages.flatMap((one) =>
    one.role === 'assistant' && one.tool_calls ? [[one.reasoning_content, one.tool_calls[0]?.extra_content]] : [],
  )

describe.each(providers)('%s', (_, refusal, answer) => {
  test('takes several steps with calls, turn after turn, also over a restart', async () => {
    const bot = await start(strict(refusal, answer))
    const conversation = await found(bot)
    await found(bot, conversation)
    await bot.restart()
    await found(bot, conversation)
    expect(bot.model.violations).toEqual([])
  })

  test('continues a thread in which another model made the calls', async () => {
    const other = await startModelServer((body) => ({ ...looks(body), thought: '' }))
    onTestFinished(() => other.close())
    const environment = { MODEL_CODE_API_KEY: 'test-key', MODEL_CODE_BASE_URL: other.url, MODEL_CODE_ID: 'another' }
    const bot = await start(strict(refusal, answer), { environment })
    const { conversation } = await bot.chat.say('model code')
    await found(bot, conversation)
    expect(bot.model.requests).toEqual([])
    await bot.chat.say('model base', { conversation })
    await found(bot, conversation)
    await bot.chat.say('model code', { conversation })
    await found(bot, conversation)
    // It would have refused what isn't its own.
    expect(other.violations).toEqual([])
  })
})

test('a step goes on with a model that insists after another one failed in the middle of the turn', async () => {
  const failing = await startModelServer((body, number) => (number === 0 ? looks(body) : status(500)))
  onTestFinished(() => failing.close())
  for (const [, refusal, answer] of providers) {
    const environment = { MODEL_CODE_API_KEY: 'test-key', MODEL_CODE_BASE_URL: failing.url, MODEL_CODE_ID: 'another' }
    const bot = await start(strict(refusal, answer), { environment, config: { attempts: 1 } })
    const { conversation } = await bot.chat.say('model code')
    expect((await bot.chat.say('look for both', { conversation })).text).toBe('Found both.')
  }
})

test('what the model reasoned goes back word for word', async () => {
  const bot = await start(strict(kimi))
  await found(bot)
  expect(along(bot.model.requests.at(-1) as RequestBody)).toEqual([
    ['Step 0: look.', undefined],
    ['Step 1: look.', undefined],
  ])
})

test('Mistral takes calls by their short ids, and is sent no reasoning', async () => {
  const bot = await start(strict(mistral))
  const conversation = await found(bot)
  await found(bot, conversation)
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).not.toContain('reasoning_content')
})

test.each([
  ['Mistral', mistral],
  ['vLLM', vllmTemplate],
  ['llama.cpp', llamaCppTemplate],
])('%s takes what is said while a call runs', async (_, refusal) => {
  const said = Promise.withResolvers<void>()
  const bot = await start(
    strict(refusal, (body) => {
      if (JSON.stringify(body.messages).includes('and the other one')) return says('Both.')
      return body.messages.at(-1)?.role === 'tool' ? says('One.') : heldUntil(said.promise, calls('now', {}))
    }),
  )
  const response = await bot.chat.send('look for one')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await until('the request', () => bot.model.requests.some((body) => refusal(body) === undefined))
  await bot.chat.send('and the other one', { conversation })
  said.resolve()
  const end = await bot.chat.until(conversation, ({ type }) => type === 'complete' || type === 'error')
  expect(end).toMatchObject({ data: { content: 'Both.' } })
  const sent = bot.model.requests
    .at(-1)
    ?.messages.slice(-4)
    .map(({ role }) => role)
  expect(sent).toEqual(['assistant', 'tool', 'assistant', 'user'])
})

test.each([
  ['its whole context', 262_144, 262_144],
  ['two thirds of it', 24_576, 16_384],
])('a model that may say as much as %s answers, first and when its context fills up', async (_, context, output) => {
  const environment = { MODEL_BASE_CONTEXT: `${context}`, MODEL_BASE_OUTPUT: `${output}` }
  const bot = await start(
    strict(vllm(context), () => says('Yes.')),
    { environment },
  )
  const { conversation, text } = await bot.chat.say('hello')
  expect(text).toBe('Yes.')
  expect((await bot.chat.say('some words '.repeat(2_000), { conversation })).text).toBe('Yes.')
  expect(bot.model.requests).toHaveLength(2)
})

const lines = (count: number) => 'A line of this file, which says nothing much that is new.\n'.repeat(count)

test('more uploads than a model can read are named, and not all of their texts are shown', async () => {
  const environment = { MODEL_BASE_CONTEXT: '24576', MODEL_BASE_OUTPUT: '8192' }
  const bot = await start(
    strict(vllm(24_576), () => says('Yes.')),
    { environment },
  )
  const names = Array.from({ length: 10 }, (_, place) => `part-${place}.txt`)
  const files = Object.fromEntries(names.map((name) => [name, lines(170)]))
  expect((await bot.chat.say('Look through these.', { files })).text).toBe('Yes.')
  const said = `${bot.model.requests[0]?.messages.at(-1)?.content}`
  for (const name of names) expect(said).toContain(`- uploads/${name}`)
  expect(said).toContain('<data source="the file uploads/part-0.txt">')
  expect(said.split('</data>').length).toBeLessThan(4)
  expect(said).toContain('"uploads/part-9.txt": for lack of room, the text isn’t shown here.')
  expect(bot.model.requests).toHaveLength(1)
})

test('a model that reads less than was assumed is asked again without the texts of uploads', async () => {
  const bot = await start(strict(vllm(12_288), () => says('Yes.')))
  const files = { 'a.txt': lines(170), 'b.txt': lines(170), 'c.txt': lines(170) }
  expect((await bot.chat.say('Look through these.', { files })).text).toBe('Yes.')
  const [refused, taken] = bot.model.requests.map(({ messages }) => `${messages.at(-1)?.content}`)
  expect(refused?.split('</data>')).toHaveLength(4)
  expect(taken).toMatch(/Look through these\.\n\nFiles:\n- uploads\/a\.txt/)
  expect(taken).not.toContain('</data>')
  expect(taken).toContain('"uploads/a.txt", "uploads/b.txt", "uploads/c.txt": for lack of room, the text isn’t shown')
})

test('of the texts that wait while a turn runs, the latest are shown, and smaller ones that still fit', async () => {
  const environment = { MODEL_BASE_CONTEXT: '16384', MODEL_BASE_OUTPUT: '8192' }
  // By this count, requests have half of the tokens they are thought to have.
  const usage = { input: 1, output: 1, cached: 0 }
  const waiting = Promise.withResolvers<void>()
  const bot = await start(
    (_, number) => (number === 0 ? heldUntil(waiting.promise, { ...says('One.'), usage }) : says('All.')),
    {
      environment,
    },
  )
  const response = await bot.chat.send('hello')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await until('the request', () => bot.model.requests.length === 1)
  const files = { 'a.txt': lines(170), 'b.txt': 'oaks', 'c.txt': lines(170) }
  await bot.chat.send('These first.', { conversation, files })
  await bot.chat.send('And look at this one.', { conversation, files: { 'd.txt': lines(170) } })
  waiting.resolve()
  await until('the next request', () => bot.model.requests.length === 2)
  const said = `${bot.model.requests[1]?.messages.at(-1)?.content}`
  expect([...said.matchAll(/<data source="the file ([^"]+)">/g)].map(([, path]) => path)).toEqual([
    'uploads/d.txt',
    'uploads/b.txt',
  ])
  expect(said).toContain('"uploads/a.txt", "uploads/c.txt": for lack of room, the text isn’t shown here.')
})

const order = `${'Compare the numbers in it, month by month. '.repeat(35)}Then name the largest.`

test('one text that fills more than a quarter of what a model reads is shown alone, beside the whole request', async () => {
  const environment = { MODEL_BASE_CONTEXT: '16384', MODEL_BASE_OUTPUT: '8192' }
  const bot = await start(() => says('Yes.'), { environment })
  await bot.chat.say(order, { files: { 'a.txt': lines(170) } })
  const said = bot.model.requests[0]?.messages.at(-1)?.content
  expect(said).toContain('<data source="the file uploads/a.txt">')
  expect(said).toContain(order)
})

test('a text that would take the room of the message it came with is only named', async () => {
  const environment = { MODEL_BASE_CONTEXT: '12288', MODEL_BASE_OUTPUT: '8192' }
  const bot = await start(() => says('Yes.'), { environment })
  await bot.chat.say(order, { files: { 'a.txt': lines(130) } })
  const said = bot.model.requests[0]?.messages.at(-1)?.content
  expect(said).toContain('"uploads/a.txt": for lack of room, the text isn’t shown here.')
  expect(said).toContain(order)
})

test('a model that reads less than was assumed still reads what one step returned, shortened', async () => {
  const names = ['a.txt', 'b.txt', 'c.txt']
  const [first = '', ...more] = names.map((name) => `uploads/${name}`)
  const read = (path: string): [name: string, input: unknown] => ['read_file', { path }]
  const bot = await start(
    strict(vllm(24_576), ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? says('Yes.')
        : calls('read_file', { path: first }, ...more.map((path) => read(path))),
    ),
  )
  const files = Object.fromEntries(names.map((name) => [name, lines(900)]))
  const wanted = `${'Compare the numbers of all three, month by month. '.repeat(60)}Then name the largest.`
  const { text, events } = await bot.chat.say(wanted, { files })
  expect(text).toBe('Yes.')
  expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['done', 'done', 'done'])
  expect(bot.model.requests).toHaveLength(3)
  const sent = bot.model.requests[2]?.messages ?? []
  expect(sent.find(({ role }) => role === 'user')?.content).toContain(wanted)
  expect(sent.filter(({ role }) => role === 'tool')).toHaveLength(3)
  expect(JSON.stringify(sent)).toContain('characters of this were left out to fit the model')
})

test('a request that is longer than a model turns out to read isn’t cut, but its thread is told', async () => {
  const bot = await start(strict(vllm(12_288), () => says('Yes.')))
  const { events } = await bot.chat.say(`${lines(550)}What is new here?`)
  expect(ofType(events, 'error').map(({ data }) => data.code)).toEqual(['model_too_long'])
  expect(bot.model.requests).toHaveLength(2)
  for (const { messages } of bot.model.requests) expect(messages.at(-1)?.content).toContain('What is new here?')
})

describe.each([
  ['vLLM', vllmTemplate],
  ['llama.cpp', llamaCppTemplate],
])('where roles must alternate, %s', (_, refusal) => {
  test('takes a thread in which a turn failed', async () => {
    const answer = ({ messages }: RequestBody) =>
      JSON.stringify(messages.at(-1)).includes('again') ? says('Found it.') : status(401)
    const bot = await start(strict(refusal, answer))
    const { conversation } = await bot.chat.say('look for it')
    await bot.chat.say('look for the other one', { conversation })
    const third = await bot.chat.say('look again', { conversation })
    expect(third.text).toBe('Found it.')
    expect(third.events.filter(({ type }) => type === 'error' || type === 'warning')).toEqual([])
    await bot.restart()
    expect((await bot.chat.say('and again', { conversation })).text).toBe('Found it.')
    const sent = bot.model.requests.at(-1)?.messages.slice(1)
    expect(sent?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(sent?.[0]?.content).toMatch(/look for it\n\n\[.+\] look for the other one\n\n\[.+\] look again$/)
  })

  test('takes a history that begins with an answer', async () => {
    const bot = await start(
      strict(refusal, () => says('Fine.')),
      {
        config: { agent: { windowMessages: 6 }, sections: { context: { window: 'messages' } } },
      },
    )
    const { conversation } = await bot.chat.say('turn 1')
    for (const turn of [2, 3, 4]) expect((await bot.chat.say(`turn ${turn}`, { conversation })).text).toBe('Fine.')
    const refused = bot.model.requests.filter((body) => refusal(body) !== undefined)
    expect(refused.map(({ messages }) => messages[1]?.role)).toEqual(['assistant'])
  })
})

test('a secret in what was reasoned is masked, and a signature with one is not kept', async () => {
  const secret = 'sk-proj-4f8Kq2mZ7xWc9TbR1nVd'
  const environment = { MODEL_BASE_API_KEY: secret }
  const leaking = (body: RequestBody): ScriptedReply => {
    const reply = signed(looks(body))
    const [first] = reply.calls ?? []
    if (first) first.extra = { google: { thought_signature: `CpsB ${secret}` } }
    return { ...reply, thought: `${reply.thought} The key is ${secret}.` }
  }
  const bot = await start(strict(gemini, leaking), { environment })
  const conversation = await found(bot)
  await found(bot, conversation)
  const rows = await rowsIn(bot.database, 'select calls from messages')
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(JSON.stringify(bot.model.requests)).not.toContain(secret)
  expect(bot.model.requests.at(-1)?.messages.map((one) => one.role === 'assistant' && one.reasoning_content)).toContain(
    'Step 0: look. The key is [secret: the bot’s own model key].',
  )
})

test('what goes back with calls is only for the model', async () => {
  const bot = await start(strict(gemini, (body) => signed(looks(body))))
  const conversation = await found(bot)
  const [, signature] = /"thought_signature":"([^"]+)"/.exec(JSON.stringify(bot.model.requests)) ?? []
  const thread = `${bot.chat.url}/api/v1/agent/conversations/${conversation}`
  const exported = await Promise.all(['md', 'json'].map((format) => fetch(`${thread}/export?format=${format}`)))
  const texts = await Promise.all(exported.map((answer) => answer.text()))
  expect(signature).toBeDefined()
  expect(texts.map((text) => text.includes('Found both.'))).toEqual([true, true])
  for (const text of [JSON.stringify(await bot.chat.events(conversation)), ...texts])
    expect(text).not.toContain(signature ?? 'a signature')
})
