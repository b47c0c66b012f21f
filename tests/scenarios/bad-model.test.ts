import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ToldEvent } from '../../src/domain/events.ts'
import { defineTool } from '../../src/domain/tool.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import {
  both,
  calls,
  callsRaw,
  cutAfter,
  empty,
  endless,
  hang,
  heldUntil,
  type ModelServer,
  manyCalls,
  raw,
  type ScriptedReply,
  says,
  slowly,
  status,
} from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

type Body = ModelServer['requests'][number]

const asksAgain = ({ messages }: Body): boolean => `${messages.at(-1)?.content}`.endsWith('are you there?')

/** A model that answers with `reply`, each time by its number, until somebody asks whether it is there. */
const then = (reply: (number: number, body: Body) => ScriptedReply | undefined) => (body: Body, number: number) =>
  asksAgain(body) ? says('I am here.') : reply(number, body)

const first = (...replies: ScriptedReply[]) => then((number) => replies[number])

async function startBadBot(script: TestBotOptions['script'], options: Omit<TestBotOptions, 'script'> = {}) {
  return startTestBot({ ...options, script })
}

/** From now on nothing is taken for a hang, however slow the machine is. */
const waitForEver = ({ config }: TestBot) =>
  Object.assign(config.model.patience, { firstOutputTimeoutMs: 600_000, idleTimeoutMs: 600_000 })

/** Whatever the model did: the next message in the thread is answered, and OpenAI would have taken every request. */
async function goesOn(bot: TestBot, conversation: string): Promise<void> {
  expect((await bot.chat.say('are you there?', { conversation })).text).toBe('I am here.')
  expect(bot.model.violations).toEqual([])
  expect(pairs(await bot.chat.events(conversation))).toEqual('whole')
}

/** Every act has one observe after it, every observe but that of a denied call an act, and every turn one end. */
function pairs(events: ToldEvent[]): string {
  const acted = ofType(events, 'act').map(({ data }) => data.call_id)
  const observed = ofType(events, 'observe').map(({ data }) => data.call_id)
  const notDenied = ofType(events, 'observe').flatMap(({ data }) => (data.status === 'denied' ? [] : [data.call_id]))
  if (new Set(observed).size < observed.length) return 'a call was observed twice'
  const lost = acted.filter((id) => !observed.includes(id))
  if (lost.length > 0) return `no observe for ${lost}`
  const unseen = notDenied.filter((id) => !acted.includes(id))
  if (unseen.length > 0) return `no act for ${unseen}`
  for (const turn of ofType(events, 'start').map(({ data }) => data.turn_id)) {
    const ends = events.filter(
      ({ type, data }) => ['complete', 'stopped', 'error'].includes(type) && 'turn_id' in data && data.turn_id === turn,
    )
    if (ends.length !== 1) return `turn ${turn} has ${ends.length} ends`
    const after = events.slice(events.indexOf(ends[0] as ToldEvent) + 1)
    const late = after.find(({ type, data }) => type !== 'message' && 'turn_id' in data && data.turn_id === turn)
    if (late !== undefined) return `${late.type} after the end of its turn`
  }
  return 'whole'
}

/** The text that a screen shows: what was told of every text that was not discarded. */
function shown(events: ToldEvent[]): string[] {
  const texts = new Map<string, string>()
  for (const { data } of ofType(events, 'text_delta'))
    texts.set(data.text_id, data.whole ? data.delta : `${texts.get(data.text_id)}${data.delta}`)
  for (const { data } of ofType(events, 'text_end'))
    if (data.discarded) texts.delete(data.text_id)
    else texts.set(data.text_id, data.text)
  return [...texts.values()]
}

/** What was told of a text while it streamed. */
const live = (events: ToldEvent[]): string =>
  ofType(events, 'text_delta').reduce((text, { data }) => (data.whole ? '' : text) + data.delta, '')

const lastError = (events: ToldEvent[]) => ofType(events, 'error').at(-1)?.data

const result = (events: ToldEvent[], place = 0) => ofType(events, 'observe')[place]?.data

const postedAfter = (bot: TestBot, conversation: string) =>
  bot.chat.until(conversation, (event) => event.type === 'message' && event.data.role === 'assistant')

