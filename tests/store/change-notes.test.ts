import { expect, test } from 'vitest'
import { emptyNotes, insertNote } from '../../src/inbound/change-note.ts'
import { takeInbox, unreadInbox } from '../../src/store/inbox.ts'
import { appendMessage, readMessages } from '../../src/store/messages.ts'
import { createTurn } from '../../src/store/turns.ts'
import { ana, newSession, openStore } from '../support/store.ts'

test('all notes of what a message read are emptied, of which earlier versions kept several', async () => {
  const store = await openStore()
  const { id } = await newSession(store)
  const { id: turn } = await store.transaction((tx) => createTurn(tx, id, 1, { timeZone: 'UTC', person: ana }))
  const changed = { dedupKey: 'key', person: ana, by: ana, text: 'abc', eventId: 1 }
  await store.transaction(async (tx) => {
    for (const [at, text] of ['abc', 'def'].entries()) await insertNote(tx, id, { ...changed, text, eventId: at + 1 })
    const notes = await unreadInbox(tx.db, id)
    for (const { payload } of notes) {
      const note = 'note' in payload ? `${payload.note}` : ''
      await appendMessage(tx, id, { role: 'user', turn, text: note, files: [], origin: 'note' })
    }
    const seqs = notes.map(({ seq }) => seq)
    await takeInbox(tx, id, seqs, turn)
  })
  const said = async () => JSON.stringify((await readMessages(store.db, id, { from: 0 })).map(({ text }) => text))
  expect(await said()).toMatch(/abc.*def/)
  expect(await store.transaction((tx) => emptyNotes(tx, id, { ...changed, eventId: 3 }))).toBe(1)
  expect(await said()).not.toMatch(/abc|def/)
})
