import { expect, test } from 'vitest'
import { appendEvents } from '../../src/store/events.ts'
import { insertInbox, pendingInbox } from '../../src/store/inbox.ts'
import { readNote, writeNote } from '../../src/store/notes.ts'
import { sessionsByPrefix } from '../../src/store/sessions.ts'
import { participantsOf } from '../../src/store/who-wrote.ts'
import { ana, newSession, openStore } from '../support/store.ts'

test('every text that people write is stored, and does not get in the way of what is looked for beside it', async () => {
  const store = await openStore()
  const session = await newSession(store)
  for (const [place, text] of ['\0', 'a\0b', 'a\\u0000b', '\\\0', '\\\\\0', '\ud800', '😀', '\u2028'].entries()) {
    await store.transaction(async (tx) => {
      const message = { message_id: `msg_${place}` as const, role: 'user' as const, text, files: [], person: ana }
      const eventId = await appendEvents(tx, session.id, [{ type: 'message', data: message }])
      const payload = { person: ana, text, files: [] }
      await insertInbox(tx, session.id, { dedupKey: `${place}`, kind: 'message', payload, eventId })
      await writeNote(tx, `note ${place}`, text)
    })
    expect(await readNote(store.db, `note ${place}`)).toHaveLength(text.length)
  }
  const heard = await pendingInbox(store.db, session.id)
  expect(heard.map(({ payload }) => 'text' in payload && payload.text).slice(2)).toContain('a\\u0000b')
  expect(await participantsOf(store.db, session)).toEqual([ana])
})

test('ids are found by how they begin, whatever the order of people’s words is', async () => {
  const store = await openStore()
  const sessions = await Promise.all(['a', 'b', 'c'].map((thread) => newSession(store, thread)))
  for (const { id, thread } of sessions) {
    expect((await sessionsByPrefix(store.db, thread, id.slice(0, -1))).map((one) => one.id)).toContain(id)
    expect((await sessionsByPrefix(store.db, thread, id)).map((one) => one.id)).toEqual([id])
  }
})