const cutCall = /^Error: your reply reached its output limit in the middle of this call, so it was not made\./

describe('calls that are wrong', () => {
  test.each([
    ['broken JSON', callsRaw('now', '{"path": "a'), /^Error: the arguments are not JSON/],
    ['arguments cut at the output limit', { ...callsRaw('now', '{"path": "a'), finish: 'length' }, cutCall],
    ['a call cut after its name', { ...callsRaw('now', ''), finish: 'length' }, cutCall],
    ['a call cut by the filter', { ...callsRaw('now', '{'), finish: 'content_filter' }, /^Error: .*content filter cut/],
    ['JSON that is no object', callsRaw('now', '[1, 2]'), /^Error: the arguments of now are not valid/],
    ['JSON null', callsRaw('now', 'null'), /^Error: the arguments of now are not valid/],
    ['an unknown tool', calls('rm_rf', { path: '/' }), /^Error: there is no tool "rm_rf"\. There are: .*read_file/],
    ['a missing argument', calls('read_file', {}), /^Error: the arguments of read_file are not valid\. path: /],
    ['a wrong type', calls('read_file', { path: 7 }), /^Error: the arguments of read_file are not valid\. path: /],
    ['an argument too many', calls('now', { zone: 'x' }), /^Error: the arguments of now are not valid/],
    ['arguments nested without an end', callsRaw('now', '['.repeat(40_000) + ']'.repeat(40_000)), /^Error: /],
    [
      'a value nested without an end',
      callsRaw('write_file', `{"path":"temp/a","content":"x","y":${'['.repeat(40_000)}${']'.repeat(40_000)}}`),
      /^Error: /,
    ],
    ['a path outside', calls('read_file', { path: '../../etc/passwd' }), /Error: .*contains "\.\."/],
    ['an absolute path', calls('write_file', { path: '/etc/passwd', content: '' }), /^Error: .*absolute path/],
    ['a NUL', calls('read_file', { path: 'uploads/a\u0000b' }), /Error: .*NUL/],
    ['half a character', calls('write_file', { path: 'outputs/\ud800.txt', content: '\udc00' }), /./],
  ])('%s: the model is told, and goes on', async (_, reply, told) => {
    const bot = await startBadBot(first(reply, says('My mistake.')))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('My mistake.')
    expect(result(said.events)?.result).toMatch(told)
    expect(bot.model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(told),
    })
    await goesOn(bot, said.conversation)
  })

  test('a reply that is cut among its calls: those before the cut run', async () => {
    const replies = both(calls('now', {}, ['todo_read', {}]), callsRaw('todo_read', '{"a'))
    const bot = await startBadBot(first({ ...replies, finish: 'length' }, says('My mistake.')))
    const said = await bot.chat.say('go')
    expect(
      ofType(said.events, 'observe')
        .map(({ data }) => data.status)
        .toSorted(),
    ).toEqual(['done', 'done', 'failed'])
    await goesOn(bot, said.conversation)
  })

  test('a tool without a name, and a name that no endpoint accepts', async () => {
    const bot = await startBadBot(first(calls('', {}, ['read file!', {}]), says('My mistake.')))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('My mistake.')
    await goesOn(bot, said.conversation)
  })

  test('ids that the model repeats from step to step are replaced by different ones', async () => {
    const bot = await startBadBot(first(calls('now', {}), calls('now', {}), says('Twice.')))
    const said = await bot.chat.say('go')
    const ids = ofType(said.events, 'act').map(({ data }) => data.call_id)
    expect(new Set(ids).size).toBe(2)
    await goesOn(bot, said.conversation)
  })

  test('more calls than a step may have: the first ones run, and the thread and the model are told', async () => {
    const bot = await startBadBot(first(manyCalls(100), says('Enough.')), { config: { agent: { maxCallsPerStep: 5 } } })
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Enough.')
    expect(ofType(said.events, 'act')).toHaveLength(5)
    expect(ofType(said.events, 'warning')[0]?.data).toMatchObject({
      code: 'too_many_calls',
      message: 'The model asked for 100 calls at once; only the first 5 were run.',
    })
    const results = bot.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
    const told = results.filter(({ content }) =>
      /\[The program\] 95 more calls of your reply were not run/.test(`${content}`),
    )
    expect(results.indexOf(told[0] as never)).toBe(4)
    expect(told).toHaveLength(1)
    await goesOn(bot, said.conversation)
  })

  test.each([
    ['a thousand calls', manyCalls(1000)],
    ['calls without an end', endless('calls')],
    ['text without an end', endless('text')],
    ['a line without an end', endless('line')],
  ])('%s: none of them runs, and the thread is told why', async (_, reply) => {
    const bot = await startBadBot(then(() => reply))
    const said = await bot.chat.say('go')
    expect(lastError(said.events)).toMatchObject({
      code: expect.stringMatching(/^model_(endless|cut)$/),
      remedy: expect.stringMatching(/./),
    })
    expect(ofType(said.events, 'act')).toEqual([])
    expect((await postedAfter(bot, said.conversation)).data).toMatchObject({
      text: expect.stringMatching(/^I couldn’t continue: The model/),
    })
    await goesOn(bot, said.conversation)
  })
})

