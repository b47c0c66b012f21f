import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readHistory } from '../../src/capabilities/context/read-history.ts'
import { tokensIn } from '../../src/kit/model/tokens.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, type RequestBody, type ScriptedReply, says, status } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { until } from '../support/until.ts'

/** A model that reads little: what its request may have is about 11,900 tokens. */
const budget = 16_000 - 4_096
const small = { tokens: 16_000 }

const isSummary = ({ messages, tools = [] }: RequestBody): boolean =>
  tools.length === 0 && `${messages[0]?.content}`.startsWith('You write the notes')

const sizeOf = ({ messages, tools = [] }: RequestBody): number =>
  [...messages, ...tools].reduce((sum, one) => sum + tokensIn(JSON.stringify(one)), 0)

/** A model that counts what it reads. */
const counting =
  (reply: (body: RequestBody) => ScriptedReply) =>
  (body: RequestBody): ScriptedReply => ({ usage: { input: sizeOf(body), output: 10, cached: 0 }, ...reply(body) })

const told = (body: RequestBody | undefined): string => JSON.stringify(body?.messages)

const long = (turn: number): string => `Number ${turn}: ${'we still have to look at the harbour. '.repeat(50)}`

const compressed = async (bot: TestBot, conversation: string) =>
  ofType(await bot.chat.events(conversation), 'context_compressed').map(({ data }) => data)

/** Says long things until something was left out. Returns how many. */
async function talk(bot: TestBot, first = 'The password of the lighthouse keeper is MAGNOLIA-7.') {
  const { conversation } = await bot.chat.say(first)
  for (let turn = 1; turn <= 60; turn++) {
    await bot.chat.say(long(turn), { conversation })
    if ((await compressed(bot, conversation)).length > 0) return { conversation, turns: turn }
  }
  throw new Error('nothing was left out')
}

test('a long thread is summarised in the background, goes on with the summary, and stays whole in the store', async () => {
  const bot = await startTestBot({
    script: counting((body) =>
      isSummary(body) ? says('## Facts\nThe keeper’s password is MAGNOLIA-7.') : says('Noted.'),
    ),
    config: { sections: { context: small } },
  })
  const { conversation, turns } = await talk(bot)
  const [report] = await compressed(bot, conversation)
  expect(report).toMatchObject({ strategy: 'compact' })
  expect(report?.after.tokens).toBeLessThan((report?.before.tokens ?? 0) * 0.9)
  const last = bot.model.requests.findLast((body) => !isSummary(body))
  expect(told(last)).toContain('MAGNOLIA-7')
  expect(told(last)).not.toContain('Number 1:')
  expect(told(last)).toContain(`Number ${turns}:`)
  for (const body of bot.model.requests) expect(sizeOf(body)).toBeLessThanOrEqual(budget)
  expect(bot.model.violations).toEqual([])
  const { messages } = await bot.chat.get<{ messages: number }>(`/agent/conversations/${conversation}`)
  expect(messages).toBe((turns + 1) * 2)
  expect(bot.model.requests.some((body) => /The context of this thread is \d\d % full/.test(told(body)))).toBe(true)
  expect(JSON.stringify(await bot.chat.events(conversation))).not.toContain('The context of this thread')
  await bot.restart()
  await bot.chat.say('Go on.', { conversation })
  expect(told(bot.model.requests.at(-1))).toContain('MAGNOLIA-7')
})

test('at the critical level a request waits for the summary', async () => {
  let isWriting = false
  let overtook = false
  const bot = await startTestBot({
    script: (body) => {
      if (isSummary(body)) {
        isWriting = true
        return heldUntil(written(), says('Kept: MAGNOLIA-7.'))
      }
      overtook ||= isWriting
      return says('Noted.')
    },
    config: { sections: { context: { ...small, information: 0.93, warning: 0.94 } } },
  })
  /** Long enough for a request that doesn't wait. */
  async function written() {
    await sleep(1_000)
    isWriting = false
  }
  const { conversation } = await talk(bot)
  expect(overtook).toBe(false)
  const summary = bot.model.requests.findIndex(isSummary)
  // The very request that would have been too full is sent after it, with it.
  expect(told(bot.model.requests[summary + 1])).toContain('MAGNOLIA-7')
  expect(await compressed(bot, conversation)).toHaveLength(1)
})

