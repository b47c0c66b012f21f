import { expect, test } from 'vitest'
import type { NewEvent } from '../../src/domain/events.ts'
import { appendEvents, readEvents } from '../../src/store/events.ts'
import { insertInbox, pendingInbox } from '../../src/store/inbox.ts'
import { appendMessage } from '../../src/store/messages.ts'
import { createTurn } from '../../src/store/turns.ts'
import { ana, newSession, openStore } from '../support/store.ts'

const result = 'The result of a call is in the history already.'
const text = 'The answer is in the history already, too.'
const who = { timeZone: 'UTC', person: ana }

test('events are read whole, whatever of them SQLite keeps elsewhere or not at all', async () => {
  const store = await openStore()
  const { id } = await newSession(store)
  const turn = await store.transaction((tx) => createTurn(tx, id, 1, who))
  const call = { turn_id: turn.id, call_id: 'call_1' as const, tool_name: 'read_file' }
  const message = { role: 'assistant' as const, text, files: [], turn_id: turn.id }
  const events: NewEvent[] = [
    { type: 'message', data: { message_id: 'msg_1', role: 'user', text, files: [], person: ana } },
    { type: 'start', data: { turn_id: turn.id, reason: 'message' } },
    { type: 'start', data: { turn_id: turn.id, reason: 'alarm' } },
    { type: 'observe', data: { ...call, status: 'done', result, duration_ms: 3 } },
    { type: 'observe', data: { ...call, status: 'done', result: 'Not in the history.' } },
    { type: 'text_end', data: { turn_id: turn.id, text_id: 'text_1_1', text } },
    { type: 'complete', data: { turn_id: turn.id, content: text, files: [], steps: 1 } },
    { type: 'message', data: { ...message, message_id: 'msg_2' } },
  ]
  await store.transaction(async (tx) => {
    await appendMessage(tx, id, { role: 'tool', turn: turn.id, text: result, call: 'call_1', program: false })
    await appendMessage(tx, id, { role: 'assistant', turn: turn.id, text, calls: [] })
    await appendEvents(tx, id, events, 'msg_2')
  })
  expect((await readEvents(store.db, id, 1, -1)).map(({ type, data }) => ({ type, data }))).toEqual(events)
  if (store.server !== undefined) return
  const stored = await store.db.selectFrom('events').select(['type', 'data', 'said']).orderBy('id').execute()
  expect(stored.filter(({ data }) => data.includes(result) || data.includes(text)).map(({ type }) => type)).toEqual([
    'message',
  ])
  expect(stored.map(({ said }) => said)).toEqual([null, null, null, 1, null, 2, 2, 2])
})

test('a message without files is stored without a list of them', async () => {
  const store = await openStore()
  const { id } = await newSession(store)
  const payload = { person: ana, text: 'hello', files: [] }
  await store.transaction(async (tx) => {
    const eventId = await appendEvents(tx, id, [])
    await insertInbox(tx, id, { dedupKey: 'a', kind: 'message', payload, eventId })
  })
  const [heard] = await pendingInbox(store.db, id)
  expect(heard?.payload).toEqual(payload)
  expect(heard?.stored.includes('files')).toBe(store.server !== undefined)
})
