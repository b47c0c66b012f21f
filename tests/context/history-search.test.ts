import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { historyOf } from '../../src/capabilities/context/earlier.ts'
import { appendMessage } from '../../src/store/messages.ts'
import { newSession, openStore } from '../support/store.ts'
import { turnsDuring } from '../support/turns-during.ts'

/** A thread in which the bot has said these, after one another. */
async function saying(texts: string[]) {
  const store = await openStore()
  const session = await newSession(store)
  await store.transaction(async (tx) => {
    await sql`insert into turns (id, session_id, inbox_seq, state, person, time_zone, started_at)
      values ('turn_1', ${session.id}, 1, 'done', '{}', 'UTC', 1)`.execute(tx.db)
    for (const text of texts)
      await appendMessage(tx, session.id, { role: 'assistant', turn: 'turn_1', text, calls: [] })
  })
  return historyOf(store.db, session)
}

test.each([
  ['季度销售报告', '第三季度的销售报告已经完成。'],
  ['프로젝트가', '프로젝트는 금요일에 끝난다.'],
  ['invoices', 'The invoice is due.'],
  ['invoices?', 'The invoice is due.'],
  ['company', 'Two companies pay.'],
])('%s is found where its words stand in another form: %s', async (words, text) => {
  const history = await saying(['Hello.', text])
  expect(await history.search(words, 3)).toBe(`#2 Bobbin: ${text}`)
})

test('a message with the word itself comes before later ones with another form of it', async () => {
  const history = await saying(['The invoices are due.', 'The invoice is due.', 'An invoicing plan.'])
  expect(await history.search('invoices', 1)).toBe('#1 Bobbin: The invoices are due.')
  expect(await history.search('species', 1)).toContain('No message')
})

test('a search in a long history lets everything else go on between its pages', async () => {
  const history = await saying(Array.from({ length: 1_501 }, (_, at) => `number ${at + 1}`))
  expect(await turnsDuring(() => history.search('number', 3))).toBeGreaterThanOrEqual(3)
  expect(await history.search('1501', 3)).toBe('#1501 Bobbin: number 1501')
})

test('a single message is shown word for word, however long it is', async () => {
  const text = `${'a'.repeat(20_000)} the middle ${'z'.repeat(20_000)}`
  const history = await saying(['Hello.', text])
  expect(await history.read(2, 1)).toBe(`#2 Bobbin (everything below is this message):\n${text}`)
})