test('a summary that the model doesn’t get to the end of isn’t used, but a short one that it does', async () => {
  const cut = (text: string) => ({ ...says(text), finish: 'length' })
  const bot = await startTestBot({
    script: counting((body) => {
      if (!isSummary(body)) return says('Noted.')
      return told(body).includes('seven headings') ? cut('## Goal\nHarbours.') : says('The password is MAGNOLIA-7.')
    }),
    config: { sections: { context: small } },
  })
  const { conversation } = await talk(bot)
  expect(await compressed(bot, conversation)).toMatchObject([{ strategy: 'summarize' }])
  expect(told(bot.model.requests.findLast((body) => !isSummary(body)))).toContain('MAGNOLIA-7')
})

const obedient: readonly [string, string][] = [
  ['Korean', '우리는 오래된 방앗간 옆의 항구를 다시 한 번 살펴보았습니다. '],
  ['Greek', 'Κοιτάξαμε ξανά το λιμάνι δίπλα στον παλιό μύλο εκείνης της πόλης. '],
]

test.each(obedient)('a summary in %s of as many words as the model was told to write is used', async (_, words) => {
  const bot = await startTestBot({
    script: (body) => {
      if (!isSummary(body)) return counting(() => says('Noted.'))(body)
      const most = Number(/Use at most (\d+) words/.exec(told(body))?.[1])
      return says(words.repeat(80).split(' ').slice(0, most).join(' '))
    },
    config: { sections: { context: small } },
  })
  const { conversation } = await talk(bot)
  expect(await compressed(bot, conversation)).toMatchObject([{ strategy: 'compact' }])
  expect(bot.model.requests.filter(isSummary)).toHaveLength(1)
  expect(told(bot.model.requests.findLast((body) => !isSummary(body)))).not.toContain('[…]')
})

const wordy: readonly [string, string, number][] = [
  ['English', 'The harbour at the old mill was looked at once more. ', 200],
  ['Chinese', '我们又看了一遍老磨坊旁边的港口，', 250],
]

test.each(wordy)(
  'a summary in %s that is longer than it may be isn’t used, but a short one',
  async (_, words, times) => {
    const bot = await startTestBot({
      script: (body) => {
        if (!isSummary(body)) return counting(() => says('Noted.'))(body)
        return says(told(body).includes('seven headings') ? words.repeat(times) : 'The password is MAGNOLIA-7.')
      },
      config: { sections: { context: small } },
    })
    const { conversation } = await talk(bot)
    expect(await compressed(bot, conversation)).toMatchObject([{ strategy: 'summarize' }])
    expect(told(bot.model.requests.findLast((body) => !isSummary(body)))).toContain('MAGNOLIA-7')
  },
)

test.each([
  ['refused', status(400, { message: 'no' })],
  ['empty', says(' ')],
])('if the short summary is %s, the long one is used, cut', async (_, short) => {
  const bot = await startTestBot({
    script: (body) => {
      if (!isSummary(body)) return counting(() => says('Noted.'))(body)
      return told(body).includes('seven headings')
        ? says(`The password is MAGNOLIA-7. ${'The harbour was looked at once more. '.repeat(300)}`)
        : short
    },
    config: { sections: { context: small } },
  })
  const { conversation } = await talk(bot)
  expect(await compressed(bot, conversation)).toMatchObject([{ strategy: 'compact' }])
  const sent = told(bot.model.requests.findLast((body) => !isSummary(body)))
  expect(sent).toContain('MAGNOLIA-7')
  expect(sent).toContain('[…]')
})

test('when the model can’t summarise, older messages are left out', async () => {
  const bot = await startTestBot({
    script: counting((body) => (isSummary(body) ? status(400, { message: 'no' }) : says('Noted.'))),
    config: { sections: { context: small } },
  })
  const { conversation } = await talk(bot)
  expect(await compressed(bot, conversation)).toMatchObject([{ strategy: 'cut' }])
  const { text } = await bot.chat.say('And now?', { conversation })
  expect(text).toBe('Noted.')
  for (const body of bot.model.requests) expect(sizeOf(body)).toBeLessThanOrEqual(budget)
})

