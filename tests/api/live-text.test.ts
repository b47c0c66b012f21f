import { expect, test } from 'vitest'
import { follow } from '../../src/api/follow.ts'
import type { SessionEvent, ToldEvent } from '../../src/domain/events.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { asStored, emptyThread, reduce } from '../../src/platforms/console/public/thread.js'
import { appendEvents } from '../../src/store/events.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { openPlace } from '../support/bot-process.ts'
import { type Client, ofType, readEvents, storedOf } from '../support/client.ts'
import { hang, pausedAfter, says, slowly } from '../support/model-server.ts'
import { newSession, openStore } from '../support/store.ts'

const words = Array.from({ length: 60 }, (_, place) => `word${place}`).join(' ')

const open = (chat: Client, conversation: string, after = 0) =>
  fetch(`${chat.url}/api/v1/agent/conversations/${conversation}/stream`, { headers: { 'last-event-id': `${after}` } })

async function begin(bot: Pick<TestBot, 'chat'>): Promise<string> {
  const response = await bot.chat.send('go')
  await response.body?.cancel()
  return response.headers.get('x-conversation-id') ?? ''
}

/** A console page, which keeps what it has seen over its connections. */
function screen() {
  let thread = emptyThread
  return {
    last: () => thread.lastSequence,
    see(event: ToldEvent) {
      thread = reduce(thread, event)
    },
    /** A connection begins. */
    connect() {
      thread = asStored(thread)
    },
    texts: (): string[] =>
      thread.items.flatMap((item: { parts?: { kind: string; text: string }[] }) =>
        (item.parts ?? []).flatMap(({ kind, text }) => (kind === 'text' || kind === 'answer' ? [text] : [])),
      ),
  }
}

