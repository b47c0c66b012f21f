import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { NewEvent, SessionEvent } from '../../src/domain/events.ts'
import { newId } from '../../src/domain/ids.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType, readEvents } from '../support/client.ts'
import { calls, hang, pausedAfter, says, slowly } from '../support/model-server.ts'
import { loseLastEvent, storeOf, threadIn } from '../support/threads.ts'
import { eventually } from '../support/until.ts'

interface Page {
  events: SessionEvent[]
  has_more: boolean
}

const page = (bot: TestBot, conversation: string, query = '') =>
  bot.chat.get<Page>(`/agent/conversations/${conversation}/events?${query}`)

const numbers = (events: SessionEvent[]): number[] => events.map(({ event_id }) => event_id)
const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place)

const open = (bot: TestBot, conversation: string, after?: number | string, query = '') =>
  fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}/stream${query}`, {
    headers: after === undefined ? {} : { 'last-event-id': `${after}` },
  })

/** The next events of a stream; then the connection is closed. */
async function take(response: Response, count: number): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of readEvents(response)) {
    if (event.event_id === undefined) continue
    events.push(event)
    if (events.length === count) break
  }
  return events
}

const talkative = () => startTestBot({ script: [calls('now', {}, ['todo_read', {}]), says('one two three')] })

/** A thread in which nothing more will happen. */
async function finished(bot: TestBot) {
  const { conversation } = await bot.chat.say('go')
  await bot.chat.untilPosted(conversation)
  return { conversation, all: await bot.chat.events(conversation) }
}

describe('stored events', () => {
  test('have one envelope, and numbers without gaps from 1', async () => {
    const bot = await talkative()
    const { conversation, all } = await finished(bot)
    expect(numbers(all)).toEqual(upTo(all.length))
    for (const event of all) {
      expect(Object.keys(event).toSorted()).toEqual(['conversation_id', 'data', 'event_id', 'timestamp', 'type'])
      expect(event.conversation_id).toBe(conversation)
      expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp)
    }
  })

  test('are read in pages of a bounded size', async () => {
    const bot = await startTestBot({ script: [] })
    const turn_id = newId('turn')
    const many = Array.from({ length: 200 }, (): NewEvent => {
      const call = { turn_id, call_id: newId('call'), tool_name: 'read_file' }
      return { type: 'observe', data: { ...call, status: 'done', result: 'ä'.repeat(25_000), duration_ms: 1 } }
    })
    const place = { platform: 'console', tenant: 'local', project: 'general' }
    const { id } = await threadIn(await storeOf(bot), place, 'Long', many)
    const read: number[] = []
    for (let more = true; more; ) {
      const { events, has_more } = await page(bot, id, `limit=10000&from_sequence=${(read.at(-1) ?? 0) + 1}`)
      expect(Buffer.byteLength(JSON.stringify(events))).toBeLessThan(1_100_000)
      read.push(...numbers(events))
      more = has_more
    }
    expect(read).toEqual(upTo(200))
  })

  test('are paged from a number on, inclusive', async () => {
    const bot = await talkative()
    const { conversation, all } = await finished(bot)
    const last = all.length
    expect(await page(bot, conversation)).toEqual({ events: all, has_more: false })
    expect(await page(bot, conversation, 'from_sequence=3&limit=2')).toEqual({
      events: all.slice(2, 4),
      has_more: true,
    })
    expect(await page(bot, conversation, `from_sequence=${last}`)).toEqual({ events: all.slice(-1), has_more: false })
    expect(await page(bot, conversation, `from_sequence=${last + 1}`)).toEqual({ events: [], has_more: false })
    expect(await page(bot, conversation, `limit=${last}`)).toEqual({ events: all, has_more: false })
    expect(await page(bot, conversation, `limit=${last - 1}`)).toMatchObject({ has_more: true })
  })

  test('page by page are all of them', async () => {
    const bot = await talkative()
    const { conversation, all } = await finished(bot)
    for (const limit of [1, 2, 3, 7]) {
      const read: SessionEvent[] = []
      for (let more = true; more; ) {
        const next = await page(bot, conversation, `from_sequence=${(read.at(-1)?.event_id ?? 0) + 1}&limit=${limit}`)
        read.push(...next.events)
        more = next.has_more
      }
      expect(read).toEqual(all)
    }
  })

  test.each(['from_sequence=-1', 'from_sequence=x', 'limit=0', 'limit=10001', 'limit=1.5'])(
    'are not paged by %s',
    async (query) => {
      const bot = await talkative()
      const { conversation } = await bot.chat.say('go')
      const refused = await fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}/events?${query}`)
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ error: { code: 'invalid', remedy: expect.stringMatching(/./) } })
    },
  )
})