describe('streams that are wrong', () => {
  test('nothing: tried again, and answered', async () => {
    const bot = await startBadBot(first(empty(), says('Here.')))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Here.')
    expect(ofType(said.events, 'warning')[0]?.data.code).toBe('empty')
    await goesOn(bot, said.conversation)
  })

  test('nothing, again and again: the thread is told', async () => {
    const bot = await startBadBot(then(() => empty()))
    const said = await bot.chat.say('go')
    expect(lastError(said.events)).toMatchObject({
      code: 'model_empty',
      message: 'The model returned an empty answer.',
    })
    await goesOn(bot, said.conversation)
  })

  test('out of tokens before the first word: the answer says so', async () => {
    const bot = await startBadBot(first({ text: '', finish: 'length' }))
    const said = await bot.chat.say('go')
    expect(said.text ?? lastError(said.events)?.message).toMatch(/\w/)
    expect((await postedAfter(bot, said.conversation)).data).toMatchObject({ text: expect.stringMatching(/\w/) })
    await goesOn(bot, said.conversation)
  })

  test.each([
    ['at the output limit', 'length', 'The model reached its output limit, so the answer ends here.'],
    ['by the filter', 'content_filter', 'The provider’s content filter cut the answer.'],
  ])('a text that is cut %s: the answer says so, and a subagent’s does', async (_, finish, why) => {
    // A subagent is asked once more for a result as short as this.
    const cut = { ...says('Look:\n```js\nlet a'), finish }
    const bot = await startBadBot(first(calls('delegate_task', { task: 'look' }), cut, cut, cut))
    const said = await bot.chat.say('go')
    const told = `Look:\n\`\`\`js\nlet a\n\`\`\`\n\n_${why}_`
    expect(said.text).toBe(told)
    expect(result(said.events)).toMatchObject({ status: 'done', result: expect.stringContaining(told) })
    expect((await postedAfter(bot, said.conversation)).data).toMatchObject({ text: told })
    await goesOn(bot, said.conversation)
  })

  test.each([
    ['a hang before the first byte', hang()],
    ['a hang after three words', hang(3)],
  ])('%s: given up, tried again, and answered', async (_, reply) => {
    // On a busy machine, the first request may be given up before it has arrived.
    let isRetrying = false
    const patient: Capability = {
      name: 'patient',
      status(what) {
        if (what !== 'retrying') return
        isRetrying = true
        waitForEver(bot)
      },
    }
    const script = then(() => (isRetrying ? says('one two three four five six') : reply))
    const bot = await startBadBot(script, { plugins: [patient], config: { idleTimeoutMs: 1_000 } })
    const said = await bot.chat.say('go')
    expect(said.text).toBe('one two three four five six')
    expect(ofType(said.events, 'warning')[0]?.data.code).toBe('hang')
    expect(shown(said.events)).toEqual(['one two three four five six'])
    await goesOn(bot, said.conversation)
  })

  test('a hang, again and again: the thread is told', async () => {
    const bot = await startBadBot(
      then(() => hang()),
      { config: { idleTimeoutMs: 1_000 } },
    )
    const said = await bot.chat.say('go')
    expect(lastError(said.events)).toMatchObject({ code: 'model_hang' })
    expect(ofType(said.events, 'warning').map(({ data }) => data.code)).toEqual(['hang'])
    // On a busy machine, a request may be given up before it has arrived.
    expect(bot.model.requests.length).toBeLessThanOrEqual(2)
    waitForEver(bot)
    await goesOn(bot, said.conversation)
  })

  test('a stream that is cut: what was shown is not shown again', async () => {
    const bot = await startBadBot(first(slowly(60, cutAfter(3)), slowly(20, says('one two three four five six'))))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('one two three four five six')
    expect(said.text).toMatch(new RegExp(`^${live(said.events)}`))
    expect(shown(said.events)).toEqual([said.text])
    expect(ofType(said.events, 'text_start')).toHaveLength(1)
    expect(ofType(said.events, 'warning')[0]?.data.code).toBe('cut')
    await goesOn(bot, said.conversation)
  })

  test('a stream that is cut and comes in other pieces the next time: it continues where it was', async () => {
    const piece = (content: string, finish: string | null = null) => ({
      choices: [{ index: 0, delta: { content }, finish_reason: finish }],
    })
    const again = raw(piece('one'), piece(' two thr'), piece('ee four five six'), piece('', 'stop'), '[DONE]')
    const bot = await startBadBot(first(slowly(60, cutAfter(2)), again))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('one two three four five six')
    expect(said.text).toMatch(new RegExp(`^${live(said.events)}`))
    expect(shown(said.events)).toEqual([said.text])
    expect(ofType(said.events, 'text_start')).toHaveLength(1)
    await goesOn(bot, said.conversation)
  })

  test('a stream that is cut and says something else the next time: what was shown is discarded', async () => {
    const bot = await startBadBot(first(slowly(60, cutAfter(3)), says('Something else.')))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Something else.')
    expect(ofType(said.events, 'text_end').map(({ data }) => data.discarded ?? false)).toEqual([true, false])
    expect(shown(said.events)).toEqual(['Something else.'])
    await goesOn(bot, said.conversation)
  })

  test('a stream that is cut within a call: nothing of it runs', async () => {
    const half = cutAfter(2, calls('write_file', { path: 'outputs/a.txt', content: 'x' }))
    const bot = await startBadBot(first(half, says('Without.')))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Without.')
    expect(ofType(said.events, 'act')).toEqual([])
    await goesOn(bot, said.conversation)
  })

  test('a stream that is cut for ever: the thread is told, and nothing comes after that', async () => {
    const bot = await startBadBot(
      then(() => slowly(30, cutAfter(3))),
      { config: { engine: { textFlushMs: 20 } } },
    )
    const said = await bot.chat.say('go')
    expect(lastError(said.events)).toMatchObject({ code: 'model_cut' })
    await postedAfter(bot, said.conversation)
    await goesOn(bot, said.conversation)
  })

  test('text that came right before the failure is not shown after it', async () => {
    const bot = await startBadBot(
      then(() => cutAfter(4)),
      {
        config: { attempts: 1, engine: { textFlushMs: 300 } },
      },
    )
    const said = await bot.chat.say('go')
    expect(lastError(said.events)).toMatchObject({ code: 'model_cut' })
    await sleep(600)
    await goesOn(bot, said.conversation)
  })

  test('events that are not chunks: the thread is told', async () => {
    const bot = await startBadBot(then(() => raw({ hello: 'world', choices: 'none' }, 'not even JSON')))
    const said = await bot.chat.say('go')
    expect(lastError(said.events)?.code).toMatch(/^model_/)
    await goesOn(bot, said.conversation)
  })
})