test('a model that reads less than the others is sent the summary too', async () => {
  const bot = await startTestBot({
    script: counting((body) =>
      isSummary(body) ? says(`${'The harbour is still open. '.repeat(30)}The password is MAGNOLIA-7.`) : says('Noted.'),
    ),
    environment: { MODEL_CODE_ID: 'coder', MODEL_CODE_CONTEXT: '6000', MODEL_CODE_OUTPUT: '1000' },
    config: { sections: { context: small } },
  })
  const { conversation } = await talk(bot)
  await bot.chat.say('What is wrong here?\n```js\nlet let\n```', { conversation })
  const asked = bot.model.requests.findLast((body) => body.model === 'coder')
  expect(told(asked)).toContain('MAGNOLIA-7')
  expect(told(asked)).toContain('were left out to fit the model')
})

test('when the model refuses a request as too long, it is made shorter and sent once more', async () => {
  let refusing = false
  const tooLong = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5120 tokens."
  const bot = await startTestBot({
    script: (body) => {
      if (isSummary(body)) return says('Kept: MAGNOLIA-7.')
      if (refusing && told(body).includes('Number 1:')) return status(400, { message: tooLong })
      return says('Noted.')
    },
  })
  const { conversation } = await bot.chat.say('begin')
  for (let turn = 1; turn <= 9; turn++) await bot.chat.say(long(turn), { conversation })
  refusing = true
  const { text, events } = await bot.chat.say('And now?', { conversation })
  expect(text).toBe('Noted.')
  expect(ofType(events, 'context_compressed')).not.toEqual([])
  expect(told(bot.model.requests.at(-1))).toContain('And now?')
})

test('the model makes room by its tool, and finds what was said before in the history', async () => {
  const bot = await startTestBot({
    script: (body) => {
      if (isSummary(body)) return says('Notes without the password.')
      const last = `${body.messages.at(-1)?.content}`
      if (last.includes('make room')) return calls('compact_context', { strategy: 'summarize' })
      if (last.includes('password?')) return calls('read_history', { search: 'password keeper' })
      return says('Noted.')
    },
  })
  const { conversation } = await bot.chat.say('The password of the keeper is MAGNOLIA-7.')
  for (let turn = 1; turn <= 12; turn++) await bot.chat.say(long(turn), { conversation })
  await bot.chat.say('Please make room.', { conversation })
  expect(/Before: \d+ messages, about [\d,]+ tokens/.test(told(bot.model.requests.at(-1)))).toBe(true)
  expect(told(bot.model.requests.at(-1))).not.toContain('MAGNOLIA-7')
  expect(await compressed(bot, conversation)).toMatchObject([{ strategy: 'summarize' }])
  await bot.chat.say('What was the password?', { conversation })
  expect(told(bot.model.requests.at(-1))).toContain('MAGNOLIA-7')
})

test('the model is told that a summary is still being written, and reads it once it is there', async () => {
  const gate = Promise.withResolvers<void>()
  const bot = await startTestBot({
    script: (body) => {
      if (isSummary(body)) return heldUntil(gate.promise, says('Kept: MAGNOLIA-7.'))
      return `${body.messages.at(-1)?.content}`.includes('make room') ? calls('compact_context', {}) : says('Noted.')
    },
    config: { sections: { context: { compact_messages: 2, wait_ms: 1 } } },
  })
  const { conversation } = await bot.chat.say('The password of the keeper is MAGNOLIA-7.')
  for (let turn = 1; turn <= 12; turn++) await bot.chat.say(long(turn), { conversation })
  await bot.chat.say('Please make room.', { conversation })
  expect(`${bot.model.requests.at(-1)?.messages.at(-1)?.content}`).toContain('The summary is still being written.')
  gate.resolve()
  await until('its end', () => rowsIn(bot.database, "select id from jobs where kind = 'compact'").length === 0)
  await bot.chat.say('Go on.', { conversation })
  expect(told(bot.model.requests.at(-1))).toContain('Kept: MAGNOLIA-7.')
})