describe('the stream', () => {
  test('continues after the last number seen, wherever the connection was lost', async () => {
    const bot = await talkative()
    const { conversation, all } = await finished(bot)
    for (let seen = 0; seen < all.length; seen++) {
      const rest = await take(await open(bot, conversation, seen), all.length - seen)
      expect([...all.slice(0, seen), ...rest]).toEqual(all)
    }
  })

  test('takes the number from the query as well, and begins at the beginning without one', async () => {
    const bot = await talkative()
    const { conversation, all } = await finished(bot)
    expect(await take(await open(bot, conversation, undefined, '?last_event_id=4'), 1)).toEqual([all[4]])
    expect(await take(await open(bot, conversation), all.length)).toEqual(all)
  })

  test('says so when it has fewer events than whoever follows it', async () => {
    const bot = await talkative()
    const { conversation, all } = await finished(bot)
    const refused = await open(bot, conversation, all.length + 1)
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ error: { code: 'history_changed', remedy: 'Open it again.' } })
  })

  test('carries the number as its id', async () => {
    const bot = await talkative()
    const { conversation } = await finished(bot)
    const response = await open(bot, conversation, 1)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    let text = ''
    for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece
      if (text.includes('id: 3\n')) break
    }
    expect(text).toMatch(/id: 2\n/)
    expect(text).not.toMatch(/id: 1\n/)
  })

  test('misses and doubles nothing while a turn runs and the connection is lost again and again', async () => {
    const words = Array.from({ length: 60 }, (_, place) => `word${place}`).join(' ')
    const begun = Promise.withResolvers<void>()
    const bot = await startTestBot({
      script: [pausedAfter(10, begun.promise, slowly(5, says(words)))],
      config: { engine: { textFlushMs: 5 } },
    })
    const said = await bot.chat.send('go')
    const conversation = said.headers.get('x-conversation-id') ?? ''
    const seen: SessionEvent[] = []
    let shown = ''
    for (let length = 1; seen.at(-1)?.type !== 'complete'; length = (length % 4) + 1) {
      let left = length
      for await (const event of readEvents(await open(bot, conversation, seen.at(-1)?.event_id ?? 0))) {
        if (event.type === 'text_delta') {
          if (event.data.whole) expect(event.data.delta.startsWith(shown)).toBe(true)
          shown = (event.data.whole ? '' : shown) + event.data.delta
          expect(words.startsWith(shown)).toBe(true)
          begun.resolve()
        } else seen.push(event)
        if (--left === 0 || event.type === 'complete') break
      }
    }
    expect(shown).not.toBe('')
    expect(numbers(seen)).toEqual(upTo(seen.length))
    expect(ofType(seen, 'text_end').map(({ data }) => data.text)).toEqual([words])
    expect(await said.text()).toContain('word59')
  })

  test.each(['x', '-1', '1.5'])('is not opened after %s', async (after) => {
    const bot = await talkative()
    const { conversation } = await bot.chat.say('go')
    expect((await open(bot, conversation, after)).status).toBe(400)
  })

  test('of an unknown conversation is 404', async () => {
    const bot = await talkative()
    expect((await open(bot, 'ses_none')).status).toBe(404)
  })

  test('has only one thread’s events', async () => {
    const bot = await startTestBot({ script: () => says('Hello.') })
    const first = await bot.chat.say('one')
    await bot.chat.say('two')
    const again = await bot.chat.say('three', { conversation: first.conversation })
    const events = await take(await open(bot, first.conversation), again.events.at(-1)?.event_id ?? 0)
    expect(new Set(events.map(({ conversation_id }) => conversation_id))).toEqual(new Set([first.conversation]))
  })
})