describe('refusals', () => {
  test('429 with Retry-After is obeyed, and then answered', async () => {
    const at: number[] = []
    const bot = await startBadBot(
      then((number) => {
        at.push(Date.now())
        return number === 0 ? status(429, { retryAfterMs: 700 }) : says('Thank you for waiting.')
      }),
    )
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Thank you for waiting.')
    // Not a figure of ours but the provider's: never before.
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(690)
    expect(ofType(said.events, 'warning')[0]?.data).toMatchObject({ code: 'rate_limited' })
    await goesOn(bot, said.conversation)
  })

  test.each([
    ['429 for ever', status(429), 3, 'model_rate_limited'],
    ['429 with an hour to wait', status(429, { retryAfter: 3600 }), 1, 'model_rate_limited'],
    ['500 for ever', status(500), 3, 'model_unavailable'],
  ])('%s: the thread is told', async (_, reply, requests, code) => {
    const bot = await startBadBot(then(() => reply))
    const said = await bot.chat.say('go')
    expect(lastError(said.events)).toMatchObject({ code, remedy: expect.stringMatching(/./) })
    expect(bot.model.requests).toHaveLength(requests)
    await goesOn(bot, said.conversation)
  })

  test('401: asked once, and the thread is told what to check and not the key', async () => {
    const key = ['sk', '-test7Qz9fLw2Xp4Rt'].join('')
    const refusal = then(() => status(401, { message: `Incorrect API key provided: ${key}.` }))
    const bot = await startBadBot(refusal, { environment: { MODEL_BASE_API_KEY: key } })
    const said = await bot.chat.say('go')
    expect(lastError(said.events)).toMatchObject({
      code: 'model_refused',
      message: expect.stringContaining('MODEL_BASE_API_KEY'),
    })
    expect(bot.model.requests).toHaveLength(1)
    expect(JSON.stringify(await bot.chat.events(said.conversation))).not.toContain(key)
    await goesOn(bot, said.conversation)
  })
})