test('a reader who connects in the middle of a text gets all of it so far, without a number, and continues from the last one', async () => {
  const bot = await startTestBot({ script: [hang(4, says('one two three four five six'))] })
  const conversation = await begin(bot)
  const told = (event: ToldEvent) => event.type === 'text_delta' && event.data.delta.endsWith('three ')
  await bot.chat.until(conversation, told)

  const stored = await bot.chat.events(conversation)
  const last = stored.at(-1)?.event_id ?? 0
  expect(ofType(stored, 'text_start')).toEqual([])
  for (const after of [0, last - 1, last]) {
    const seen: ToldEvent[] = []
    let raw = ''
    const [read, kept] = (await open(bot.chat, conversation, after)).body?.tee() ?? []
    for await (const event of readEvents(new Response(read))) {
      seen.push(event)
      if (event.type === 'text_delta') break
    }
    for await (const piece of (kept ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      raw += piece
      if (raw.includes('text_delta')) break
    }
    expect(storedOf(seen)).toEqual(stored.slice(after))
    expect(seen.at(-1)).toEqual({
      type: 'text_delta',
      data: { turn_id: expect.any(String), text_id: expect.any(String), delta: 'one two three ', whole: true },
      timestamp: expect.any(String),
      conversation_id: conversation,
    })
    expect([...raw.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(
      stored.slice(after).map(({ event_id }) => event_id),
    )
  }
})

test('two screens, one from the middle on, show the same text as it grows, and nothing twice', async () => {
  const screens = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const bothShow = Promise.all(screens.map(({ promise }) => promise))
  const script = [pausedAfter(20, bothShow, slowly(10, says(words)))]
  const bot = await startTestBot({ script, config: { engine: { textFlushMs: 5 } } })
  const conversation = await begin(bot)
  const watch = async (shows: () => void) => {
    const page = screen()
    const grown: string[] = []
    for await (const event of readEvents(await open(bot.chat, conversation))) {
      page.see(event)
      const [text = '', ...more] = page.texts()
      expect(more).toEqual([])
      expect(words.startsWith(text)).toBe(true)
      expect(text.startsWith(grown.at(-1) ?? '')).toBe(true)
      grown.push(text)
      if (text !== '') shows()
      if (event.type === 'complete') break
    }
    return grown
  }
  const [first, second] = screens.map(({ resolve }) => resolve) as [() => void, () => void]
  const watched = watch(first)
  await bot.chat.untilType(conversation, 'text_delta')
  for (const grown of await Promise.all([watched, watch(second)])) {
    expect(new Set(grown).size).toBeGreaterThan(2)
    expect(grown.at(-1)).toBe(words)
  }
})

test('a text that ended while a screen was away is there once, as it ended', async () => {
  const away = Promise.withResolvers<void>()
  const script = [pausedAfter(10, away.promise, says(words))]
  const bot = await startTestBot({ script, config: { engine: { textFlushMs: 5 } } })
  const conversation = await begin(bot)
  const page = screen()
  for await (const event of readEvents(await open(bot.chat, conversation))) {
    page.see(event)
    if (event.type === 'text_delta') break
  }
  const [begun = ''] = page.texts()
  expect(begun).not.toBe('')
  away.resolve()
  await bot.chat.untilType(conversation, 'complete')

  page.connect()
  const later: ToldEvent[] = []
  for await (const event of readEvents(await open(bot.chat, conversation, page.last()))) {
    page.see(event)
    later.push(event)
    if (event.type === 'complete') break
  }
  expect(later.map(({ type }) => type)).toEqual(['text_start', 'text_end', 'complete'])
  expect(page.texts()).toEqual([words])
})

test('a reader that is slow gets what it has missed at once, however much that is', async () => {
  const store = await openStore()
  const liveTexts = liveTextsHere(systemClock)
  const { id } = await newSession(store)
  const text = { turn: 'turn_1', text: 'text_1' } as const
  liveTexts.show(id, { ...text, shown: '0 ' })
  const closed = new AbortController()
  const told = follow({ store, liveTexts }, id, 1, closed.signal)
  const nextDelta = async (): Promise<ToldEvent | undefined> => {
    const { value } = await told.next()
    return value?.event_id === undefined ? value : nextDelta()
  }
  expect(await nextDelta()).toMatchObject({ data: { delta: '0 ', whole: true } })
  let shown = '0 '
  for (let piece = 1; piece <= 1_000; piece++) {
    shown += `${piece} `
    liveTexts.show(id, { ...text, shown })
  }
  const next = await nextDelta()
  expect(next?.data).toEqual({ turn_id: 'turn_1', text_id: 'text_1', delta: shown.slice(2) })
  closed.abort()
  expect(await nextDelta()).toBeUndefined()
})

test.each([3, 60, 250])('a reader who pauses for %i events gets each of them once, in order', async (count) => {
  const store = await openStore()
  const { id } = await newSession(store)
  const closed = new AbortController()
  const told = follow({ store, liveTexts: liveTextsHere(systemClock) }, id, 1, closed.signal)
  const append = () =>
    store.transaction((tx) =>
      appendEvents(tx, id, [{ type: 'text_start', data: { turn_id: 'turn_1', text_id: 'text_1' } }]),
    )
  await append()
  const numbers = [(await told.next()).value?.event_id]
  for (let event = 0; event < count; event++) await append()
  while (numbers.length <= count) numbers.push((await told.next()).value?.event_id)
  expect(numbers).toEqual(numbers.map((_, place) => place + 1))
  closed.abort()
  await told.return(undefined)
})

test('a text that a kill cut off is gone, and the model is asked again: its screen shows the new one alone', async () => {
  const cut = hang(4, says('one two three four five six'))
  const place = await openPlace({ script: (_, number) => (number === 0 ? cut : says('Anew.')) })
  const first = await place.start()
  const conversation = await begin(first)
  const page = screen()
  for await (const event of readEvents(await open(first.chat, conversation))) {
    page.see(event)
    if (page.texts()[0]?.endsWith('three ')) break
  }
  first.signal('SIGKILL')
  await first.ended

  const second = await place.start()
  page.connect()
  expect(page.texts()).toEqual([])
  for await (const event of readEvents(await open(second.chat, conversation, page.last()))) {
    page.see(event)
    if (event.type === 'complete') break
  }
  expect(page.texts()).toEqual(['Anew.'])
  const stored: SessionEvent[] = await second.chat.events(conversation)
  expect(stored.map(({ event_id }) => event_id)).toEqual(stored.map((_, place) => place + 1))
  expect(ofType(stored, 'text_end').map(({ data }) => data.text)).toEqual(['Anew.'])
})

test('a stop keeps what was shown, and no more of it comes', async () => {
  const bot = await startTestBot({ script: [hang(4, says('one two three four five six'))] })
  const conversation = await begin(bot)
  await bot.chat.until(conversation, (event) => event.type === 'text_delta' && event.data.delta.endsWith('three '))
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  const stored = await bot.chat.events(conversation)
  expect(ofType(stored, 'text_end').map(({ data }) => data.text)).toEqual(['one two three '])
  const seen: ToldEvent[] = []
  for await (const event of readEvents(await open(bot.chat, conversation))) {
    seen.push(event)
    if (event.type === 'stopped') break
  }
  expect(seen).toEqual(storedOf(seen))
})