test('the model isn’t told of an earlier failure where there is too little to summarise', async () => {
  const bot = await startTestBot({
    script: (body) =>
      `${body.messages.at(-1)?.content}`.includes('make room') ? calls('compact_context', {}) : says('Noted.'),
  })
  const { conversation } = await bot.chat.say('begin')
  const size = { messages: 2, tokens: 10, share: 0 }
  const failed = { base: 0, from: 2, pinned: null, summary: null, strategy: 'cut', before: size, after: size }
  changeIn(
    bot.database,
    `insert into contexts (session_id, from_seq, pruned_to, ready, reports, updated_at)
      select id, 0, 0, '${JSON.stringify(failed)}', '[]', 0 from sessions`,
  )
  await bot.chat.say('Please make room.', { conversation })
  expect(`${bot.model.requests.at(-1)?.messages.at(-1)?.content}`).toContain('There isn’t enough to summarise yet.')
})

test('a summary is made from no more than the base model can read, even where another model answers', async () => {
  const bot = await startTestBot({
    script: counting((body) => {
      if (isSummary(body)) return sizeOf(body) > 4_500 ? status(400, { message: 'too long' }) : says('Notes.')
      return says('Noted.')
    }),
    environment: {
      ...{ MODEL_BASE_CONTEXT: '4500', MODEL_BASE_OUTPUT: '1000' },
      ...{ MODEL_REASONING_ID: 'thinker', MODEL_REASONING_CONTEXT: '64000', MODEL_REASONING_OUTPUT: '1000' },
    },
  })
  const { conversation } = await bot.chat.say('begin')
  await bot.chat.say('use reasoning', { conversation })
  for (let turn = 1; turn <= 20; turn++) await bot.chat.say(long(turn), { conversation })
  await bot.chat.say('/compact', { conversation })
  const report = await until('the report', async () => {
    const said = JSON.stringify(await bot.chat.events(conversation))
    return /I summarised older messages|couldn’t write a summary/.exec(said)?.[0]
  })
  expect(report).toBe('I summarised older messages')
})

test('`compact` says how it went, and what was said before a reset is not summarised', async () => {
  const bot = await startTestBot({ script: (body) => (isSummary(body) ? says('Notes.') : says('Noted.')) })
  const { conversation } = await bot.chat.say('begin')
  for (let turn = 1; turn <= 12; turn++) await bot.chat.say(long(turn), { conversation })
  await bot.chat.say('/compact', { conversation })
  await until('the report', async () =>
    JSON.stringify(await bot.chat.events(conversation)).includes('I summarised older messages'),
  )
  await bot.chat.say('/reset', { conversation })
  await bot.chat.say('Hello again.', { conversation })
  const sent = told(bot.model.requests.at(-1))
  expect(sent).not.toContain('Notes.')
  expect(sent).not.toContain('harbour')
})

test('a summary that was stored when the process was killed is neither made nor told again', async () => {
  const gate = Promise.withResolvers<void>()
  const bot = await startMemoryBot({
    script: (body) => (isSummary(body) ? heldUntil(gate.promise, says('Notes.')) : says('Noted.')),
    config: { sections: { context: { compact_messages: 2, recent_messages: 1 } } },
  })
  const { memory, rows } = bot
  const root = await memory.say('ana', '@bobbin hello')
  await memory.eventually(() => expect(memory.answers(root)).toHaveLength(1))
  await memory.say('ana', `@bobbin ${long(1)}`, { in: root })
  await memory.eventually(() => expect(memory.answers(root)).toHaveLength(2))
  await memory.say('ana', '@bobbin compact', { in: root })
  const jobs = () => rows("select id, key, owner, input from jobs where kind = 'compact'")
  const [job] = await until('the job', () => (bot.model.requests.some(isSummary) ? jobs() : undefined))
  gate.resolve()
  await until('its end', () => jobs().length === 0)
  const told = rows('select key from outbox')
  const stored = [job?.id, job?.key, job?.owner, job?.input].map((value) => `'${value}'`).join(', ')
  // As the job is between storing its result and its own end.
  await bot.crashAs(`insert into jobs
    (id, key, owner, input, kind, checkpoint, state, due_at, depth, attempts, epoch, created_at, updated_at)
    values (${stored}, 'compact', '"made"', 'open', 0, 0, 0, 1, 0, 0)`)
  await until('its end', () => jobs().length === 0)
  expect(bot.model.requests.filter(isSummary)).toHaveLength(1)
  expect(rows('select key from outbox')).toEqual(told)
})

