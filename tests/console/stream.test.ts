import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createParser, follow, readEvents } from '../../src/platforms/console/public/stream.js'
import { effortMs } from '../support/effort.ts'
import { history, said } from './history.ts'

const parsed = (chunks: string[]) => {
  const messages: { id: string; event: string; data: string }[] = []
  const push = createParser((message) => messages.push(message))
  for (const chunk of chunks) push(chunk)
  return messages
}

const events = history([said('msg_1', 'one'), said('msg_2', 'two'), said('msg_3', 'three\nlines — ü')])
const onWire = (list: typeof events) =>
  list.map((event) => `id: ${event.event_id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const responseOf = (text: string) => new Response(new TextEncoder().encode(text))

describe('the parser', () => {
  const text =
    '\uFEFF: hello\n\nid: 1\nevent: start\ndata: {"a":\ndata: 1}\n\nid: 2\r\ndata:two\r\n\r\ndata: three\r\rdata: unfinished'
  const expected = [
    { id: '1', event: 'start', data: '{"a":\n1}' },
    { id: '2', event: 'message', data: 'two' },
    { id: '2', event: 'message', data: 'three' },
  ]

  test('reads fields, comments, many lines and all line ends', () => {
    expect(parsed([text])).toEqual(expected)
  })

  test('works wherever the network splits the text', () => {
    for (let size = 1; size < 12; size += 1) {
      const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
      expect(parsed(chunks)).toEqual(expected)
    }
  })

  test('reads ten megabytes on one line in reasonable time', async () => {
    const piece = 'x'.repeat(16_384)
    const chunks = ['data: ', ...Array.from({ length: 640 }, () => piece), '\n\n']
    const effort = await effortMs(() => expect(parsed(chunks)[0]?.data).toHaveLength(16_384 * 640))
    expect(effort).toBeLessThan(5000)
  })
})

describe('reading', () => {
  test('ends when the reader has enough', async () => {
    const seen: number[] = []
    await readEvents(responseOf(onWire(events)), (event) => {
      seen.push(event.event_id)
      return event.event_id === 2
    })

    expect(seen).toEqual([1, 2])
  })
})

describe('following', () => {
  test('resumes from the last number after every lost connection, and gives each event once', async () => {
    const asked: number[] = []
    const seen: number[] = []
    const states: string[] = []
    const abort = new AbortController()
    const answers = [
      () => responseOf(`${onWire(events.slice(0, 2))}id: 3\ndata: {"cut`),
      () => {
        throw new TypeError('no network')
      },
      () => responseOf(onWire(events)),
    ]
    await follow({
      connect: async (last) => {
        asked.push(last)
        return answers[asked.length - 1]?.() ?? responseOf('')
      },
      lastSequence: 0,
      onEvent: ({ event_id }) => {
        seen.push(event_id)
        if (event_id === 3) abort.abort()
      },
      onConnection: (state) => states.push(state),
      isFinal: () => false,
      signal: abort.signal,
    })

    expect(asked).toEqual([0, 2, 2])
    expect(seen).toEqual([1, 2, 3])
    expect(states).toEqual(['live', 'reconnecting', 'reconnecting', 'live'])
  })

  test('reconnects at once to a quiet thread, however often a proxy ends its stream', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const pauses: number[] = []
    let endedAt: number | undefined
    const abort = new AbortController()
    const following = follow({
      connect: async () => {
        if (endedAt !== undefined) pauses.push(Date.now() - endedAt)
        if (pauses.length === 8) abort.abort()
        const quiet = new ReadableStream({
          start: (stream) =>
            void setTimeout(() => {
              endedAt = Date.now()
              stream.close()
            }, 30_000),
        })
        return new Response(quiet)
      },
      lastSequence: 0,
      onEvent: () => undefined,
      onConnection: () => undefined,
      isFinal: () => false,
      signal: abort.signal,
    })
    await vi.advanceTimersByTimeAsync(600_000)
    await following
    expect(Math.max(...pauses)).toBeLessThan(1_000)
  })

  test('gives up on a permanent error', async () => {
    const gone = Object.assign(new Error('gone'), { status: 404 })
    const following = follow({
      connect: () => Promise.reject(gone),
      lastSequence: 0,
      onEvent: () => undefined,
      onConnection: () => undefined,
      isFinal: (error) => error === gone,
      signal: new AbortController().signal,
    })

    await expect(following).rejects.toBe(gone)
  })
})