describe('the end of a turn', () => {
  test('finish ends it with its summary, without another request', async () => {
    const bot = await startBadBot(first(calls('now', {}, ['finish', { summary: 'All done.' }])))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('All done.')
    expect(bot.model.requests).toHaveLength(1)
    await goesOn(bot, said.conversation)
  })

  test('finish when a message has arrived meanwhile: the summary is posted once, and the message is answered', async () => {
    const arrived = Promise.withResolvers<void>()
    const finish = heldUntil(arrived.promise, calls('finish', { summary: 'The first is done.' }))
    const bot = await startBadBot(then((number) => (number === 0 ? finish : says('And so is the second.'))))
    const response = await bot.chat.send('one')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await eventually(() => expect(bot.model.requests).toHaveLength(1))
    const second = await bot.chat.send('two', { conversation })
    arrived.resolve()
    await Promise.all([response.text(), second.text()])
    await bot.chat.until(
      conversation,
      ({ type, data }) => type === 'message' && 'text' in data && data.text === 'And so is the second.',
    )
    const events = await bot.chat.events(conversation)
    const said = ofType(events, 'message').flatMap(({ data }) => (data.role === 'assistant' ? [data.text] : []))
    expect(said).toEqual(['The first is done.', 'And so is the second.'])
    expect(ofType(events, 'complete')).toHaveLength(1)
    await goesOn(bot, conversation)
  })

  test('finish with wrong arguments is a failed call', async () => {
    const bot = await startBadBot(first(callsRaw('finish', '{"summary": 7}'), says('In words, then.')))
    const said = await bot.chat.say('go')
    expect(said.text).toBe('In words, then.')
    expect(result(said.events)?.status).toBe('failed')
    await goesOn(bot, said.conversation)
  })

  test('all steps used up: a last answer without calls, which the next turn knows about', async () => {
    const bot = await startBadBot(
      then((number) =>
        number < 3 ? calls('find_files', { pattern: `${number}` }) : says('I got this far; the rest is missing.'),
      ),
      { config: { agent: { maxSteps: 3 } } },
    )
    const said = await bot.chat.say('go')
    expect(said.text).toBe('I got this far; the rest is missing.')
    expect(bot.model.requests).toHaveLength(4)
    // Endpoints refuse a history with calls and no tools, and what follows other tools isn't in the provider's cache.
    expect(bot.model.requests[3]?.tools).toEqual(bot.model.requests[2]?.tools)
    expect(bot.model.requests.map((body) => body.tool_choice)).toEqual([undefined, undefined, undefined, 'none'])
    expect(`${bot.model.requests[3]?.messages.at(-1)?.content}`).toContain('You have used all 3 steps')
    await goesOn(bot, said.conversation)
    expect(bot.model.requests.at(-1)?.messages.at(-2)).toEqual({
      role: 'assistant',
      content: 'I got this far; the rest is missing.',
    })
  })

  test('all steps used up, but the model still calls a tool: it does not run, and the thread is told', async () => {
    const bot = await startBadBot(
      then(() => calls('now', {})),
      { config: { agent: { maxSteps: 2 } } },
    )
    const said = await bot.chat.say('go')
    expect(said.text).toBe('I’ve used all 2 steps and I’m not done. Ask me to continue.')
    expect(ofType(said.events, 'act')).toHaveLength(2)
    await goesOn(bot, said.conversation)
  })

  test('all steps used up, and every later attempt fails: the turn ends in an error', async () => {
    const bot = await startBadBot(
      then((number) => (number < 1 ? calls('now', {}) : status(500))),
      {
        config: { agent: { maxSteps: 1 } },
      },
    )
    const said = await bot.chat.say('go')
    expect(lastError(said.events)?.code).toBe('model_unavailable')
    await goesOn(bot, said.conversation)
  })
})

