import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ofType } from '../support/client.ts'
import { atServer } from '../support/database.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { openNodes } from './support.ts'

const preload = join(import.meta.dirname, '../support/shifted-clock.js')

/** A process whose clock is off by this many minutes. */
const off = (minutes: number) => ({
  environment: { NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT_MS: `${minutes * 60_000}` },
})

/** Less than half of what the clocks differ by, and more than any machine is late; ms. */
const aboutMs = 15 * 60_000

function script({ messages }: RequestBody) {
  const last = messages.at(-1)
  if (last?.role === 'tool') return says('Done.')
  const text = JSON.stringify(last?.content)
  if (text.includes('the alarm went off')) return says('It rang.')
  if (text.includes('wake me')) return calls('alarm_set', { at: 'in 5 seconds', message: 'the alarm went off' })
  // Less than the clocks differ by, and more than this takes on any machine.
  const question = { question: 'Now?', options: ['Yes', 'No'], default: 'No', timeout_ms: 50 * 60_000 }
  return calls('ask_decision', question)
}

test('clocks that differ by an hour: alarms ring once and in time, nobody is taken for dead, and no question ends early', async () => {
  // Far less than the clocks differ by. It beats five times as often.
  const nodes = await openNodes({ settings: { engine: { silent_ms: 30_000 } }, script })
  const late = await (await nodes.place('late', off(-30))).start()
  const response = await late.chat.send('wake me')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await response.text()
  const asking = await late.chat.send('what now?')
  const asked = asking.headers.get('x-conversation-id') ?? ''
  await asking.body?.cancel()
  const [request] = await until('the question', async () => {
    const rows = await atServer<{ id: string }>(nodes.url, "select id from requests where state = 'pending'")
    return rows.length === 1 && rows
  })

  const ahead = await (await nodes.place('ahead', off(30))).start()
  const beats = () => atServer<{ beat: string }>(nodes.url, 'select holder, beat_at as beat from locks order by name')
  const first = await beats()
  await until('two more beats of both', async () => {
    const now = await beats()
    return now.length === 2 && now.every(({ beat }, place) => Number(beat) > Number(first[place]?.beat) + 1_000)
  })
  late.signal('SIGTERM')
  expect(await late.ended).toBe(0)
  await until('the alarm', async () => {
    const events = await ahead.chat.events(conversation)
    return ofType(events, 'complete').some(({ data }) => data.content === 'It rang.')
  })
  const [rang] = await atServer<{ late: string; count: string }>(
    nodes.url,
    `select max(inbox.created_at - alarms.due_at) as late, count(*) as count from inbox, alarms where inbox.kind = 'alarm'`,
  )
  expect(rang?.count).toBe('1')
  expect(Number(rang?.late)).toBeGreaterThanOrEqual(0)
  expect(Number(rang?.late)).toBeLessThan(aboutMs)
  const [still] = await atServer<{ state: string; ago: string }>(
    nodes.url,
    `select state, extract(epoch from clock_timestamp()) * 1000 - asked_at as ago from requests where id = '${request?.id}'`,
  )
  expect(still?.state).toBe('pending')
  expect(Math.abs(Number(still?.ago))).toBeLessThan(aboutMs)
  expect(ofType(await ahead.chat.events(asked), 'complete')).toEqual([])
})