test('closing a stream stops nothing', async () => {
  const bot = await startTestBot({ script: [slowly(30, says('one two three four five'))] })
  const response = await bot.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  const followed = await open(bot, conversation)
  await take(followed, 1)
  await response.body?.cancel()
  const complete = await bot.chat.untilType(conversation, 'complete')
  expect(complete.data).toMatchObject({ content: 'one two three four five' })
  expect(ofType(await bot.chat.events(conversation), 'stopped')).toEqual([])
})

test('a reader that does not read holds nobody up, and gets everything in the end', async () => {
  const long = 'word '.repeat(2000).trim()
  const bot = await startTestBot({
    script: () => says(long),
    config: { engine: { textFlushMs: 5 } },
  })
  const { conversation } = await bot.chat.say('one')
  const { hostname, port, host } = new URL(bot.chat.url)
  const slow = connect(Number(port), hostname)
  await once(slow, 'connect')
  slow.write(`GET /api/v1/agent/conversations/${conversation}/stream HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  slow.pause()

  for (let turn = 0; turn < 20; turn++) expect((await bot.chat.say(`more ${turn}`, { conversation })).text).toBe(long)
  const last = (await bot.chat.events(conversation)).at(-1)?.event_id ?? 0
  let text = ''
  slow.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  slow.resume()
  await eventually(() => expect(text).toContain(`id: ${last}\n`))
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  expect(ids.slice(0, last)).toEqual(upTo(last))
  slow.destroy()
})

describe('what a thread is doing', () => {
  const statusOf = (bot: TestBot, conversation: string) =>
    bot.chat.get<Record<string, unknown>>(`/agent/conversations/${conversation}/execution-status`)

  test('says whether it runs, waits, or is done', async () => {
    const bot = await startTestBot({
      script: (_, number) =>
        number === 0 ? calls('ask_human', { question: 'Which?' }) : number === 1 ? hang() : says('Done.'),
    })
    const said = await bot.chat.say('the first question')
    const { conversation } = said
    expect(await statusOf(bot, conversation)).toEqual({
      is_running: true,
      state: 'waiting_permission',
      last_sequence: said.events.at(-1)?.event_id,
      current_message: 'the first question',
    })
    const reply = await bot.chat.send('this', { conversation })
    await eventually(() => expect(bot.model.requests).toHaveLength(2))
    expect(await statusOf(bot, conversation)).toMatchObject({ is_running: true, state: 'thinking' })
    await bot.chat.post(`/agent/conversations/${conversation}/stop`)
    await reply.text()
    expect(await statusOf(bot, conversation)).toMatchObject({ is_running: false, state: 'idle', current_message: null })
    await bot.chat.say('and now', { conversation })
    expect(await statusOf(bot, conversation)).toMatchObject({ is_running: false, state: 'completed' })
  })

  test('ends with an event that can be read, also where what came after it was deleted once it was old', async () => {
    const bot = await startTestBot({ script: [says('Hello.')] })
    const { conversation } = await bot.chat.say('hello')
    await loseLastEvent(bot, conversation)
    const last_sequence = (await bot.chat.events(conversation)).at(-1)?.event_id
    expect(await statusOf(bot, conversation)).toMatchObject({ last_sequence })
    expect(await bot.chat.get(`/agent/conversations/${conversation}`)).toMatchObject({ last_sequence })
    expect(await bot.chat.get('/agent/conversations')).toMatchObject({ conversations: [{ last_sequence }] })
  })

  test('is seen call by call', async () => {
    const bot = await startTestBot({
      script: [
        calls('write_file', { path: 'temp/a.txt', content: 'x' }, ['read_file', { path: 'temp/none' }]),
        says('Done.'),
        says('Hello.'),
      ],
    })
    const { conversation, events } = await bot.chat.say('go')
    const { tool_executions } = await bot.chat.get<{ tool_executions: object[] }>(
      `/agent/conversations/${conversation}/tool-executions`,
    )
    // They run side by side, so either may begin first.
    const acts = ofType(events, 'act')
    const [first, second] = ['write_file', 'read_file'].map((name) => acts.find(({ data }) => data.tool_name === name))
    expect(tool_executions).toMatchObject([
      {
        call_id: first?.data.call_id,
        turn_id: first?.data.turn_id,
        tool_name: 'write_file',
        status: 'done',
        attempts: 1,
        result: expect.stringMatching(/^Created/),
        started_at: expect.stringMatching(/Z$/),
        ended_at: expect.stringMatching(/Z$/),
      },
      { call_id: second?.data.call_id, tool_name: 'read_file', status: 'failed' },
    ])
    const limited = await bot.chat.get<{ tool_executions: object[] }>(
      `/agent/conversations/${conversation}/tool-executions?limit=1`,
    )
    expect(limited).toEqual({ tool_executions: tool_executions.slice(1), has_more: true })
    const earlier = await bot.chat.get<{ tool_executions: object[] }>(
      `/agent/conversations/${conversation}/tool-executions?before=${second?.data.call_id}`,
    )
    expect(earlier).toEqual({ tool_executions: tool_executions.slice(0, 1), has_more: false })
    const other = (await bot.chat.say('again')).conversation
    for (const [thread, before] of [
      [conversation, 'call_none'],
      [other, second?.data.call_id],
    ]) {
      const path = `/api/v1/agent/conversations/${thread}/tool-executions?before=${before}`
      expect((await fetch(`${bot.chat.url}${path}`)).status).toBe(400)
    }
  })

  test('is read in pages of a bounded size', async () => {
    const content = 'a line of it\n'.repeat(7_000)
    const write = (number: number) => calls('write_file', { path: `temp/${number}.txt`, content })
    const bot = await startTestBot({
      script: [...Array.from({ length: 13 }, (_, number) => write(number)), says('Done.')],
    })
    const { conversation } = await bot.chat.say('go')
    const read: { call_id: string }[] = []
    for (let before = ''; ; before = read[0]?.call_id ?? '') {
      const path = `/agent/conversations/${conversation}/tool-executions?limit=10000&before=${before}`
      const found = await bot.chat.get<{ tool_executions: { call_id: string }[]; has_more: boolean }>(path)
      expect(JSON.stringify(found).length).toBeLessThan(1_100_000)
      read.unshift(...found.tool_executions)
      if (!found.has_more) break
    }
    expect(read.map(({ call_id }) => call_id)).toEqual(
      ofType(await bot.chat.events(conversation), 'act').map(({ data }) => data.call_id),
    )
  })

  test('is seen turn by turn', async () => {
    const read = (path: string) => [calls('read_file', { path }), says('Done.')]
    const bot = await startTestBot({ script: [...read('temp/a'), ...read('temp/b')] })
    const { conversation } = await bot.chat.say('go')
    await bot.chat.say('again', { conversation })
    const callsOf = async (query: string) => {
      const path = `/agent/conversations/${conversation}/tool-executions?${query}`
      return (await bot.chat.get<{ tool_executions: { turn_id: string }[] }>(path)).tool_executions
    }
    const all = await callsOf('turn_id=')
    expect(new Set(all.map(({ turn_id }) => turn_id)).size).toBe(2)
    for (const call of all) expect(await callsOf(`turn_id=${call.turn_id}&limit=1`)).toEqual([call])
    expect(await callsOf('turn_id=turn_none')).toEqual([])
  })
})