test('`context` and its address say what the model is sent, by the provider’s count', async () => {
  const usage = { input: 6_000, output: 10, cached: 0 }
  const bot = await startTestBot({ script: () => ({ ...says('Noted.'), usage }) })
  const { conversation } = await bot.chat.say('hello')
  const facts = await bot.chat.get<{ total: number; budget: number; parts: Record<string, number>; picture: string }>(
    `/agent/conversations/${conversation}/context`,
  )
  // `status` says the same, and so does `context`.
  const total = `about ${facts.total.toLocaleString('en')} of ${facts.budget.toLocaleString('en')} tokens (5 %)`
  for (const [command, words] of [
    ['/status', `- Context: ${total}`],
    ['/context', `**Context** of scripted: ${total}`],
  ] as const) {
    await bot.chat.say(command, { conversation })
    await until(command, async () => JSON.stringify(await bot.chat.events(conversation)).includes(words))
  }
  expect(Object.keys(facts.parts)).toEqual(['system', 'tools', 'user', 'assistant', 'results'])
  expect(Math.abs(facts.total - 6_000)).toBeLessThan(50)
  const sum = Object.values(facts.parts).reduce((one, other) => one + other, 0)
  expect(Math.abs(sum - facts.total)).toBeLessThan(10)
  expect(facts.picture).toMatch(/^system +█+░+ +[\d,]+$/m)
})

test('where the window is measured in messages, nothing is summarised, and `context` says what is sent', async () => {
  const bot = await startTestBot({
    script: (body) =>
      `${body.messages.at(-1)?.content}`.includes('make room') ? calls('compact_context', {}) : says('Noted.'),
    config: { agent: { windowMessages: 10 }, sections: { context: { window: 'messages' } } },
  })
  const { conversation } = await bot.chat.say('begin')
  for (let turn = 1; turn <= 9; turn++) await bot.chat.say(long(turn), { conversation })
  const facts = await bot.chat.get<{ messages: number; from_message: number; total: number }>(
    `/agent/conversations/${conversation}/context`,
  )
  // The answer has come since the request.
  expect(facts.messages).toBe((bot.model.requests.at(-1)?.messages.length ?? 0) - 1 + 1)
  expect(facts.from_message).toBe(20 - facts.messages + 1)
  expect(facts.total).toBeLessThan(sizeOf(bot.model.requests.at(-1) as RequestBody) * 1.3)
  const saidNow = async () => JSON.stringify(await bot.chat.events(conversation))
  await bot.chat.say('/context', { conversation })
  expect(await saidNow()).toContain(`Messages before number ${facts.from_message} are left out.`)
  await bot.chat.say('/compact', { conversation })
  const why = 'the model is sent only the latest messages of a thread, and no summary'
  expect(await saidNow()).toContain(why)
  await bot.chat.say('Please make room.', { conversation })
  expect(`${bot.model.requests.at(-1)?.messages.at(-1)?.content}`).toContain(why)
  expect(bot.model.requests.some(isSummary)).toBe(false)
})

test('a summary that was asked for before the window was measured in messages is neither made nor told', async () => {
  const bot = await startMemoryBot({
    script: (body) => says(isSummary(body) ? 'Notes.' : 'Noted.'),
    config: { sections: { context: { window: 'messages', compact_messages: 2, recent_messages: 1 } } },
  })
  const { memory, rows } = bot
  const root = await memory.say('ana', '@bobbin hello')
  await memory.eventually(() => expect(memory.answers(root)).toHaveLength(1))
  await memory.say('ana', `@bobbin ${long(1)}`, { in: root })
  await memory.eventually(() => expect(memory.answers(root)).toHaveLength(2))
  const [session] = rows('select id from sessions')
  const input = JSON.stringify({ session: session?.id, strategy: 'compact', asked: true, tell: true })
  await bot.crashAs(`insert into jobs
    (id, key, owner, input, kind, state, due_at, depth, attempts, epoch, created_at, updated_at)
    values ('job_before', '${session?.id} told', '${session?.id}', '${input}', 'compact', 'open', 0, 0, 0, 1, 0, 0)`)
  await until('its end', () => rows("select id from jobs where kind = 'compact'").length === 0)
  expect(bot.model.requests.some(isSummary)).toBe(false)
  expect(memory.answers(root)).toHaveLength(2)
  expect(rows("select key from outbox where kind = 'answer'")).toHaveLength(2)
})

