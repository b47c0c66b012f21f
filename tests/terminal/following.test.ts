import { once } from 'node:events'
import { expect, test } from 'vitest'
import { Following } from '../../src/cli/chat/following.ts'
import type { Screen } from '../../src/cli/chat/screen.ts'
import { Refused, type Server } from '../../src/cli/chat/server.ts'
import { until } from '../support/until.ts'

test('a script doesn’t wait for ever for a bot that is gone, and a bot that is back is followed again', async () => {
  const lines: string[] = []
  let tries = 0
  const server = {
    events(_thread: string, _after: number, _signal: AbortSignal, connected: () => void) {
      if (++tries !== 2) throw new Error('fetch failed')
      connected()
      return []
    },
  }
  const screen = { line: (text: string) => void lines.push(text.trim()) }
  const following = new Following(server as unknown as Server, screen as unknown as Screen, 500)
  await following.sending('hello', async () => 'ses_1')
  await following.settled()
  expect([following.isBusy, following.hasLost]).toEqual([false, true])
  const lost = '(The connection was lost. Trying again …)'
  expect(lines.slice(0, 3)).toEqual([lost, '(Connected again.)', lost])
  expect(lines.at(-1)).toMatch(/^! Bobbin couldn’t be reached .*`bobbin chat ses_1` opens it\.$/)
})

test('a script whose thread’s history never comes is told so', async () => {
  const lines: string[] = []
  const server = {
    thread: async () => ({ id: 'ses_1', title: 'choose', state: 'waiting_permission', last_sequence: 3 }),
    async *events(_thread: string, _after: number, signal: AbortSignal) {
      await once(signal, 'abort')
      yield* []
    },
  }
  const screen = { line: (text: string) => void lines.push(text) }
  const following = new Following(server as unknown as Server, screen as unknown as Screen, 100)
  await following.open('ses_1')
  expect(await following.catchUp()).toBe(false)
  following.leave()
  expect(lines.at(-1)).toMatch(/^! The thread’s history didn’t arrive within/)
})

test('a script whose bot goes away before the thread’s history has come is told that, and nothing of a proxy', async () => {
  const lines: string[] = []
  const server = {
    thread: async () => ({ id: 'ses_1', title: 'choose', state: 'waiting_permission', last_sequence: 3 }),
    events() {
      throw new Error('fetch failed')
    },
  }
  const screen = { line: (text: string) => void lines.push(text.trim()) }
  const following = new Following(server as unknown as Server, screen as unknown as Screen, 500)
  await following.open('ses_1')
  expect(await following.catchUp()).toBe(false)
  expect(lines.slice(1)).toEqual([
    '(The connection was lost. Trying again …)',
    expect.stringMatching(/^! Bobbin couldn’t be reached /),
  ])
})

test('a terminal that was open over a restore begins anew with what the bot has', async () => {
  const lines: string[] = []
  const asked = (id: number) => ({
    ...{ event_id: id, type: 'question_asked', timestamp: '2026-01-01T00:00:00Z' },
    data: { request_id: `req_${id}`, question: `Which, at ${id}?`, options: [] },
  })
  const ends = [1, 0, 3]
  const after: number[] = []
  const server = {
    async thread() {
      const last_sequence = ends.shift()
      // It is only just starting.
      if (last_sequence === 0) throw new Refused(503, 'unavailable', 'Not yet.', 'Wait.')
      return { id: 'ses_1', title: 'choose', state: 'waiting_permission', last_sequence }
    },
    async *events(_thread: string, last: number, signal: AbortSignal) {
      after.push(last)
      if (after.length === 1) yield asked(9)
      else if (after.length === 2) throw new Refused(409, 'history_changed', 'It was restored.', 'Open it again.')
      else {
        yield asked(3)
        await once(signal, 'abort')
      }
    },
  }
  const screen = { line: (text: string) => void lines.push(text.trim()), show() {} }
  const following = new Following(server as unknown as Server, screen as unknown as Screen, 60_000)
  await following.open('ses_1')
  await until('the question that is there', () => following.requests.shown === 'req_3')
  following.leave()
  expect(after).toEqual([0, 9, 0])
  expect(lines.filter((line) => /restored|Which|Thread/.test(line))).toEqual([
    'Thread ses_1: choose',
    expect.stringContaining('Which, at 9?'),
    '(It was restored.)',
    'Thread ses_1: choose',
    expect.stringContaining('Which, at 3?'),
  ])
})

test('a message that was sent again is shown once somebody else says the same', async () => {
  const shown: number[] = []
  const said = (id: number) => ({ event_id: id, type: 'message', timestamp: '', data: { role: 'user', text: 'yes' } })
  const server = {
    async *events(_thread: string, _after: number, signal: AbortSignal) {
      yield said(1)
      yield said(2)
      yield { event_id: 3, type: 'complete', timestamp: '', data: {} }
      await once(signal, 'abort')
    },
  }
  const screen = { line() {}, show: ({ event_id }: { event_id: number }) => void shown.push(event_id) }
  const following = new Following(server as unknown as Server, screen as unknown as Screen, 60_000)
  const failing = following.sending('yes', () => Promise.reject(new Error('fetch failed')))
  await expect(failing).rejects.toThrow('fetch failed')
  await following.sending('yes', async () => 'ses_1')
  await following.settled()
  following.leave()
  expect(shown).toEqual([2, 3])
})
