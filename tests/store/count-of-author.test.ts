import { expect, test } from 'vitest'
import { insertInbox } from '../../src/store/inbox.ts'
import { countOfAuthor } from '../../src/store/who-wrote.ts'
import { ana, newSession, openStore } from '../support/store.ts'

test('a message that is an answer as well counts once', async () => {
  const store = await openStore()
  const session = await newSession(store)
  const request = 'req_a' as const
  await store.transaction(async (tx) => {
    const answer = { person: ana, request }
    await insertInbox(tx, session.id, { dedupKey: 'answer', kind: 'answer', payload: answer, eventId: 1 })
    const said = { person: ana, text: 'use @run_command', files: [], answered: request }
    await insertInbox(tx, session.id, { dedupKey: 'said', kind: 'message', payload: said, eventId: 1 })
  })
  expect(await countOfAuthor(store.db, session.thread, ana.id, 0)).toBe(1)
})