test('a result that was left out can be read again, whole', async () => {
  const data = Array.from({ length: 200 }, (_, line) => `Line ${line} of the data: nothing new.`).join('\n')
  const bot = await startTestBot({
    script: counting((body) => {
      const last = body.messages.at(-1)
      const leftOut = /read_history with from (\d+) and limit 1/.exec(told(body))?.[1]
      if (last?.role === 'tool') return says('Read.')
      if (leftOut !== undefined) return calls('read_history', { from: Number(leftOut), limit: 1 })
      return calls('read_file', { path: 'uploads/data.txt', limit: 200 })
    }),
    config: {
      sections: {
        context: { tokens: 30_000, information: 0.3, compact: false, protected_tokens: 3_000, prune_tokens: 1_000 },
      },
    },
  })
  const { conversation } = await bot.chat.say('Read.', { files: { 'data.txt': data } })
  const leavesOut = () => told(bot.model.requests.at(-1)).includes('and limit 1')
  for (let turn = 0; turn < 12 && !leavesOut(); turn++) await bot.chat.say('Read on.', { conversation })
  await bot.chat.say('What was it?', { conversation })
  const again = `${bot.model.requests.at(-1)?.messages.at(-1)?.content}`
  expect(again).toContain('Line 0 of the data')
  expect(again).toContain('Line 199 of the data')
})

test('of several messages, further lines are indented, as the tool says; alone, one is word for word', async () => {
  const reads = [1, 2].map((limit) => calls('read_history', { from: 1, limit }))
  const bot = await startTestBot({ script: [...reads, says('Read.')] })
  await bot.chat.say('a:\n  b: 1', { user: 'ana' })
  const [alone, several] = (bot.model.requests.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? [`${content}`] : [],
  )
  expect(alone).toContain('\na:\n  b: 1')
  expect(several).toContain('#1 ana: a:\n    b: 1')
  expect(readHistory.description).toContain('further lines of a message are indented by two spaces')
})

test('old results are left out in the same way in all later turns, so that a provider can cache what is before', async () => {
  const data = Array.from({ length: 400 }, (_, line) => `Line ${line} of the data: ${'nothing new. '.repeat(3)}`).join(
    '\n',
  )
  const bot = await startTestBot({
    script: counting((body) =>
      body.messages.at(-1)?.role === 'tool'
        ? says('Read.')
        : calls('read_file', { path: 'uploads/data.txt', offset: body.messages.length, limit: 60 }),
    ),
    config: {
      sections: {
        context: { tokens: 30_000, information: 0.4, compact: false, protected_tokens: 4_000, prune_tokens: 3_000 },
      },
    },
  })
  const { conversation } = await bot.chat.say('Read.', { files: { 'data.txt': data } })
  for (let turn = 0; turn < 12; turn++) await bot.chat.say('Read on.', { conversation })
  const { requests } = bot.model
  const pruned = requests.filter((body) => told(body).includes('are no longer shown'))
  expect(pruned.length).toBeGreaterThan(4)
  const broken = pruned.filter((body, place) => {
    const before = pruned[place - 1]?.messages.slice(0, -1)
    return before !== undefined && JSON.stringify(body.messages.slice(0, before.length)) !== JSON.stringify(before)
  })
  expect(broken.length).toBeLessThanOrEqual(pruned.length / 4)
  expect(bot.model.violations).toEqual([])
})

test('what a summary costs is counted for its thread', async () => {
  const bot = await startTestBot({
    script: counting((body) => says(isSummary(body) ? 'Nothing but harbours.' : 'Noted.')),
    environment: { MODEL_BASE_PRICE_INPUT: '1' },
    config: { sections: { context: small } },
  })
  const { conversation } = await talk(bot)
  const counted = bot.model.requests.reduce((sum, body) => sum + sizeOf(body), 0)
  expect(bot.model.requests.some(isSummary)).toBe(true)
  const usage = await bot.chat.get<{ usage: { tokens_in: number }[] }>(
    `/usage?by=model&conversation_id=${conversation}`,
  )
  expect(usage.usage).toMatchObject([{ tokens_in: counted }])
})