const started = Promise.withResolvers<void>()

/** Tools that fail in every way there is. */
const failing: Capability = {
  name: 'failing',
  tools: [
    tool('throws', async () => {
      throw new Error('the disk is on fire')
    }),
    tool('throws_nothing', () => Promise.reject(undefined)),
    tool('never_ends', () => new Promise<string>(() => {}), { timeoutMs: 100 }),
    tool('never_ends_outside', () => new Promise<string>(() => {}), { timeoutMs: 100, effect: 'external' }),
    tool('says_ten_megabytes', async () => 'ä line of text\n'.repeat(700_000)),
    // The limit falls into the middle of a character.
    tool('says_one_long_line', async () => `a${'ä'.repeat(200_000)}`),
    tool('says_half_a_character', async () => 'a\ud800b'),
    tool('returns_no_text', async () => ({ not: 'text' }) as unknown as string),
    tool('returns_no_text_outside', async () => ({ not: 'text' }) as unknown as string, { effect: 'external' }),
    tool('has_bad_paths', async () => 'ran', {
      paths() {
        throw new Error('no paths today')
      },
    }),
    tool('waits', (_, { signal }) => {
      started.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }),
  ],
}

function tool(
  name: string,
  run: (input: unknown, context: { signal: AbortSignal }) => Promise<string>,
  more: object = {},
) {
  const input = z.strictObject({})
  return defineTool({ kind: 'run', name, description: name, input, effect: 'read', run, ...more })
}

