import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { historyOf } from '../../src/capabilities/context/earlier.ts'
import { appendMessage } from '../../src/store/messages.ts'
import { newSession, openStore } from '../support/store.ts'
import { turnsDuring } from '../support/turns-during.ts'

test('a search in a long history lets everything else go on between its pages', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await store.transaction(async (tx) => {
    await sql`insert into turns (id, session_id, inbox_seq, state, person, time_zone, started_at)
      values ('turn_1', ${session.id}, 1, 'done', '{}', 'UTC', 1)`.execute(tx.db)
    for (let number = 1; number <= 1_501; number++)
      await appendMessage(tx, session.id, { role: 'assistant', turn: 'turn_1', text: `number ${number}`, calls: [] })
  })
  const history = historyOf(store.db, session)
  expect(await turnsDuring(() => history.search('number', 3))).toBeGreaterThanOrEqual(3)
  expect(await history.search('1501', 3)).toBe('#1501 Bobbin: number 1501')
})