describe('tools that fail', () => {
  const allowed = { read: 'allow', write: 'allow', external: 'allow' } as const
  const options = { plugins: [failing], config: { rules: { defaults: allowed } } }

  test.each([
    ['throws', 'failed', /^Error: the disk is on fire\.$/],
    ['throws_nothing', 'failed', /^Error: /],
    ['never_ends', 'failed', /^Error: never_ends did not end within 100 ms/],
    ['never_ends_outside', 'unknown', /^Unknown outcome: .*it may have taken effect/],
    ['says_half_a_character', 'done', /^a.b$/],
    ['returns_no_text', 'failed', /^Error: /],
    ['returns_no_text_outside', 'unknown', /^Unknown outcome: .*it may have taken effect/],
    ['has_bad_paths', 'failed', /^Error: .*no paths today/],
  ])('%s: the model is told, and goes on', async (name, outcome, told) => {
    const bot = await startBadBot(first(calls(name, {}), says('I see.')), options)
    const said = await bot.chat.say('go')
    expect(said.text).toBe('I see.')
    expect(result(said.events)).toMatchObject({ status: outcome, result: expect.stringMatching(told) })
    await goesOn(bot, said.conversation)
  })

  test('ten megabytes are cut for the model, and it can read the rest to the end', async () => {
    let kept = ''
    const bot = await startBadBot(
      then((number, body) => {
        if (number === 0) return calls('says_ten_megabytes', {})
        if (number > 1) return says('Read.')
        const told = /in (temp\/\S+); read on with read_file, offset (\d+)/.exec(`${body.messages.at(-1)?.content}`)
        kept = told?.[1] ?? ''
        return calls('read_file', { path: kept, offset: Number(told?.[2]), limit: 2 }, [
          'read_file',
          { path: kept, offset: 699_999 },
        ])
      }),
      options,
    )
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Read.')
    const cut = result(said.events)?.result ?? ''
    expect(Buffer.byteLength(cut)).toBeLessThan(52_000)
    expect(cut).not.toContain('�')
    const shownLines = cut.split('\n').filter((line) => line === 'ä line of text').length
    expect(result(said.events, 1)?.result).toMatch(
      new RegExp(`^${shownLines + 1}\\tä line of text\n${shownLines + 2}\\tä`),
    )
    expect(result(said.events, 2)?.result).toContain('700000\tä line of text')
    await goesOn(bot, said.conversation)
  })

  test('one endless line is cut on a whole character, and can be read on from there', async () => {
    const bot = await startBadBot(
      then((number, body) => {
        if (number === 0) return calls('says_one_long_line', {})
        if (number > 1) return says('Read.')
        const told = /in (temp\/\S+); read on with read_file, offset 1, column (\d+)/
        const [, path, column] = told.exec(`${body.messages.at(-1)?.content}`) ?? []
        return calls('read_file', { path, offset: 1, column: Number(column) })
      }),
      options,
    )
    const said = await bot.chat.say('go')
    const cut = result(said.events)?.result ?? ''
    expect(cut).not.toContain('�')
    expect(cut).toMatch(
      /\[Cut: 51199 of 400001 bytes are shown\. .*read on with read_file, offset 1, column 25601\.\]$/,
    )
    expect(result(said.events, 1)?.result).toMatch(
      /^1\tä+\n\[Line 1 of temp\/\S+ from column 25601 to \d+\. There is more: read on with offset 1, column \d+\.\]$/,
    )
    await goesOn(bot, said.conversation)
  })

  test('a result that cannot be stored in temp/ is still cut', async () => {
    const bot = await startBadBot(
      then((number) =>
        number === 0 ? says('Hello.') : number === 1 ? calls('says_ten_megabytes', {}) : says('Read.'),
      ),
      options,
    )
    const { conversation } = await bot.chat.say('hi')
    const outside = join(bot.dataDir, 'outside')
    await mkdir(outside)
    const workspace = join(bot.dataDir, 'workspace', conversation)
    await mkdir(workspace, { recursive: true })
    await rm(join(workspace, 'temp'), { recursive: true, force: true })
    await symlink(outside, join(workspace, 'temp'))
    const said = await bot.chat.say('go', { conversation })
    expect(said.text).toBe('Read.')
    expect(Buffer.byteLength(result(said.events)?.result ?? '')).toBeLessThan(52_000)
    await goesOn(bot, conversation)
  })

  test('one of several calls fails: the others keep their results, in their order', async () => {
    const bot = await startBadBot(
      first(
        calls('now', {}, ['throws', {}], ['returns_no_text', {}], ['never_ends', {}], ['todo_read', {}]),
        says('Some of it.'),
      ),
      options,
    )
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Some of it.')
    const results = bot.model.requests.at(-1)?.messages.slice(-5) ?? []
    expect(results.map(({ role }) => role)).toEqual(['tool', 'tool', 'tool', 'tool', 'tool'])
    expect(`${results[1]?.content}`).toMatch(/^<data source="the tool throws">\nError: the disk is on fire/)
    expect(`${results[3]?.content}`).toMatch(/Error: never_ends/)
    for (const place of [0, 4]) expect(`${results[place]?.content}`).not.toMatch(/^Error/)
    await goesOn(bot, said.conversation)
  })

  test('stop during a tool: its outcome is unknown, and the turn is over at once', async () => {
    const bot = await startBadBot(first(calls('now', {}, ['waits', {}])), options)
    const response = await bot.chat.send('go', { user: 'ana' })
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await started.promise
    await bot.chat.until(conversation, ({ type, data }) => type === 'observe' && data.tool_name === 'now')
    const stopped = await bot.chat.post(`/agent/conversations/${conversation}/stop`, { user_id: 'ben' })
    expect(await stopped.json()).toEqual({ stopped: true })
    await response.text()
    const events = await bot.chat.events(conversation)
    expect(events.at(-1)).toMatchObject({ type: 'stopped', data: { person: { id: 'ben' } } })
    expect(result(events, 1)).toMatchObject({
      status: 'unknown',
      result: expect.stringContaining('ben stopped the turn'),
    })
    await goesOn(bot, conversation)
  })
})

describe('stop', () => {
  test('while a retry waits', async () => {
    const bot = await startBadBot(then(() => status(429, { retryAfter: 60 })))
    const response = await bot.chat.send('go')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await bot.chat.untilType(conversation, 'warning')
    const { state } = await bot.chat.get<{ state: string }>(`/agent/conversations/${conversation}/execution-status`)
    expect(state).toBe('retrying')
    await bot.chat.post(`/agent/conversations/${conversation}/stop`)
    await response.text()
    expect((await bot.chat.events(conversation)).at(-1)?.type).toBe('stopped')
    expect(bot.model.requests).toHaveLength(1)
    await goesOn(bot, conversation)
  })

  test('while an approval waits: the card is void, and the call never runs', async () => {
    const bot = await startBadBot(
      first(calls('write_file', { path: 'uploads/a.txt', content: 'changed' }, ['now', {}])),
    )
    const said = await bot.chat.say('go', { files: { 'a.txt': 'as it was' } })
    const [request] = await bot.chat.requests()
    expect(
      await (await bot.chat.post(`/agent/conversations/${said.conversation}/stop`, { user_id: 'ana' })).json(),
    ).toEqual({ stopped: true })
    expect(await bot.chat.requests()).toEqual([])
    const late = await bot.chat.answer(request?.id ?? '', { decision: 'approve', user_id: 'ben' })
    expect(late.status).toBe(409)
    expect(await late.json()).toMatchObject({
      error: { code: 'already_answered', message: expect.stringContaining('ana stopped the turn') },
    })
    const events = await bot.chat.events(said.conversation)
    expect(ofType(events, 'permission_replied')[0]?.data).toMatchObject({ decision: 'deny', by: 'stop' })
    await goesOn(bot, said.conversation)
    const file = await fetch(`${bot.chat.url}/api/v1/agent/conversations/${said.conversation}/files/uploads/a.txt`)
    expect(await file.text()).toBe('as it was')
  })

  test('with nothing running', async () => {
    const bot = await startBadBot(then(() => says('Hello.')))
    const { conversation } = await bot.chat.say('hi')
    const before = await bot.chat.until(
      conversation,
      ({ type, data }) => type === 'message' && data.role === 'assistant',
    )
    const stopped = await bot.chat.post(`/agent/conversations/${conversation}/stop`)
    expect(stopped.status).toBe(200)
    expect(await stopped.json()).toEqual({ stopped: false })
    expect((await bot.chat.events(conversation)).at(-1)?.event_id).toBe(before.event_id)
    await goesOn(bot, conversation)
  })

  test('twice at once: one of them stops', async () => {
    const bot = await startBadBot(then(() => hang()))
    const response = await bot.chat.send('go')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await bot.chat.untilType(conversation, 'start')
    const stops = await Promise.all(
      [1, 2].map(async () => (await bot.chat.post(`/agent/conversations/${conversation}/stop`)).json()),
    )
    expect(stops).toContainEqual({ stopped: true })
    expect(stops).toContainEqual({ stopped: false })
    await response.text()
    await goesOn(bot, conversation)
  })

  test('in the middle of a text: what was shown stays, and nothing comes after it', async () => {
    const bot = await startBadBot(
      then(() => both(slowly(40, says('a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(30))), {})),
    )
    const response = await bot.chat.send('go')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await bot.chat.untilType(conversation, 'text_delta')
    await bot.chat.post(`/agent/conversations/${conversation}/stop`)
    await response.text()
    await sleep(300)
    expect((await bot.chat.events(conversation)).at(-1)?.type).toBe('stopped')
    await goesOn(bot, conversation)
  })
})

test('a message sent during a turn that fails is answered', async () => {
  const said = Promise.withResolvers<void>()
  const bot = await startBadBot(
    then((_, { messages }) => (messages.length > 2 ? says('Both.') : heldUntil(said.promise, cutAfter(3)))),
    { config: { attempts: 1 } },
  )
  const response = await bot.chat.send('one')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(bot.model.requests).toHaveLength(1))
  const saying = bot.chat.say('two', { conversation })
  await bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.text === 'two')
  said.resolve()
  const second = await saying
  expect(second.text).toBe('Both.')
  await response.text()
  await goesOn(bot, conversation)
})
